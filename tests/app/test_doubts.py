from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Reading, Region, Source
from app.desk.chance import chance, weight
from app.desk.doubts import Doubt, Entry, Key, Leaf, Why, with_other
from app.desk.following import changed_region, followed
from app.desk.hyphens import Vocabulary
from app.desk.judging import FLOOR, Judge
from app.desk.order import LOOK_S, TURN_S, batches
from app.desk.queue import DoubtQueue
from app.desk.readings_beside import beside
from app.desk.signs import Place, PlaceSigns, TextSigns, place_signs
from app.desk.words import words_in
from app.store.verdicts import MachineText, Said, Verdict
from model.api import Box, Kind, Span
from tests.app.store_books import NOON

pytestmark = pytest.mark.unit

chances = st.lists(st.floats(0.05, 1), min_size=1, max_size=40)


def reading(*texts, scores=None, by: Literal["model", "hand"] = "model", score=0.9999):
    """A reading of which these words have other scores than all the others."""
    regions = []
    for text in texts:
        spans = tuple(
            Span(word.start, word.end, Box(0, 0, 9, 9), (scores or {}).get(word.text, score))
            for word in words_in(text)
        )
        regions.append(Region(Kind.TEXT, text, Box(0, 0, 99, 99), words=spans))
    return Reading(tuple(regions), Source(by, NOON), id=1)


def judged(*texts, language="en", machine=None, other=None, **how):
    leaf = Judge(language=language).leaf(0, reading(*texts, **how), machine=machine, other=other)
    return {entry.doubt.word: entry.doubt for entry in leaf.entries}


def entry(chance, *, page=0, at=0, word="", region=0):
    word = word or f"w{at}"
    return Entry(Key(page, word, 0), Doubt(page, region, at, at + 1, word, chance))


def queue_of(*pages, **how):
    queue = DoubtQueue(**how)
    for number, found in enumerate(pages):
        entries = tuple(entry(each, page=number, at=at) for at, each in enumerate(found))
        queue.put(Leaf(number, ("x" * len(found),), entries))
    return queue


def order(queue):
    return [(each.key.page, each.doubt.start) for each in queue.order]


# --- judging ------------------------------------------------------------------------------------


def test_a_misread_word_is_doubted_with_its_reasons_and_the_words_round_it_are_not():
    found = judged("It was in the rnidst of the town", scores={"rnidst": 0.4})
    assert list(found) == ["rnidst"]
    assert set(found["rnidst"].why) == {Why.UNKNOWN, Why.ALIKE, Why.UNLIKELY}


def test_a_broken_word_is_looked_up_whole_and_doubted_once():
    assert not judged("the pub-\nlisher of the book")
    broken = judged("the puh-\nlishcr of the book", scores={"puhlishcr": 0.5})
    assert list(broken) == ["puhlishcr"]
    assert Why.SPLIT in broken["puhlishcr"].why


def test_a_word_broken_between_two_blocks_is_looked_up_whole():
    assert not judged("the pub-", "lisher of the book")


def test_a_word_that_goes_on_on_another_page_is_not_called_unknown():
    assert not judged("of the subsc-")


def test_another_reading_clears_a_word_or_brings_its_own():
    text = "the strange Zyxomma flew"
    unsure = {"Zyxomma": 0.7}
    alone = judged(text, scores=unsure)["Zyxomma"]
    same = judged(text, scores=unsure, other=[text]).get("Zyxomma")
    differs = judged(text, scores=unsure, other=["the strange Zyxemma flew"])["Zyxomma"]
    assert same is None or same.chance < alone.chance
    assert differs.chance > alone.chance
    assert (differs.other, differs.why[0]) == ("Zyxemma", Why.DISAGREES)


def test_the_line_end_of_a_broken_word_is_kept_when_the_others_word_is_taken():
    text = "the puh-\nlishcr of it"
    scores = {"puhlishcr": 0.4}
    broken = judged(text, scores=scores, other=["the pub-\nlisher of it"])["puhlishcr"]
    assert with_other(text, broken) == "the pub-\nlisher of it"
    whole = judged(text, scores=scores, other=["the publisher of it"])["puhlishcr"]
    assert with_other(text, whole) == "the publisher\nof it"
    mine = judged("the puhlishcr of it", scores=scores, other=["the pub-\nlisher of it"])
    assert mine["puhlishcr"].other == "publisher"


FIVE_LINES = (
    "of the king and all his",
    "was not to be found when",
    "we came into that town in",
    "which my father had lived with",
    "her brother for more than ten",
)
TWICE = "the farmer drove his oxen home"


def test_a_line_read_twice_is_doubted_where_it_comes_again():
    found = judged("It rained.", TWICE, "the farmer drove his oxen on", "and slept.")
    assert set(found) == {"the", "farmer", "drove", "his", "oxen", "on"}
    assert {each.region for each in found.values()} == {2}
    assert all(Why.DOUBLED in each.why for each in found.values())
    lines = judged(f"It rained.\n{TWICE}\n{TWICE}\nand slept.")
    assert min(each.start for each in lines.values()) == len(f"It rained.\n{TWICE}\n")


def test_words_that_prose_says_again_and_a_refrain_further_on_are_not_doubted():
    assert not judged("he had seen the old man and", "the old man had not spoken to the children")
    assert not judged("holy, holy, holy, is the Lord of hosts, holy, holy, holy, is the Lord")
    between = "and his wife had made a great fire for him and for the three children who were cold"
    more = "so that they all sat down before it until the evening came and the bread was eaten"
    assert not judged(TWICE, between, more, TWICE)
    assert not judged("page 12 of 14", "page 12 of 14")
    table = replace(reading(f"{TWICE}\n{TWICE}").regions[0], kind=Kind.TABLE)
    assert not Judge(language="en").leaf(0, replace(reading(TWICE), regions=(table,))).entries


def test_what_a_person_typed_is_not_doubted():
    text = "the qwxrt and the zzkqp house"
    found = judged(text, by="hand", machine=["the qwxrt and the xxxxx house"])
    assert list(found) == ["qwxrt"]


def test_names_that_the_book_has_often_are_doubted_less():
    vocabulary = Vocabulary()
    text = "then Kalibang said to Kalibang"
    for _page in range(20):
        vocabulary.add(text)
    alone = Judge(language="en").chances(reading(text, score=0.9).regions)
    often = Judge(vocabulary, language="en").chances(reading(text, score=0.9).regions)
    assert often[1][2] < alone[1][2]


def test_chinese_and_right_to_left_text_have_no_unknown_words():
    for text in ("天地玄黄，宇宙洪荒。", "בראשית ברא אלהים את השמים", "بسم الله الرحمن الرحيم"):
        found = judged(text, language="", score=0.3)
        assert found
        assert all(Why.UNKNOWN not in doubt.why for doubt in found.values())


def test_a_language_without_a_list_has_no_unknown_words():
    assert not judged("Jen la domo de mia patro", language="eo")


def test_text_without_scores_and_boxes_is_judged_by_its_letters():
    plain = Reading((Region(Kind.TEXT, "the hoiise of thc king"),), Source("model", NOON))
    leaf = Judge(language="en").leaf(0, plain)
    assert [each.doubt.word for each in leaf.entries] == ["hoiise", "thc"]


def test_twenty_thousand_words_on_a_page_are_judged():
    text = "\n".join(f"the hoiise {FIVE_LINES[n % 5]}" for n in range(2500))
    leaf = Judge(language="en").leaf(0, reading(text))
    assert len(leaf.entries) == 2500
    assert [each.key.nth for each in leaf.entries] == list(range(2500))


@given(st.text("ab. -\n漢א1'ſ", max_size=80))
def test_any_text_is_judged_within_its_bounds(text):
    for region, word, each in Judge(language="de").chances(reading(text).regions):
        assert region == 0
        assert 0 <= word.start < word.end <= len(text)
        assert 0 < each < 1


def test_each_sign_against_a_word_adds_to_its_chance():
    plain = weight(TextSigns())
    for sign in ("unknown", "odd", "near", "near_seen", "joined", "mixed", "lone", "strange"):
        assert weight(TextSigns()._replace(**{sign: 1.0})) > plain
    for sign in ("unlikely", "very_unlikely", "differs", "other_marks"):
        assert weight(PlaceSigns()._replace(**{sign: 1.0})) > weight(PlaceSigns())
    assert weight(PlaceSigns(agrees=1.0)) < weight(PlaceSigns(differs=1.0))
    assert chance(0) == 0.5


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_surer_engine_is_never_doubted_more(first, second):
    low, high = sorted((first, second))

    def doubted(score):
        signs = place_signs(score, place=Place(), text="x", other=None, has_other=False)
        return weight(signs)

    assert doubted(high) <= doubted(low)


# --- the order ----------------------------------------------------------------------------------


@given(chances)
def test_batches_hold_each_doubt_once_at_a_falling_rate(found):
    entries = [entry(each, at=at) for at, each in enumerate(found)]
    cut = batches(entries)
    assert sorted(each.doubt.start for batch in cut for each in batch.entries) == list(
        range(len(found))
    )
    assert all(before.rate >= after.rate - 1e-9 for before, after in pairwise(cut))
    for batch in cut:
        errors = sum(each.doubt.chance for each in batch.entries)
        assert batch.rate == pytest.approx(errors / (TURN_S + LOOK_S * len(batch.entries)))


@given(st.lists(chances, min_size=1, max_size=6))
def test_no_batch_would_be_worth_more_cut_shorter_or_longer(pages):
    for found in pages:
        best = batches([entry(each, at=at) for at, each in enumerate(found)])[0].rate
        likeliest = sorted(found, reverse=True)
        rates = [
            sum(likeliest[:count]) / (TURN_S + LOOK_S * count) for count in range(1, len(found) + 1)
        ]
        assert best == pytest.approx(max(rates))


def test_a_page_of_many_likely_errors_comes_before_one_of_one():
    queue = queue_of([0.9], [0.8, 0.8, 0.8])
    assert order(queue) == [(1, 0), (1, 1), (1, 2), (0, 0)]


def test_one_stays_on_the_open_page_while_that_is_worth_more_than_turning():
    queue = queue_of([0.4, 0.1], [0.7])
    assert order(queue)[0] == (1, 0)
    queue.open(0)
    assert order(queue) == [(0, 0), (1, 0), (0, 1)]


def test_within_a_page_the_words_come_as_they_stand_in_the_text():
    assert order(queue_of([0.5, 0.9, 0.7])) == [(0, 0), (0, 1), (0, 2)]


@given(st.lists(chances, min_size=1, max_size=5), st.floats(0, 1))
def test_the_queue_holds_what_is_over_the_threshold_each_once(pages, threshold):
    queue = queue_of(*pages)
    queue.threshold = threshold
    expected = sum(each >= threshold for page in pages for each in page)
    assert len(set(order(queue))) == len(queue.order) == queue.left == expected


def test_shares_of_errors_are_told_for_each_threshold():
    said = [
        Verdict(0, "a", -1, Said.WRONG, 0.9),
        Verdict(0, "b", 0, Said.RIGHT, 0.2),
        Verdict(0, "c", 0, Said.LATER, 0.9),
    ]
    queue = DoubtQueue(said)
    assert queue.looked_at() == {Said.WRONG: 1, Said.RIGHT: 1}
    assert queue.looked_at(0.5) == {Said.WRONG: 1}


# --- following what is typed --------------------------------------------------------------------


def judged_leaf(text):
    return Judge(language="en").leaf(0, reading(text, score=0.3))


words = st.lists(st.sampled_from(["the", "hoiise", "thc", "xq-\nzk", "of", "qqz"]), max_size=12)


@given(words, words, words, st.sampled_from([" ", "\n"]))
def test_doubts_that_are_not_touched_keep_their_word_and_count(before, middle, after, gap):
    old = gap.join([*before, "hoiise", *after])
    new = gap.join([*before, *middle, *after])
    leaf = judged_leaf(old)
    if old == new:
        return
    result = followed(leaf, 0, new)
    counts: dict[str, int] = {}
    numbers = {}
    for word in words_in(new):
        numbers[word.start] = counts.get(word.text, 0)
        counts[word.text] = numbers[word.start] + 1
    for key, doubt in result.leaf.entries:
        read = new[doubt.start : doubt.end]
        assert [word.text for word in words_in(read)] == [doubt.word] == [key.word]
        assert numbers[doubt.start] == key.nth
    assert len(result.leaf.entries) + len(result.touched) >= len(leaf.entries) - 2


def test_a_correction_answers_the_doubt_it_touches_and_no_other():
    leaf = judged_leaf("thc hoiise of thc king")
    result = followed(leaf, 0, "the hoiise of thc king")
    assert [each.doubt.word for each in result.touched] == ["thc"]
    assert (Key(0, "thc", 1), Key(0, "thc", 0)) in result.renamed
    assert result.leaf.texts == ("the hoiise of thc king",)


def test_more_than_one_changed_block_is_not_followed():
    assert changed_region(("a", "b"), ("a", "c")) == 1
    assert changed_region(("a", "b"), ("b", "a")) is None
    assert changed_region(("a",), ("a",)) is None
    assert changed_region(("a",), ("a", "b")) is None


# --- readings beside ----------------------------------------------------------------------------


def test_a_reading_is_compared_with_the_newest_of_another_reader():
    mine = reading("the house")
    texts = [
        MachineText(3, "line-reader", ("the hause",)),
        MachineText(2, "line-reader", ("the hous",)),
        MachineText(1, "model", ("the house",)),
    ]
    assert beside(mine, texts) == (None, ("the hause",))
    assert beside(mine, texts[2:]) == (None, None)
    assert beside(mine, []) == (None, None)


def test_a_reading_by_hand_was_made_from_the_one_that_is_most_like_it():
    mine = replace(reading("the old house", by="hand"), id=9)
    texts = [
        MachineText(3, "line-reader", ("tlie o1d hause",)),
        MachineText(1, "model", ("the old hcuse",)),
    ]
    assert beside(mine, texts) == (("the old hcuse",), ("tlie o1d hause",))


def test_words_under_the_floor_are_no_doubts():
    assert all(doubt.chance >= FLOOR for doubt in judged("thc hoiise of the king").values())
