"""Earlier readings: whose, when, what; and one of them made current by order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.book import Kind, Reading, Region, Source
from app.events import EngineSource
from ui.history_dialog import HistoryDialog
from ui.numbers import moment_text

pytestmark = pytest.mark.ui

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ENGINE = EngineSource("line-reader", "3.10")


def reading(number: int, text: str, source: Source) -> Reading:
    return Reading((Region(Kind.TEXT, text),), source, number)


HAND = reading(2, "Vnd der Herr ſprach", Source("hand", NOON, person="A. Reader"))
MACHINE = reading(1, "Vnd der Herr fprach fo", Source("model", NOON - timedelta(days=1), ENGINE))


@pytest.fixture
def dialog(qtbot):
    dialog = HistoryDialog("page 13 (ix)", (HAND, MACHINE), current_id=2)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def lines(dialog: HistoryDialog) -> list[list[str]]:
    return [dialog.list.item(row).text().split("\n") for row in range(dialog.list.count())]


def test_each_reading_has_its_source_and_date(dialog):
    assert lines(dialog) == [
        ["Current: by hand, A. Reader", moment_text(NOON)],
        ["Line reader · processor", moment_text(NOON - timedelta(days=1))],
    ]


def test_the_current_one_is_shown_first_and_cannot_be_taken_back(dialog):
    assert dialog.preview.toPlainText() == HAND.text
    assert dialog.preview.isReadOnly()
    assert not dialog.make_current.isEnabled()


def test_another_is_previewed_and_ordered(dialog, qtbot):
    dialog.list.setCurrentRow(1)
    assert dialog.preview.toPlainText() == MACHINE.text
    assert dialog.about.text() == "1 block, 5 words, version 3.10"
    with qtbot.waitSignal(dialog.make_current_asked) as told:
        qtbot.mouseClick(dialog.make_current, Qt.MouseButton.LeftButton)
    assert told.args == [1]


def test_the_answer_marks_the_new_current_one_and_stays_where_it_was(dialog):
    dialog.list.setCurrentRow(1)
    dialog.show_readings((HAND, MACHINE), current_id=1)
    assert lines(dialog)[1][0].startswith("Current: ")
    assert dialog.list.currentRow() == 1
    assert not dialog.make_current.isEnabled()


def test_a_page_that_may_not_be_changed_is_only_shown(qtbot):
    dialog = HistoryDialog("page 1", (HAND, MACHINE), current_id=2, can_change=False)
    qtbot.addWidget(dialog)
    dialog.list.setCurrentRow(1)
    assert not dialog.make_current.isEnabled()


def test_a_page_without_a_text_says_so(qtbot):
    dialog = HistoryDialog("page 1", (), current_id=0)
    qtbot.addWidget(dialog)
    assert dialog.about.text() == "There is no text yet."
    assert dialog.preview.toPlainText() == ""


def compared(dialog: HistoryDialog, qtbot) -> None:
    """Choose the machine's reading by keys to compare the marked one with."""
    dialog.other.setFocus()
    for _reading in range(2):
        qtbot.keyClick(dialog.other, Qt.Key.Key_Down)


def formats(pane) -> list[tuple[str, bool, bool]]:
    """Each stretch of a text that is marked: its letters, struck out, underlined."""
    found = []
    block = pane.document().firstBlock()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            form = piece.charFormat()
            if form.fontStrikeOut() or form.fontUnderline():
                found.append((piece.text(), form.fontStrikeOut(), form.fontUnderline()))
            pieces += 1
        block = block.next()
    return found


def test_any_two_readings_are_compared_side_by_side(dialog, qtbot):
    compared(dialog, qtbot)
    assert dialog.other.currentData() == 1
    assert dialog.sides.isVisible()
    assert not dialog.preview.isVisible()
    assert dialog.sides.left.toPlainText() == MACHINE.text
    assert dialog.sides.right.toPlainText() == HAND.text
    assert formats(dialog.sides.left) == [("fprach fo", True, False)]
    assert formats(dialog.sides.right) == [("ſprach", False, True)]
    assert dialog.sides.says.text() == "1 difference"


def test_keys_go_from_difference_to_difference(dialog, qtbot):
    compared(dialog, qtbot)
    qtbot.keyClick(dialog.other, Qt.Key.Key_F8)
    assert dialog.sides.left.textCursor().selectedText() == "fprach fo"
    assert dialog.sides.right.textCursor().selectedText() == "ſprach"
    assert dialog.sides.says.text() == "difference 1 of 1"
    qtbot.keyClick(dialog.other, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.sides.says.text() == "difference 1 of 1"


def test_a_reading_does_not_differ_from_itself(dialog, qtbot):
    dialog.other.setCurrentIndex(1)
    assert dialog.sides.says.text() == "The same text."
    dialog.other.setCurrentIndex(0)
    assert dialog.preview.isVisible()


def test_who_has_proofread_the_page_is_told(qtbot):
    dialog = HistoryDialog("page 1", (HAND,), current_id=2, accepted="Anna, 2026-11-03; Bert")
    qtbot.addWidget(dialog)
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Proofread: Anna, 2026-11-03; Bert" in labels
