from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Region
from app.desk.differences import NEW_BLOCK, Choice, differences, with_choice
from model.api import Box, Kind, Span

pytestmark = pytest.mark.unit


def regions(*texts):
    return tuple(Region(Kind.TEXT, text) for text in texts)


def told(mine, theirs):
    found = differences(regions(*mine), regions(*theirs))
    return [(each.region, each.left, each.right) for each in found]


def settled(mine, theirs, choice: Choice = "right"):
    texts = list(mine)
    for each in reversed(differences(regions(*mine), regions(*theirs))):
        texts[each.region] = with_choice(texts[each.region], each, choice)
    return texts


def test_a_word_read_otherwise_is_told_with_its_place():
    [found] = differences(regions("A head", "in tbe house"), regions("A head", "in the house"))
    assert found[:5] == (1, 3, 6, "tbe", "the")


def test_words_that_only_one_of_them_has():
    assert told(["the old house"], ["the house"]) == [(0, "old", "")]
    assert told(["the house"], ["the old house"]) == [(0, "", "old")]
    assert settled(["the old house"], ["the house"]) == ["the house"]
    assert settled(["the house"], ["the old house"]) == ["the old house"]
    assert settled(["house"], ["the old house"]) == ["the old house"]


def test_words_split_and_joined_are_one_difference():
    assert told(["a no ble man"], ["a noble man"]) == [(0, "no ble", "noble")]
    assert settled(["a noble man"], ["a no ble man"]) == ["a no ble man"]


def test_blocks_cut_or_ordered_otherwise_are_no_difference():
    one = "Upon a winter evening somebody knocked at our door"
    two = "Seven volumes wrapped in oilcloth lay under those rafters"
    assert told([one, two], [f"{one}\n{two}"]) == []
    assert told([one, two], [two, one]) == []


def test_printed_line_ends_of_the_other_come_with_its_words():
    assert settled(["the Mo-\nnaft spoke"], ["the Mo-\nnast spoke"]) == ["the Mo-\nnast spoke"]


def test_both_are_kept_side_by_side():
    assert settled(["in tbe house"], ["in the house"], "both") == ["in tbe the house"]
    assert settled(["in the house"], ["in the old house"], "both") == ["in the old house"]
    assert settled(["in the old house"], ["in the house"], "both") == ["in the old house"]
    assert settled(["in tbe house"], ["in the house"], "left") == ["in tbe house"]


def test_of_a_part_only_the_words_in_it_are_compared():
    def line(text, top):
        box = Box(0, top, 300, top + 20)
        return Region(Kind.TEXT, text, box, words=_spread(text, box))

    mine = (line("tbe first line", 0), line("tbe second line", 40))
    part = Box(0, 35, 300, 65)
    found = differences(mine, (line("the second line", 40),), part)
    assert [(each.region, each.left, each.right) for each in found] == [(1, "tbe", "the")]


def test_where_the_page_has_nothing_the_other_reading_makes_a_block_or_fills_an_empty_one():
    part = Box(0, 0, 50, 20)
    [new] = differences((), regions("all of it"))
    assert (new.region, new.right) == (NEW_BLOCK, "all of it")
    empty = (Region(Kind.TEXT, "", part),)
    assert differences(empty, regions("all of it"), part)[0].region == 0
    assert differences(empty, ()) == ()


WORDS = st.lists(st.sampled_from(["the", "tbe", "house", "hoxse", "old", "of"]), max_size=12)


@given(WORDS, WORDS)
def test_taking_all_of_the_other_makes_its_text(mine, theirs):
    ours, other = " ".join(mine) or "x", " ".join(theirs) or "y"
    assert sorted(settled([ours], [other])[0].split()) == sorted(other.split())


def _spread(text, box):
    spans, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        left = box.left + start * 8
        spans.append(Span(start, at, Box(left, box.top, left + len(word) * 8, box.bottom)))
    return tuple(spans)
