"""Ways to look at the page: magnifier, invert, sepia, the list of blocks; all by key, view only."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.book import Box
from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.test_side_by_side import LOWER, READING, UPPER, click, picture
from tests.ui.test_side_by_side import side as side  # noqa: PLC0414 - a fixture
from tests.ui.windows import open_with, press_key
from ui.block_list import block_words
from ui.page_tint import Tint
from ui.side_by_side import SideBySide
from ui.studio import Studio
from ui.theme import SEPIA

pytestmark = pytest.mark.ui

PAPER = QColor(200, 180, 160)  # of the first page of the scans


def paper(side: SideBySide) -> QColor:
    """The colour of the page where nothing is drawn on it."""
    place = side.image.desk.room_of(Box(500, 700, 501, 701))
    assert place is not None
    return picture(side).pixelColor(place.topLeft().toPoint())


# tints


def test_the_image_is_inverted_for_the_eye_alone(side):
    side.set_tint(Tint.INVERTED)
    assert paper(side) == QColor(55, 75, 95)
    assert side.image.desk.picture.image.pixelColor(5, 5) == PAPER
    side.set_tint(Tint.NONE)
    assert paper(side) == PAPER


def rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def test_sepia_warms_the_paper(side):
    side.set_tint(Tint.SEPIA)
    expected = [round(a * b / 255) for a, b in zip((200, 180, 160), rgb(SEPIA), strict=True)]
    found = rgb(paper(side))
    assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) <= 1


def test_the_mark_is_seen_on_an_inverted_page_too(side):
    side.text.set_cursor(0, 1)
    side.set_tint(Tint.INVERTED)
    with_mark = picture(side)
    side.text.set_cursor(1, 1)
    assert picture(side) != with_mark


def test_looks_are_remembered_with_the_book(side, qtbot):
    side.set_tint(Tint.SEPIA)
    side.set_by_line(is_on=True)
    state = side.layout_state()
    other = SideBySide()
    qtbot.addWidget(other)
    other.restore_layout(state)
    assert (other.image.desk.tint, other.is_by_line) == (Tint.SEPIA, True)
    other.restore_layout({"tint": "plaid", "by_line": "yes"})
    assert (other.image.desk.tint, other.is_by_line) == (Tint.NONE, False)


# the magnifier


def test_the_magnifier_follows_the_word_of_the_cursor_and_does_not_cover_it(side):
    magnifier = side.image.magnifier
    magnifier.set_on(is_on=True)
    for region, offset, word in ((0, 1, UPPER.words[0].box), (0, 6, UPPER.words[1].box)):
        side.text.set_cursor(region, offset)
        place = side.image.desk.room_of(word)
        assert place is not None
        assert magnifier.isVisible()
        assert not magnifier.geometry().intersects(place.toAlignedRect())


def test_at_the_foot_of_the_pane_it_stands_above_the_word(side):
    magnifier = side.image.magnifier
    magnifier.set_on(is_on=True)
    side.text.set_cursor(1, 2)
    place = side.image.desk.room_of(LOWER.box)
    assert place is not None
    assert magnifier.geometry().bottom() < place.top()


def test_switched_off_it_is_gone(side):
    side.image.magnifier.set_on(is_on=True)
    side.text.set_cursor(0, 1)
    side.image.magnifier.set_on(is_on=False)
    assert not side.image.magnifier.isVisible()


def test_it_follows_the_mouse_over_the_image(side):
    side.image.magnifier.set_on(is_on=True)
    side.text.set_cursor(0, 1)
    before = side.image.magnifier.geometry()
    room = side.image.desk.viewport()
    QTest.mouseMove(room, QPoint(room.width() // 2, room.height() // 2))
    assert side.image.magnifier.geometry() != before


def test_a_button_held_down_enlarges_what_is_below_it_until_it_is_let_go(side, qtbot):
    room = side.image.desk.viewport()
    at = QPoint(room.width() // 2, 60)
    qtbot.mousePress(room, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(side.image.magnifier.isVisible, timeout=2000)
    qtbot.mouseRelease(room, Qt.MouseButton.LeftButton, pos=at)
    assert not side.image.magnifier.isVisible()


def test_a_short_click_enlarges_nothing(side, qtbot):
    click(side, qtbot, 650, 150)
    qtbot.wait(400)
    assert not side.image.magnifier.isVisible()


def test_the_magnifier_shows_the_page_enlarged(side, qtbot):
    side.image.magnifier.set_on(is_on=True)
    side.text.set_cursor(0, 1)
    side.image.magnifier.grab()
    qtbot.waitUntil(lambda: side.image.close_up.picture() is not None, timeout=2000)
    image = side.image.magnifier.grab().toImage()
    corners = [(8, image.height() - 8), (image.width() - 8, image.height() - 8)]
    assert [image.pixelColor(*corner) for corner in corners] == [PAPER, PAPER]


def test_a_scan_that_changed_is_enlarged_as_it_is_now(side, qtbot):
    side.image.close_up.picture()
    qtbot.waitUntil(lambda: side.image.close_up.picture() is not None, timeout=2000)
    before = side.image.close_up.picture()
    side.image.reload()
    qtbot.waitUntil(lambda: side.image.close_up.picture() not in {None, before}, timeout=2000)


# the list of blocks


def test_blocks_are_told_in_order_with_kind_and_first_words(side):
    assert [side.blocks.item(n).text() for n in range(side.blocks.count())] == [
        "1. Text: der Ausgang",
        "2. Note: des Menſchen",
    ]
    long = block_words(4, READING.regions[0].__class__(UPPER.kind, "very " * 40))
    assert len(long) < 80
    assert long.endswith("…")


def test_choosing_a_block_puts_the_cursor_there_and_lights_it(side):
    side.show_block_list(is_shown=True)
    assert side.blocks.hasFocus()
    side.text.set_cursor(0, 3)
    QTest.keyClick(side.blocks, Qt.Key.Key_Down)
    assert side.text.place == (1, 0)
    assert side.blocks.hasFocus()
    QTest.keyClick(side.blocks, Qt.Key.Key_Return)
    assert side.text.editor.hasFocus()


def test_the_list_follows_the_cursor_and_what_is_typed(side):
    side.show_block_list(is_shown=True)
    side.text.set_cursor(1, 2)
    assert side.blocks.currentRow() == 1
    assert side.text.place == (1, 2)


def test_the_list_has_a_name(side):
    assert side.blocks.accessibleName() == "Blocks of the page"


# by key, in the window


@pytest.fixture
def studio(make_studio, qtbot, tmp_path) -> Studio:
    studio = make_studio()
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 1), [machine("the old book")])
    return studio


def test_every_look_is_switched_by_its_key(studio):
    side = studio.window.side
    for command in ("invert_image", "by_line", "panel_blocks", "magnifier"):
        press_key(studio, command)
        assert studio.window.commands[command].isChecked(), command
    assert side.image.desk.tint is Tint.INVERTED
    assert side.is_by_line
    assert side.blocks.isVisible()
    assert side.image.magnifier.is_on
    press_key(studio, "sepia_image")
    assert side.image.desk.tint is Tint.SEPIA
    assert not studio.window.commands["invert_image"].isChecked()
    press_key(studio, "sepia_image")
    assert side.image.desk.tint is Tint.NONE


def test_the_panes_are_reached_by_f6(studio, qtbot):
    press_key(studio, "panel_blocks")
    seen = set()
    for _pane in range(6):
        press_key(studio, "next_pane")
        seen.add(studio.window.focusWidget())
    assert studio.window.side.blocks in seen
    assert studio.window.text.editor in seen


def test_a_place_on_the_desk_is_given_in_pixels_of_the_pane(side):
    box = side.image.desk.room_of(Box(0, 0, 1000, 1500))
    assert box is not None
    corner = side.image.desk.point_at(QPointF(box.topLeft()))
    assert corner is not None
    assert abs(corner.x) < 2
    assert abs(corner.y) < 2
