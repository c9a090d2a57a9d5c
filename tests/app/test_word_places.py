from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Region
from app.desk.word_places import Place, is_placed, place_of, places_of, with_places, word_at
from app.proofing import corrected
from model.api import Box, Kind, Span

pytestmark = pytest.mark.unit

PAGE = Box(100, 100, 900, 300)
texts = st.text(st.sampled_from("abcm ſ\nאב漢-."), min_size=1, max_size=80)


def exact(text, *, left=100.0, top=100.0, score=0.9):
    """A block whose words the engine placed, ten pixels a letter, a line every forty."""
    words, lines, at = [], [], 0
    for number, line in enumerate(text.split("\n")):
        y = top + 40 * number
        start = at
        for word in line.split(" "):
            x = left + 10 * (at - start)
            box = Box(x, y, x + 10 * len(word), y + 30)
            words.append(Span(at, at + len(word), box, score))
            at += len(word) + 1
        lines.append(Span(start, at - 1, Box(left, y, left + 10 * len(line), y + 30), score))
    widest = max(map(len, text.split("\n")))
    box = Box(left, top, left + 10 * widest, top + 40 * len(lines))
    return Region(Kind.TEXT, text, box, tuple(lines), tuple(words), score=score)


def block_only(text, box=PAGE):
    """A block as the model gives it: every word is 'somewhere in the block'."""
    region = Region(Kind.TEXT, text, box)
    spans = [word for word in exact(text).words if word.end > word.start]
    return replace(region, words=tuple(Span(w.start, w.end, box, 0.7, "estimated") for w in spans))


def test_a_word_that_the_engine_placed_has_its_exact_box():
    region = exact("the old house")
    assert place_of(region, 4, 7) == Span(4, 7, Box(140, 100, 170, 130), 0.9)


def test_a_part_of_a_placed_word_is_estimated_within_it():
    part = place_of(exact("the oldold house"), 7, 10)
    assert part is not None
    assert (part.box.left, part.box.right, part.origin) == (170, 200, "estimated")


def test_a_word_of_a_block_without_word_boxes_is_estimated_in_its_line():
    text = "one two six\nten old men"
    place = place_of(block_only(text), 16, 19)
    assert place is not None
    assert place.origin == "estimated"
    assert (place.box.top, place.box.bottom) == (200, 300)
    assert 300 < place.box.left < place.box.right < 700
    assert place.score == 0.7


def test_a_word_broken_over_two_lines_has_a_box_on_each():
    region = exact("of the pub-\nlisher now")
    first, second = places_of(region, 7, 18)
    assert (first.box.top, second.box.top) == (100, 140)
    assert place_of(region, 7, 18) == first


def test_right_to_left_text_is_estimated_from_the_right():
    region = block_only("אבג דהו")
    first, second = place_of(region, 0, 3), place_of(region, 4, 7)
    assert first is not None
    assert second is not None
    assert first.box.left >= second.box.right
    assert first.box.right == PAGE.right


def test_text_without_boxes_has_no_place_and_no_word_at_a_point():
    region = Region(Kind.TEXT, "no boxes at all")
    assert place_of(region, 0, 2) is None
    assert word_at([region], 10, 10) is None


@given(texts, st.data())
def test_an_estimated_box_lies_within_its_block(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for place in places_of(Region(Kind.TEXT, text, PAGE), start, end):
        assert PAGE.left <= place.box.left <= place.box.right <= PAGE.right + 1e-6
        assert PAGE.top <= place.box.top <= place.box.bottom <= PAGE.bottom + 1e-6


@given(texts)
def test_the_middle_of_a_words_box_leads_back_to_the_word(text):
    region = Region(Kind.TEXT, text, PAGE)
    for word in re.finditer(r"\S+", text):
        place = place_of(region, word.start(), word.end())
        assert place is not None
        if place.box.width < 1:  # only combining marks
            continue
        x, y = (place.box.left + place.box.right) / 2, (place.box.top + place.box.bottom) / 2
        assert word_at([region], x, y) == Place(0, word.start(), word.end())


def test_a_click_beside_the_words_finds_the_nearest_of_the_line():
    region = exact("the old house\nof the king")
    assert word_at([region], 5000, 110) is None
    assert word_at([region], 229, 150) == Place(0, 21, 25)


def test_the_smaller_of_two_blocks_is_clicked():
    outer, inner = block_only("all over the page"), block_only("within", Box(300, 150, 500, 200))
    assert word_at([outer, inner], 400, 180) == Place(1, 0, 6)


def test_boxes_of_another_reading_are_brought_over_through_hyphens_ligatures_and_long_s():
    mine = block_only(
        "Das Haus ſtand in der ﬁnſtern Vor-\nſtadt und brannte", Box(90, 90, 700, 200)
    )
    other = exact("Das Hans stand in der finstern Vor\nstadt und brannte")
    (placed,) = with_places([mine], [other])
    assert is_placed(placed)
    by_word = {placed.text[w.start : w.end]: w for w in placed.words}
    assert by_word["ﬁnſtern"].box == other.words[5].box
    assert by_word["Haus"].box == other.words[1].box
    assert by_word["Haus"].origin == "exact"
    assert by_word["Haus"].score == 0.7  # the score is for the letters of this reading
    assert by_word["Vor-"].box == other.words[6].box
    assert by_word["ſtadt"].box == other.words[7].box


def test_words_of_other_blocks_are_not_taken():
    mine = block_only("the house", Box(90, 400, 700, 500))
    assert not is_placed(with_places([mine], [exact("the house")])[0])


def test_word_boxes_survive_typing_elsewhere_in_the_block():
    (placed,) = with_places(
        [block_only("the old house", Box(90, 90, 700, 200))], [exact("the old house")]
    )
    typed = corrected(placed, "the cold, old house")
    place = place_of(typed, 14, 19)
    assert place is not None
    assert (place.box, place.origin) == (Box(180, 100, 230, 130), "exact")
    between = place_of(typed, 4, 9)
    assert between is not None
    assert between.origin == "estimated"
    assert 130 <= between.box.left <= between.box.right <= 140


def test_two_words_joined_by_hand_keep_their_place():
    joined = corrected(exact("the old house"), "the oldhouse")
    place = place_of(joined, 4, 12)
    assert place is not None
    assert 130 <= place.box.left < place.box.right <= 230
