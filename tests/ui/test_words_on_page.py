"""From letters to places on the page and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Box, Kind, Region, Span
from ui.page_layout import Point
from ui.words_on_page import around, box_at, letters_box, mark_at, offset_at, word_around

pytestmark = pytest.mark.unit

TEXT = "der Ausgang\ndes Menſchen"
DER, AUSGANG = Box(100, 100, 150, 130), Box(160, 100, 300, 130)
DES, MENSCHEN = Box(100, 140, 150, 170), Box(160, 140, 320, 170)
WORDS = (Span(0, 3, DER), Span(4, 11, AUSGANG), Span(12, 15, DES), Span(16, 24, MENSCHEN))
LINES = (Span(0, 11, Box(100, 100, 300, 130)), Span(12, 24, Box(100, 140, 320, 170)))
BLOCK = Box(100, 100, 320, 180)


def test_the_word_of_the_cursor_is_the_one_it_stands_in_or_at():
    region = Region(Kind.TEXT, TEXT, BLOCK, words=WORDS)
    assert mark_at(region, 5) == WORDS[1]
    assert mark_at(region, 11) == WORDS[1]


def test_without_word_boxes_the_word_is_estimated_within_its_line():
    mark = mark_at(Region(Kind.TEXT, TEXT, BLOCK, lines=LINES), 18)
    assert mark is not None
    assert (mark.start, mark.end, mark.origin) == (16, 24, "estimated")
    assert mark.box.top == 140
    assert mark.box.right == 320
    assert mark.box.left == pytest.approx(100 + 220 * 4 / 12, abs=15)


def test_with_a_block_box_alone_the_word_is_estimated_within_its_share_of_the_block():
    mark = mark_at(Region(Kind.TEXT, TEXT, BLOCK), 1)
    assert mark is not None
    assert mark.origin == "estimated"
    assert mark.box == pytest.approx((100, 100, 160, 140), abs=15)
    assert mark.box[:2] == (100, 100)


def test_a_text_without_any_box_has_no_mark():
    assert mark_at(Region(Kind.TEXT, TEXT), 5) is None


def test_between_two_spaces_there_is_no_word():
    assert mark_at(Region(Kind.TEXT, "a  b", BLOCK), 2) is None


def test_what_is_read_to_the_left_is_estimated_and_clicked_from_the_right():
    region = Region(Kind.TEXT, "שלום עולם", Box(100, 100, 190, 130))
    mark = mark_at(region, 1)
    assert mark is not None
    assert mark.box == pytest.approx((150, 100, 190, 130), abs=15)
    assert mark.box[1:] == (100, 190, 130)
    assert offset_at(region, Point(185, 115)) <= 1


def test_chinese_is_marked_by_its_line_where_no_word_is_known():
    region = Region(Kind.TEXT, "不以規矩\n不能成方圓", Box(0, 0, 100, 40))
    mark = mark_at(region, 6)
    assert mark is not None
    assert mark.box == Box(0, 20, 100, 40)


@given(st.text("ab \n\t\u2028ſ", max_size=14), st.integers(0, 14))
def test_a_word_is_what_stands_between_two_spaces(text, offset):
    offset = min(offset, len(text))
    start, end = word_around(text, offset)
    assert start <= offset <= end
    assert not any(letter.isspace() for letter in text[start:end])
    assert text[max(0, start - 1) : start].isspace() or start == 0
    assert text[end : end + 1].isspace() or end == len(text)


@given(st.integers(0, 24), st.sampled_from([(), WORDS]), st.sampled_from([(), LINES]))
def test_a_mark_lies_within_its_block(offset, words, lines):
    mark = mark_at(Region(Kind.TEXT, TEXT, BLOCK, words=words, lines=lines), offset)
    assert mark is not None
    assert mark.start <= offset <= mark.end
    assert mark.box.left >= BLOCK.left - 1e-6
    assert mark.box.right <= BLOCK.right + 1e-6


def test_letters_of_several_words_lie_in_one_box_around_them():
    region = Region(Kind.TEXT, TEXT, BLOCK, words=WORDS)
    assert letters_box(region, 0, 11) == Box(100, 100, 300, 130)


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


def test_a_word_that_lost_its_box_is_found_between_its_neighbours():
    region = Region(Kind.TEXT, "der gute Ausgang", BLOCK, words=(WORDS[0], Span(9, 16, AUSGANG)))
    mark = mark_at(region, 6)
    assert mark is not None
    assert (mark.start, mark.end, mark.origin) == (4, 8, "estimated")
    assert DER.right <= mark.box.left <= mark.box.right <= AUSGANG.left
    assert offset_at(region, Point((mark.box.left + mark.box.right) / 2, 115)) in range(4, 9)


@given(st.integers(0, 24), st.integers(0, 24))
def test_what_touches_is_found_as_if_all_were_looked_at(one, other):
    start, end = sorted((one, other))
    region = Region(Kind.TEXT, TEXT, BLOCK, words=WORDS)
    inside = [word.box for word in WORDS if word.start < end and word.end > start]
    if inside and end > start:
        assert letters_box(region, start, end) == around(inside)


def test_without_words_a_click_finds_its_line():
    region = Region(Kind.TEXT, TEXT, BLOCK)
    assert offset_at(region, Point(100, 170)) == 12
    assert offset_at(Region(Kind.TEXT, TEXT), Point(5, 5)) == 0
