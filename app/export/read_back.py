"""A written transcript read again, by other code than wrote it: its pages and its words.

Words are compared as a bag: their number, and the sum of their hashes. Page by page or paragraph by
paragraph, so that a long book takes no more memory than a short one.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

_WORD = re.compile(r"\w+")
_ANCHOR = re.compile(r"p(\d+)")
_MARKUP = re.compile(
    r"""
      <a[ ]id="p(?P<page>\d+)"></a>
    | (?P<apart><br>|</?t(?:able|r|d|h)[^>]*>)
    | <!--.*?--> | </?[a-z][^>]*> | \[\^[^\]]+\]:? | \*+
    | \\(?P<escaped>.)
    """,
    re.VERBOSE,
)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_APART = {f"{_W}br", f"{_W}tab"}


@dataclass
class Tally:
    """Pages and words of a transcript. Two are equal when both hold the same."""

    pages: list[int] = field(default_factory=list[int])  # numbers, from 0, in order
    words: int = 0
    hashes: int = 0

    def add_text(self, text: str) -> None:
        """Count the words of a text."""
        words = _WORD.findall(text)
        self.words += len(words)
        self.hashes += sum(map(hash, words))


def read_markdown(path: Path) -> Tally:
    """Count what a Markdown file holds after its front matter."""
    tally = Tally()

    def plain(match: re.Match[str]) -> str:
        if match["page"]:
            tally.pages.append(int(match["page"]) - 1)
        return " " if match["apart"] else match["escaped"] or ""

    with path.open(encoding="utf-8") as file:
        for line in _after_front_matter(file):
            tally.add_text(_MARKUP.sub(plain, line))
    return tally


def _after_front_matter(file: IO[str]) -> Iterator[str]:
    next(file, "")  # the opening line
    return dropwhile(lambda line: line != "---\n", file)


def read_docx(path: Path) -> Tally:
    """Count what a DOCX file holds in its text and its footnotes."""
    tally = Tally()
    with zipfile.ZipFile(path) as package:
        for name in ("word/document.xml", "word/footnotes.xml"):
            with package.open(name) as part:
                _count_part(part, tally)
    return tally


def _count_part(part: IO[bytes], tally: Tally) -> None:
    """Count the bookmarks and paragraphs of one part while it is parsed."""
    text: list[str] = []
    for _event, element in ElementTree.iterparse(part):
        if element.tag == f"{_W}t":
            text.append(element.text or "")
        elif element.tag in _APART:
            text.append(" ")
        elif element.tag == f"{_W}bookmarkStart":
            page = _ANCHOR.fullmatch(element.get(f"{_W}name", ""))
            tally.pages += [int(page[1]) - 1] if page else []
        elif element.tag == f"{_W}p":
            tally.add_text("".join(text))
            text.clear()
            element.clear()
