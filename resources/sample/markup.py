"""The guide as it is written: `guide.txt` to elements made of words, nothing of lines or pages.

Blocks are parted by blank lines; a block that begins with `@` is an order (`@section Reading`),
any other is a paragraph. Within it `*...*` is italic, `{...}` small capitals, `[[...]]` a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

Manner = Literal["roman", "italic", "small_caps", "capitals"]


@dataclass(frozen=True)
class Note:
    """A note at the foot of the page on which its mark stands."""

    words: tuple[Word, ...]


class Atom(NamedTuple):
    """Letters of one word set in one manner; or, with a note and no text, that note's mark."""

    text: str
    manner: Manner = "roman"
    note: Note | None = None


Word = tuple[Atom, ...]
Words = tuple[Word, ...]


class Element(NamedTuple):
    """One order or one paragraph of the guide, in the order of the file."""

    name: Literal["title", "blank", "chapter", "section", "columns", "table", "colophon", "text"]
    heading: str = ""
    rows: tuple[tuple[str, ...], ...] = ()  # of a table; name and text of title lines
    words: Words = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The first cell of every row."""
        return tuple(row[0] for row in self.rows)


_MANNERS = re.compile(
    r"\*(?P<italic>[^*]+)\*|\{(?P<small_caps>[^}]+)\}|\[\[(?P<note>.+?)\]\]|(?P<roman>[^*{\[]+)"
)


def read_guide(text: str) -> tuple[Element, ...]:
    """Split the file into elements."""
    return tuple(_element(block) for block in re.split(r"\n\s*\n", text.strip()))


def words_of(text: str, manner: Manner = "roman") -> Words:
    """Split a marked-up paragraph into words; straight apostrophes become printed ones."""
    words: list[list[Atom]] = [[]]
    for match in _MANNERS.finditer(text.replace("'", "’")):
        kind, stretch = str(match.lastgroup), match.group(str(match.lastgroup))
        if kind == "note":
            words[-1].append(Atom("", "roman", Note(words_of(stretch))))
            continue
        first, *others = stretch.split(" ")
        as_set = manner if kind == "roman" else _manner(kind)
        words[-1] += [Atom(first, as_set)] if first else []
        words += [[Atom(part, as_set)] if part else [] for part in others]
    return tuple(tuple(word) for word in words if word)


def _manner(kind: str) -> Manner:
    return "italic" if kind == "italic" else "small_caps"


def _element(block: str) -> Element:
    if not block.startswith("@"):
        return Element("text", words=words_of(" ".join(block.splitlines())))
    first, *lines = block.splitlines()
    name, _, heading = first[1:].partition(" ")
    match name:
        case "title":
            rows = tuple(tuple(part.strip() for part in line.split(":", 1)) for line in lines)
            return Element("title", rows=rows)
        case "table":
            rows = tuple(tuple(cell.strip() for cell in line.split("|")) for line in lines)
            return Element("table", rows=rows)
        case "colophon":
            return Element("colophon", rows=tuple((line,) for line in lines))
        case "blank":
            return Element("blank")
        case "chapter" | "section" | "columns":
            return Element(name, heading=heading)
        case _:
            raise ValueError(f"the guide has an order that is not known: @{name}")
