"""The letter test in the window, with its two keys."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton

from app.book import Box, Kind, Reading, Region, Source
from tests.app.books import make_scan
from tests.ui.windows import open_with
from ui.letter_dialog import LetterDialog
from ui.studio import Studio

pytestmark = pytest.mark.ui

SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
TEXT = "Und der ſetzer ſetzte Satz um Satz, bis das Blatt\nvoll war. " * 6
Key = Qt.Key


@pytest.fixture
def studio(make_studio, qtbot, tmp_path: Path) -> Studio:
    studio = make_studio()
    region = Region(Kind.TEXT, TEXT, Box(40, 40, 380, 560))
    readings = [Reading((region,), SOURCE)] * 2
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 2), readings)
    return studio


def opened(qtbot, studio: Studio) -> LetterDialog:
    studio.window.commands["letter_test"].trigger()
    dialog = studio.window.findChild(LetterDialog)
    assert dialog is not None
    return dialog


def begun(qtbot, studio: Studio) -> LetterDialog:
    dialog = opened(qtbot, studio)
    assert dialog.pages.text() == "1-2"
    qtbot.keyClick(dialog.pages, Key.Key_Return)
    qtbot.waitUntil(lambda: studio.session.letters.test is not None, timeout=5000)
    return dialog


def answers(studio: Studio) -> str:
    test = studio.session.letters.test
    assert test is not None
    return test.answers


def test_each_letter_is_answered_with_one_of_two_keys(qtbot, studio):
    dialog = begun(qtbot, studio)
    assert dialog.image.hasFocus()
    for key in (Key.Key_Right, Key.Key_F, Key.Key_J, Key.Key_Left):
        qtbot.keyClick(dialog.image, key)
    assert answers(studio) == "rwrw"
    qtbot.keyClick(dialog.image, Key.Key_Backspace)
    assert answers(studio) == "rwr"
    assert "Letter 4 of 500" in dialog.so_far.text()
    assert "Wrong so far: 1. At best 99 % can be reached." in dialog.so_far.text()


def test_the_letter_is_shown_in_its_text_and_its_ink(qtbot, studio):
    dialog = begun(qtbot, studio)
    qtbot.waitUntil(lambda: dialog.image._picture is not None, timeout=5000)
    letter = studio.session.letters.test.letters[0]
    assert letter.letter in dialog.context.text()
    assert dialog.image._box == letter.box
    shown = dialog.image.grab().toImage()
    assert len({shown.pixelColor(x, shown.height() // 2).rgb() for x in range(shown.width())}) > 2


def test_a_test_goes_on_where_it_was_left(qtbot, studio):
    dialog = begun(qtbot, studio)
    qtbot.keyClick(dialog.image, Key.Key_Right)
    dialog.accept()
    assert studio.window.findChild(LetterDialog) is None or not dialog.isVisible()
    qtbot.waitUntil(lambda: studio.window.findChild(LetterDialog) is None, timeout=5000)
    again = opened(qtbot, studio)
    qtbot.waitUntil(lambda: "Letter 2 of 500" in again.so_far.text(), timeout=5000)


def test_the_result_is_told_and_the_protocol_saved(qtbot, studio, tmp_path, monkeypatch):
    dialog = begun(qtbot, studio)
    for _letter in range(500):
        studio.signals.tell(studio.session.letters.answer(is_right=True))
    assert "> 99 % of the letters are right is accepted" in dialog.verdict.text()
    path = tmp_path / "protocol"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    qtbot.keyClick(dialog.protocol, Key.Key_Space)
    qtbot.waitUntil(lambda: "protocol.pdf" in dialog.says.text(), timeout=10_000)
    assert path.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    qtbot.keyClick(dialog.again, Key.Key_Space)
    assert dialog.pages.isVisible()


def test_pages_that_are_none_are_told(qtbot, studio):
    dialog = opened(qtbot, studio)
    dialog.pages.setText("77")
    qtbot.keyClick(dialog.pages, Key.Key_Return)
    assert "77" in dialog.says.text()
    dialog.pages.setText("1")
    studio.session.letters.test = None
    dialog.begin.click()
    qtbot.waitUntil(lambda: "500" in dialog.says.text(), timeout=5000)
    assert dialog.begin.isEnabled()


def test_every_button_says_its_key(qtbot, studio):
    dialog = begun(qtbot, studio)
    asked = [button.text() for button in dialog.findChildren(QPushButton) if button.isVisible()]
    assert asked[:3] == ["Wrong (Left or F)", "Right (Right or J)", "One back (Backspace)"]
