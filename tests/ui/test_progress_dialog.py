"""Progress of proofreading in the window."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.book import Kind, Reading, Region, Source
from app.progress import Progress, Share
from tests.app.books import make_scan
from tests.ui.windows import open_with, press_key
from ui.progress_dialog import ProgressDialog

pytestmark = pytest.mark.ui

SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))


def test_time_corrections_and_what_is_left_are_shown(qtbot):
    dialog = ProgressDialog()
    qtbot.addWidget(dialog)
    shares = (Share("", 1, 30.0, 2), Share("Anna", 8, 900.0, 40))
    dialog.show_progress(Progress(9, 100, 9, 95.0, 4.5, 8645.0, shares))
    assert dialog.gone_through.text() == "9 of 100"
    assert dialog.edits.text() == "4.5"
    assert dialog.left.text() == "about 2 h 25 min at work"
    assert dialog.a_page.text() == "1 min 35 s"
    rows = [dialog.people.topLevelItem(row) for row in range(2)]
    assert [row.text(0) for row in rows if row] == ["without a name", "Anna"]


def test_before_five_pages_it_says_when_it_will_tell(qtbot):
    dialog = ProgressDialog()
    qtbot.addWidget(dialog)
    dialog.show_progress(Progress(2, 100, 2, 95.0, 4.5, None))
    assert dialog.left.text() == "told after 3 more pages"
    dialog.show_progress(Progress(0, 100, 0, None, None, None))
    assert dialog.a_page.text() == "not measured yet"


def test_long_words_make_it_higher_instead_of_being_cut(qtbot):
    dialog = ProgressDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.resize(360, 300)
    dialog.show_progress(Progress(0, 100, 0, None, None, None))
    for label in (dialog.gone_through, dialog.a_page, dialog.edits, dialog.left):
        qtbot.waitUntil(lambda label=label: label.height() >= label.heightForWidth(label.width()))


def test_work_in_the_window_is_measured(qtbot, make_studio, tmp_path: Path):
    studio = make_studio()
    now_s = [0.0]
    studio.session.working.clock = lambda: now_s[0]
    readings = [Reading((Region(Kind.TEXT, text),), SOURCE) for text in ("one", "two")]
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 2), readings)
    studio.window.text.setFocus()
    qtbot.keyClicks(studio.window.text.editor, "a")
    now_s[0] = 40.0
    qtbot.keyClick(studio.window.text.editor, Qt.Key.Key_Right)
    press_key(studio, "accept")
    qtbot.waitUntil(lambda: not studio.session.proofs.is_saving, timeout=5000)
    press_key(studio, "progress")
    qtbot.waitUntil(lambda: studio.window.findChild(ProgressDialog) is not None, timeout=5000)
    progress = studio.session.working.progress
    assert progress is not None
    assert (progress.rounds_done, progress.seconds_a_page) == (1, 40.0)
    assert progress.edits_a_page == 1
    dialog = studio.window.findChild(ProgressDialog)
    assert dialog is not None
    dialog.close_button.setFocus()
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
