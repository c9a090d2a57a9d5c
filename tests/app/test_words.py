from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Region
from app.desk.words import is_right_to_left, words_in, words_of
from model.api import Box, Kind, Span

pytestmark = pytest.mark.unit

BOX = Box(0, 0, 9, 9)


def read(text):
    return [word.text for word in words_in(text)]


def test_a_word_broken_at_a_lines_end_is_one_word():
    (word,) = words_in("Ver-\nlag,")
    assert (word.text, word.start, word.end, word.break_at) == ("Verlag,", 0, 9, 5)


def test_a_capital_or_a_number_does_not_go_on_a_word():
    assert read("Nieder-\nSachsen 12-\n14") == ["Nieder-", "Sachsen", "12-", "14"]


def test_a_dash_at_a_lines_end_breaks_no_word():
    assert read("he said -\nand went") == ["he", "said", "-", "and", "went"]


def test_writing_without_spaces_is_cut_at_its_own_marks():
    assert read("天地玄黄，宇宙洪荒。日月") == ["天地玄黄，", "宇宙洪荒。", "日月"]


def test_right_to_left_text_is_known_by_its_first_letter():
    assert is_right_to_left("12 שלום")
    assert is_right_to_left("سلام")
    assert not is_right_to_left("12 — peace שלום")
    assert not is_right_to_left("")


def test_scores_come_from_words_else_lines_else_the_block():
    words = (Span(0, 3, BOX, 0.9), Span(4, 7, BOX, 0.4))
    lines = (Span(0, 7, BOX, 0.7),)

    def scores(**how):
        return [word.score for word in words_of(Region(Kind.TEXT, "one two", **how))]

    assert scores(words=words, lines=lines, score=0.5) == [0.9, 0.4]
    assert scores(lines=lines, score=0.5) == [0.7, 0.7]
    assert scores(score=0.5) == [0.5, 0.5]
    assert scores() == [None, None]


def test_a_broken_word_has_the_lower_score_of_its_parts():
    spans = (Span(0, 4, BOX, 0.9), Span(5, 8, BOX, 0.3))
    (word,) = words_of(Region(Kind.TEXT, "Ver-\nlag", words=spans))
    assert word.score == 0.3


@given(st.text("ab-¬ \n\t漢。é.", max_size=60))
def test_words_hold_every_letter_once_and_in_order(text):
    words = list(words_in(text))
    assert all(before.end <= after.start for before, after in pairwise(words))
    covered = {i for word in words for i in range(word.start, word.end)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)
