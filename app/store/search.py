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
from functools import cache
from typing import NamedTuple

HYPHENS = "-\u00ad\u2010\u2e17¬="
"""What prints, scribes and engines put at the end of a line that ends within a word."""

_LINE_END_HYPHEN = re.compile(rf"[{HYPHENS}]\n[ \t]*")
_WIDE_SPACE = re.compile(r"\s\s+")
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
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
    query = Query("", whole_word, match_case, ignore_diacritics)
    letters = _folded(_letters(unicodedata.normalize("NFC", text), query), query).text
    return query._replace(text=letters) if letters.strip() else None


def places_of(query: Query, text: str) -> list[tuple[int, int]]:
    """Where the query stands in a text, as code points from start to end, in order."""
    letters = _letters(text, query)
    found = _places_in(query, _folded(letters, query))
    sees_hyphens = query.whole_word or any(hyphen in query.text for hyphen in HYPHENS)
    if sees_hyphens and _LINE_END_HYPHEN.search(letters):
        with_hyphens = _folded(letters, query, keep_hyphens=True)
        found = sorted({*found, *_places_in(query, with_hyphens)})
    return found


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


class _Folded(NamedTuple):
    """A text with letters taken away, and where."""

    text: str
    starts: list[int]  # offsets in `text` from which on a shift holds
    shifts: list[int]  # what to add to an offset from there on

    def offset(self, at: int) -> int:
        """Where a letter of the folded text stands in the whole one."""
        return at + self.shifts[bisect_right(self.starts, at) - 1]


def _folded(letters: str, query: Query, *, keep_hyphens: bool = False) -> _Folded:
    """White space made single spaces, words joined over line ends."""
    one_line = letters.replace("\n", " ").replace("\t", " ")
    parts: list[str] = []
    starts, shifts = [0], [0]
    done = size = 0
    for start, end, instead in _gaps(letters, query, keep_hyphens=keep_hyphens):
        if start < done:
            continue
        parts += (one_line[done:start], instead)
        size += start - done + len(instead)
        done = end
        starts.append(size)
        shifts.append(end - size)
    return _Folded("".join((*parts, one_line[done:])), starts, shifts)


def _gaps(letters: str, query: Query, *, keep_hyphens: bool) -> list[tuple[int, int, str]]:
    """Stretches that fold to less than they are: start, end, and what stands for them."""
    found = [
        (each.start() + keep_hyphens, each.end(), "")
        for each in _LINE_END_HYPHEN.finditer(letters)
        if _is_amid_word(letters, each.start(), each.end())
    ]
    found += [(*each.span(), " ") for each in _WIDE_SPACE.finditer(letters)]
    if query.ignore_diacritics:
        found += [(*each.span(), "") for each in _COMBINING.finditer(letters)]
    return sorted(found)


def _is_amid_word(text: str, start: int, end: int) -> bool:
    return _in_word(text[start - 1 : start]) and _in_word(text[end : end + 1])


def _places_in(query: Query, folded: _Folded) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    size = len(query.text)
    at = folded.text.find(query.text)
    while at >= 0:
        if not query.whole_word or _is_whole(folded.text, at, at + size):
            found.append((folded.offset(at), folded.offset(at + size - 1) + 1))
        at = folded.text.find(query.text, at + size)
    return found


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on before or behind a stretch."""
    inside_left = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    inside_right = end < len(text) and _in_word(text[end - 1]) and _in_word(text[end])
    return not inside_left and not inside_right


def _in_word(letter: str) -> bool:
    return letter.isalnum() or (letter != "" and unicodedata.category(letter).startswith("M"))
