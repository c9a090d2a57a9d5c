"""Replacing over the book, in the whole window and with keys."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from app.book import Kind, PageState, Reading, Region, Source
from tests.app.books import make_scan
from tests.ui.windows import letters_behind_alt, open_with, press_key
from ui.replace_dialog import ReplaceDialog
from ui.studio import Studio

pytestmark = pytest.mark.ui

SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
TEXTS = ("Tbe old house and tbe tree", "nothing of the kind", "once more tbe house")
Key = Qt.Key


@pytest.fixture
def studio(make_studio, qtbot, tmp_path: Path) -> Studio:
    studio = make_studio()
    readings = [Reading((Region(Kind.TEXT, text),), SOURCE) for text in TEXTS]
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 3), readings)
    return studio


def opened(qtbot, studio: Studio, find: str, instead: str) -> ReplaceDialog:
    press_key(studio, "replace")
    dialog = studio.window.findChild(ReplaceDialog)
    assert dialog is not None
    dialog.sought.selectAll()
    qtbot.keyClicks(dialog.sought, find)
    qtbot.keyClicks(dialog.instead, instead)
    qtbot.keyClick(dialog.instead, Key.Key_Return)
    return dialog


def listed(qtbot, dialog: ReplaceDialog, count: int) -> list[str]:
    model = dialog.places
    qtbot.waitUntil(lambda: model.rowCount() == count, timeout=5000)
    role = Qt.ItemDataRole.AccessibleTextRole
    return [str(model.index(row).data(role)) for row in range(count)]


def text_of(studio: Studio, page: int) -> str:
    assert studio.session.shown is not None
    current = studio.session.shown.store.current
    reading = studio.session._workers.store.submit(current, page).result()
    assert reading is not None
    return reading.text


def replace_all(qtbot, studio: Studio, dialog: ReplaceDialog) -> None:
    before = studio.session.finding.ended
    dialog.replace.setFocus()
    qtbot.keyClick(dialog.replace, Key.Key_Space)
    qtbot.waitUntil(lambda: studio.session.finding.ended is not before, timeout=5000)


def test_each_place_is_listed_with_page_and_context_and_replaced(qtbot, studio):
    dialog = opened(qtbot, studio, "tbe", "the")
    assert listed(qtbot, dialog, 3) == [
        "Page 1: Tbe → the old house and tbe tree",
        "Page 1: Tbe old house and tbe → the tree",
        "Page 3: once more tbe → the house",
    ]
    assert dialog.replace.text() == "&Replace 3 places"
    replace_all(qtbot, studio, dialog)
    assert text_of(studio, 0) == "the old house and the tree"
    assert text_of(studio, 2) == "once more the house"
    assert studio.window.text.texts == ["the old house and the tree"]
    assert "3 places on 2 pages" in dialog.says.text()
    qtbot.waitUntil(lambda: studio.session.finding.plan is not None, timeout=5000)
    assert "3 places on 2 pages" in dialog.says.text(), "what was done is still told"


def test_space_leaves_a_place_out(qtbot, studio):
    dialog = opened(qtbot, studio, "tbe", "the")
    listed(qtbot, dialog, 3)
    dialog.list.setFocus()
    dialog.list.setCurrentIndex(dialog.places.index(0))
    qtbot.keyClick(dialog.list, Key.Key_Space)
    assert dialog.replace.text() == "&Replace 2 places"
    replace_all(qtbot, studio, dialog)
    assert text_of(studio, 0) == "Tbe old house and the tree"


def test_enter_shows_a_place_on_its_page(qtbot, studio):
    dialog = opened(qtbot, studio, "tbe", "the")
    listed(qtbot, dialog, 3)
    dialog.list.setCurrentIndex(dialog.places.index(2))
    qtbot.keyClick(dialog.list, Key.Key_Return)
    qtbot.waitUntil(lambda: studio.session.page == 2, timeout=5000)
    qtbot.waitUntil(lambda: studio.window.text.selected_line() == "tbe", timeout=5000)
    assert dialog.isVisible()


def test_one_command_takes_it_all_back_and_one_undo_that_of_a_page(qtbot, studio):
    dialog = opened(qtbot, studio, "tbe", "the")
    listed(qtbot, dialog, 3)
    replace_all(qtbot, studio, dialog)
    dialog.close_button.click()
    studio.window.activateWindow()
    qtbot.waitUntil(studio.window.isActiveWindow)
    press_key(studio, "undo")
    qtbot.waitUntil(lambda: studio.window.text.texts == [TEXTS[0]], timeout=5000)
    before = studio.session.finding.ended
    studio.window.commands["take_back_replacement"].trigger()
    qtbot.waitUntil(lambda: studio.session.finding.ended is not before, timeout=5000)
    assert [text_of(studio, page) for page in range(3)] == list(TEXTS)
    box = studio.window.findChild(QMessageBox)
    assert box is not None
    assert "stands again instead of" in box.text()
    box.reject()


def test_a_page_that_was_taken_out_of_the_book_since_is_told_when_it_is_taken_back(qtbot, studio):
    dialog = opened(qtbot, studio, "tbe", "the")
    listed(qtbot, dialog, 3)
    replace_all(qtbot, studio, dialog)
    dialog.close_button.click()
    preparing = studio.session.preparing
    studio.signals.tell(preparing.remove((2,)))
    qtbot.waitUntil(lambda: len(studio.session.book.pages) == 2, timeout=5000)
    before = studio.session.finding.ended
    studio.window.commands["take_back_replacement"].trigger()
    qtbot.waitUntil(lambda: studio.session.finding.ended is not before, timeout=5000)
    box = studio.window.findChild(QMessageBox)
    assert box is not None
    assert box.text() == (
        "“tbe” stands again instead of “the” on 1 page."
        " 1 page was taken out of the book since then and keeps what was put there."
    )
    box.reject()
    assert text_of(studio, 0) == TEXTS[0]
    studio.signals.tell(preparing.undo())
    qtbot.waitUntil(lambda: len(studio.session.book.pages) == 3, timeout=5000)
    assert text_of(studio, 2) == "once more the house"


def test_proofread_pages_are_left_out_unless_they_are_asked_for(qtbot, studio):
    studio.signals.tell(studio.session.proofs.accept((2,)))
    qtbot.waitUntil(lambda: studio.session.page_at(2).state is PageState.PROOFREAD, timeout=5_000)
    dialog = opened(qtbot, studio, "tbe", "the")
    listed(qtbot, dialog, 3)
    assert dialog.proofread_too.isVisible()
    assert dialog.proofread_too.text() == "&Proofread pages too: 1 place on 1 page"
    assert dialog.places.count == 2
    dialog.proofread_too.setFocus()
    qtbot.keyClick(dialog.proofread_too, Key.Key_Space)
    assert dialog.places.count == 3


def test_a_bad_pattern_is_told_and_nothing_can_be_replaced(qtbot, studio):
    dialog = opened(qtbot, studio, "(tbe", "the")
    dialog.pattern.setFocus()
    qtbot.keyClick(dialog.pattern, Key.Key_Space)
    qtbot.waitUntil(lambda: "opening bracket" in dialog.says.text(), timeout=5000)
    assert not dialog.replace.isEnabled()
    qtbot.keyClicks(dialog.sought, ")")
    assert listed(qtbot, dialog, 3)


def test_what_stands_in_the_find_bar_is_asked_for_first(qtbot, studio):
    studio.window.finder.open(in_book=True)
    studio.window.find_bar.replace_asked.emit(studio.window.find_bar.query._replace(text="house"))
    dialog = studio.window.findChild(ReplaceDialog)
    assert dialog is not None
    assert dialog.sought.text() == "house"
    assert listed(qtbot, dialog, 2)
    assert not dialog.list.grab().toImage().isNull()


def test_every_letter_behind_alt_does_one_thing(qtbot, studio):
    dialog = opened(qtbot, studio, "a", "b")
    letters = letters_behind_alt(dialog)
    assert "h" in letters
    assert sorted(set(letters)) == sorted(letters)
