"""Page preparation in the window: by keys and mouse, on a real book in a real store."""

from __future__ import annotations

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.book import Box, PageState
from app.prepare.treatment import Fold, Side
from tests.app.books import make_scan
from tests.ui.windows import close_question, letters_behind_alt
from ui.prepare_canvas import PrepareCanvas
from ui.prepare_desk import PrepareDesk
from ui.prepare_dialog import PrepareDialog
from ui.prepare_handles import Handle, Handles

pytestmark = pytest.mark.ui

WAIT_MS = 10_000


@pytest.fixture
def studio(make_studio):
    return make_studio()


@pytest.fixture
def scan(tmp_path):
    folder = make_scan(tmp_path / "scan", 4, blank=(2,))
    leaning = Image.open(folder / "p2.png").rotate(
        -2.0, fillcolor=238, resample=Image.Resampling.BICUBIC
    )
    leaning.save(folder / "p2.png", dpi=(150, 150))
    return folder


def opened(qtbot, studio, scan) -> PrepareDesk:
    studio.opening.open([scan])
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=WAIT_MS)
    close_question(qtbot)
    desk = studio.window.findChild(PrepareDesk)
    assert desk is not None
    return desk


def prepared(qtbot, studio, scan) -> PrepareDialog:
    """The dialog after all pages were looked at."""
    desk = opened(qtbot, studio, scan)
    studio.window.commands["prepare"].trigger()
    assert desk.dialog is not None
    desk.dialog.search.click()
    qtbot.waitUntil(lambda: studio.session.preparing.search.progress is None, timeout=WAIT_MS)
    return desk.dialog


def settled(qtbot, studio) -> None:
    qtbot.waitUntil(lambda: not studio.session.preparing.is_arranging, timeout=WAIT_MS)


def pages(studio):
    assert studio.session.book is not None
    return studio.session.book.pages


def test_what_was_found_is_listed_and_applied_by_key(qtbot, studio, scan):
    dialog = prepared(qtbot, studio, scan)
    qtbot.waitUntil(lambda: "straighten" in dialog.choice.list.item(1).text(), timeout=WAIT_MS)
    QTest.keyClick(dialog, Qt.Key.Key_PageDown)
    assert dialog.draft is not None
    assert dialog.draft.page.number == 1
    assert abs(dialog.panel.skew.value() - 2.0) < 0.15
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, studio)
    assert abs(pages(studio)[1].treatment.skew_degrees - 2.0) < 0.15
    assert pages(studio)[1].proposal is None
    QTest.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, studio)
    assert not pages(studio)[1].treatment


def test_a_change_goes_to_the_odd_pages(qtbot, studio, scan):
    dialog = prepared(qtbot, studio, scan)
    dialog.panel.specks.click()
    dialog.scope.setCurrentIndex(2)
    dialog.apply.click()
    settled(qtbot, studio)
    assert [page.treatment.despeckle for page in pages(studio)] == [True, False, True, False]


def test_a_page_that_is_split_shows_twice_and_the_window_follows(qtbot, studio, scan):
    dialog = prepared(qtbot, studio, scan)
    dialog.panel.fold.click()
    assert dialog.draft is not None
    assert dialog.draft.treatment.fold == Fold(210, 210)
    dialog.apply.click()
    settled(qtbot, studio)
    sides = [page.treatment.side for page in pages(studio)]
    assert sides == [Side.LEFT, Side.RIGHT, Side.WHOLE, Side.WHOLE, Side.WHOLE]
    assert dialog.choice.list.count() == 5
    desk = studio.window.image.desk
    qtbot.waitUntil(lambda: desk.picture is not None and desk.picture.master.width == 210)


def test_a_page_that_nobody_looked_at_can_be_treated_by_hand(qtbot, studio, scan):
    desk = opened(qtbot, studio, scan)
    studio.window.commands["prepare"].trigger()
    dialog = desk.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.draft is not None, timeout=WAIT_MS)
    dialog.panel.crop.click()
    dialog.canvas.setFocus()
    QTest.keyClick(dialog.canvas, Qt.Key.Key_Tab)
    QTest.keyClick(dialog.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    dialog.apply.click()
    settled(qtbot, studio)
    assert pages(studio)[0].treatment.crop == Box(20, 0, 420, 600)


def test_only_pages_to_look_at_are_listed_when_asked(qtbot, studio, scan):
    dialog = prepared(qtbot, studio, scan)
    assert dialog.choice.list.count() == 4
    dialog.choice.filter.setCurrentIndex(1)
    assert dialog.choice.list.count() == len(studio.session.preparing.proposed)
    assert dialog.choice.list.count() < 4


def test_blank_pages_are_confirmed_in_one_sweep(qtbot, studio, scan):
    desk = opened(qtbot, studio, scan)
    studio.window.commands["blank_sheet"].trigger()
    sheet = desk.sheet
    assert sheet is not None
    qtbot.waitUntil(lambda: sheet.ticked == (2,), timeout=WAIT_MS)
    QTest.keyClick(sheet.list, Qt.Key.Key_Home)
    QTest.keyClick(sheet.list, Qt.Key.Key_Space)
    assert sheet.ticked == ()
    assert not sheet.confirm.isEnabled()
    QTest.keyClick(sheet.list, Qt.Key.Key_Space)
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pages(studio)[2].state is PageState.BLANK, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: sheet.list.count() == 0, timeout=WAIT_MS)


def test_the_dialogs_close_with_the_book(qtbot, studio, scan):
    dialog = prepared(qtbot, studio, scan)
    studio.window.commands["close"].trigger()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=WAIT_MS)


def test_pages_are_moved_by_command(qtbot, studio, scan):
    opened(qtbot, studio, scan)
    studio.window.commands["move_later"].trigger()
    settled(qtbot, studio)
    assert [page.scan_index for page in pages(studio)] == [1, 0, 2, 3]
    studio.window.commands["undo_pages"].trigger()
    settled(qtbot, studio)
    assert [page.scan_index for page in pages(studio)] == [0, 1, 2, 3]


@pytest.fixture
def canvas(qtbot, tmp_path):
    from app.pages import Priority, open_pages

    images = open_pages([make_scan(tmp_path / "page", 1)])
    canvas = PrepareCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(468, 624 + 24)
    canvas.show()
    canvas.await_image(images.image(0, priority=Priority.VISIBLE))
    handles = Handles(Box(100, 100, 300, 500), height=600)
    canvas.show_handles(handles, origin=(0.0, 0.0))
    qtbot.waitUntil(lambda: canvas._picture is not None)
    yield canvas
    images.close()


def test_the_arrows_move_the_handle_that_tab_chose(qtbot, canvas):
    canvas.setFocus()
    moved: list[Handles] = []
    canvas.changed.connect(moved.append)
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    assert canvas.lit is Handle.CROP_TOP
    assert canvas.accessibleDescription() == "Upper edge of the paper"
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    QTest.keyClick(canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert [each.crop.top for each in moved if each.crop] == [102, 82]


def test_the_mouse_drags_an_edge(qtbot, canvas):
    moved: list[Handles] = []
    canvas.changed.connect(moved.append)
    start = canvas._to_room(100, 300).toPoint()
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(canvas, start + QPoint(40, 7))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 7))
    crop = moved[-1].crop
    assert crop is not None
    assert abs(crop.left - (100 + 40 / canvas._scale)) < 2
    assert crop[1:] == (100, 300, 500)


def test_every_letter_behind_alt_does_one_thing(qtbot, studio, scan):
    letters = letters_behind_alt(prepared(qtbot, studio, scan))
    assert {"y", "w"} <= set(letters)
    assert sorted(set(letters)) == sorted(letters)
    assert "s" not in letters  # it stops the search, while there is one
