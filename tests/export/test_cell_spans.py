"""Styles and marks of a table's text reach the cells of an export."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.book import Book, Mark, Page, PageState, Reading, Region, Source
from app.export.blocks import Editorial, Run, Table
from app.export.cell_spans import cell_spans
from app.export.document import build
from model.api import Cell, Kind, Style

pytestmark = pytest.mark.unit

ROWS = ((Cell("Jahr"), Cell("Ertrag")), (Cell("1841"), Cell("sieben Malter")))
TEXT = "Jahr\tErtrag\n1841\tsieben Malter"
TABLE = Region(
    Kind.TABLE,
    TEXT,
    rows=ROWS,
    styles=(Style(2, 8, "italic"),),  # over two cells
    marks=(Mark(17, 23, "unclear", "fieben"), Mark(12, 16, "link", "1")),
)


def test_a_style_over_two_cells_is_in_both_and_a_mark_in_its_own():
    found = cell_spans(TABLE, {})
    assert found[0, 0].styles == (Style(2, 4, "italic"),)
    assert found[0, 1].styles == (Style(0, 3, "italic"),)
    assert found[1, 1].marks == (Mark(0, 6, "unclear", "fieben"),)
    assert (1, 0) not in found


def test_an_export_has_them_in_its_cells():
    reading = Reading((TABLE,), Source("hand", datetime(2026, 11, 3, tzinfo=UTC)))
    page = Page(0, state=PageState.PROOFREAD)
    book = Book("b", (), "", pages=(page,))
    blocks = build(book, lambda: [(page, reading)]).blocks()
    table = next(block for block in blocks if isinstance(block, Table))
    assert table.rows[0][1].inlines[0] == Run("Ert", frozenset({"italic"}))
    assert Editorial("unclear", "fieben") in table.rows[1][1].inlines
