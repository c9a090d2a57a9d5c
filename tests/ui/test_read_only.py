"""A book that another window holds: every command works without a trace, or is greyed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QWidget,
)
from shiboken6 import isValid

from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.windows import open_with
from ui.command import Need
from ui.commands import COMMANDS
from ui.studio import Studio

pytestmark = [pytest.mark.ui, pytest.mark.slow]

ELSEWHERE = frozenset(
    {
        *("open", "open_folder", "open_recent", "open_sample", "fetch", "locate", "queue_book"),
        *("close", "quit", "show_log", "copy_report", "full_screen", "settings"),
    }
)
"""Commands that are not about the book, or lead away from it."""

CHANGES = frozenset(
    each.id for each in COMMANDS.values() if each.needs & (Need.CHANGE | Need.EDIT | Need.START)
)


DIALOGS = frozenset(
    {
        *("ReplaceDialog", "HyphenDialog", "PrepareDialog", "LetterDialog", "HistoryDialog"),
        *("ProgressDialog", "ExportDialog"),
    }
)
"""Some of those that commands open, also of a book that cannot be changed."""


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 3)


@pytest.fixture
def second(make_studio, qtbot, scan, monkeypatch) -> Studio:
    """The window that came too late."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_given, **_more: "")
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_given, **_more: ("", ""))
    first, second = make_studio(), make_studio()
    texts = ("the old bock and its cel-\nlar", "of two cifies and a bock", "nothing to be said")
    open_with(qtbot, first, scan, [machine(text) for text in texts])
    second.opening.open([scan])
    qtbot.waitUntil(lambda: second.window.text.has_text, timeout=10_000)
    assert second.session.read_only
    second.window.activateWindow()
    settle(qtbot, first)
    return second


def settle(qtbot, studio: Studio) -> None:
    for worker in (studio.session._workers.jobs, studio.session._workers.store):
        qtbot.waitUntil(worker.submit(lambda: None).done, timeout=10_000)
    QCoreApplication.processEvents()


def written(studio: Studio) -> list[str]:
    """All rows but that of the book, where the first window keeps how it lies."""
    assert studio.session.shown is not None
    path = studio.session.shown.store.path
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        return [each for each in db.iterdump() if not each.startswith('INSERT INTO "book"')]


def test_every_command_leaves_the_book_as_it_is(second, qtbot):
    before, seen = written(second), set[str]()
    for command in COMMANDS.values():
        action = second.window.commands[command.id]
        if command.id in ELSEWHERE:
            continue
        assert not (action.isEnabled() and command.id in CHANGES), command.id
        if action.isEnabled():
            action.trigger()
            settle(qtbot, second)
            seen |= {type(each).__name__ for each in dialogs()}
            press_all_buttons(qtbot, second)
    assert seen >= DIALOGS
    assert written(second) == before
    codes = {notice.error.code for notice in second.session.notices}
    assert codes <= {"store_locked"}


def press_all_buttons(qtbot, studio: Studio) -> None:
    """Press every button of the dialogs that are open, then close them."""
    for dialog in dialogs():
        for button in dialog.findChildren(QAbstractButton):
            if isValid(button) and button.isVisible() and button.isEnabled():
                button.click()
                settle(qtbot, studio)
                put_away(but=dialog)
            if not isValid(dialog) or not dialog.isVisible():
                break
    put_away()
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    for each in QApplication.topLevelWidgets():
        if each.windowType() == Qt.WindowType.Popup and each.isVisible():
            each.close()


def dialogs() -> list[QDialog]:
    return [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, QDialog) and each.isVisible()
    ]


def put_away(*, but: QWidget | None = None) -> None:
    for each in dialogs():
        if each is not but:
            each.reject()
    QCoreApplication.processEvents()
