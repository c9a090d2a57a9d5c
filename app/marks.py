"""What a proofreader says of stretches of text: gaps, unclear letters, remarks. Pure.

A mark of kind `link` says by hand which note a place in the text refers to, see `app.footnotes`; it
is none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

from app.book import Mark, Region

MarkKind = Literal["gap", "unclear", "note"]
KINDS = frozenset(get_args(MarkKind))


class MarkPlace(NamedTuple):
    """A mark and the block that it stands in."""

    region: int
    mark: Mark


def marked(region: Region, mark: Mark, *, old: Mark | None = None) -> Region:
    """The region with one mark more, or with one in the place of an old one."""
    kept = [each for each in region.marks if each not in {mark, old}]
    marks = tuple(sorted((*kept, mark)))
    return region if marks == region.marks else replace(region, marks=marks, by_hand=True)


def unmarked(region: Region, mark: Mark) -> Region:
    """The region without a mark."""
    marks = tuple(each for each in region.marks if each != mark)
    return region if marks == region.marks else replace(region, marks=marks, by_hand=True)


def mark_at(region: Region, offset: int, kind: MarkKind | None = None) -> Mark | None:
    """The shortest mark that stands around an offset, of one kind or of any."""
    kinds = KINDS if kind is None else {kind}
    around = [m for m in region.marks if m.kind in kinds and m.start <= offset <= m.end]
    return min(around, key=lambda mark: mark.end - mark.start, default=None)


def marks_of(regions: Sequence[Region]) -> Iterator[MarkPlace]:
    """All marks of a page in the order of its text."""
    for index, region in enumerate(regions):
        for mark in sorted(region.marks):
            if mark.kind in KINDS:
                yield MarkPlace(index, mark)


def next_mark(regions: Sequence[Region], at: tuple[int, int], step: int) -> MarkPlace | None:
    """The mark after (1) or before (-1) a place of the text, round the page."""
    places = list(marks_of(regions))[::step]
    for place in places:
        there = (place.region, place.mark.start)
        if there > at if step > 0 else there < at:
            return place
    return places[0] if places else None
