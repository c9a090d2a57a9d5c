"""Earlier readings: whose, when, what; and one of them made current by order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

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
