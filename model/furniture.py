"""What stands outside the text of a page: running head, page number, signature, printer's line.

Where it stands is told by place alone; what it is, by its words once they are read (`settled`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from model.api import Kind
from model.level import Slab, em_of
from model.rows import Row, rows_of

LEAST_ROWS = 5  # a page of no more lines has no furniture
FOOT_ROWS = 2
GAP = 1.3  # to the text, against the usual distance of lines
FAR = 3.0  # below the text, in usual distances: no note stands there
APART_EM = 1.5  # between a page number and a running head
NUMBER_EM = 5.0  # a page number is no wider
SHORT = 0.6  # a line at the foot is no wider, against the widest
FILLED = 0.7  # of the widest line, at most, is what a head and its number fill together
CATCHWORD = 0.25  # as wide, against the widest line
LARGE = 1.35  # a line of furniture is no higher, against the usual line
SMALL = 0.95  # a running head without a number is lower than that
NOTE = re.compile(r"([*†‡§¶]+\)?|\(?\d{1,3}\)|\([a-z]\))\s?\w+[\w\s]{3}")
NUMBER = re.compile(
    r"[\W_]*(\d{1,4}[a-d]?|(?=\w)c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,4}))[\W_]*", re.IGNORECASE
)


class Furnished(NamedTuple):
    """A page taken apart; kinds are settled when the words are known."""

    head: list[tuple[Kind, Row]]
    body: list[Slab]
    foot: list[tuple[Kind, Row]]


def furnished(slabs: Sequence[Slab]) -> Furnished:
    """Take head and foot off a page whose slabs are sorted by `middle`."""
    rows = rows_of(slabs)
    if len(rows) <= LEAST_ROWS:
        return Furnished([], list(slabs), [])
    em = em_of(slabs)
    pitch = median(b.middle - a.middle for a, b in pairwise(rows))
    head = _head(rows, em, pitch)
    foot = [(Kind.FOOTER, row) for row in _foot(rows, em, pitch)]
    taken = {slab for _, row in (*head, *foot) for slab in row.slabs}
    return Furnished(head, [slab for slab in slabs if slab not in taken], foot)


def settled(kind: Kind, text: str) -> Kind:
    """The kind of a block, now that the text of its first line is known."""
    if kind in {Kind.RUNNING_HEAD, Kind.PAGE_NUMBER, Kind.FOOTER} and NUMBER.fullmatch(text):
        return Kind.PAGE_NUMBER
    if kind is Kind.PAGE_NUMBER:
        return Kind.HEADING
    if kind is Kind.FOOTER and NOTE.match(text):
        return Kind.NOTE
    return kind


def _head(rows: Sequence[Row], em: float, pitch: float) -> list[tuple[Kind, Row]]:
    """The first line, where it has a page number at its edge, or stands apart and is small.

    A lone line that is as large as the text, or larger, is a heading and no running head.
    """
    first, second = rows[0], rows[1]
    widest = max(row.width for row in rows)
    parts = _parts(first, em)
    # A second line of that form makes it a list with figures.
    if _has_number_at_edge(parts, em, widest) and not _has_number_at_edge(
        _parts(second, em), em, widest
    ):
        return [(Kind.RUNNING_HEAD, part) for part in parts]
    if len(parts) > 1 or second.middle - first.middle < GAP * pitch:
        return []
    if first.width < NUMBER_EM * em and first.height < LARGE * em:
        return [(Kind.PAGE_NUMBER, first)]
    return [(Kind.RUNNING_HEAD, first)] if first.height < SMALL * em else []


def _has_number_at_edge(parts: Sequence[Row], em: float, widest: float) -> bool:
    """Whether the line is a number, a wide gap and something that does not fill the rest."""
    if len(parts) < 2:
        return False
    is_number = min(parts[0].width, parts[-1].width) < NUMBER_EM * em
    return is_number and sum(part.width for part in parts) < FILLED * widest


def _foot(rows: Sequence[Row], em: float, pitch: float) -> list[Row]:
    """The last lines, two at most, that are short and apart, or far below; or a catchword."""
    foot: list[Row] = []
    widest = max(row.width for row in rows)
    right = median(row.right for row in rows)
    for above, row in list(pairwise(rows))[: -FOOT_ROWS - 1 : -1]:
        is_apart = row.middle - above.middle > GAP * pitch
        is_catchword = row.width < CATCHWORD * widest and abs(row.right - right) < em
        is_short = row.width < SHORT * widest and row.height < LARGE * em
        is_far = row.middle - above.middle > FAR * pitch and row.width < FILLED * widest
        if not (is_far or (is_short and (is_apart or is_catchword))):
            break
        foot = _parts(row, em) + foot
    return foot


def _parts(row: Row, em: float) -> list[Row]:
    """A row cut at wide gaps."""
    parts = [[row.slabs[0]]]
    for before, slab in pairwise(row.slabs):
        if slab.left - before.right > APART_EM * em:
            parts.append([])
        parts[-1].append(slab)
    return [Row(tuple(part)) for part in parts]
