"""The palette finds commands by a few letters and never gets in the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow

from ui.actions import Actions
from ui.command import Need
from ui.command_palette import ROWS, CommandPalette, command_entries
from ui.commands import COMMANDS
from ui.entry_list import Entry
from ui.fuzzy import ranked

pytestmark = pytest.mark.ui

LINES = ["Open", "Open folder", "Book details", "Close book", "Go to page", "Next page"]


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    window.setCentralWidget(QLineEdit())
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    return window


@pytest.fixture
def actions(window):
    return Actions(window)


@pytest.fixture
def palette(window, actions, qtbot):
    palette = CommandPalette(window)
    palette.open(command_entries(actions), can_change_keys=True)
    qtbot.waitUntil(palette.line.hasFocus)
    return palette


def shown(palette: CommandPalette) -> list[str]:
    model = palette.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("", "Open"),
        ("open f", "Open folder"),
        ("page", "Go to page"),
        ("NEXT", "Next page"),
        ("bk", "Book details"),
        ("page go", "Go to page"),
        ("dét", "Book details"),
    ],
)
def test_a_few_letters_find_the_line(query, best):
    assert LINES[ranked(query, LINES)[0]] == best


def test_a_word_start_beats_the_middle_and_the_explanation_comes_last():
    lines = ["Reopen", "Open", "Show boxes"]
    assert ranked("open", lines, ["", "", "opens outlines"]) == [1, 0, 2]


def test_letters_in_another_order_are_not_found():
    assert ranked("nepo", LINES) == []


@given(st.text(max_size=12), st.lists(st.text(max_size=20), max_size=10))
def test_found_lines_are_lines_once_each(query, lines):
    found = ranked(query, lines)
    assert len(set(found)) == len(found)
    assert set(found) <= set(range(len(lines)))
    if not query.split():
        assert found == list(range(len(lines)))


def test_every_command_but_the_palette_itself_is_there_with_its_key(palette, actions):
    entries = {entry.id: entry for entry in command_entries(actions)}
    assert set(entries) == set(COMMANDS) - {"palette"}
    assert entries["open"].keys == "Ctrl+O"
    assert len(shown(palette)) == len(entries)


def test_the_impossible_stands_last_and_cannot_be_chosen(palette, actions, window, qtbot):
    palette.line.setText("export")
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()
    actions.set_facts(Need.BOOK)
    palette.open(command_entries(actions))
    palette.line.setText("export")
    with qtbot.waitSignal(palette.chosen) as told:
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert told.args == ["export"]


def test_enter_goes_away_first_and_gives_the_focus_back(window, actions, qtbot):
    window.centralWidget().setFocus()
    palette = CommandPalette(window)
    palette.open(command_entries(actions))
    seen: list[tuple[str, bool, bool]] = []
    palette.chosen.connect(
        lambda name: seen.append((name, palette.isVisible(), window.centralWidget().hasFocus()))
    )
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert seen == [("open_folder", False, True)]


def test_escape_closes_without_a_choice(palette, qtbot):
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_keys_move_the_mark_and_stay_among_what_is_possible(palette, actions, qtbot):
    possible = sum(entry.is_possible for entry in command_entries(actions))
    qtbot.keyClick(palette.line, Qt.Key.Key_Up)
    assert palette.current().id == "open"
    qtbot.keyClick(palette.line, Qt.Key.Key_PageDown)
    assert palette.list.currentIndex().row() == ROWS
    for _ in range(20):
        qtbot.keyClick(palette.line, Qt.Key.Key_PageDown)
    assert palette.list.currentIndex().row() == possible - 1


def test_a_click_chooses(palette, qtbot):
    index = palette.list.model().index(1, 0)
    with qtbot.waitSignal(palette.chosen) as told:
        place = palette.list.visualRect(index).center()
        qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == ["open_folder"]


def test_f2_asks_for_another_key_of_the_marked_command(palette, qtbot):
    with qtbot.waitSignal(palette.key_change_asked) as told:
        qtbot.keyClick(palette.line, Qt.Key.Key_F2)
    assert told.args == ["open"]


def test_nothing_found_is_said(palette):
    palette.line.setText("zzzzz")
    assert palette.nothing.isVisible()
    assert not palette.list.isVisible()
    assert palette.current() is None


def test_other_lists_can_be_chosen_from(palette, qtbot):
    palette.open([Entry("/a", "Nubis", "9 of 348 proofread")], prompt="Title of a book")
    assert palette.line.placeholderText() == palette.line.accessibleName() == "Title of a book"
    with qtbot.waitSignal(palette.chosen) as told:
        qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert told.args == ["/a"]


def test_it_stays_inside_a_small_window(palette, window, qtbot):
    window.resize(500, 240)
    qtbot.waitUntil(lambda: window.rect().contains(palette.geometry()))


def test_the_marked_command_is_told_to_screen_readers(palette, qtbot):
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    assert palette.line.accessibleDescription() == "Open folder, Ctrl+Shift+O"
