"""Notices say what happened and what to do, and none hides another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.errors import SourceError, StoreError
from app.notices import Notice
from ui.notice import NoticeLine, NoticesDialog

pytestmark = pytest.mark.ui

MISSING = Notice(1, SourceError("source_missing", name="nubis.pdf"), "image")
FULL = Notice(
    2, StoreError("store_unwritable", detail="No space left on device", folder="/books"), "image"
)


@pytest.fixture
def pane(qtbot):
    pane = QWidget()
    column = QVBoxLayout(pane)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(QLabel("a page"), 1)
    qtbot.addWidget(pane)
    pane.resize(500, 300)
    pane.show()
    return pane


@pytest.fixture
def line(pane):
    line = NoticeLine()
    pane.layout().addWidget(line)
    return line


def test_without_a_notice_nothing_is_there(line):
    assert not line.isVisible()


def test_it_says_what_happened_and_what_to_do(line):
    line.show_notices([MISSING])
    assert line.isVisible()
    assert line.text.text() == (
        "nubis.pdf is not there. "
        "Check the name, put the scan back, or show with 'Locate scan…' where it lies now."
    )
    assert "What was read and typed is safe" in line.text.accessibleDescription()


def test_the_newest_is_shown_and_the_others_are_counted(line, qtbot):
    line.show_notices([MISSING, FULL])
    assert line.text.text().startswith("The data of this book cannot be written")
    assert line.more.text() == "1 more"
    with qtbot.waitSignal(line.all_asked):
        qtbot.mouseClick(line.more, Qt.MouseButton.LeftButton)


def test_dismissing_tells_which_and_changes_nothing_by_itself(line, qtbot):
    line.show_notices([MISSING, FULL])
    with qtbot.waitSignal(line.dismissed) as told:
        qtbot.mouseClick(line.close_button, Qt.MouseButton.LeftButton)
    assert told.args == [2]
    assert line.isVisible()
    line.show_notices([MISSING])
    assert line.text.text().startswith("nubis.pdf")
    assert not line.more.isVisible()
    line.show_notices([])
    assert not line.isVisible()


def test_it_takes_no_more_of_the_pane_than_it_needs_and_cuts_nothing_off(line, pane, qtbot):
    def shows_all() -> bool:
        return line.text.height() >= line.text.heightForWidth(line.text.width())

    line.show_notices([FULL])
    qtbot.waitUntil(shows_all)
    assert line.height() < 80
    pane.resize(260, 300)
    qtbot.waitUntil(shows_all)


def test_names_of_files_are_text_and_nothing_else(line):
    line.show_notices([Notice(3, SourceError("source_missing", name="<b>x</b>.pdf"), "image")])
    assert line.text.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;b&gt;x" in line.toolTip()


def test_earlier_notices_are_listed_whole_and_newest_first(qtbot):
    at = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
    dialog = NoticesDialog([(at, MISSING.error), (at, FULL.error)])
    qtbot.addWidget(dialog)
    text = dialog.list.toPlainText()
    assert text.index("No space left") < text.index("nubis.pdf")
    assert "What was read and typed is safe" in text
