"""Finding on the page and in the book, with keys."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.answers import MatchesFound
from app.book import Kind, Reading, Region, Source
from app.errors import FindError
from app.finding_values import Asked
from app.store.reader import Match
from tests.ui.scans import found
from ui.find_bar import FindBar
from ui.labels import SteadyLabel
from ui.page_finder import PageFinder
from ui.page_text import Place
from ui.text_view import TextView

pytestmark = pytest.mark.ui

SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
READING = Reading(
    (
        Region(Kind.HEADING, "Vom Satz"),
        Region(Kind.TEXT, "Der Satz und der\nAusſatz; ein Satz\U0001f4d6 mehr"),
    ),
    SOURCE,
    1,
)
MATCHES = (
    Match(0, 1, 4, 8, "Der Satz und der Ausſatz", 4),
    Match(6, 0, 0, 4, "Satzspiegel", 0),
    Match(6, 2, 3, 7, "ein Satz", 4),
)
FOUND = MatchesFound("b", "satz", MATCHES, 3, 2)


class Room(QWidget):
    """A text with its find bar."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.bar = TextView(), FindBar()
        self.finder = PageFinder(self.bar, self.text)
        column = QVBoxLayout(self)
        column.addWidget(self.text)
        column.addWidget(self.bar)
        self.resize(600, 500)


@pytest.fixture
def room(qtbot) -> Room:
    room = Room()
    qtbot.addWidget(room)
    with qtbot.waitActive(room):
        room.show()
    room.text.show_reading(0, READING, is_editable=True)
    return room


def line(room: Room) -> QLineEdit:
    return found(room.bar, QLineEdit)


def count(room: Room) -> str:
    return found(room.bar, SteadyLabel).text()


def option(room: Room, place: int) -> None:
    found(room.bar, QMenu).actions()[place].trigger()


def look_for(room: Room, qtbot, text: str) -> None:
    room.finder.open(in_book=False)
    qtbot.keyClicks(line(room), text)


def selected(room: Room) -> str:
    return room.text.selected_line()


def test_what_is_typed_is_found_at_once_and_counted(room, qtbot):
    look_for(room, qtbot, "satz")
    assert count(room) == "1 of 4"
    assert selected(room) == "Satz"
    assert line(room).hasFocus()


def test_enter_and_shift_enter_walk_around(room, qtbot):
    look_for(room, qtbot, "satz")
    seen = []
    for _step in range(4):
        qtbot.keyClick(line(room), Qt.Key.Key_Return)
        seen.append(count(room))
    assert seen == ["2 of 4", "3 of 4", "4 of 4", "1 of 4"]
    qtbot.keyClick(line(room), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert count(room) == "4 of 4"


def test_finding_goes_on_from_the_cursor(room, qtbot):
    room.text.set_cursor(1, 10)
    look_for(room, qtbot, "satz")
    assert count(room) == "3 of 4"
    room.bar.find_next()
    assert count(room) == "4 of 4"


def test_whole_words_and_case_count_if_asked(room, qtbot):
    look_for(room, qtbot, "satz")
    option(room, 0)
    assert count(room) == "1 of 3"
    option(room, 0)
    option(room, 1)
    assert count(room).startswith("0 places")


def test_what_is_selected_is_looked_for(room):
    room.text.select(Place(1, 4), Place(1, 8))
    room.finder.open(in_book=False)
    assert line(room).text() == "Satz"
    assert line(room).selectedText() == "Satz"
    assert count(room) == "2 of 4"


def test_what_is_not_there_is_said(room, qtbot):
    look_for(room, qtbot, "nirgends")
    assert count(room) == "0 places"
    before = room.text.place
    room.bar.find_next()
    assert room.text.place == before


def test_esc_closes_and_gives_the_text_its_focus_back(room, qtbot):
    look_for(room, qtbot, "satz")
    qtbot.keyClick(line(room), Qt.Key.Key_Escape)
    assert room.bar.isHidden()
    assert room.text.editor.hasFocus()
    assert room.text.editor.extraSelections() == []


def test_the_next_page_is_looked_through_without_moving_its_cursor(room, qtbot):
    look_for(room, qtbot, "satz")
    other = Reading((Region(Kind.TEXT, "Satz für Satz"),), SOURCE, 2)
    room.text.show_reading(1, other, is_editable=True)
    assert count(room) == "2 places"
    assert room.text.place == Place(0, 0)
    assert len(room.text.editor.extraSelections()) == 2


def test_the_book_is_asked_after_a_moment_of_rest(room, qtbot):
    asked = []
    room.bar.find_asked.connect(lambda *query: asked.append(query))
    room.finder.open(in_book=True)
    qtbot.keyClicks(line(room), "satz")
    assert asked == []
    qtbot.waitUntil(lambda: bool(asked), timeout=2000)
    assert asked == [(Asked("satz"), False)]


def test_enter_asks_the_book_at_once(room, qtbot):
    room.finder.open(in_book=True)
    option(room, 0)
    qtbot.keyClicks(line(room), "satz")
    with qtbot.waitSignal(room.bar.find_asked, timeout=100) as told:
        qtbot.keyClick(line(room), Qt.Key.Key_Return)
    assert told.args == [Asked("satz", whole_word=True), False]


def in_book(room: Room, qtbot) -> QListView:
    room.finder.open(in_book=True)
    with qtbot.waitSignal(room.bar.find_asked, timeout=2000):
        qtbot.keyClicks(line(room), "satz")
    room.bar.show_found(FOUND)
    return found(room.bar, QListView)


def test_places_in_the_book_are_listed_with_page_and_context(room, qtbot):
    places = in_book(room, qtbot)
    assert places.isVisible()
    assert count(room) == "3 places"
    model = places.model()
    told = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert told == ["Page 1: Der Satz und der Ausſatz", "Page 7: Satzspiegel", "Page 7: ein Satz"]
    assert not places.grab().toImage().isNull()


def test_next_and_previous_walk_through_the_book(room, qtbot):
    in_book(room, qtbot)
    chosen = []
    room.bar.match_chosen.connect(chosen.append)
    for _step in range(2):
        qtbot.keyClick(line(room), Qt.Key.Key_Return)
    room.bar.find_previous()
    room.bar.find_previous()
    assert count(room) == "3 of 3"
    assert chosen == [MATCHES[0], MATCHES[1], MATCHES[0], MATCHES[2]]


def test_a_place_is_chosen_by_mouse(room, qtbot):
    places = in_book(room, qtbot)
    at = places.visualRect(places.model().index(1, 0)).center()
    with qtbot.waitSignal(room.bar.match_chosen, timeout=1000) as told:
        qtbot.mouseClick(places.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert told.args == [MATCHES[1]]


def test_a_place_on_another_page_is_selected_when_its_text_is_there(room):
    match = Match(6, 1, 4, 8, "ein Satz", 4)
    room.finder.show_match(match)
    assert selected(room) == ""
    room.text.show_reading(6, None, is_editable=False)
    room.text.show_reading(6, READING, is_editable=True)
    assert selected(room) == "Satz"
    assert room.text.place == Place(1, 8)


def test_a_place_on_this_page_is_selected_at_once(room):
    room.finder.show_match(MATCHES[0])
    assert selected(room) == "Satz"


def test_nothing_found_in_the_book_is_said(room, qtbot):
    in_book(room, qtbot)
    room.bar.show_found(MatchesFound("b", "satz", ()))
    labels = [label.text() for label in room.bar.findChildren(QWidget) if hasattr(label, "text")]
    assert "Not found in the book." in labels


def test_leaving_the_book_for_the_page_puts_the_list_away(room, qtbot):
    places = in_book(room, qtbot)
    found(room.bar, QCheckBox).setChecked(False)
    assert not places.isVisible()
    assert count(room) == "1 of 4"


def test_every_button_has_a_name(room):
    assert all(button.accessibleName() for button in room.bar.findChildren(QToolButton))


def test_diacritics_and_patterns_are_choices(room, qtbot):
    other = Reading((Region(Kind.TEXT, "Café und Cafe, Ausſatz"),), SOURCE, 2)
    room.text.show_reading(1, other, is_editable=True)
    look_for(room, qtbot, "cafe")
    assert count(room) == "1 of 1"
    option(room, 2)
    assert count(room) == "2 of 2"
    option(room, 3)
    line(room).setText(r"[ck]af. und|s\w+z\b")
    assert count(room) == "2 of 2"


def test_a_bad_pattern_is_told_in_plain_words_while_it_is_typed(room, qtbot):
    look_for(room, qtbot, "")
    option(room, 3)
    qtbot.keyClicks(line(room), "(satz")
    assert "opening bracket" in count(room)
    qtbot.keyClicks(line(room), ")")
    assert count(room) == "1 of 4"


def test_a_pattern_that_would_take_for_ever_is_given_up(room, qtbot):
    long = Reading((Region(Kind.TEXT, "a" * 4000 + "b"),), SOURCE, 2)
    room.text.show_reading(1, long, is_editable=True)
    look_for(room, qtbot, "")
    option(room, 3)
    line(room).setText("(a|aa)+c")
    assert "too long" in count(room)


def test_earlier_readings_are_searched_when_asked_and_named(room, qtbot):
    room.finder.open(in_book=True)
    option(room, 4)
    with qtbot.waitSignal(room.bar.find_asked, timeout=2000) as told:
        qtbot.keyClicks(line(room), "satz")
    assert told.args == [Asked("satz"), True]
    room.bar.show_found(MatchesFound("b", "satz", (MATCHES[0]._replace(reading_id=4),), 1, 1))
    places = found(room.bar, QListView)
    assert places.model().index(0, 0).data() == (
        "Page 1, earlier reading: Der Satz und der Ausſatz"
    )
    assert not places.grab().toImage().isNull()


def test_more_places_than_are_listed_are_counted(room, qtbot):
    in_book(room, qtbot)
    room.bar.show_found(MatchesFound("b", "satz", MATCHES, 5000, 900))
    assert count(room) == "5000 places"
    labels = [label.text() for label in room.bar.findChildren(QWidget) if hasattr(label, "text")]
    assert "5000 places on 900 pages; the first 3 are listed" in labels


def test_what_hinders_a_search_of_the_book_is_told(room, qtbot):
    in_book(room, qtbot)
    error = FindError("pattern_slow")
    room.bar.show_found(MatchesFound("b", "satz", (), error=error))
    assert "too long" in count(room)
