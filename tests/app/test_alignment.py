from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.alignment import aligned

pytestmark = pytest.mark.unit

texts = st.lists(st.text("abcſſfi-", min_size=1, max_size=6), max_size=30)


def counterparts(mine, theirs):
    mine, theirs = mine.split(), theirs.split()
    return [
        None if match is None else (" ".join(theirs[match.first : match.last]), match.is_part)
        for match in aligned(mine, theirs)
    ]


def test_equal_words_pair_whatever_stands_between():
    assert counterparts("a old house", "the old house") == [
        ("the", False),
        ("old", False),
        ("house", False),
    ]


def test_long_s_ligatures_quotes_and_dashes_are_the_same_words():
    assert counterparts("ſtadt ﬁnſter “ja” nein—", 'stadt finster "ja" nein-') == [
        ("stadt", False),
        ("finster", False),
        ('"ja"', False),
        ("nein-", False),
    ]


def test_a_word_that_the_other_splits_has_both_parts():
    assert counterparts("im verlag von", "im ver- lag von")[1] == ("ver- lag", False)


def test_two_words_that_the_other_joins_are_parts_of_one():
    assert counterparts("das ha us brennt", "das haus brennt")[1:3] == [
        ("haus", True),
        ("haus", True),
    ]


def test_a_word_that_the_other_has_not_is_empty():
    assert counterparts("the very old house", "the old house")[1] == ("", False)


def test_a_word_read_quite_otherwise_pairs_by_its_neighbours():
    assert counterparts("in xx der", "in yy der")[1] == ("yy", False)


def test_blocks_in_another_order_are_found_all_the_same():
    first = "one two three four five six"
    second = "alpha beta gamma delta epsilon zeta"
    found = counterparts(f"{first} {second}", f"{second} {first}")
    assert [match and match[0] for match in found] == f"{first} {second}".split()


def test_another_text_has_nothing_in_common():
    assert counterparts("eins zwei drei vier fünf", "qqq www kkk ppp jjj") == [None] * 5


@given(texts)
def test_a_text_pairs_with_itself(words):
    assert [match and (match.first, match.last) for match in aligned(words, words)] == [
        (i, i + 1) for i in range(len(words))
    ]


@given(texts, texts)
def test_counterparts_lie_within_the_other_text(mine, theirs):
    found = aligned(mine, theirs)
    assert len(found) == len(mine)
    assert all(0 <= each.first <= each.last <= len(theirs) for each in found if each)
