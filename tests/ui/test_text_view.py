"""The text pane with keys typed: blocks stay whole, nothing is lost, the cursor stays."""

from __future__ import annotations

import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QInputMethodEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QVBoxLayout, QWidget

from app.book import Kind, Reading, Region, Source, Style
from app.events import Piece
from app.proofing import corrected
from tests.ui.scans import found, notch
from ui.doubt_marks import Doubted
from ui.page_text import Place
from ui.text_keys import as_typed
from ui.text_view import TextView
from ui.theme import DARK, LIGHT, palette_of

pytestmark = pytest.mark.ui

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
HEAD = Region(Kind.HEADING, "Was iſt Aufklärung?")
BODY = Region(Kind.TEXT, "Aufklärung iſt der Ausgang\ndes Menſchen aus ſeiner")
NOTE = Region(Kind.NOTE, "*) Siehe S. 516.")


def reading(*regions: Region) -> Reading:
    return Reading(regions, Source("model", datetime(2026, 11, 3, tzinfo=UTC)), 1)


class Told:
    """What the view has told."""

    def __init__(self, view: TextView) -> None:
        self.edits: list[tuple[int, int, str]] = []
        self.places: list[tuple[int, int]] = []
        view.edited.connect(lambda *edit: self.edits.append(edit))
        view.cursor_moved.connect(lambda *place: self.places.append(place))


@pytest.fixture
def view(qtbot) -> TextView:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(600, 500)
    with qtbot.waitActive(view):
        view.show()
    view.show_reading(0, reading(HEAD, BODY, NOTE), is_editable=True)
    view.editor.setFocus()
    return view


@pytest.fixture
def told(view) -> Told:
    return Told(view)


def texts(view: TextView) -> list[str]:
    """What stands in the document, block by block, as a person sees it."""
    block, found_texts = view.editor.document().firstBlock(), []
    while block.isValid():
        found_texts.append(block.text().replace("\u2028", "\n"))
        block = block.next()
    return found_texts


# what is shown


def test_each_block_of_the_page_is_one_block_of_the_document(view):
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_headings_are_larger_notes_smaller_and_page_numbers_grey(view):
    view.show_reading(0, reading(HEAD, BODY, NOTE, Region(Kind.PAGE_NUMBER, "7")), is_editable=True)
    forms = [form_at(view, number) for number in range(4)]
    sizes = [form.fontPointSize() for form in forms]
    assert sizes[0] > sizes[1] > sizes[2]
    greys = [form.foreground().color() for form in forms]
    assert greys[0] == greys[1] == greys[2] != greys[3]


def form_at(view: TextView, block: int, offset: int = 0) -> QTextCharFormat:
    cursor = QTextCursor(view.editor.document().findBlockByNumber(block))
    cursor.setPosition(cursor.position() + offset + 1)
    return cursor.charFormat()


def test_styles_are_shown_where_they_stand(view):
    body = replace(BODY, styles=(Style(11, 14, "italic"), Style(15, 18, "superscript")))
    view.show_reading(0, reading(HEAD, body, NOTE), is_editable=True)
    assert form_at(view, 1, 11).fontItalic()
    assert not form_at(view, 1, 10).fontItalic()
    raised = QTextCharFormat.VerticalAlignment.AlignSuperScript
    assert form_at(view, 1, 15).verticalAlignment() == raised


def test_lines_are_no_longer_than_the_measure(view, qtbot):
    long = Region(Kind.TEXT, "der Ausgang des Menſchen aus ſeiner Unmündigkeit " * 20)
    view.show_reading(0, reading(long), is_editable=True)
    view.resize(2000, 500)
    layout = view.editor.document().firstBlock().layout()
    qtbot.waitUntil(lambda: layout.lineCount() > 1, timeout=1000)
    longest = max(layout.lineAt(n).textLength() for n in range(layout.lineCount()))
    assert 60 <= longest <= 88


def test_letters_outside_the_first_plane_are_counted_as_one(view, told):
    view.show_reading(1, reading(Region(Kind.TEXT, "a\U00010330\U0001f4d6z")), is_editable=True)
    view.set_cursor(0, 3)
    assert told.places[-1] == (0, 3)
    assert view.editor.textCursor().position() == 5


def test_signs_that_would_begin_a_block_for_qt_do_not(view):
    strange = Region(Kind.TEXT, "a\u2029b\rc\ufdd0d\ufffce\x00f")
    view.show_reading(1, reading(strange, NOTE), is_editable=True)
    assert len(texts(view)) == 2


def test_right_to_left_text_starts_at_the_right(view):
    view.show_reading(1, reading(Region(Kind.TEXT, "שלום עולם"), BODY), is_editable=True)
    blocks = [view.editor.document().findBlockByNumber(n) for n in (0, 1)]
    edges = [block.layout().lineAt(0).naturalTextRect().left() for block in blocks]
    assert edges[0] > edges[1]
    view.set_direction("rtl")
    assert blocks[1].layout().lineAt(0).naturalTextRect().left() > edges[1]


def coloured(view: TextView, colour: QColor, word: tuple[int, int, int]) -> int:
    """How many pixels around a word of a block are of this colour."""
    region, start, end = word
    cursor = QTextCursor(view.editor.document())
    cursor.setPosition(view.editor.text.position_of(Place(region, start)))
    left = view.editor.cursorRect(cursor)
    cursor.setPosition(view.editor.text.position_of(Place(region, end)))
    around = left.united(view.editor.cursorRect(cursor)).adjusted(0, 0, 0, 4)
    image = view.editor.viewport().grab(around).toImage()
    every = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(image.pixelColor(*place) == colour for place in every)


def test_doubts_are_underlined_with_dots_and_the_current_has_a_soft_ground(view):
    view.editor.clearFocus()
    look, soft = LIGHT.look, LIGHT.accent_soft
    first, second = (1, 0, 10), (1, 11, 14)
    assert coloured(view, look, first) == 0
    view.show_doubts((Doubted(*first), Doubted(*second, is_current=True)))
    assert coloured(view, look, first) > 10
    assert coloured(view, look, second) > 4
    assert coloured(view, soft, first) == 0
    assert coloured(view, soft, second) > 50
    view.show_doubts(())
    assert coloured(view, look, first) == 0


def test_a_doubt_stays_under_its_word_while_one_types_before_it(view, qtbot):
    view.show_doubts((Doubted(1, 11, 14),))
    view.set_cursor(1, 0)
    qtbot.keyClicks(view.editor, "Die neue ")
    view.editor.clearFocus()
    assert coloured(view, LIGHT.look, (1, 20, 23)) > 4
    assert coloured(view, LIGHT.look, (1, 10, 19)) == 0


def test_a_doubt_on_text_that_is_gone_hurts_nobody(view):
    view.show_doubts((Doubted(1, 400, 420), Doubted(9, 0, 4)))
    view.editor.viewport().grab()


def test_a_block_changed_by_hand_has_a_mark_in_the_margin(view):
    view.editor.clearFocus()  # and with it the cursor, which blinks
    before = view.editor.viewport().grab().toImage()
    changed = reading(HEAD, replace(BODY, by_hand=True), NOTE)
    view.show_reading(0, changed, is_editable=True)
    after = view.editor.viewport().grab().toImage()
    differs = {
        x
        for x in range(after.width())
        for y in range(0, after.height(), 3)
        if before.pixel(x, y) != after.pixel(x, y)
    }
    assert differs
    assert max(differs) < view.editor.cursorRect().left()  # nothing but the margin


def test_the_text_size_is_its_own(view):
    small = form_at(view, 1).fontPointSize()
    view.set_cursor(1, 5)
    view.set_scale(2.2)
    assert form_at(view, 1).fontPointSize() == pytest.approx(2 * small)
    assert view.place == Place(1, 5)


def test_the_wheel_with_ctrl_asks_for_another_size(view, qtbot):
    room = view.editor.viewport()
    with qtbot.waitSignal(view.scale_asked, timeout=1000) as asked:
        QApplication.sendEvent(room, notch(room, QPointF(100, 100), CTRL))
    assert asked.args == [1]


# typing


def test_what_is_typed_is_told_after_a_moment_of_rest(view, told, qtbot):
    view.set_cursor(2, 0)
    qtbot.keyClicks(view.editor, "abc")
    assert told.edits == []
    qtbot.waitUntil(lambda: bool(told.edits), timeout=2000)
    assert told.edits == [(0, 2, "abc" + NOTE.text)]


def test_typing_without_rest_is_told_within_the_second(view, told, qtbot):
    view.set_cursor(2, 0)
    begun = time.monotonic()
    while not told.edits and time.monotonic() - begun < 3:
        qtbot.keyClicks(view.editor, "x")
        qtbot.wait(100)
    assert time.monotonic() - begun < 1.6  # a second, and a slow machine


def test_leaving_the_block_tells_what_was_typed(view, told, qtbot):
    view.set_cursor(1, 0)
    qtbot.keyClicks(view.editor, "x")
    view.set_cursor(2, 0)
    assert told.edits == [(0, 1, "x" + BODY.text)]


def test_leaving_the_pane_tells_what_was_typed(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    view, other = TextView(), QLineEdit()
    column.addWidget(view)
    column.addWidget(other)
    with qtbot.waitActive(window):
        window.show()
    view.show_reading(4, reading(BODY), is_editable=True)
    told = Told(view)
    view.editor.setFocus()
    qtbot.keyClicks(view.editor, "x")
    other.setFocus()
    assert told.edits == [(4, 0, "x" + BODY.text)]


def test_turning_the_page_tells_what_was_typed_of_the_page_before(view, told, qtbot):
    qtbot.keyClicks(view.editor, "x")
    view.show_reading(1, reading(BODY), is_editable=True)
    assert told.edits == [(0, 0, "x" + HEAD.text)]


def test_hiding_the_pane_tells_what_was_typed(view, told, qtbot):
    qtbot.keyClicks(view.editor, "x")
    view.hide()
    assert told.edits == [(0, 0, "x" + HEAD.text)]


def test_nothing_is_told_twice_nor_when_typed_back(view, told, qtbot):
    qtbot.keyClicks(view.editor, "x")
    view.flush()
    view.flush()
    assert len(told.edits) == 1
    qtbot.keyClicks(view.editor, "y")
    qtbot.keyClick(view.editor, Qt.Key.Key_Backspace)
    view.flush()
    assert len(told.edits) == 1


def test_backspace_at_the_start_of_a_block_does_nothing(view, told, qtbot):
    view.set_cursor(1, 0)
    for modifier in (Qt.KeyboardModifier.NoModifier, CTRL):
        qtbot.keyClick(view.editor, Qt.Key.Key_Backspace, modifier)
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_delete_at_the_end_of_a_block_does_nothing(view, qtbot):
    view.set_cursor(1, len(BODY.text))
    for modifier in (Qt.KeyboardModifier.NoModifier, CTRL):
        qtbot.keyClick(view.editor, Qt.Key.Key_Delete, modifier)
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_delete_joins_the_lines_of_a_block(view, qtbot):
    view.set_cursor(1, BODY.text.index("\n"))
    qtbot.keyClick(view.editor, Qt.Key.Key_Delete)
    assert texts(view)[1] == BODY.text.replace("\n", "")


def test_backspace_takes_a_mark_off_its_letter(view, qtbot):
    view.show_reading(1, reading(Region(Kind.TEXT, "vn\u0304")), is_editable=True)
    view.set_cursor(0, 3)
    qtbot.keyClick(view.editor, Qt.Key.Key_Backspace)
    assert texts(view) == ["vn"]


def test_backspace_takes_a_letter_of_two_units_whole(view, qtbot):
    view.show_reading(1, reading(Region(Kind.TEXT, "a\U00010330")), is_editable=True)
    view.set_cursor(0, 2)
    qtbot.keyClick(view.editor, Qt.Key.Key_Backspace)
    assert texts(view) == ["a"]


def test_enter_ends_a_line_within_the_block(view, told, qtbot):
    view.set_cursor(2, 2)
    qtbot.keyClick(view.editor, Qt.Key.Key_Return)
    view.flush()
    assert told.edits == [(0, 2, "*)\n Siehe S. 516.")]


def test_enter_with_ctrl_is_for_the_window(view, qtbot):
    view.set_cursor(2, 2)
    qtbot.keyClick(view.editor, Qt.Key.Key_Return, CTRL)
    assert texts(view)[2] == NOTE.text


@pytest.mark.parametrize("way", ["key", "letter", "cut", "paste", "input method", "enter"])
def test_a_selection_over_blocks_is_deleted_but_joins_nothing(view, qtbot, way):
    view.select(Place(0, 4), Place(2, 3))
    put = {"letter": "x", "paste": "x", "input method": "x", "enter": "\n"}.get(way, "")
    match way:
        case "key":
            qtbot.keyClick(view.editor, Qt.Key.Key_Delete)
        case "letter":
            qtbot.keyClicks(view.editor, "x")
        case "cut":
            qtbot.keyClick(view.editor, Qt.Key.Key_X, CTRL)
        case "paste":
            QGuiApplication.clipboard().setText("x")
            qtbot.keyClick(view.editor, Qt.Key.Key_V, CTRL)
        case "input method":
            event = QInputMethodEvent()
            event.setCommitString("x")
            QApplication.sendEvent(view.editor, event)
        case "enter":
            qtbot.keyClick(view.editor, Qt.Key.Key_Return)
    assert texts(view) == ["Was " + put, "", "Siehe S. 516."]


def test_everything_can_be_deleted_and_the_blocks_stay(view, told, qtbot):
    qtbot.keyClick(view.editor, Qt.Key.Key_A, CTRL)
    qtbot.keyClick(view.editor, Qt.Key.Key_Delete)
    assert texts(view) == ["", "", ""]
    view.flush()
    assert told.edits == [(0, 0, ""), (0, 1, ""), (0, 2, "")]


def test_pasting_keeps_the_letters_only(view, qtbot):
    data = QMimeData()
    data.setHtml("<h1>Gro\u00df</h1><p>und b\u00f6se</p>")
    data.setText("\r\nGroß\u2029und\x07 böse\n")
    view.set_cursor(2, 0)
    view.editor.insertFromMimeData(data)
    assert texts(view)[2] == "Groß\nund böse" + NOTE.text
    assert form_at(view, 2).fontPointSize() == form_at(view, 2, 14).fontPointSize()


@given(st.text(max_size=60))
def test_pasted_text_holds_nothing_that_could_begin_a_block(text):
    cleaned = as_typed(text)
    assert not set(cleaned) & set("\r\u2028\u2029\ufdd0\ufdd1\ufffc\x00")
    assert as_typed(cleaned) == cleaned


def test_nothing_can_be_typed_into_a_page_that_may_not_be_edited(view, told, qtbot):
    view.show_reading(0, reading(HEAD, BODY, NOTE), is_editable=False)
    view.set_cursor(1, 3)
    qtbot.keyClicks(view.editor, "x")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
        qtbot.keyClick(view.editor, key)
    qtbot.keyClick(view.editor, Qt.Key.Key_V, CTRL)
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_a_page_without_text_takes_no_typing(view, qtbot):
    view.show_reading(1, None, is_editable=True)
    qtbot.keyClicks(view.editor, "x")
    assert texts(view) == [""]


def test_undo_and_redo_are_asked_for_after_all_was_told(view, told, qtbot):
    order = []
    view.edited.connect(lambda *_: order.append("edited"))
    view.undo_asked.connect(lambda: order.append("undo"))
    view.redo_asked.connect(lambda: order.append("redo"))
    qtbot.keyClicks(view.editor, "x")
    qtbot.keyClick(view.editor, Qt.Key.Key_Z, CTRL)
    qtbot.keyClick(view.editor, Qt.Key.Key_Z, CTRL | SHIFT)
    assert order == ["edited", "undo", "redo"]
    assert texts(view)[0] == "x" + HEAD.text  # the book undoes, not the document


def test_tab_goes_to_the_next_block_and_from_the_last_one_on(view, told, qtbot):
    for _step in range(2):
        qtbot.keyClick(view.editor, Qt.Key.Key_Tab)
    assert told.places == [(1, 0), (2, 0)]
    qtbot.keyClick(view.editor, Qt.Key.Key_Backtab)
    assert view.place == Place(1, 0)
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_a_selection_is_not_dragged_about(view, qtbot):
    view.select(Place(0, 0), Place(1, 5))
    start = view.editor.cursorRect(view.editor.textCursor()).center() - QPoint(10, 0)
    qtbot.mousePress(view.editor.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.editor.viewport(), start + QPoint(80, 90))
    qtbot.mouseRelease(view.editor.viewport(), Qt.MouseButton.LeftButton)
    assert texts(view) == [HEAD.text, BODY.text, NOTE.text]


def test_a_change_that_would_join_blocks_is_taken_back(view, told, qtbot):
    qtbot.keyClicks(view.editor, "x")
    cursor = QTextCursor(view.editor.document())
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.removeSelectedText()  # as a tool of the system might
    assert texts(view) == ["x" + HEAD.text, BODY.text, NOTE.text]
    view.flush()
    assert told.edits == [(0, 0, "x" + HEAD.text)]


KEYS = (
    *((Qt.Key.Key_Backspace, m) for m in (Qt.KeyboardModifier.NoModifier, CTRL)),
    *((Qt.Key.Key_Delete, m) for m in (Qt.KeyboardModifier.NoModifier, CTRL)),
    *((key, SHIFT) for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up)),
    *((key, CTRL | SHIFT) for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_End)),
    (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_X, CTRL),
    (Qt.Key.Key_V, CTRL),
    (Qt.Key.Key_K, CTRL),
    (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Home, CTRL),
)


@settings(max_examples=25, deadline=None)
@given(keys=st.lists(st.sampled_from(KEYS), max_size=25), start=st.integers(0, 60))
def test_no_keys_whatever_join_or_split_blocks_or_lose_text(qapp, keys, start):
    view = TextView()
    told: dict[int, str] = {}
    view.edited.connect(lambda _page, region, text: told.update({region: text}))
    view.show_reading(0, reading(HEAD, BODY, NOTE), is_editable=True)
    view.set_cursor(start % 3, start % 17)
    for key, modifier in keys:
        QTest.keyClick(view.editor, key, modifier)
    view.flush()
    assert texts(view) == [told.get(n, r.text) for n, r in enumerate((HEAD, BODY, NOTE))]
    view.deleteLater()


# following the book


def test_the_cursor_stays_when_the_book_takes_a_correction_in(view, told, qtbot):
    view.set_cursor(1, 5)
    qtbot.keyClicks(view.editor, "xyz")
    view.flush()
    taken = reading(HEAD, corrected(BODY, told.edits[0][2]), NOTE)
    view.show_reading(0, taken, is_editable=True)
    assert view.place == Place(1, 8)
    qtbot.keyClicks(view.editor, "!")
    assert texts(view)[1].startswith("Aufklxyz!ärung")


def test_typing_goes_on_while_the_book_answers(view, told, qtbot):
    view.set_cursor(2, 0)
    qtbot.keyClicks(view.editor, "a")
    view.flush()
    answer = reading(HEAD, BODY, corrected(NOTE, "a" + NOTE.text))
    qtbot.keyClicks(view.editor, "b")
    view.show_reading(0, answer, is_editable=True)
    assert texts(view)[2] == "ab" + NOTE.text
    view.flush()
    assert told.edits[-1] == (0, 2, "ab" + NOTE.text)


def test_a_change_elsewhere_moves_neither_cursor_nor_view(view, qtbot):
    long = [replace(BODY, text=f"{n} {BODY.text}") for n in range(40)]
    view.show_reading(2, reading(*long), is_editable=True)
    view.set_cursor(20, 7)
    scrolled = view.editor.verticalScrollBar().value()
    assert scrolled > 0
    long[3] = replace(long[3], text="3" + long[3].text)
    view.show_reading(2, reading(*long), is_editable=True)
    assert view.place == Place(20, 7)
    assert view.editor.verticalScrollBar().value() == scrolled


def test_undone_text_is_shown_with_the_cursor_nearby(view, qtbot):
    view.show_reading(
        0, reading(HEAD, replace(BODY, text="xyz" + BODY.text), NOTE), is_editable=True
    )
    view.set_cursor(1, 10)
    view.show_reading(0, reading(HEAD, BODY, NOTE), is_editable=True)
    assert view.place == Place(1, 7)
    assert texts(view)[1] == BODY.text


def test_text_in_composed_letters_replaces_what_was_typed_apart(view, told, qtbot):
    view.set_cursor(2, 0)
    qtbot.keyClicks(view.editor, "e")
    view.editor.type_text("\u0301")
    view.flush()
    view.show_reading(0, reading(HEAD, BODY, corrected(NOTE, told.edits[0][2])), is_editable=True)
    assert texts(view)[2] == "é" + NOTE.text
    assert view.place == Place(2, 1)
    view.flush()
    assert len(told.edits) == 1


def test_another_number_of_blocks_is_shown_as_it_is(view):
    view.show_reading(0, reading(HEAD, NOTE), is_editable=True)
    assert texts(view) == [HEAD.text, NOTE.text]
    view.show_reading(0, reading(HEAD, BODY, BODY, NOTE), is_editable=True)
    assert texts(view) == [HEAD.text, BODY.text, BODY.text, NOTE.text]
    view.show_reading(0, None, is_editable=True)
    assert texts(view) == [""]


regions = st.builds(
    Region,
    st.sampled_from([Kind.TEXT, Kind.HEADING, Kind.TABLE]),
    st.text(st.sampled_from("ab ſ\n\t\U00010330\u0301"), max_size=12),
)


@settings(max_examples=40, deadline=None)
@given(pages=st.lists(st.lists(regions, max_size=5), min_size=2, max_size=4))
def test_whatever_is_shown_after_whatever_the_document_holds_it(qapp, pages):
    view = TextView()
    for shown in pages:
        view.show_reading(0, reading(*shown), is_editable=True)
        assert texts(view) == ([region.text for region in shown] or [""])
    view.deleteLater()


def test_the_cursor_is_told_once_for_each_place(view, told):
    view.set_cursor(1, 4)
    view.set_cursor(1, 4)
    assert told.places == [(1, 4)]


def test_a_place_that_is_not_there_is_the_nearest_that_is(view):
    view.set_cursor(9, 999)
    assert view.place == Place(2, len(NOTE.text))


# the stream


def test_text_streams_into_its_blocks(view):
    view.show_stream(5, ())
    view.add_pieces([Piece(5, 0, "", Kind.HEADING), Piece(5, 0, "Was ")])
    view.add_pieces([Piece(5, 0, "iſt"), Piece(4, 0, "elsewhere"), Piece(5, 1, "Aufklärung\nist")])
    assert texts(view) == ["Was iſt", "Aufklärung\nist"]
    assert form_at(view, 0).fontPointSize() > form_at(view, 1).fontPointSize()
    view.show_reading(5, reading(HEAD, BODY), is_editable=True)
    assert texts(view) == [HEAD.text, BODY.text]


def test_the_cursor_stays_at_the_start_while_text_streams_in(view, told):
    view.show_stream(5, ())
    view.add_pieces([Piece(5, 0, "Was "), Piece(5, 1, "Aufklärung")])
    view.show_stream(5, (Region(Kind.TEXT, "Was iſt"), BODY))
    view.show_reading(5, reading(HEAD, BODY), is_editable=True)
    assert view.place == Place(0, 0)


def test_the_cursor_is_at_the_start_when_a_text_comes_late(view, qtbot):
    view.show_reading(6, None, is_editable=True)
    view.show_reading(6, reading(HEAD, BODY), is_editable=True)
    assert view.place == Place(0, 0)
    qtbot.keyClicks(view.editor, "ab")
    assert view.place == Place(0, 2)


def test_a_selection_stays_on_its_letters(view):
    view.select(Place(1, 11), Place(1, 14))
    changed = replace(BODY, text="Die " + BODY.text)
    view.show_reading(0, reading(HEAD, changed, NOTE), is_editable=True)
    assert view.selected_line() == "iſt"


def test_the_whole_stream_may_be_shown_again_and_again(view):
    view.show_stream(5, (Region(Kind.TEXT, "Auf"),))
    view.show_stream(5, (Region(Kind.TEXT, "Aufklärung"), Region(Kind.NOTE, "*")))
    assert texts(view) == ["Aufklärung", "*"]


def test_nobody_types_into_a_page_that_is_being_read(view, told, qtbot):
    view.show_stream(5, (BODY,))
    qtbot.keyClicks(view.editor, "x")
    assert texts(view) == [BODY.text]


def test_the_end_stays_in_sight_while_text_streams_in(view):
    view.show_stream(5, ())
    bar = view.editor.verticalScrollBar()
    for number in range(60):
        view.add_pieces([Piece(5, number, "Aufklärung iſt der Ausgang")])
    assert bar.value() == bar.maximum() > 0


def test_who_has_scrolled_back_is_left_in_peace(view):
    view.show_stream(5, tuple(BODY for _ in range(40)))
    bar = view.editor.verticalScrollBar()
    bar.setValue(30)
    view.add_pieces([Piece(5, 40, "more")])
    view.show_stream(5, (*(BODY for _ in range(40)), Region(Kind.TEXT, "more and more")))
    assert bar.value() == 30


def test_who_is_selecting_is_left_in_peace(view):
    view.show_stream(5, tuple(BODY for _ in range(40)))
    bar = view.editor.verticalScrollBar()
    view.select(Place(39, 0), Place(39, 5))
    before = bar.value()
    for number in range(40, 60):
        view.add_pieces([Piece(5, number, "more")])
    assert bar.value() == before
    assert view.editor.textCursor().hasSelection()


def test_streaming_into_a_full_page_costs_little(view):
    full = tuple(Region(Kind.TEXT, "Aufklärung iſt der " * 52) for _ in range(10))
    view.show_stream(5, full)
    taken_s = []
    for _step in range(30):
        begun_s = time.perf_counter()
        view.add_pieces([Piece(5, 9, "Aufklärung iſt der Ausgang")])
        taken_s.append(time.perf_counter() - begun_s)
    assert statistics.median(taken_s) < 0.5  # a hang; make bench measures


def test_typing_into_a_full_page_costs_little(view, qtbot):
    full = tuple(Region(Kind.TEXT, "Aufklärung iſt der " * 26) for _ in range(10))
    view.show_reading(5, reading(*full), is_editable=True)
    view.set_cursor(5, 100)
    taken_s = []
    for _step in range(30):
        begun_s = time.perf_counter()
        qtbot.keyClick(view.editor, Qt.Key.Key_A)
        taken_s.append(time.perf_counter() - begun_s)
    assert statistics.median(taken_s) < 0.5  # a hang; make bench measures


# its menu, and what is said of it


def test_what_a_block_is_can_be_said_in_its_menu(view, told, qtbot):
    qtbot.keyClicks(view.editor, "x")
    view.set_cursor(1, 0)
    menu = opened_menu(view)
    kinds = [action for each in menu.findChildren(QMenu) for action in each.actions()]
    note = next(action for action in kinds if action.text() == "Note")
    text = next(action for action in kinds if action.isChecked())
    assert text.text() == "Text"
    with qtbot.waitSignal(view.kind_asked, timeout=1000) as asked:
        note.trigger()
    assert asked.args == [0, 1, Kind.NOTE]
    menu.close()


def opened_menu(view: TextView) -> QMenu:
    at = view.editor.cursorRect().center()
    place = view.editor.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, place)
    QApplication.sendEvent(view.editor.viewport(), event)
    return found(view, QMenu)


def test_a_block_can_be_copied_with_its_line_ends(view, qtbot):
    view.set_cursor(1, 0)
    menu = opened_menu(view)
    next(each for each in menu.actions() if each.text() == "Copy the &block").trigger()
    assert QGuiApplication.clipboard().text() == BODY.text
    menu.close()


def test_a_page_that_may_not_be_edited_offers_copying_only(view, qtbot):
    view.show_reading(0, reading(HEAD, BODY, NOTE), is_editable=False)
    menu = opened_menu(view)
    enabled = {each.text() for each in menu.actions() if each.isEnabled() and each.text()}
    assert enabled == {"Select &all", "Copy the &block"}
    menu.close()


def test_the_pane_says_whose_text_it_is(view):
    assert view.editor.accessibleName() == "Text of page 1"


def test_found_places_have_a_ground_that_goes_with_the_page(view):
    view.show_hits([(Place(1, 0), Place(1, 10))])
    assert len(view.editor.extraSelections()) == 1
    view.show_reading(1, reading(BODY), is_editable=True)
    assert view.editor.extraSelections() == []


def test_another_palette_sets_the_text_in_other_colours(view, qtbot):
    view.setPalette(palette_of(DARK))
    QApplication.sendEvent(view.editor, QEvent(QEvent.Type.PaletteChange))
    assert form_at(view, 1).foreground().color() == DARK.text
