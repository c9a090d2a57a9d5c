"""The password is handed on once and says when the last one was wrong."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.errors import PasswordNeeded
from ui.password_dialog import PasswordDialog

pytestmark = pytest.mark.ui


@pytest.fixture
def dialog(qtbot):
    dialog = PasswordDialog(PasswordNeeded("password_needed", name="nubis.pdf", tried=0))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_the_first_time_it_says_which_scan_and_what_becomes_of_the_password(dialog):
    assert "nubis.pdf is locked" in dialog.message.text()
    assert "is not kept" in dialog.message.text()
    assert not dialog.message.warns


def test_after_a_wrong_one_it_says_so(qtbot):
    dialog = PasswordDialog(PasswordNeeded("password_wrong", name="nubis.pdf", tried=1))
    qtbot.addWidget(dialog)
    assert "That password does not open nubis.pdf." in dialog.message.text()
    assert dialog.message.warns


def test_enter_hands_it_on_and_forgets_it(dialog, qtbot):
    assert not dialog.open_button.isEnabled()
    qtbot.keyClicks(dialog.line, "Geheim 1")
    with qtbot.waitSignal(dialog.given) as told:
        qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert told.args == ["Geheim 1"]
    assert dialog.line.text() == ""


def test_it_is_hidden_until_it_is_to_be_seen(dialog):
    assert dialog.line.echoMode() == QLineEdit.EchoMode.Password
    dialog.show_it.click()
    assert dialog.line.echoMode() == QLineEdit.EchoMode.Normal


def test_escape_gives_nothing(dialog, qtbot):
    qtbot.keyClicks(dialog.line, "x")
    with qtbot.assertNotEmitted(dialog.given), qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog.line, Qt.Key.Key_Escape)
