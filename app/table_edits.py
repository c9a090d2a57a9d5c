"""A table edited by cell: rows and columns put in and taken out, cells merged and split. Pure.

Rows hold the cells that begin in them, as in HTML; `grid` lays them out so that every place of the
table knows its cell. Every edit starts from that grid and gives rows back that have no hole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.book import Region
from app.proofing import corrected, tidy
from model.api import Cell, Kind, Rows

WIDEST = 200  # columns and rows that a span may invent beyond the cells there are


class Spot(NamedTuple):
    """A place of the grid, from 0."""

    row: int
    column: int


@dataclass(frozen=True)
class Slot:
    """A cell and the places that it covers."""

    top: int
    left: int
    bottom: int  # exclusive
    right: int  # exclusive
    text: str = ""
    is_heading: bool = False

    def covers(self, spot: Spot) -> bool:
        """Whether it lies there."""
        return self.top <= spot.row < self.bottom and self.left <= spot.column < self.right


@dataclass(frozen=True)
class Grid:
    """A table without holes and overlaps; slots by row, then column."""

    height: int
    width: int
    slots: tuple[Slot, ...]

    def at(self, spot: Spot) -> Slot:
        """The cell of a place."""
        return next(slot for slot in self.slots if slot.covers(spot))


def grid(rows: Rows) -> Grid:
    """Lay rows out; spans end where another cell stands, holes are filled with empty cells."""
    height = len(rows)
    taken: set[Spot] = set()
    slots: list[Slot] = []
    for top, row in enumerate(rows):
        left = 0
        for cell in row:
            while Spot(top, left) in taken:
                left += 1
            slot = _fitted(cell, top, left, height, taken)
            taken.update(_spots(slot))
            slots.append(slot)
            left = slot.right
    width = max((slot.right for slot in slots), default=0)
    return _filled(height, width, slots)


def _fitted(cell: Cell, top: int, left: int, height: int, taken: set[Spot]) -> Slot:
    right = left + 1
    while right < left + min(cell.column_span, WIDEST) and Spot(top, right) not in taken:
        right += 1
    bottom = top + 1
    while bottom < min(height, top + cell.row_span) and not any(
        Spot(bottom, column) in taken for column in range(left, right)
    ):
        bottom += 1
    return Slot(top, left, bottom, right, cell.text, cell.is_heading)


def _spots(slot: Slot) -> Iterable[Spot]:
    return (
        Spot(row, column)
        for row in range(slot.top, slot.bottom)
        for column in range(slot.left, slot.right)
    )


def _filled(height: int, width: int, slots: Sequence[Slot]) -> Grid:
    taken = {spot for slot in slots for spot in _spots(slot)}
    holes = [
        Slot(row, column, row + 1, column + 1)
        for row in range(height)
        for column in range(width)
        if Spot(row, column) not in taken
    ]
    ordered = sorted((*slots, *holes), key=lambda slot: (slot.top, slot.left))
    return Grid(height, width, tuple(ordered))


def rows_of(table: Grid) -> Rows:
    """The rows of a grid, each with the cells that begin in it."""
    return tuple(
        tuple(
            Cell(slot.text, slot.bottom - slot.top, slot.right - slot.left, slot.is_heading)
            for slot in table.slots
            if slot.top == row
        )
        for row in range(table.height)
    )


def text_of(rows: Rows) -> str:
    """The text that stands for a table: tabs between cells, a line end between rows."""
    return "\n".join("\t".join(cell.text for cell in row) for row in rows)


def with_rows(region: Region, rows: Rows) -> Region:
    """The block of a table with other rows; what is known of its letters goes with them."""
    if rows == region.rows:
        return region
    changed = corrected(region, text_of(rows))
    return replace(changed, kind=Kind.TABLE, rows=rows, by_hand=True)


def as_cell(text: str) -> str:
    """Text as a cell may hold it: on one line, without tabs."""
    return " ".join(tidy(text).split())


def with_text(table: Grid, spot: Spot, text: str) -> Grid:
    """Another text in a cell."""
    return _changed(table, spot, lambda slot: replace(slot, text=as_cell(text)))


def with_heading(table: Grid, spot: Spot, *, is_heading: bool) -> Grid:
    """A cell as the heading of its row or column, or not."""
    return _changed(table, spot, lambda slot: replace(slot, is_heading=is_heading))


def _changed(table: Grid, spot: Spot, change: Callable[[Slot], Slot]) -> Grid:
    slots = (change(slot) if slot.covers(spot) else slot for slot in table.slots)
    return replace(table, slots=tuple(slots))


def with_row(table: Grid, at: int) -> Grid:
    """An empty row put in before row `at`; cells that reach over it grow."""
    slots = [_pushed_down(slot, at) for slot in table.slots]
    return _filled(table.height + 1, max(1, table.width), slots)


def _pushed_down(slot: Slot, at: int) -> Slot:
    return replace(slot, top=slot.top + (slot.top >= at), bottom=slot.bottom + (slot.bottom > at))


def without_row(table: Grid, at: int) -> Grid:
    """A row taken out with the cells that lie in it alone; a table keeps its last row."""
    if table.height < 2:
        return table
    slots = [
        replace(slot, top=slot.top - (slot.top > at), bottom=slot.bottom - (slot.bottom > at))
        for slot in table.slots
    ]
    kept = [slot for slot in slots if slot.top < slot.bottom]
    return _filled(table.height - 1, table.width, kept)


def with_column(table: Grid, at: int) -> Grid:
    """An empty column put in before column `at`."""
    return _turned(with_row(_turned(table), at))


def without_column(table: Grid, at: int) -> Grid:
    """A column taken out with the cells that lie in it alone; a table keeps its last column."""
    return _turned(without_row(_turned(table), at))


def _turned(table: Grid) -> Grid:
    """Rows as columns and columns as rows."""
    slots = [
        replace(slot, top=slot.left, left=slot.top, bottom=slot.right, right=slot.bottom)
        for slot in table.slots
    ]
    return _filled(table.width, table.height, slots)


def merged(table: Grid, one: Spot, other: Spot) -> Grid:
    """All cells between two corners as one; those that stick out are taken in whole.

    The texts follow one another, a blank between them.
    """
    area = _area(table, one, other)
    inner = [slot for slot in table.slots if _lies_in(slot, area)]
    text = " ".join(slot.text for slot in inner if slot.text)
    whole = replace(area, text=text, is_heading=inner[0].is_heading)
    others = [slot for slot in table.slots if not _lies_in(slot, area)]
    return _filled(table.height, table.width, [*others, whole])


def _area(table: Grid, one: Spot, other: Spot) -> Slot:
    area = Slot(
        min(one.row, other.row),
        min(one.column, other.column),
        max(one.row, other.row) + 1,
        max(one.column, other.column) + 1,
    )
    while True:
        touched = [slot for slot in table.slots if _meets(slot, area)]
        wider = Slot(
            min(slot.top for slot in touched),
            min(slot.left for slot in touched),
            max(slot.bottom for slot in touched),
            max(slot.right for slot in touched),
        )
        if wider == area:
            return area
        area = wider


def _meets(slot: Slot, area: Slot) -> bool:
    beside = slot.left < area.right and area.left < slot.right
    return beside and slot.top < area.bottom and area.top < slot.bottom


def _lies_in(slot: Slot, area: Slot) -> bool:
    is_within_rows = area.top <= slot.top and slot.bottom <= area.bottom
    return is_within_rows and area.left <= slot.left and slot.right <= area.right


def split(table: Grid, spot: Spot) -> Grid:
    """A merged cell as the single cells that it covers; its text stays in the first."""
    slot = table.at(spot)
    first = replace(slot, bottom=slot.top + 1, right=slot.left + 1)
    others = [each for each in table.slots if each != slot]
    return _filled(table.height, table.width, [*others, first])
