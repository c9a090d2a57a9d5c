"""The table of commands, its keys, and the QActions made of it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QTextEdit

import resources
from ui import shortcuts
from ui.actions import Actions
from ui.command import Need
from ui.commands import COMMANDS, KIND, MENUS, SUBMENUS

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("qapp")]

ALL_KEYS = [key for command in COMMANDS.values() for key in command.keys]
SAME_ACT = {"undo", "redo"}  # these keys mean the same to a text


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def actions(window):
    return Actions(window)


def test_every_command_stands_in_one_menu_once():
    groups = [group for menu in (*MENUS, *SUBMENUS.values()) for group in menu.groups]
    names = Counter(command.id for group in groups for command in group)
    assert set(names) == set(COMMANDS)
    assert max(names.values()) == 1


def test_every_icon_is_there():
    missing = [c.icon for c in COMMANDS.values() if c.icon and not _icon_file(c.icon).exists()]
    assert not missing


def _icon_file(name):
    return resources.path(f"icons/{name}.svg")


def test_every_menu_has_its_own_mnemonics():
    for menu in MENUS:
        letters = [
            command.text[command.text.index("&") + 1].lower()
            for group in menu.groups
            for command in group
        ]
        assert len(set(letters)) == len(letters), menu.id
    tops = [menu.text[menu.text.index("&") + 1] for menu in MENUS]
    assert len(set(tops)) == len(tops)


def test_every_command_says_what_it_does_without_a_full_stop():
    assert all(command.says and command.says[-1] not in ".!" for command in COMMANDS.values())


def test_every_default_key_is_understood_and_given_once():
    spelled = [shortcuts.portable(key) for key in ALL_KEYS]
    assert all(spelled)
    assert spelled == ALL_KEYS
    assert len(set(spelled)) == len(spelled)


def test_a_key_for_typing_always_has_a_twin_that_works_in_text_too():
    for command in COMMANDS.values():
        if command.keys and command.id not in SAME_ACT:
            assert not all(shortcuts.is_for_typing(key) for key in command.keys), command.id


def test_escape_is_left_alone():
    assert "Esc" not in ALL_KEYS


@pytest.mark.parametrize("key", ["A", "Shift+A", "1", "Space", "+", "Ctrl+C", "Ctrl+Left", "Del"])
def test_keys_for_typing_are_refused(key):
    assert shortcuts.is_for_typing(key)
    assert "needed for typing" in shortcuts.why_not(key, "export")


@pytest.mark.parametrize("key", ["F12", "Ctrl++", "Alt+A", "Ctrl+Shift+K", "Ctrl+K, A", "Meta+X"])
def test_keys_with_a_command_key_are_free(key):
    assert not shortcuts.is_for_typing(key)


def test_a_clash_names_the_other_command_and_taking_over_ends_it():
    assert "Export" in shortcuts.why_not("Ctrl+E", "details")
    overrides = shortcuts.taken_over((), "details", "Ctrl+E")
    assert shortcuts.keys_of(COMMANDS["details"], overrides) == ("Ctrl+E",)
    assert shortcuts.keys_of(COMMANDS["export"], overrides) == ()
    assert shortcuts.why_not("Ctrl+E", "details", overrides) == ""


def test_taking_a_first_key_leaves_the_second():
    overrides = shortcuts.taken_over((), "export", "Ctrl+Y")
    assert shortcuts.keys_of(COMMANDS["redo"], overrides) == ("Ctrl+Shift+Z",)


def test_a_default_given_back_leaves_no_trace():
    overrides = shortcuts.taken_over((), "export", "Ctrl+Alt+E")
    assert overrides == (("export", "Ctrl+Alt+E"),)
    assert shortcuts.with_keys(overrides, "export", ("ctrl+e",)) == ()


_KEYS = st.sampled_from(
    ["F12", "Ctrl+E", "Ctrl+O", "Ctrl+;", "Ctrl+,", "Alt+Left", "Ctrl+K, Ctrl+S"]
)


@given(st.lists(st.tuples(st.sampled_from(sorted(COMMANDS)), _KEYS), max_size=12))
def test_whatever_is_changed_no_key_is_given_twice_and_the_last_order_holds(orders):
    overrides: shortcuts.Overrides = ()
    for command_id, key in orders:
        overrides = shortcuts.taken_over(overrides, command_id, key)
        assert shortcuts.keys_of(COMMANDS[command_id], overrides)[0] == shortcuts.portable(key)
    keys = [key for command in COMMANDS.values() for key in shortcuts.keys_of(command, overrides)]
    assert len(set(keys)) == len(keys)


def test_unknown_commands_in_saved_keys_are_ignored(window):
    actions = Actions(window, (("gone_in_this_version", "F12"),))
    assert shortcuts.holder_of("F12", actions.overrides) is None


def test_actions_tell_their_id(actions, qtbot):
    with qtbot.waitSignal(actions.ordered) as told:
        actions["open"].trigger()
    assert told.args == ["open"]


def test_switches_tell_how_they_stand(actions, qtbot):
    with qtbot.waitSignal(actions.switched) as told:
        actions["panel_pages"].trigger()
    assert told.args == ["panel_pages", True]


def test_only_what_is_possible_is_enabled(actions):
    assert actions["open"].isEnabled()
    assert not actions["export"].isEnabled()
    actions.set_facts(Need.BOOK)
    assert actions["export"].isEnabled()
    assert not actions["details"].isEnabled()
    actions.set_facts(Need.BOOK | Need.CHANGE)
    assert actions["details"].isEnabled()


def test_menus_show_every_action_with_its_key(actions, window):
    menus = actions.fill(window.menuBar())
    shown = {action for menu in menus.values() for action in menu.actions()}
    assert {actions[command_id] for command_id in COMMANDS} <= shown
    assert menus[KIND.id].menuAction() in menus["page"].actions()
    assert actions["export"].shortcut() == QKeySequence("Ctrl+E")
    assert "Ctrl+E" in actions["export"].toolTip()


def test_changed_keys_reach_the_actions_at_once(actions):
    actions.set_shortcuts((("export", "F12"), ("details", "")))
    assert actions["export"].shortcut() == QKeySequence("F12")
    assert actions["details"].shortcuts() == []


def test_pause_says_go_on_while_it_rests(actions):
    actions.set_paused(is_paused=True)
    assert actions["pause"].text() == "&Go on"
    actions.set_paused(is_paused=False)
    assert actions["pause"].text() == "&Pause"


def test_typing_in_a_text_orders_nothing(actions, window, qtbot):
    text = QTextEdit("one two")
    window.setCentralWidget(text)
    actions.set_facts(~Need.NOTHING)
    orders: list[str] = []
    actions.ordered.connect(orders.append)
    window.show()
    text.setFocus()
    qtbot.waitUntil(text.hasFocus)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_Delete, Qt.Key.Key_Space):
        qtbot.keyClick(text, key)
    for key in (Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_Home, Qt.Key.Key_Right):
        qtbot.keyClick(text, key, Qt.KeyboardModifier.ControlModifier)
    assert orders == []
    qtbot.keyClick(text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert orders == ["accept"]
