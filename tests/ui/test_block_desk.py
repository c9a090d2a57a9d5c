"""Blocks arranged on the image and by key, tables edited by cell, in the whole window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.book import Box, Reading, Region, Source
from app.table_edits import text_of
from model.api import Cell, Kind
from tests.app.books import make_scan
from tests.ui.windows import open_with, press_key
from ui.block_desk import BlockDesk
from ui.box_drag import SMALLEST, shifted, stretched, within
from ui.page_layout import Fit, Zoom
from ui.page_text import Place
from ui.studio import Studio

pytestmark = pytest.mark.ui

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
ONE = Region(Kind.TEXT, "Erſtens\nund noch", Box(40, 40, 380, 120))
TWO = Region(Kind.TEXT, "Zweitens", Box(40, 140, 380, 220))
ROWS = ((Cell("Jahr"), Cell("Ertrag")), (Cell("1841"), Cell("7")))
TABLE = Region(Kind.TABLE, text_of(ROWS), Box(40, 260, 380, 340), rows=ROWS)
PAGE = (600, 420)


@pytest.fixture
def studio(qtbot, make_studio, tmp_path) -> Studio:
    studio = make_studio()
    source = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
    scan = make_scan(tmp_path / "scan", 2)
    open_with(qtbot, studio, scan, [Reading((ONE, TWO, TABLE), source)])
    studio.window.text.setFocus()
    return studio


@pytest.fixture
def desk(studio) -> BlockDesk:
    return next(each for each in studio.window.children() if isinstance(each, BlockDesk))


@pytest.fixture
def arranging(qtbot, studio, desk) -> BlockDesk:
    """The mode is on, and the whole page is seen."""
    image = studio.window.image.desk
    image.set_zoom(Zoom(Fit.PAGE))
    qtbot.waitUntil(lambda: image.room_of(Box(0, 0, 1, 1)) is not None, timeout=5_000)
    press_key(studio, "arrange")
    qtbot.waitUntil(image.hasFocus)
    return desk


def regions(studio: Studio) -> tuple[Region, ...]:
    found = studio.session.reading(0)
    assert found is not None
    return found.regions


def texts(studio: Studio) -> list[str]:
    return [region.text for region in regions(studio)]


def undo(qtbot, studio: Studio) -> None:
    before = regions(studio)
    press_key(studio, "undo")
    qtbot.waitUntil(lambda: regions(studio) != before, timeout=5_000)


def at(studio: Studio, x: float, y: float) -> QPoint:
    """A place of the page, in the pane of the image."""
    room = studio.window.image.desk.room_of(Box(x, y, x, y))
    assert room is not None
    return room.topLeft().toPoint()


def drag(studio: Studio, start: QPoint, end: QPoint) -> None:
    pane = studio.window.image.desk.viewport()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(pane, left, Qt.KeyboardModifier.NoModifier, start)
    for share in (0.3, 0.7, 1.0):
        QTest.mouseMove(pane, start + (end - start) * share)
        QApplication.processEvents()
    QTest.mouseRelease(pane, left, Qt.KeyboardModifier.NoModifier, end)


# by key


def test_alt_and_arrows_put_a_block_earlier_and_later_and_the_cursor_goes_along(qtbot, studio):
    text = studio.window.text
    text.set_cursor(1, 3)
    qtbot.keyClick(text.editor, Qt.Key.Key_Up, ALT)
    assert texts(studio)[:2] == [TWO.text, ONE.text]
    assert text.place == Place(0, 3)
    qtbot.keyClick(text.editor, Qt.Key.Key_Down, ALT)
    assert texts(studio)[:2] == [ONE.text, TWO.text]
    assert text.place == Place(1, 3)
    undo(qtbot, studio)
    assert texts(studio)[:2] == [TWO.text, ONE.text]


def test_a_block_is_divided_joined_taken_off_and_added_by_key(qtbot, studio):
    text = studio.window.text
    text.set_cursor(0, 8)
    press_key(studio, "block_split")
    assert texts(studio)[:2] == ["Erſtens", "und noch"]
    assert text.place == Place(1, 0)
    text.set_cursor(0, 0)
    press_key(studio, "block_merge")
    assert texts(studio)[0] == ONE.text
    press_key(studio, "block_delete")
    assert texts(studio)[0] == TWO.text
    press_key(studio, "block_add")
    assert text.place == Place(1, 0)
    qtbot.keyClicks(text.editor, "Neu")
    studio.window.flush()
    assert texts(studio)[1] == "Neu"
    added = regions(studio)[1].box
    assert added is not None
    assert TWO.box is not None
    assert added.top >= TWO.box.bottom
    for _ in range(5):
        undo(qtbot, studio)
    assert texts(studio) == [ONE.text, TWO.text, TABLE.text]


def test_the_list_of_blocks_follows_and_orders_too(qtbot, studio):
    studio.window.commands["panel_blocks"].trigger()
    blocks = studio.window.side.blocks
    blocks.setCurrentRow(1)
    qtbot.keyClick(blocks, Qt.Key.Key_Up, ALT)
    assert blocks.item(0).text().endswith("Zweitens")


def test_what_cannot_be_divided_is_said_at_the_foot(qtbot, studio):
    studio.window.text.set_cursor(0, 0)
    press_key(studio, "block_split")
    qtbot.waitUntil(studio.window.notice.isVisible)
    assert "nothing to divide" in studio.window.notice.text.text()


# on the image


def test_arrows_move_and_stretch_the_box_as_one_correction(qtbot, studio, arranging):
    image = studio.window.image.desk
    studio.window.text.set_cursor(1, 0)
    image.setFocus()
    for _ in range(3):
        qtbot.keyClick(image, Qt.Key.Key_Right)
    qtbot.keyClick(image, Qt.Key.Key_Down, SHIFT)
    qtbot.keyClick(image, Qt.Key.Key_Up, CTRL | SHIFT)
    before = TWO.box
    assert before is not None
    assert regions(studio)[1].box == before  # a moment of rest first
    qtbot.waitUntil(lambda: regions(studio)[1].box != before, timeout=3_000)
    after = regions(studio)[1].box
    assert after is not None
    step = after.left - before.left
    assert step > 0
    assert after.right - before.right == pytest.approx(step)
    assert after.top < before.top
    assert after.bottom > before.bottom
    undo(qtbot, studio)
    assert regions(studio)[1].box == before


def test_a_handle_is_dragged(studio, arranging):
    studio.window.text.set_cursor(1, 0)
    drag(studio, at(studio, 380, 220), at(studio, 300, 240))
    box = regions(studio)[1].box
    assert box is not None
    assert TWO.box is not None
    assert box[:2] == TWO.box[:2]
    assert (box.right, box.bottom) == pytest.approx((300, 240), abs=3)


def test_a_block_is_dragged_elsewhere_and_a_click_only_chooses_it(studio, arranging):
    drag(studio, at(studio, 200, 180), at(studio, 200, 180))
    assert studio.window.text.place.region == 1
    assert regions(studio)[1].box == TWO.box
    drag(studio, at(studio, 200, 180), at(studio, 220, 400))
    box = regions(studio)[1].box
    assert box is not None
    assert box.top == pytest.approx(360, abs=3)
    assert box.width == pytest.approx(340, abs=1)


def test_a_number_dragged_onto_another_block_changes_the_order(studio, arranging):
    drag(studio, at(studio, 40, 140), at(studio, 200, 60))
    assert texts(studio)[:2] == [TWO.text, ONE.text]


def test_a_new_block_is_drawn_on_the_paper(studio, arranging):
    drag(studio, at(studio, 60, 400), at(studio, 300, 480))
    box = regions(studio)[1].box  # behind the block of the cursor
    assert texts(studio)[1] == ""
    assert box == pytest.approx((60, 400, 300, 480), abs=3)


def test_ins_and_del_add_and_take_off_and_esc_ends_the_mode(qtbot, studio, arranging):
    image = studio.window.image.desk
    assert arranging.hint.isVisible()
    qtbot.keyClick(image, Qt.Key.Key_Insert)
    assert len(regions(studio)) == 4
    assert image.hasFocus()  # still arranging
    qtbot.keyClick(image, Qt.Key.Key_Delete)
    assert len(regions(studio)) == 3
    qtbot.keyClick(image, Qt.Key.Key_Escape)
    assert not studio.window.commands["arrange"].isChecked()
    assert not arranging.hint.isVisible()
    drag(studio, at(studio, 200, 180), at(studio, 220, 400))
    assert regions(studio)[1].box == TWO.box


def test_numbers_and_handles_are_drawn_only_while_arranging(studio, arranging):
    pane = studio.window.image.desk.viewport()
    place = at(studio, 40, 140)
    numbered = pane.grab().toImage().pixel(place)
    arranging.arranger.set_on(is_on=False)
    assert pane.grab().toImage().pixel(place) != numbered


boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.floats(0, 500),
    st.floats(0, 500),
    st.floats(SMALLEST, 300),
    st.floats(SMALLEST, 300),
)
EDGES = st.sampled_from([("left",), ("right", "bottom"), ("left", "top"), ("bottom",)])


@given(boxes, EDGES, st.floats(-900, 900), st.floats(-900, 900))
def test_a_box_never_turns_inside_out_and_stays_on_the_page(box, edges, across, down):
    for changed in (stretched(box, edges, across, down), shifted(box, across, down)):
        kept = within(changed, PAGE)
        assert kept.width >= SMALLEST - 1e-6
        assert kept.height >= SMALLEST - 1e-6
        assert 0 <= kept.left <= kept.right <= PAGE[0]
        assert 0 <= kept.top <= kept.bottom <= PAGE[1]


# tables


@pytest.fixture
def table(qtbot, studio, desk):
    studio.window.text.set_cursor(2, 0)
    press_key(studio, "edit_table")
    qtbot.waitUntil(desk.table.cells.hasFocus)
    return desk.table


def test_a_cell_is_typed_into_and_tab_goes_on(qtbot, studio, table):
    qtbot.keyClick(table.cells, Qt.Key.Key_Tab)
    assert (table.cells.currentRow(), table.cells.currentColumn()) == (0, 1)
    qtbot.keyClick(table.cells, Qt.Key.Key_Return)
    line = QApplication.focusWidget()
    assert line is not None
    qtbot.keyClicks(line, "Ernte")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    typed = (Cell("Jahr"), Cell("Ernte"))
    qtbot.waitUntil(lambda: regions(studio)[2].rows[0] == typed, timeout=3_000)
    assert studio.window.text.texts[2] == "Jahr\tErnte\n1841\t7"
    undo(qtbot, studio)
    assert table.cells.item(0, 1).text() == "Ertrag"


def test_rows_columns_spans_and_headings_have_keys(qtbot, studio, table):
    alt_shift = ALT | SHIFT

    def rows():
        return regions(studio)[2].rows

    qtbot.keyClick(table.cells, Qt.Key.Key_Down, alt_shift)
    assert rows() == (ROWS[0], (Cell(""), Cell("")), ROWS[1])
    assert table.cells.currentRow() == 1
    qtbot.keyClick(table.cells, Qt.Key.Key_Delete, alt_shift)
    assert rows() == ROWS
    qtbot.keyClick(table.cells, Qt.Key.Key_Right, alt_shift)
    assert len(rows()[0]) == 3
    qtbot.keyClick(table.cells, Qt.Key.Key_Backspace, alt_shift)
    assert len(rows()[0]) == 2
    table.cells.setCurrentCell(0, 0)
    qtbot.keyClick(table.cells, Qt.Key.Key_H, alt_shift)
    assert rows()[0][0].is_heading
    qtbot.keyClick(table.cells, Qt.Key.Key_Right, SHIFT)  # select both
    qtbot.keyClick(table.cells, Qt.Key.Key_M, alt_shift)
    assert rows()[0] == (Cell("Jahr Ertrag", 1, 2, is_heading=True),)
    qtbot.keyClick(table.cells, Qt.Key.Key_S, alt_shift)
    assert [cell.text for cell in rows()[0]] == ["Jahr Ertrag", ""]


def test_esc_leaves_the_grid_and_another_page_closes_it(qtbot, studio, table):
    qtbot.keyClick(table.cells, Qt.Key.Key_Escape)
    assert not table.is_open
    assert studio.window.text.editor.hasFocus()
    press_key(studio, "edit_table")
    assert table.is_open
    studio.orders.turn_to(1)
    qtbot.waitUntil(lambda: not table.is_open)


def test_a_block_that_is_no_table_is_not_opened_as_one(qtbot, studio, desk):
    studio.window.text.set_cursor(0, 0)
    press_key(studio, "edit_table")
    qtbot.waitUntil(studio.window.notice.isVisible)
    assert "not a table" in studio.window.notice.text.text()
    assert not desk.table.is_open


def test_every_button_of_the_grid_names_its_key(table):
    assert all("+" in button.toolTip() for button in table.buttons)
    assert table.cells.accessibleName()
