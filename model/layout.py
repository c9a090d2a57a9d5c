"""Puts the strips of a page into blocks in reading order, by geometry alone.

Pure functions. A page is levelled, an opened book is parted into its two pages, running head and
foot are taken off, the rest is split into areas of one column; each area's printed lines are joined
and cut into paragraphs, headings, notes and tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from model.api import Kind
from model.columns import areas, facing_pages
from model.furniture import furnished
from model.level import Slab, level
from model.paragraphs import Measure, groups_of, measure
from model.rows import Row, rows_of
from model.strips import Strip
from model.tables import TableRows, tables_in

Line = tuple[int, ...]
"""Strips of one printed line, or one cell of it, as indices, from left to right."""


@dataclass(frozen=True)
class Plan:
    """A block of the page before it is read."""

    kind: Kind
    lines: tuple[Line, ...]  # of a table: its rows
    rows: tuple[tuple[Line, ...], ...] = ()  # tables only: the cells of each row


def lay_out(strips: Sequence[Strip]) -> tuple[Plan, ...]:
    """Put every strip into one block; blocks in reading order.

    Args:
        strips: of one page image, in any order.
    """
    if not strips:
        return ()
    numbered = dict(enumerate(strips))
    pages = facing_pages(level(numbered))
    # Each page of an opened book has a skew of its own, so it is levelled anew.
    return tuple(
        plan
        for page in pages
        for plan in _page(level({slab.number: strips[slab.number] for slab in page}))
    )


def _page(slabs: Sequence[Slab]) -> Iterator[Plan]:
    head, body, foot = furnished(slabs)
    usual = measure(rows_of(body or slabs))
    yield from (Plan(kind, (row.numbers,)) for kind, row in head)
    for area in areas(body):
        rows = rows_of(area.slabs)
        yield from _margin(rows) if area.is_margin else _area(rows, usual)
    yield from (Plan(kind, (row.numbers,)) for kind, row in foot)


def _area(rows: Sequence[Row], usual: Measure) -> Iterator[Plan]:
    """The blocks of one column: its tables, and the text before, between and after them."""
    done = 0
    for table in tables_in(rows, usual.em):
        yield from _text(rows[done : table.start], usual)
        yield _table(table, rows)
        done = table.end
    yield from _text(rows[done:], usual)


def _margin(rows: Sequence[Row]) -> Iterator[Plan]:
    for group in groups_of(rows, measure(rows)):
        yield Plan(Kind.NOTE, tuple(row.numbers for row in group.rows))


def _text(rows: Sequence[Row], usual: Measure) -> Iterator[Plan]:
    for group in groups_of(rows, usual):
        yield Plan(group.kind, tuple(row.numbers for row in group.rows))


def _table(table: TableRows, rows: Sequence[Row]) -> Plan:
    plan = Plan(Kind.TABLE, tuple(row.numbers for row in rows[table.start : table.end]))
    cells = tuple(tuple(tuple(slab.number for slab in cell) for cell in row) for row in table.cells)
    return replace(plan, rows=cells)
