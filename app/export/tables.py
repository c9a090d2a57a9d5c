"""Rows of cells as engines give them, laid out on a grid that every format can write.

Spans are clipped where they would cross another cell or leave the table, columns and rows in which
no cell begins are dropped, and gaps are filled with empty cells: the grid has no hole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.desk.hyphens import Hyphens
from app.export.blocks import Table, TableCell
from app.export.inlines import Spans, inlines
from model.api import Cell, Rows

_WIDEST_SPAN = 1000  # as HTML has it; engines invent larger ones


class _Placed(NamedTuple):
    cell: Cell
    spans: Spans
    row: int
    column: int
    height: int
    width: int


def table(rows: Rows, spans: Mapping[tuple[int, int], Spans], hyphens: Hyphens | None) -> Table:
    """Lay out a table.

    Args:
        rows: at least one cell.
        spans: note references and the like, by row and place in the row.
        hyphens: decides on words broken within a cell; other line ends are kept.
    """
    placed = list(_placed(rows, spans))
    columns = sorted({each.column for each in placed})
    lines = sorted({each.row for each in placed})
    grid: list[dict[int, TableCell]] = [{} for _line in lines]
    taken: set[tuple[int, int]] = set()
    for each in placed:
        height = _within(lines, each.row, each.height)
        width = _within(columns, each.column, each.width)
        row, column = bisect_left(lines, each.row), bisect_left(columns, each.column)
        text = inlines(each.cell.text, each.spans, hyphens=hyphens, line_end="\n")
        grid[row][column] = TableCell(text, column, height, width, each.cell.is_heading)
        taken.update((row + i, column + j) for i in range(height) for j in range(width))
    for row, cells in enumerate(grid):
        gaps = (column for column in range(len(columns)) if (row, column) not in taken)
        cells.update((column, TableCell((), column)) for column in gaps)
    return Table(tuple(tuple(cells[key] for key in sorted(cells)) for cells in grid), len(columns))


def _placed(rows: Rows, spans: Mapping[tuple[int, int], Spans]) -> Iterator[_Placed]:
    """Give each cell its first free place, as browsers do."""
    free_from: dict[int, int] = {}  # column: first row in which it is free again
    for row, cells in enumerate(rows):
        column = 0
        for index, cell in enumerate(cells):
            while free_from.get(column, 0) > row:
                column += 1
            height = max(1, min(cell.row_span, len(rows) - row))
            width = 1
            while width < min(cell.column_span, _WIDEST_SPAN) and (
                free_from.get(column + width, 0) <= row
            ):
                width += 1
            free_from.update((column + each, row + height) for each in range(width))
            yield _Placed(cell, spans.get((row, index), Spans()), row, column, height, width)
            column += width


def _within(begun: list[int], first: int, count: int) -> int:
    """How many of the rows or columns that cells begin in a span covers."""
    return bisect_left(begun, first + count) - bisect_left(begun, first)
