"""What tests do with the whole window: fill a book with texts, press keys, close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget

from app.answers import PagesStored
from app.book import PageState, Reading
from ui.studio import Studio


def close(studio: Studio) -> None:
    """As the program does when the person leaves."""
    studio.window.leave()
    assert studio.close()


def open_with(qtbot, studio: Studio, scan: Path, readings: Sequence[Reading]) -> None:
    """Open a scan whose pages have been read before, with these texts."""
    studio.opening.open([scan])
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    shown = studio.session.shown
    assert shown is not None
    close_question(qtbot)
    on_store = studio.session._workers.store.submit
    for number, reading in enumerate(readings):
        page = on_store(
            shown.store.save_read, number, reading=reading, state=PageState.READ
        ).result()
        stored = replace(reading, id=page.reading_id)
        studio.signals.post(PagesStored(shown.book.id, (page,), stored))
    qtbot.waitUntil(lambda: studio.window.text.has_text, timeout=10_000)
    studio.window.activateWindow()
    qtbot.waitUntil(studio.window.isActiveWindow)


def close_question(qtbot) -> None:
    """Leave the dialog that asks for the details of a book opened for the first time."""
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None, timeout=5000)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    dialog.reject()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None, timeout=5000)


def press_key(studio: Studio, command: str) -> None:
    """Press the key of a command, wherever the focus is."""
    action = studio.window.commands[command]
    assert action.isEnabled(), command
    QTest.keySequence(studio.window, action.shortcut())


def letters_behind_alt(widget: QWidget) -> list[str]:
    """What Alt and a letter reach in a dialog, each as often as it is given."""
    named = [*widget.findChildren(QAbstractButton), *widget.findChildren(QLabel)]
    texts = [each.text() for each in named]
    return [text[text.index("&") + 1].lower() for text in texts if "&" in text]
