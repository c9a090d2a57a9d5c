"""Image and text together: the cursor leads, the image follows, nothing moves by itself."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QToolButton

from app.book import (
    Acceptance,
    Box,
    Kind,
    Page,
    PageSize,
    PageState,
    Reading,
    Reason,
    Region,
    Source,
    Span,
)
from tests.ui.scans import Scans, found, notch
from ui.commands import COMMANDS
from ui.foot_line import FootLine
from ui.foot_words import foot_of
from ui.page_layout import Fit, Zoom
from ui.page_text import Place
from ui.side_by_side import SideBySide
from ui.theme import LIGHT
from ui.words_on_page import mark_at

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

pytestmark = pytest.mark.ui

UPPER = Region(
    Kind.TEXT,
    "der Ausgang",
    Box(100, 100, 900, 300),
    words=(Span(0, 3, Box(100, 100, 300, 200)), Span(4, 11, Box(400, 100, 900, 200))),
)
LOWER = Region(Kind.NOTE, "des Menſchen", Box(100, 1200, 900, 1400))
PAGE = Page(0, state=PageState.READ, size=PageSize(1000, 1500))
READING = Reading((UPPER, LOWER), Source("model", datetime(2026, 11, 3, tzinfo=UTC)), 1)


@pytest.fixture
def side(qtbot) -> SideBySide:
    side = SideBySide()
    qtbot.addWidget(side)
    side.resize(900, 500)
    side.set_book(Scans().request)
    with qtbot.waitActive(side):
        side.show()
    with qtbot.waitSignal(side.image.desk.page_shown, timeout=2000):
        side.show_page(PAGE, reading=READING, is_editable=True)
    side.text.setFocus()
    return side


def picture(side: SideBySide):
    return side.image.desk.viewport().grab().toImage()


def scrolled(side: SideBySide) -> int:
    return side.image.desk.verticalScrollBar().value()


def click(side: SideBySide, qtbot, x: float, y: float, *, twice: bool = False) -> None:
    start, end = (side.image.desk.point_at(QPointF(at, at)) for at in (0, 100))
    assert start is not None
    assert end is not None
    scale = 100 / (end.x - start.x)
    place = QPointF((x - start.x) * scale, (y - start.y) * scale).toPoint()
    room = side.image.desk.viewport()
    if twice:
        qtbot.mouseDClick(room, Qt.MouseButton.LeftButton, pos=place)
    else:
        qtbot.mouseClick(room, Qt.MouseButton.LeftButton, pos=place)


def test_the_block_of_the_cursor_is_lit_and_its_word_marked(side):
    side.text.set_cursor(0, 1)
    first = picture(side)
    side.text.set_cursor(0, 6)
    second = picture(side)
    side.text.set_cursor(1, 2)
    assert len({bytes(image.constBits()) for image in (first, second, picture(side))}) == 3


def test_the_image_is_scrolled_only_when_the_block_is_out_of_sight(side, qtbot):
    side.image.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    side.image.desk.verticalScrollBar().setValue(50)
    side.text.set_cursor(0, 6)
    assert scrolled(side) == 50
    side.text.set_cursor(1, 2)
    qtbot.waitUntil(lambda: scrolled(side) > 700, timeout=2000)


def test_the_image_glides_and_does_not_jump(side, qtbot):
    side.image.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    side.text.set_cursor(0, 1)
    side.image.desk.verticalScrollBar().setValue(0)
    places: list[int] = []
    side.image.desk.verticalScrollBar().valueChanged.connect(places.append)
    side.text.set_cursor(1, 2)
    qtbot.waitUntil(lambda: scrolled(side) > 700, timeout=2000)
    assert len(places) > 2
    assert places == sorted(places)


def test_a_hand_on_the_wheel_ends_the_gliding(side, qtbot):
    side.image.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    side.image.desk.verticalScrollBar().setValue(0)
    side.text.set_cursor(1, 2)
    room = side.image.desk.viewport()
    QApplication.sendEvent(room, notch(room, QPointF(50, 50), Qt.KeyboardModifier.NoModifier))
    here = scrolled(side)
    qtbot.wait(250)
    assert scrolled(side) == here


def test_typing_on_in_the_same_line_never_moves_the_image(side, qtbot):
    side.text.set_cursor(0, 6)
    side.image.desk.set_zoom(Zoom(Fit.FREE, 2.0))
    side.image.desk.verticalScrollBar().setValue(1500)  # the word is out of sight
    qtbot.keyClicks(side.text.editor, "abc")
    qtbot.wait(250)
    side.text.flush()
    assert scrolled(side) == 1500


def test_the_text_does_not_scroll_when_a_correction_comes_back(side, qtbot):
    tall = tuple(replace(LOWER, text=f"block {n}\n" * 8) for n in range(20))
    side.show_page(PAGE, reading=replace(READING, regions=tall), is_editable=True)
    side.text.set_cursor(0, 3)
    bar = side.text.editor.verticalScrollBar()
    side.text.editor.type_text("e\u0301")
    bar.setValue(bar.maximum())  # the person looks elsewhere with the wheel
    typed = side.text.texts[0]
    side.text.flush()
    composed = replace(tall[0], text=unicodedata.normalize("NFC", typed))
    assert composed.text != typed
    side.show_page(PAGE, reading=replace(READING, regions=(composed, *tall[1:])), is_editable=True)
    assert bar.value() == bar.maximum()


def test_the_mark_stays_on_its_word_while_one_types_before_it(side, qtbot, monkeypatch):
    marks: list[Span | None] = []
    monkeypatch.setattr(side.image, "light", lambda _region, mark=None: marks.append(mark))
    side.text.set_cursor(0, 0)
    qtbot.keyClicks(side.text.editor, "so wie ")
    side.text.set_cursor(0, 12)
    assert marks[-1] == UPPER.words[1]


def test_an_estimated_place_is_drawn_otherwise_than_a_known_one(side):
    side.text.set_cursor(0, 1)
    exact = picture(side)
    guessed = replace(UPPER, words=(), lines=(Span(0, 11, Box(100, 100, 940, 200)),))
    side.show_page(PAGE, reading=replace(READING, regions=(guessed, LOWER)), is_editable=True)
    mark = mark_at(guessed, 1)
    assert mark is not None
    assert mark.origin == "estimated"
    dashed = picture(side)
    assert runs(side, exact, UPPER.words[0].box) == 1
    assert runs(side, dashed, mark.box) > 3


def runs(side: SideBySide, image: QImage, box: Box) -> int:
    """Into how many dashes the upper edge of a frame around a box falls."""
    frame = side.image.desk.room_of(box)
    assert frame is not None
    y, accent = round(frame.top()) - 1, LIGHT.accent.lightness()
    across = range(round(frame.left()) - 1, round(frame.right()) + 2)
    inked = [image.pixelColor(x, y).lightness() < accent + 40 for x in across]
    return sum(now and not before for before, now in pairwise([False, *inked]))


# odd pages


ODD = {
    "no boxes": Region(Kind.TEXT, "ohne Ort"),
    "outside the page": Region(Kind.TEXT, "weit weg", Box(-900, -50, 9000, 9000)),
    "beyond its foot": Region(
        Kind.TEXT, "weit weg", Box(0, 2000, 90, 2050), words=(Span(0, 4, Box(0, 2000, 40, 2050)),)
    ),
    "no size": Region(Kind.TEXT, "nichts", Box(10, 10, 10, 10)),
    "right to left": Region(Kind.TEXT, "שלום עולם", Box(100, 100, 900, 200)),
    "chinese": Region(Kind.TEXT, "不以規矩不能成方圓", Box(100, 100, 200, 1400)),
    "outside the text": Region(
        Kind.TEXT, "kurz", Box(0, 0, 90, 90), words=(Span(40, 60, Box(0, 0, 9, 9)),)
    ),
}


@pytest.mark.parametrize("by_line", [False, True])
@pytest.mark.parametrize("what", ODD)
def test_odd_pages_are_shown_and_typed_into(side, qtbot, what, by_line):
    region = ODD[what]
    side.set_by_line(is_on=by_line)
    side.image.magnifier.set_on(is_on=True)
    side.show_page(PAGE, reading=replace(READING, regions=(region,)), is_editable=True)
    for offset in range(len(region.text) + 1):
        side.text.set_cursor(0, offset)
    side.grab()
    side.text.set_cursor(0, 0)
    qtbot.keyClicks(side.text.editor, "x")
    assert side.text.texts == [f"x{region.text}"]
    side.grab()


def test_a_page_of_20_000_words_is_typed_into(side, qtbot):
    text = "\n".join(["ein Wort nach dem andern und noch eins mehr"] * 2222)
    many = replace(READING, regions=(Region(Kind.TEXT, text, Box(100, 100, 900, 1400)), LOWER))
    side.show_page(PAGE, reading=many, is_editable=True)
    side.text.set_cursor(0, len(text) // 2)
    qtbot.keyClicks(side.text.editor, "neu")
    assert len(side.text.texts[0]) == len(text) + 3
    assert "neu" in side.text.texts[0]


def test_a_click_on_a_word_puts_the_cursor_there(side, qtbot):
    click(side, qtbot, 650, 150)
    place = side.text.place
    assert place is not None
    assert place.region == 0
    assert 5 <= place.offset <= 10


def test_a_double_click_lets_one_type_at_once(side, qtbot):
    side.image.setFocus()
    click(side, qtbot, 500, 1300, twice=True)
    assert side.text.editor.hasFocus()
    assert side.text.place is not None
    assert side.text.place.region == 1


def test_a_correction_taken_in_moves_nothing(side, qtbot):
    side.text.set_cursor(0, 6)
    qtbot.keyClicks(side.text.editor, "xy")
    side.text.flush()
    taken = replace(READING, regions=(replace(UPPER, text="der Auxysgang"), LOWER))
    before = scrolled(side), side.text.place
    side.show_page(PAGE, reading=taken, is_editable=True)
    assert (scrolled(side), side.text.place) == before


def test_blocks_appear_as_they_are_read(side, qtbot):
    reading = replace(PAGE, number=1, state=PageState.READING)
    with qtbot.waitSignal(side.image.desk.page_shown, timeout=2000):
        side.show_page(reading, reading=None, stream=(), is_editable=False)
    bare = picture(side)
    side.show_page(reading, reading=None, stream=(UPPER,), is_editable=False)
    qtbot.waitUntil(lambda: picture(side) != bare, timeout=1000)
    assert side.text.texts == [UPPER.text]
    assert side.text.editor.isReadOnly()


def test_how_it_lies_is_remembered(side, qtbot):
    side.setSizes([300, 600])
    side.image.desk.set_zoom(Zoom(Fit.FREE, 0.75))
    state = side.layout_state()
    other = SideBySide()
    qtbot.addWidget(other)
    other.resize(side.size())
    other.restore_layout(state)
    other.set_book(Scans().request)
    other.show()
    other.show_page(PAGE, reading=READING, is_editable=True)
    assert other.image.desk.zoom == Zoom(Fit.FREE, 0.75)
    assert other.sizes() == pytest.approx(side.sizes(), abs=2)


@pytest.mark.parametrize("odd", [{}, {"zoom": "?", "side_splitter": 3}, {"zoom": ["round", 1]}])
def test_an_odd_memory_changes_nothing(side, odd):
    before = side.layout_state()
    side.restore_layout(odd)
    assert side.layout_state() == before


def test_no_book_leaves_nothing_behind(side):
    side.set_book(None)
    assert side.text.texts == []
    assert side.foot.text == ""


# the line at the foot


@pytest.mark.parametrize(
    ("page", "says", "command"),
    [
        (Page(11), "Page 12 has not been read yet.", "read_page"),
        (
            Page(11, state=PageState.FAILED, failure_detail="the image is cut short"),
            "Page 12 failed: the image is cut short",
            "read_page",
        ),
        (Page(11, state=PageState.READING), "Page 12 is being read", ""),
        (Page(11, state=PageState.BLANK), "Page 12 is blank", "by_hand"),
        (
            Page(11, state=PageState.LOOK, reasons=(Reason.STOPPED,)),
            "To look at: the run was stopped on this page",
            "read_page",
        ),
        (
            Page(11, state=PageState.LOOK, reasons=(Reason.MAYBE_BLANK,)),
            "To look at: perhaps blank",
            "mark_blank",
        ),
        (
            Page(11, state=PageState.LOOK, reasons=(Reason.CAP_REACHED, Reason.LOW_CONFIDENCE)),
            "To look at: the text was cut at the limit of a page, the engine was unsure",
            "accept",
        ),
    ],
    ids=lambda value: getattr(value, "state", None),
)
def test_a_page_that_needs_something_says_so_in_one_line(side, page, says, command):
    side.show_page(page, reading=None, is_editable=False)
    assert side.foot.text.startswith(says)
    foot = foot_of(page, None, is_changeable=True)
    assert foot.command == command
    assert not command or command in COMMANDS


def test_the_foot_says_whose_text_it_is(side):
    by_hand = replace(READING, source=replace(READING.source, by="hand", person="A. Reader"))
    side.show_page(replace(PAGE, state=PageState.PROOFREAD), reading=by_hand, is_editable=True)
    assert side.foot.text == "Proofread · by hand, A. Reader"


def test_the_button_at_the_foot_orders_what_it_says(side, qtbot):
    side.show_page(Page(3), reading=None, is_editable=False)
    button = found(side.foot, QToolButton)
    assert button.text() == "Read this page (Ctrl+R)"
    with qtbot.waitSignal(side.ordered, timeout=1000) as told:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told.args == ["read_page"]


def test_the_foot_names_the_keys_as_the_user_has_them(side):
    side.set_shortcuts((("read_page", "Ctrl+Alt+R"),))
    side.show_page(Page(3), reading=None, is_editable=False)
    assert found(side.foot, QToolButton).text() == "Read this page (Ctrl+Alt+R)"


def test_a_book_open_elsewhere_offers_nothing_to_do(side):
    side.show_page(Page(3), reading=None, is_editable=False, is_changeable=False)
    assert found(side.foot, QToolButton).isHidden()


def test_the_foot_keeps_its_height_and_tells_a_long_text_whole(side, qtbot):
    foot = found(side, FootLine)
    before = foot.height()
    long = Page(3, state=PageState.FAILED, failure_detail="very " * 60)
    side.show_page(long, reading=None, is_editable=False)
    qtbot.wait(10)
    assert foot.height() == before
    side.show_page(PAGE, reading=READING, is_editable=True)
    qtbot.wait(10)
    assert foot.height() == before


def test_a_cursor_put_where_no_text_is_lights_nothing(side):
    side.show_page(Page(3), reading=None, is_editable=False)
    side.text.set_cursor(2, 5)
    assert side.text.place is None
    assert side.text.place != Place(0, 0)


def test_the_foot_says_who_has_proofread_and_offers_the_next_round():
    anna = Acceptance("Anna", datetime(2026, 11, 3, 12, tzinfo=UTC))
    page = Page(0, state=PageState.PROOFREAD, acceptances=(anna,))
    foot = foot_of(page, None, is_changeable=True, person="Bert", rounds=2)
    assert foot.text == "Proofread (Anna, 2026-11-03) · round 1 of 2"
    assert (foot.command, foot.order) == ("accept", "Accept, round 2")
    assert foot_of(page, None, is_changeable=True, person="Anna", rounds=2).command == ""
    assert foot_of(page, None, is_changeable=True, person="Bert").command == ""
