"""Keys are changed at once, clashes are told, and what is saved comes back the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QTextEdit,
    QTreeWidgetItemIterator,
)

from app.settings import Settings, load_settings, save_settings
from ui import shortcuts
from ui.actions import Actions
from ui.commands import COMMANDS
from ui.shortcuts_dialog import ShortcutsDialog

pytestmark = pytest.mark.ui

_Walk = QTreeWidgetItemIterator.IteratorFlag
CTRL = Qt.KeyboardModifier.ControlModifier


def key_of(struck: str) -> Qt.Key:
    sequence: Any = QKeySequence.fromString(struck)  # its stubs know no items
    return sequence[0].key()


@pytest.fixture
def dialog(qtbot):
    dialog = ShortcutsDialog(())
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def told(dialog):
    told: list[shortcuts.Overrides] = []
    dialog.changed.connect(told.append)
    return told


def rows(dialog: ShortcutsDialog) -> dict[str, str]:
    found: dict[str, str] = {}
    walk = QTreeWidgetItemIterator(dialog.tree, _Walk.NotHidden | _Walk.NoChildren)
    while (row := walk.value()) is not None:
        found[row.text(0)] = row.text(1)
        walk += 1
    return found


def test_all_commands_are_listed_with_all_their_keys(dialog):
    listed = rows(dialog)
    assert len(listed) == len({shortcuts.plain_text(c) for c in COMMANDS.values()})
    assert listed["Redo"] == "Ctrl+Shift+Z   Ctrl+Y"


def test_a_pressed_key_holds_at_once(dialog, told, qtbot):
    dialog.choose("export")
    qtbot.keyClick(dialog.key, Qt.Key.Key_F12)
    assert told == [(("export", "F12"),)]
    assert rows(dialog)["Export"] == "F12"
    assert dialog.message.text() == "F12 is now the key of “Export”."


def test_a_clash_changes_nothing_until_it_is_taken_over(dialog, told, qtbot):
    dialog.choose("details")
    qtbot.keyClick(dialog.key, Qt.Key.Key_E, CTRL)
    assert told == []
    assert dialog.message.text() == "Ctrl+E is the key of “Export” now."
    assert dialog.message.warns
    qtbot.mouseClick(dialog.take_over, Qt.MouseButton.LeftButton)
    assert told == [(("details", "Ctrl+E"), ("export", ""))]
    assert rows(dialog)["Export"] == ""
    assert not dialog.take_over.isVisible()


def test_a_key_for_typing_cannot_be_taken_over(dialog, told, qtbot):
    dialog.choose("details")
    qtbot.keyClick(dialog.key, Qt.Key.Key_A)
    assert told == []
    assert "needed for typing" in dialog.message.text()
    assert not dialog.take_over.isVisible()


def test_no_key_and_default(dialog, told, qtbot):
    dialog.choose("redo")
    qtbot.mouseClick(dialog.no_key, Qt.MouseButton.LeftButton)
    assert told[-1] == (("redo", ""),)
    qtbot.mouseClick(dialog.default, Qt.MouseButton.LeftButton)
    assert told[-1] == ()
    assert rows(dialog)["Redo"] == "Ctrl+Shift+Z   Ctrl+Y"


def test_a_default_comes_back_from_whoever_took_it(dialog, told, qtbot):
    dialog.choose("details")
    qtbot.keyClick(dialog.key, Qt.Key.Key_E, CTRL)
    qtbot.mouseClick(dialog.take_over, Qt.MouseButton.LeftButton)
    dialog.choose("export")
    qtbot.mouseClick(dialog.default, Qt.MouseButton.LeftButton)
    assert told[-1] == (("details", ""),)


def test_all_defaults_are_one_click_away(dialog, told, qtbot):
    assert not dialog.all_defaults.isEnabled()
    dialog.choose("export")
    qtbot.keyClick(dialog.key, Qt.Key.Key_F12)
    qtbot.mouseClick(dialog.all_defaults, Qt.MouseButton.LeftButton)
    assert told[-1] == ()
    assert not dialog.all_defaults.isEnabled()


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "keys.json"
    for ask in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, ask, lambda *_asked: (str(path), ""))
    return path


def test_keys_go_through_a_file_to_another_machine(dialog, told, file, qtbot):
    dialog.choose("export")
    qtbot.keyClick(dialog.key, Qt.Key.Key_F12)
    dialog.choose("redo")
    qtbot.mouseClick(dialog.no_key, Qt.MouseButton.LeftButton)
    dialog.choose("details")
    qtbot.keyClick(dialog.key, Qt.Key.Key_E, CTRL)  # free since Export has another
    dialog.choose("previous_page")
    qtbot.mouseClick(dialog.default, Qt.MouseButton.LeftButton)
    here = told[-1]
    dialog.save.click()
    dialog.all_defaults.click()
    dialog.load.click()
    assert told[-1] == here
    assert rows(dialog)["Export"] == "F12"
    assert dialog.message.text() == "The keys are as keys.json has them."


def test_a_clash_in_a_file_is_told_and_left_out(dialog, told, file):
    keys = {
        "details": ["Ctrl+E", "F12"],
        "settings": ["A"],
        "next_page": ["PgDown"],
        "gone": ["F1"],
        "find": ["Hyper+?"],
    }
    file.write_text(json.dumps({"keys": keys}))
    dialog.load.click()
    assert told[-1] == (("details", "F12"), ("find", ""), ("next_page", "PgDown"), ("settings", ""))
    for said in (
        "Ctrl+E is the key of “Export” now.",
        "A is needed for typing.",
        "There is no command “gone”.",
        "“Hyper+?” is no key.",
    ):
        assert said in dialog.message.text()
    assert dialog.message.warns
    assert rows(dialog)["Export"] == "Ctrl+E"


@pytest.mark.parametrize("content", ["", "[]", '{"keys": ["Ctrl+E"]}', '{"keys": {"find": [1]}}'])
def test_a_file_of_something_else_changes_nothing(dialog, told, file, content):
    file.write_text(content)
    dialog.load.click()
    assert told == []
    assert "keys.json holds no keys that can be read" in dialog.message.text()


def test_search_finds_names_and_keys(dialog):
    dialog.search.setText("ctrl+e")
    assert "Export" in rows(dialog)
    assert "Quit" not in rows(dialog)
    dialog.search.setText("earlier read")
    assert list(rows(dialog)) == ["Earlier readings"]
    dialog.search.setText("nothing like it zzz")
    assert rows(dialog) == {}


def test_changed_keys_come_back_from_the_settings_file_and_work(dialog, told, qtbot, tmp_path):
    dialog.choose("export")
    qtbot.keyClick(dialog.key, Qt.Key.Key_F12)
    dialog.choose("details")
    qtbot.keyClick(dialog.key, Qt.Key.Key_9, CTRL | Qt.KeyboardModifier.AltModifier)
    path = tmp_path / "settings.json"
    save_settings(path, Settings(shortcuts=told[-1]))
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(window, load_settings(path).shortcuts)
    for command_id in COMMANDS:
        keys = shortcuts.keys_of(COMMANDS[command_id], told[-1])
        assert [key.toString() for key in actions[command_id].shortcuts()] == list(keys)
    assert actions["details"].shortcut().toString() == "Ctrl+Alt+9"


HELD = {
    "": Qt.KeyboardModifier.NoModifier,
    "Shift+": Qt.KeyboardModifier.ShiftModifier,
    "Ctrl+": Qt.KeyboardModifier.ControlModifier,
    "Ctrl+Shift+": Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
}
STRUCK = (
    *("Backspace", "Del", "Return", "Enter", "Space", "Home", "End", "Left", "Right", "Up"),
    *("Down", "A", "C", "V", "X", "Z", "Y", "K", "U", "1", ",", "?"),
)


@pytest.mark.parametrize("held", HELD)
def test_no_key_that_a_text_takes_for_editing_can_be_a_command(qtbot, held):
    """Asked of a real editor: it claims the keys that it would edit with."""
    editor = QTextEdit()
    qtbot.addWidget(editor)
    editor.show()
    for struck in STRUCK:
        key = key_of(struck)
        text = struck if len(struck) == 1 and not held.startswith("Ctrl") else ""
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, HELD[held], text)
        event.ignore()
        QApplication.sendEvent(editor, event)
        if event.isAccepted():
            assert shortcuts.is_for_typing(f"{held}{struck}"), f"{held}{struck} edits a text"


def test_no_two_commands_come_with_the_same_key():
    keys = [shortcuts.portable(key) for command in COMMANDS.values() for key in command.keys]
    assert len(keys) == len(set(keys))
