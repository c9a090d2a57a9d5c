"""Search in the text of a page: case, whole words, diacritics, patterns, printed line ends. Pure.

A query is looked for in a folded copy of the text: a line end counts as a space, and a hyphen at a
line end both as no letter and as one (`example` finds `exam-⏎ple`, `well-known` `well-⏎known`).
Folding leaves nearly all letters at their offsets; where it takes some away, it notes by how much
the offsets behind differ. A pattern (regular expression) is matched against the same folded text,
block by block.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from app.store.patterns import PATIENCE_S, compiled, matches

if TYPE_CHECKING:
    from regex import Pattern

HYPHENS = "-\u00ad\u2010\u2e17¬="
"""What prints, scribes and engines put at the end of a line that ends within a word."""

REGION_END = "\x01"
"""Stands between the blocks of a page in its text: no letter, and no white space to Python."""

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
    pattern: Pattern[str] | None = None  # what is looked for is a regular expression


class Hit(NamedTuple):
    """Where a query stands in a text, as code points."""

    start: int
    end: int
    groups: tuple[tuple[int, int], ...] = ()  # of a pattern, the whole first; (-1, -1): not there


def query_of(
    text: str,
    *,
    whole_word: bool = False,
    match_case: bool = False,
    ignore_diacritics: bool = False,
    is_pattern: bool = False,
) -> Query | None:
    """What a person typed as a query, None where there is nothing to look for.

    Raises:
        FindError: `pattern_bad`.
    """
    query = Query("", whole_word, match_case, ignore_diacritics)
    if is_pattern:
        return _pattern_query(unicodedata.normalize("NFC", text), query)
    letters = _folded(_letters(unicodedata.normalize("NFC", text), query), query).text
    return query._replace(text=letters) if letters.strip() else None


def _pattern_query(pattern: str, query: Query) -> Query | None:
    """Letters of a pattern are folded as those of the text are; its signs stay as they are."""
    if not pattern:
        return None
    if query.ignore_diacritics:
        pattern = pattern.translate(_bare_letters())
    if not query.match_case:
        pattern = pattern.replace("ς", "σ").replace("ſ", "s")
    return query._replace(text=pattern, pattern=compiled(pattern, match_case=query.match_case))


def places_of(query: Query, text: str, *, timeout_s: float = PATIENCE_S) -> list[tuple[int, int]]:
    """Where the query stands in a text, as code points from start to end, in order."""
    return [(hit.start, hit.end) for hit in hits_of(query, text, timeout_s=timeout_s)]


def hits_of(query: Query, text: str, *, timeout_s: float = PATIENCE_S) -> list[Hit]:
    """Where the query stands in a text, in order, none upon another.

    Args:
        query: what to look for.
        text: of a page or a block; `REGION_END` between blocks.
        timeout_s: how long a pattern may take.

    Raises:
        FindError: `pattern_slow`.
    """
    if query.pattern is None:
        return _hits(query, text)
    hits: list[Hit] = []
    start = 0
    for block in text.split(REGION_END):
        hits += (_shifted(hit, start) for hit in _hits(query, block, timeout_s))
        start += len(block) + 1
    return hits


def count_of(query: Query, text: str) -> int:
    """How many places a text has; faster than to find them."""
    is_plain = query.pattern is None and not query.whole_word
    if is_plain and not any(hyphen in query.text for hyphen in HYPHENS):
        return _folded(_letters(text, query), query).text.count(query.text)
    return len(hits_of(query, text))


def _hits(query: Query, text: str, timeout_s: float = PATIENCE_S) -> list[Hit]:
    letters = _letters(text, query)
    found = list(_hits_in(query, _folded(letters, query), timeout_s))
    may_see = query.pattern is not None or query.whole_word
    sees_hyphens = may_see or any(hyphen in query.text for hyphen in HYPHENS)
    if sees_hyphens and _LINE_END_HYPHEN.search(letters):
        with_hyphens = _folded(letters, query, keep_hyphens=True)
        found = _apart([*found, *_hits_in(query, with_hyphens, timeout_s)])
    return found


def _apart(hits: list[Hit]) -> list[Hit]:
    """The hits in order; of two that share a letter the first and longer one."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _shifted(hit: Hit, by: int) -> Hit:
    groups = tuple((start + by, end + by) if start >= 0 else (-1, -1) for start, end in hit.groups)
    return Hit(hit.start + by, hit.end + by, groups)


def index_text(text: str) -> str:
    """The text with all that finding may pass over folded, for the index of a book."""
    return _folded(_letters(text, _ANYHOW), _ANYHOW).text


_ANYHOW = Query("", ignore_diacritics=True)


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


def _hits_in(query: Query, folded: _Folded, timeout_s: float) -> Iterator[Hit]:
    found = _spans(query, folded.text) if query.pattern is None else ()
    for start, end in found:
        if not query.whole_word or _is_whole(folded.text, start, end):
            yield Hit(folded.offset(start), folded.offset(end - 1) + 1)
    if query.pattern is None:
        return
    for match in matches(query.pattern, folded.text, timeout_s=timeout_s):
        if not query.whole_word or _is_whole(folded.text, *match.span()):
            groups = tuple(_stretch(folded, *span) for span in match.regs)
            yield Hit(*groups[0], groups)


def _spans(query: Query, text: str) -> Iterator[tuple[int, int]]:
    size = len(query.text)
    at = text.find(query.text)
    while at >= 0:
        yield at, at + size
        at = text.find(query.text, at + size)


def _stretch(folded: _Folded, start: int, end: int) -> tuple[int, int]:
    if start < 0:
        return -1, -1
    at = folded.offset(start)
    return at, folded.offset(end - 1) + 1 if end > start else at


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on before or behind a stretch."""
    inside_left = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    inside_right = end < len(text) and _in_word(text[end - 1]) and _in_word(text[end])
    return not inside_left and not inside_right


def _in_word(letter: str) -> bool:
    return letter.isalnum() or (letter != "" and unicodedata.category(letter).startswith("M"))
