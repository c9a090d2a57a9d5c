"""Two texts word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.compare import Stretch, changes, compare

pytestmark = pytest.mark.unit

words = st.lists(st.sampled_from(["der", "Satz", "\n", " ", "ſ", "\n\n"]), max_size=20).map("".join)


@given(words, words)
def test_both_texts_can_be_put_together_again(left, right):
    stretches = compare(left, right)
    assert "".join(each.left for each in stretches) == left
    assert "".join(each.right for each in stretches) == right
    assert all(each.left == each.right for each in stretches if each.kind == "same")
    assert (changes(stretches) == 0) == (left == right)


def test_words_are_told_whole():
    assert compare("tbe old house", "the old house") == (
        Stretch("changed", "tbe", "the"),
        Stretch("same", " old house", " old house"),
    )


def test_neighbouring_words_that_changed_are_one_difference():
    stretches = compare("a tbe olb house b", "a the old house b")
    assert [each for each in stretches if each.kind == "changed"] == [
        Stretch("changed", "tbe olb", "the old")
    ]


def test_what_one_text_lacks_is_a_difference():
    assert compare("", "new") == (Stretch("changed", "", "new"),)
    assert compare("", "") == ()
