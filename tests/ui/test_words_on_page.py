"""From letters to places on the page and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Box, Kind, Region, Span
from ui.page_layout import Point
from ui.words_on_page import box_at, offset_at, words_at

pytestmark = pytest.mark.unit

TEXT = "der Ausgang\ndes Menſchen"
DER, AUSGANG = Box(100, 100, 150, 130), Box(160, 100, 300, 130)
DES, MENSCHEN = Box(100, 140, 150, 170), Box(160, 140, 320, 170)
WORDS = (Span(0, 3, DER), Span(4, 11, AUSGANG), Span(12, 15, DES), Span(16, 24, MENSCHEN))
LINES = (Span(0, 11, Box(100, 100, 300, 130)), Span(12, 24, Box(100, 140, 320, 170)))
BLOCK = Box(100, 100, 320, 180)


def test_the_word_of_the_cursor_is_the_one_it_stands_in_or_at():
    region = Region(Kind.TEXT, TEXT, BLOCK, words=WORDS)
    assert words_at(region, 5) == (WORDS[1],)
    assert words_at(region, 11) == (WORDS[1],)
    assert words_at(Region(Kind.TEXT, TEXT, BLOCK), 5) == ()


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        (Region(Kind.TEXT, TEXT, BLOCK, words=WORDS, lines=LINES), MENSCHEN),
        (Region(Kind.TEXT, TEXT, BLOCK, lines=LINES), LINES[1].box),
        (Region(Kind.TEXT, TEXT, BLOCK), Box(100, 140, 320, 180)),
        (Region(Kind.TEXT, TEXT), None),
    ],
    ids=["word", "line", "estimate", "nowhere"],
)
def test_a_letter_is_where_its_word_its_line_or_an_estimate_says(region, expected):
    assert box_at(region, 18) == expected


@given(st.integers(0, 3), st.floats(0.1, 0.9))
def test_a_click_on_a_word_finds_a_letter_of_it(number, across):
    word = WORDS[number]
    point = Point(word.box.left + across * word.box.width, word.box.top + 15)
    offset = offset_at(Region(Kind.TEXT, TEXT, BLOCK, words=WORDS), point)
    assert word.start <= offset <= word.end


def test_a_click_beside_all_words_finds_the_nearest():
    region = Region(Kind.TEXT, TEXT, BLOCK, words=WORDS)
    assert offset_at(region, Point(90, 155)) == 12
    assert offset_at(region, Point(400, 155)) == 24


@given(st.floats(0, 500), st.floats(0, 500), st.sampled_from([(), LINES]))
def test_a_click_always_finds_a_letter_that_is_there(x, y, lines):
    assert 0 <= offset_at(Region(Kind.TEXT, TEXT, BLOCK, lines=lines), Point(x, y)) <= len(TEXT)


def test_without_words_a_click_finds_its_line():
    region = Region(Kind.TEXT, TEXT, BLOCK)
    assert offset_at(region, Point(100, 170)) == 12
    assert offset_at(Region(Kind.TEXT, TEXT), Point(5, 5)) == 0
