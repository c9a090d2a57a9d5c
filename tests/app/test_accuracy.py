from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.accuracy import Errors, area_under_curve, right_words, score, strict_form

pytestmark = pytest.mark.unit


def test_white_space_and_composition_count_for_nothing():
    assert score("cafe\u0301\n  noir ", "caf\u00e9 noir").strict.edits == 0


def test_long_s_quotes_and_dashes_count_strictly_and_not_loosely():
    result = score('"das iſt" - gut', "„das ist“ — gut")
    assert result.strict.edits == 4
    assert result.loose.edits == 0


def test_words_are_counted_as_wholes():
    assert score("the quick brwn fox", "the quick brown fox").words == Errors(1, 4)


def test_pooling_weighs_pages_by_their_length():
    long_page, short_page = score("a" * 99 + "b", "a" * 100), score("b", "a")
    assert long_page.pooled(short_page).strict == Errors(2, 101)


def test_text_on_an_empty_page_is_all_wrong():
    assert score("invented", "").strict.rate == 1
    assert score("", "").strict.rate == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_more_edits_than_letters_and_none_for_the_same_text(text, true_text):
    result = score(text, true_text)
    assert result.strict.edits <= max(len(strict_form(text)), len(strict_form(true_text)))
    assert score(text, text).loose.edits == 0


def test_a_word_is_right_where_the_true_text_has_it_at_its_place():
    assert right_words(
        ["the", "quick", "brwn", "fox", "fox"], ["the", "quick", "brown", "fox"]
    ) in (
        [True, True, False, True, False],
        [True, True, False, False, True],
    )


def test_scores_that_tell_right_from_wrong_have_the_whole_area():
    assert area_under_curve([0.9, 0.2, 0.8, 0.1], [True, False, True, False]) == 1
    assert area_under_curve([0.1, 0.9, 0.5, 0.5], [True, False, True, False]) == 0.125
    assert area_under_curve([0.9, 0.2], [True, True]) is None
