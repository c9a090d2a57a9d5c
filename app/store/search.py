"""Plain search in the text of a page: case, whole words, diacritics, printed line ends. Pure.

A query is looked for in a folded copy of the text: a line end counts as a space, and a hyphen at a
line end both as no letter and as one (`example` finds `exam-⏎ple`, `well-known` `well-⏎known`).
Folding leaves nearly all letters at their offsets; where it takes some away, it notes by how much
the offsets behind differ.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

HYPHENS = "-\u00ad\u2010\u2e17¬="
"""What prints, scribes and engines put at the end of a line that ends within a word."""

_WHITE = r"[ \t\r\f\v]*\n\s*|\s{2,}|\t"
_HYPHEN_GONE = rf"(?<=\w)[{HYPHENS}]\n(?=\w)"
_HYPHEN_KEPT = rf"(?<=\w[{HYPHENS}])\n(?=\w)"
_COMBINING = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
_WITH_DIACRITICS = (range(0xC0, 0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic


class Query(NamedTuple):
    """What to look for, and how."""

    text: str  # NFC, white space as single spaces
    whole_word: bool = False
    match_case: bool = False
    ignore_diacritics: bool = False


def query_of(
    text: str, *, whole_word: bool, match_case: bool, ignore_diacritics: bool
) -> Query | None:
    """What a person typed as a query, None where there is nothing to look for."""
    one_line = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text))
    query = Query(one_line, whole_word, match_case, ignore_diacritics)
    letters = _removed(_letters(one_line, query), _pattern(query, "")).text
    return query._replace(text=letters) if letters.strip() else None


def places_of(query: Query, text: str) -> list[tuple[int, int]]:
    """Where the query stands in a text, as code points from start to end, in order."""
    letters = _letters(text, query)
    found = set(_places_in(query, letters, _HYPHEN_GONE))
    if query.whole_word or any(hyphen in query.text for hyphen in HYPHENS):
        found.update(_places_in(query, letters, _HYPHEN_KEPT))
    return sorted(found)


def _letters(text: str, query: Query) -> str:
    """The text with case and diacritics folded, every letter at its offset."""
    if not query.match_case:
        text = text.replace("İ", "i").lower().replace("ς", "σ").replace("ſ", "s")
    return text.translate(_bare_letters()) if query.ignore_diacritics else text


@cache
def _bare_letters() -> dict[int, str]:
    """Letters with diacritics to those without."""
    decomposed = {
        code: unicodedata.normalize("NFD", chr(code))
        for codes in _WITH_DIACRITICS
        for code in codes
    }
    return {code: parts[0] for code, parts in decomposed.items() if len(parts) > 1}


def _pattern(query: Query, hyphen: str) -> str:
    gone = [hyphen, _COMBINING if query.ignore_diacritics else ""]
    named = "|".join(part for part in gone if part)
    return f"(?P<gone>{named})|{_WHITE}" if named else _WHITE


class _Folded(NamedTuple):
    """A text with letters removed, and where."""

    text: str
    starts: list[int]  # offsets in `text` from which on a shift holds
    shifts: list[int]  # what to add to an offset from there on

    def offset(self, at: int) -> int:
        """Where a letter of the folded text stands in the whole one."""
        return at + self.shifts[bisect_right(self.starts, at) - 1]


def _removed(text: str, pattern: str) -> _Folded:
    """White space made single spaces, and what the pattern calls gone taken away."""
    parts: list[str] = []
    starts, shifts = [0], [0]
    done = size = 0
    for found in re.finditer(pattern, text):
        start, end = found.span()
        space = "" if found.lastgroup == "gone" else " "
        parts += (text[done:start], space)
        size += start - done + len(space)
        done = end
        if end - size != shifts[-1]:
            starts.append(size)
            shifts.append(end - size)
    return _Folded("".join((*parts, text[done:])), starts, shifts)


def _places_in(query: Query, letters: str, hyphen: str) -> Iterator[tuple[int, int]]:
    folded = _removed(letters, _pattern(query, hyphen))
    size = len(query.text)
    at = folded.text.find(query.text)
    while at >= 0:
        if not query.whole_word or _is_whole(folded.text, at, at + size):
            yield folded.offset(at), folded.offset(at + size - 1) + 1
        at = folded.text.find(query.text, at + size)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on before or behind a stretch."""
    inside_left = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    inside_right = end < len(text) and _in_word(text[end - 1]) and _in_word(text[end])
    return not inside_left and not inside_right


def _in_word(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter).startswith("M")
