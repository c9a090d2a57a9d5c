"""Line by line: a strip of the image above each line, typed into as ever."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.book import Box, Kind, Page, PageSize, PageState, Reading, Region, Source, Span
from app.sources.values import Raster
from tests.ui.scans import Asked, Scans
from ui.line_strips import LEAST_PX, MOST_PX, strip_box, strips_of
from ui.page_tint import Tint
from ui.side_by_side import SideBySide

pytestmark = pytest.mark.ui

LINES = ("der Ausgang", "des Menſchen", "aus ſeiner Schuld")
TEXT = "\n".join(LINES)
STARTS = (0, 12, 25)
REGION = Region(
    Kind.TEXT,
    TEXT,
    Box(100, 100, 900, 400),
    lines=tuple(
        Span(start, start + len(line), Box(100, 100 + 100 * n, 900, 180 + 100 * n))
        for n, (start, line) in enumerate(zip(STARTS, LINES, strict=True))
    ),
)
NOWHERE = Region(Kind.NOTE, "no box at all")
PAGE = Page(0, state=PageState.READ, size=PageSize(1000, 1500))
SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))


class Banded(Scans):
    """Each printed line of the page has a grey of its own: 40, 80, 120."""

    def raster(self, asked: Asked) -> Raster:
        grey = super().raster(asked)
        rows = np.full((grey.height_px, grey.width_px), 250, np.uint8)
        for n in range(3):
            top, bottom = (round((100 + 100 * n + edge) * grey.scale) for edge in (0, 80))
            rows[top:bottom] = 40 * (n + 1)
        return Raster(grey.width_px, grey.height_px, 1, rows.tobytes(), grey.scale)


@pytest.fixture
def side(qtbot) -> SideBySide:
    side = SideBySide()
    qtbot.addWidget(side)
    side.resize(1100, 600)
    side.set_book(Banded().request)
    with qtbot.waitActive(side):
        side.show()
    side.show_page(PAGE, reading=Reading((REGION, NOWHERE), SOURCE, 1), is_editable=True)
    side.set_by_line(is_on=True)
    side.text.setFocus()
    side.text.editor.viewport().grab()  # asks for the picture
    qtbot.waitUntil(lambda: side.image.close_up.picture() is not None, timeout=2000)
    qtbot.wait(10)
    return side


def greys(side: SideBySide, *, x: int | None = None) -> list[int]:
    """The greys that a line down the text pane meets, each once in a row."""
    image = side.text.editor.viewport().grab().toImage()
    at = image.width() // 2 if x is None else x
    found: list[int] = []
    for y in range(image.height()):
        grey = image.pixelColor(at, y).red()
        if grey in {40, 80, 120} and (not found or found[-1] != grey):
            found.append(grey)
    return found


def test_each_line_stands_under_its_own_strip(side):
    assert greys(side) == [40, 80, 120]
    editor = side.text.editor
    cursor = editor.textCursor()
    tops = []
    for start in STARTS:
        cursor.setPosition(start)
        tops.append(editor.cursorRect(cursor).top())
    image = editor.viewport().grab().toImage()
    above = [image.pixelColor(image.width() // 2, top - 12).red() for top in tops]
    assert above == [40, 80, 120]


def test_typing_goes_the_same_way_and_moves_nothing(side, qtbot):
    told: list[tuple[int, int, str]] = []
    side.text.edited.connect(lambda *edit: told.append(edit))
    side.text.set_cursor(0, 3)
    top = side.text.editor.cursorRect().top()
    qtbot.keyClicks(side.text.editor, "jenige")
    side.text.flush()
    assert told == [(0, 0, TEXT.replace("der ", "derjenige "))]
    assert side.text.editor.cursorRect().top() == top
    assert greys(side) == [40, 80, 120]


def test_up_and_down_go_from_line_to_line(side):
    side.text.set_cursor(0, 0)
    QTest.keyClick(side.text.editor, Qt.Key.Key_Down)
    assert side.text.place == (0, STARTS[1])


def test_tab_goes_to_the_next_line_and_not_to_a_button(side):
    side.text.set_cursor(0, 4)
    places = []
    for _step in range(3):
        QTest.keyClick(side.text.editor, Qt.Key.Key_Tab)
        places.append(side.text.place)
    assert places == [(0, STARTS[1]), (0, STARTS[2]), (1, 0)]
    for _step in range(3):
        QTest.keyClick(side.text.editor, Qt.Key.Key_Backtab)
        places.append(side.text.place)
    assert places[3:] == [(0, STARTS[2]), (0, STARTS[1]), (0, 0)]
    assert side.text.editor.hasFocus()


def test_a_click_on_the_print_puts_the_cursor_on_its_letter(side, qtbot):
    editor = side.text.editor
    cursor = editor.textCursor()
    cursor.setPosition(STARTS[1])
    line = editor.cursorRect(cursor)
    at = QPoint(line.left() + 3, line.top() - 12)
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert side.text.place is not None
    assert side.text.place.region == 0
    assert STARTS[1] <= side.text.place.offset <= STARTS[1] + 1


def test_a_line_that_is_wrapped_has_a_strip_for_each_part(side, qtbot):
    long = replace(REGION, text="word " * 40 + "end", lines=(), box=Box(100, 100, 900, 180))
    side.show_page(PAGE, reading=Reading((long,), SOURCE, 2), is_editable=True)
    layout = side.text.editor.document().firstBlock().layout()
    assert layout.lineCount() > 1
    assert greys(side, x=round(layout.position().x()) + 20) == [40]
    image = side.text.editor.viewport().grab().toImage()
    for at in range(layout.lineCount()):
        y = round(layout.position().y() + layout.lineAt(at).y()) - 12
        assert image.pixelColor(round(layout.position().x()) + 20, y).red() == 40


def test_going_back_to_the_text_alone_takes_the_strips_away(side):
    side.set_by_line(is_on=False)
    assert greys(side) == []
    assert side.text.texts == [TEXT, NOWHERE.text]


def test_the_line_of_the_cursor_stays_where_it_is_seen_when_strips_come(side, qtbot):
    many = tuple(replace(REGION, text=f"{n} {TEXT}") for n in range(12))
    side.set_by_line(is_on=False)
    side.show_page(PAGE, reading=Reading(many, SOURCE, 3), is_editable=True)
    side.text.set_cursor(6, 2)
    before = side.text.editor.cursorRect().top()
    side.set_by_line(is_on=True)
    assert abs(side.text.editor.cursorRect().top() - before) <= 2


def test_a_tint_is_on_the_strips_too(side):
    side.set_tint(Tint.INVERTED)
    image = side.text.editor.viewport().grab().toImage()
    column = {image.pixelColor(image.width() // 2, y).red() for y in range(image.height())}
    assert {215, 175, 135} <= column


def test_a_page_without_any_box_is_shown_as_text_alone(side):
    side.show_page(PAGE, reading=Reading((NOWHERE,), SOURCE, 4), is_editable=True)
    assert side.text.editor.text.strip_px == 0
    QTest.keyClicks(side.text.editor, "x")
    assert side.text.texts == ["xno box at all"]


def test_only_the_lines_in_sight_are_cut_out_of_the_picture(side, qtbot):
    lines = 200
    text = "\n".join(f"line {n}" for n in range(lines))
    tall = replace(REGION, text=text, lines=(), box=Box(100, 0, 900, 1500))
    side.show_page(PAGE, reading=Reading((tall,), SOURCE, 5), is_editable=True)
    side.text.editor.viewport().grab()
    assert 0 < len(side._strips._cut) < 40


def test_the_height_is_that_of_most_lines_and_not_of_a_short_head():
    head = Region(Kind.RUNNING_HEAD, "DE L'YPSE", Box(400, 20, 500, 100))
    alone = strips_of((REGION,), 800).height_px
    assert strips_of((head, REGION), 800).height_px == alone
    assert strips_of((head,), 800).height_px == MOST_PX


boxes = st.builds(
    lambda left, top, width, height: Box(left, top, left + width, top + height),
    st.floats(-500, 3000),
    st.floats(-500, 3000),
    st.floats(0, 3000),
    st.floats(0, 3000),
)
regions = st.lists(
    st.builds(
        Region,
        st.just(Kind.TEXT),
        st.text("ab\n ", max_size=30),
        st.none() | boxes,
    ),
    max_size=5,
)


@given(regions, st.floats(1, 1500))
def test_strips_are_never_wider_than_the_column_nor_out_of_bounds(regions, column_px):
    strips = strips_of(regions, column_px)
    assert strips.height_px == 0 or LEAST_PX <= strips.height_px <= MOST_PX
    for region, scale in zip(regions, strips.scales, strict=False):
        assert scale >= 0
        if scale:
            assert region.box is not None
            assert region.box.width * scale <= column_px * 1.001


@given(regions, st.integers(0, 30), st.integers(0, 30))
def test_the_part_of_a_strip_is_around_its_letters_or_nowhere(regions, one, other):
    for region in regions:
        start, end = sorted((min(one, len(region.text)), min(other, len(region.text))))
        box = strip_box(region, start, end)
        assert (box is None) == (region.box is None)
