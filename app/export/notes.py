"""Notes of one page and the places in its text that they belong to.

A note is linked only within its own page: a mark that begins a line of a note block (`*`, `†`, `1`,
`¹`, `1)`, `a)`) is looked for in the page's text, the surest places first. What finds no place
stays a note without one. Marks are compared without brackets and with raised digits as plain ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.book import Region
from app.export.inlines import Ref
from model.api import Kind

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SYMBOLS = "*†‡§‖¶"
_NOTE_START = re.compile(
    rf"""\s*(?P<mark>
        \(?(?:[{_SYMBOLS}]{{1,4}}|[⁰¹²³⁴-⁹]{{1,3}})\)?   # * † ¹ *) — may touch the text
        | \(?(?:\d{{1,3}}|[a-z])\)                      # 1) a) (1)
        | \d{{1,3}}\.?(?=\s|[^\W\d_a-zà-ÿ])             # 1 or 1. and a space or a capital
    )\s*""",
    re.VERBOSE,
)
_IN_TEXT = re.compile(
    rf"""
      (?P<raised>[ ]?\(?[⁰¹²³⁴-⁹]{{1,3}}\)?)
    | (?P<symbol>(?<=\S)[ ]?\(?(?<![{_SYMBOLS}])[{_SYMBOLS}]{{1,4}}\)?)
    | (?P<bracket>(?<=\S)[ ]?\(?(?<![^\W_])(?:\d{{1,3}}|[a-z])\)|(?<=[^\W\d_])\d{{1,3}}\))
    | (?P<glued>(?<=[^\W\d_])\d{{1,3}}(?![\w)])|(?<=[^\W\d_][.,;:!?»”"’)])\d{{1,3}}(?![\w.)]))
    """,
    re.VERBOSE,
)
_SUREST = ("raised", "symbol", "bracket", "glued")


class TextPlace(NamedTuple):
    """Which text of a page: a region's own, or one of its table cells."""

    region: int
    row: int = -1
    column: int = -1


@dataclass(frozen=True)
class FoundNote:
    """A note of the page: a stretch of the text of one of its note regions."""

    id: str
    mark: str  # as printed; "" where none was found
    region: int
    start: int  # of the note's text, the mark left out where it is linked
    end: int
    is_linked: bool


@dataclass(frozen=True)
class PageNotes:
    """The notes of a page, and where its text refers to them."""

    notes: tuple[FoundNote, ...] = ()
    refs: dict[TextPlace, tuple[Ref, ...]] = field(default_factory=dict[TextPlace, tuple[Ref, ...]])


class _Candidate(NamedTuple):
    order: int  # in reading order over the whole page
    place: TextPlace
    start: int
    end: int
    rank: int  # 0 is the surest
    mark: str


class _Start(NamedTuple):
    region: int
    mark: str
    mark_at: int  # where the mark begins
    text_at: int  # where the text after it begins
    end: int


def page_notes(regions: Sequence[Region], *, page: int, searched: Sequence[int]) -> PageNotes:
    """Find the notes of a page and link each to its mark.

    Args:
        regions: all regions of the page.
        page: its number, from 0; part of the notes' ids.
        searched: indices of the regions that are exported as text and may refer to notes.
    """
    if not any(region.kind is Kind.NOTE and region.text.strip() for region in regions):
        return PageNotes()
    candidates = _candidates(regions, searched)
    starts = [start for i, region in enumerate(regions) for start in _starts(i, region, candidates)]
    linked = _linked(starts, candidates)
    notes: list[FoundNote] = []
    refs: dict[TextPlace, tuple[Ref, ...]] = {}
    for index, start in enumerate(starts):
        name = f"p{page + 1}-{index + 1}"
        found = linked.get(index)
        if found:
            ref = Ref(found.start, found.end, name, found.mark)
            refs[found.place] = (*refs.get(found.place, ()), ref)
        text_at = start.text_at if found else start.mark_at
        notes.append(
            FoundNote(name, start.mark, start.region, text_at, start.end, found is not None)
        )
    return PageNotes(tuple(notes), refs)


def _starts(index: int, region: Region, candidates: dict[str, list[_Candidate]]) -> list[_Start]:
    """Split a note region where a line begins a note of its own."""
    if region.kind is not Kind.NOTE or not region.text.strip():
        return []
    text = region.text
    starts: list[_Start] = []
    for line in re.finditer(r"[^\n]+", text):
        match = _NOTE_START.match(text, line.start(), line.end()) or _styled_start(region, line)
        mark = match["mark"] if match else ""
        is_new = bool(mark) and (not starts or _begins(mark, starts[-1].mark, candidates))
        if is_new and match:
            starts.append(_Start(index, mark, match.start("mark"), match.end(), len(text)))
        elif not starts:
            starts.append(_Start(index, "", line.start(), line.start(), len(text)))
    ends = [*(start.mark_at for start in starts[1:]), len(text)]
    return [start._replace(end=end) for start, end in zip(starts, ends, strict=True)]


def _styled_start(region: Region, line: re.Match[str]) -> re.Match[str] | None:
    """A mark set raised, so that it needs neither bracket nor space: '1Vgl.'."""
    for style in region.styles:
        if style.name == "superscript" and style.start == line.start() < style.end:
            return re.compile(r"(?P<mark>.*)").match(region.text, style.start, style.end)
    return None


def _begins(mark: str, before: str, candidates: dict[str, list[_Candidate]]) -> bool:
    """Whether a mark within a region is a new note, not a number that a line happens to begin."""
    key, previous = _key(mark), _key(before)
    if key.isdigit() and previous.isdigit():
        return int(key) == int(previous) + 1
    if key.isalpha() and previous.isalpha():
        return ord(key[0]) == ord(previous[0]) + 1
    return key in candidates or key[:1] in tuple("*†‡")


def _candidates(regions: Sequence[Region], searched: Sequence[int]) -> dict[str, list[_Candidate]]:
    found: dict[str, list[_Candidate]] = {}
    for order, (place, region, text) in enumerate(_texts(regions, searched)):
        for start, end, rank in (*_raised_styles(region, place), *_marks_in(text)):
            mark = text[start:end].strip()
            candidate = _Candidate(order, place, start, end, rank, mark)
            found.setdefault(_key(mark), []).append(candidate)
    return found


def _texts(
    regions: Sequence[Region], searched: Sequence[int]
) -> Iterator[tuple[TextPlace, Region, str]]:
    for index in searched:
        region = regions[index]
        if not region.rows:
            yield TextPlace(index), region, region.text
        for row, cells in enumerate(region.rows):
            for column, cell in enumerate(cells):
                yield TextPlace(index, row, column), region, cell.text


def _raised_styles(region: Region, place: TextPlace) -> Iterator[tuple[int, int, int]]:
    if place.row < 0:
        for style in region.styles:
            if style.name == "superscript" and 0 < style.start < style.end:
                yield style.start, style.end, 0


def _marks_in(text: str) -> Iterator[tuple[int, int, int]]:
    for match in _IN_TEXT.finditer(text):
        yield match.start(), match.end(), _SUREST.index(match.lastgroup or "")


def _linked(
    starts: Sequence[_Start], candidates: dict[str, list[_Candidate]]
) -> dict[int, _Candidate]:
    """Give each note the surest place of its mark, in the order of the text where that can be."""
    linked: dict[int, _Candidate] = {}
    taken: list[_Candidate] = []
    for index, start in enumerate(starts):
        free = [
            candidate
            for candidate in candidates.get(_key(start.mark), ())
            if start.mark and not any(_overlap(candidate, other) for other in taken)
        ]
        if free:
            best = _best(free, taken[-1] if taken else None)
            taken.append(best)
            linked[index] = best
    return linked


def _best(free: Sequence[_Candidate], last: _Candidate | None) -> _Candidate:
    """The surest place; among equals the first after the last note's, else the first of all."""

    def worth(candidate: _Candidate) -> tuple[int, bool, int, int]:
        where = (candidate.order, candidate.start)
        goes_back = last is not None and where <= (last.order, last.start)
        return (candidate.rank, goes_back, *where)

    return min(free, key=worth)


def _overlap(one: _Candidate, other: _Candidate) -> bool:
    return one.place == other.place and one.start < other.end and other.start < one.end


def _key(mark: str) -> str:
    return mark.strip(" ().").translate(_RAISED)
