"""Notes of one page and the places in its text that they belong to.

A note is linked only within its own page: a mark that begins a line of a note block (`*`, `†`, `1`,
`¹`, `1)`, `a)`) is looked for in the page's text, the surest places first. What finds no place
stays a note without one. Marks are compared without brackets and with raised digits as plain ones.
What a person has said holds: marks of kind `link` on both ends, of one name, tie them; an empty
name says that a place refers to no note, or that a note belongs to no place.
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
    begins: int  # where the note begins, its mark included


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
    link: str = ""  # what a person named it


class _Start(NamedTuple):
    region: int
    mark: str
    mark_at: int  # where the mark begins
    text_at: int  # where the text after it begins
    end: int
    link: str | None = None  # what a person named its link; "": it has no place


def page_notes(regions: Sequence[Region], *, page: int, searched: Sequence[int]) -> PageNotes:
    """Find the notes of a page and link each to its mark.

    Args:
        regions: all regions of the page.
        page: its number, from 0; part of the notes' ids.
        searched: indices of the regions that are exported as text and may refer to notes.
    """
    if not any(region.kind is Kind.NOTE and region.text.strip() for region in regions):
        return PageNotes()
    tied = _tied(regions, searched)
    candidates = _candidates(regions, searched, besides=tied)
    starts = [
        start
        for i, region in enumerate(regions)
        for start in _with_links(_starts(i, region, candidates), region)
    ]
    named = {each.link: each for each in tied if each.link}
    linked = _linked(starts, candidates, named)
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
            FoundNote(
                name, start.mark, start.region, text_at, start.end, found is not None, start.mark_at
            )
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


def _with_links(starts: list[_Start], region: Region) -> list[_Start]:
    """The notes of a region, and those that a person began there; each knows what was said of it.

    The first note begins with the region, wherever its mark is said to be.
    """
    for mark in sorted(region.marks):
        if mark.kind != "link" or not starts:
            continue
        at = max(i for i, start in enumerate(starts) if i == 0 or start.mark_at <= mark.start)
        here = starts[at]
        if mark.start <= here.text_at or mark.start == here.mark_at:
            starts[at] = here._replace(link=mark.text, text_at=max(here.text_at, mark.end))
            continue
        new = _Start(
            here.region,
            region.text[mark.start : mark.end].strip(),
            mark.start,
            mark.end,
            here.end,
            mark.text,
        )
        starts[at : at + 1] = [here._replace(end=mark.start), new]
    return starts


def _tied(regions: Sequence[Region], searched: Sequence[int]) -> list[_Candidate]:
    """The places of which a person has said what they refer to."""
    return [
        _Candidate(order, *stretch, 0, region.text[mark.start : mark.end].strip(), mark.text)
        for order, region in enumerate(regions[index] for index in searched)
        for mark in region.marks
        if mark.kind == "link" and mark.start < mark.end
        if (stretch := _stretch_of(searched[order], region, mark.start, mark.end))
    ]


def _stretch_of(index: int, region: Region, start: int, end: int) -> tuple[TextPlace, int, int]:
    """A stretch of a region's text; in a table of the text of its cell."""
    if not region.rows:
        return TextPlace(index), start, end
    before = region.text[:start]
    row, line_at = before.count("\n"), before.rfind("\n") + 1
    column, cell_at = before.count("\t", line_at), max(line_at, before.rfind("\t") + 1)
    return TextPlace(index, row, column), start - cell_at, end - cell_at


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


def _candidates(
    regions: Sequence[Region], searched: Sequence[int], *, besides: Sequence[_Candidate]
) -> dict[str, list[_Candidate]]:
    """All places that may refer to a note, by their mark, but for those that are spoken for."""
    found: dict[str, list[_Candidate]] = {}
    for order, (place, region, text) in enumerate(_texts(regions, searched)):
        for start, end, rank in (*_raised_styles(region, place), *_marks_in(text)):
            mark = text[start:end].strip()
            candidate = _Candidate(order, place, start, end, rank, mark)
            if any(_overlap(candidate, other) for other in besides):
                continue
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
    starts: Sequence[_Start],
    candidates: dict[str, list[_Candidate]],
    named: dict[str, _Candidate],
) -> dict[int, _Candidate]:
    """Give each note the place that a person named, else the surest of its mark.

    They are given in the order of the text where that can be.
    """
    linked: dict[int, _Candidate] = {}
    taken: list[_Candidate] = []
    for index, start in enumerate(starts):
        if start.link in named:
            linked[index] = named[start.link]
            continue
        if start.link == "":
            continue
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
