"""Tables: runs of printed lines whose parts stand under one another in several columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from model.level import Slab
from model.rows import Row

CELL_GAP_EM = 0.9  # between the detector's boxes; the gap between the letters is wider
LEAST_ROWS = 3
BETWEEN = 2  # rows of one part in a row, at most, inside a table
FILLED = 0.6  # share of cells that are not empty, at least
LEADING = 2.2  # the next row of a table is no further off than this, in usual distances

Cells = tuple[tuple[Slab, ...], ...]


class TableRows(NamedTuple):
    """Consecutive printed lines that make a table."""

    start: int  # of the column's rows
    end: int  # exclusive
    cells: tuple[Cells, ...]  # rows of equal length; an empty cell has no slab


def tables_in(rows: Sequence[Row], em: float) -> list[TableRows]:
    """The tables among the lines of one column, from top to bottom."""
    return [
        table
        for start, end in _runs(rows, em)
        if end - start >= LEAST_ROWS and (table := _table(rows, start, end, em)) is not None
    ]


def _runs(rows: Sequence[Row], em: float) -> list[tuple[int, int]]:
    """Stretches of rows of several parts; a few of one part may stand between two of them."""
    several = [i for i, row in enumerate(rows) if len(_parts(row, em)) > 1]
    runs: list[tuple[int, int]] = []
    for i in several:
        if runs and i - runs[-1][1] <= BETWEEN and _are_near(rows[runs[-1][1] - 1 : i + 1], em):
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    return runs


def _are_near(rows: Sequence[Row], em: float) -> bool:
    return all(b.middle - a.middle <= LEADING * em for a, b in pairwise(rows))


def _parts(row: Row, em: float) -> list[tuple[Slab, ...]]:
    """A row cut where the gap is wider than a space between words."""
    parts: list[tuple[Slab, ...]] = [row.slabs[:1]]
    for before, slab in pairwise(row.slabs):
        if slab.left - before.right > CELL_GAP_EM * em:
            parts.append((slab,))
        else:
            parts[-1] += (slab,)
    return parts


def _table(rows: Sequence[Row], start: int, end: int, em: float) -> TableRows | None:
    parted = [_parts(row, em) for row in rows[start:end]]
    columns = _columns([part for parts in parted if len(parts) > 1 for part in parts])
    if len(columns) < 2:
        return None
    filled = sum(map(len, parted)) / (len(columns) * len(parted))
    if filled < FILLED:
        return None
    return TableRows(start, end, tuple(_in_columns(parts, columns) for parts in parted))


def _columns(parts: Sequence[tuple[Slab, ...]]) -> list[tuple[float, float]]:
    """From and to of each column: the parts' own extents, joined where they overlap."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((part[0].left, part[-1].right) for part in parts):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(right, columns[-1][1]))
        else:
            columns.append((left, right))
    return columns


def _in_columns(parts: Sequence[tuple[Slab, ...]], columns: Sequence[tuple[float, float]]) -> Cells:
    cells: list[tuple[Slab, ...]] = [() for _ in columns]
    for part in parts:
        column = next(i for i, (_, right) in enumerate(columns) if part[0].left < right)
        cells[column] += part
    return tuple(cells)
