"""Splits a page into areas of one column each, in reading order.

A gutter is an upright band that no slab crosses over a stretch of the page. Gaps between neighbours
vote for it. Whether the text to its two sides is read column after column, or row by row across it
(a table, a list with figures), is told by what stands next to it:

- narrow cells level with the text beside them belong to that text's rows;
- narrow cells with a pitch of their own are notes in the margin: a column;
- ragged cells, level with each other over several gutters, are a table;
- everything else is columns.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from model.level import Slab, beside, em_of

VOTES = 3  # gaps above one another that make a gutter
CANDIDATES = 12  # gutters looked at, the most voted first
OVERHANG_EM = 0.3  # what may reach into a gutter without closing it
NARROW_EM = 4.0
TABLE_COLUMN_EM = 8.0  # two level, ragged columns no wider than this are a table
LEVEL_EM = 0.25
MOSTLY = 0.6
HALF = 0.5
FULL = 0.85  # of its column is what a full line fills
MARGIN = 3.5  # how many times narrower than the text notes in the margin are
FOLD = (0.4, 0.6)  # where the fold of an opened book lies, in widths of the text


class Gutter(NamedTuple):
    """A place where an area is cut: text left and right of `x`, between two heights."""

    x: float
    top: float
    bottom: float
    weight: float


class Area(NamedTuple):
    """Slabs of one column, sorted by `middle`."""

    slabs: list[Slab]
    is_margin: bool = False  # notes beside a column


def areas(slabs: Sequence[Slab]) -> list[Area]:
    """The one-column areas of a page in reading order; every slab in one of them.

    Args:
        slabs: sorted by `middle`.
    """
    gutter = _best_gutter(slabs)
    if gutter is None:
        return [Area(list(slabs))] if slabs else []
    above = [slab for slab in slabs if slab.middle <= gutter.top]
    below = [slab for slab in slabs if slab.middle >= gutter.bottom]
    between = [slab for slab in slabs if gutter.top < slab.middle < gutter.bottom]
    left = [slab for slab in between if slab.centre < gutter.x]
    right = [slab for slab in between if slab.centre >= gutter.x]
    return [*areas(above), *_side_by_side(left, right), *areas(below)]


def _side_by_side(left: list[Slab], right: list[Slab]) -> list[Area]:
    """Two columns; a very narrow one is notes in the margin, to be read after the text."""
    if MARGIN * _extent(left) < _extent(right):
        return [*areas(right), Area(left, is_margin=True)]
    if MARGIN * _extent(right) < _extent(left):
        return [*areas(left), Area(right, is_margin=True)]
    return [*areas(left), *areas(right)]


def facing_pages(slabs: Sequence[Slab]) -> list[list[Slab]]:
    """The left and the right page of an opened book, or the one page that there is."""
    gutter = _best_gutter(slabs)
    if gutter is None or not _is_fold(gutter, slabs):
        return [list(slabs)]
    left = [slab for slab in slabs if slab.centre < gutter.x]
    right = [slab for slab in slabs if slab.centre >= gutter.x]
    return [left, right]


def _is_fold(gutter: Gutter, slabs: Sequence[Slab]) -> bool:
    """Whether a gutter is open from top to bottom in the middle of text wider than high."""
    width = _extent(slabs)
    height = max(slab.bottom for slab in slabs) - min(slab.top for slab in slabs)
    at = (gutter.x - min(slab.left for slab in slabs)) / width
    is_open = gutter.top == float("-inf") and gutter.bottom == float("inf")
    return is_open and width > height and FOLD[0] < at < FOLD[1]


def _best_gutter(slabs: Sequence[Slab]) -> Gutter | None:
    em = em_of(slabs)
    pairs = [(a, b) for a, b in beside(slabs, 0.8) if b.left > a.right]
    found = [
        gutter
        for x in _voted(pairs, em)
        for top, bottom in _open_stretches(slabs, x, em)
        if (gutter := _judged(slabs, pairs, x, top, bottom, em)) is not None
    ]
    return max(found, key=lambda gutter: gutter.weight, default=None)


def _voted(pairs: Sequence[tuple[Slab, Slab]], em: float) -> list[float]:
    """Places that enough gaps contain, the most contained first, one per gutter."""
    starts = sorted(a.right for a, _ in pairs)
    ends = sorted(b.left for _, b in pairs)
    votes = {
        x: bisect_right(starts, x) - bisect_left(ends, x)
        for x in ((a.right + b.left) / 2 for a, b in pairs)
    }
    chosen: list[float] = []
    for x in sorted(votes, key=lambda x: (-votes[x], x)):
        if votes[x] < VOTES or len(chosen) == CANDIDATES:
            break
        if all(abs(x - other) > em / 2 for other in chosen):
            chosen.append(x)
    return chosen


def _open_stretches(slabs: Sequence[Slab], x: float, em: float) -> Iterator[tuple[float, float]]:
    """The stretches of height in which nothing crosses `x`."""
    slack = OVERHANG_EM * em
    closed = [slab.middle for slab in slabs if slab.left + slack < x < slab.right - slack]
    edges = [float("-inf"), *closed, float("inf")]
    for top, bottom in pairwise(edges):
        if bottom > top:
            yield top, bottom


def _judged(
    slabs: Sequence[Slab],
    pairs: Sequence[tuple[Slab, Slab]],
    x: float,
    top: float,
    bottom: float,
    em: float,
) -> Gutter | None:
    """The gutter at this place, or None where text is read across it."""
    within = [slab for slab in slabs if top < slab.middle < bottom]
    left = [slab for slab in within if slab.centre < x]
    right = [slab for slab in within if slab.centre >= x]
    facing = [(a, b) for a, b in pairs if top < a.middle < bottom and a.centre < x <= b.centre]
    if len(facing) < VOTES or not _are_columns(facing, left, right, em):
        return None
    return Gutter(x, top, bottom, len(within) * min(_extent(left), _extent(right)))


def _are_columns(
    facing: Sequence[tuple[Slab, Slab]], left: Sequence[Slab], right: Sequence[Slab], em: float
) -> bool:
    """Whether what faces each other across a gutter is two columns of text."""
    if _share(abs(a.middle - b.middle) < LEVEL_EM * em for a, b in facing) < MOSTLY:
        return min(_rows(left, em), _rows(right, em)) >= VOTES
    nearest_left, nearest_right = [a for a, _ in facing], [b for _, b in facing]
    left_more, right_more = (
        _have_company(nearest_left, left, em),
        _have_company(nearest_right, right, em),
    )
    if not _are_wide(nearest_right, em):
        return False
    if not _are_wide(nearest_left, em):
        return left_more and right_more  # a list with figures, set twice side by side
    if _are_full(nearest_left) or _are_full(nearest_right):
        return True
    is_table = left_more or right_more
    return not is_table and min(_extent(left), _extent(right)) > TABLE_COLUMN_EM * em


def _are_wide(slabs: Sequence[Slab], em: float) -> bool:
    return median(slab.width for slab in slabs) > NARROW_EM * em


def _have_company(slabs: Sequence[Slab], side: Sequence[Slab], em: float) -> bool:
    """Whether most of these stand in one row with others of their side."""
    middles = [slab.middle for slab in side]  # sorted, as all slabs are
    slack = LEVEL_EM * em

    def company(slab: Slab) -> int:
        first = bisect_left(middles, slab.middle - slack)
        return bisect_right(middles, slab.middle + slack) - first

    return _share(company(slab) > 1 for slab in slabs) >= MOSTLY


def _are_full(slabs: Sequence[Slab]) -> bool:
    """Whether lines fill their column, as prose does."""
    full = FULL * _extent(slabs)
    return _share(slab.width > full for slab in slabs) >= HALF


def _rows(slabs: Sequence[Slab], em: float) -> int:
    """How many rows the slabs stand in, about."""
    middles = [slab.middle for slab in slabs]
    return 1 + sum(b - a > em / 2 for a, b in pairwise(middles))


def _extent(slabs: Sequence[Slab]) -> float:
    if not slabs:
        return 0.0
    return max(slab.right for slab in slabs) - min(slab.left for slab in slabs)


def _share(truths: Sequence[bool] | Iterator[bool]) -> float:
    listed = list(truths)
    return sum(listed) / len(listed) if listed else 0.0
