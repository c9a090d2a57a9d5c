from __future__ import annotations

from dataclasses import replace

import pytest

from app.answers import CorrectionStored, PagesStored, Refused
from app.book import PageState, Source
from app.desk.doubts import Doubt
from app.doubting import Doubts, DoubtsBegun, PagesJudged
from app.errors import StoreError
from model.api import Box, EngineSource
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import NOON, machine

pytestmark = pytest.mark.unit

PAGES = (
    ("the old bock of the house", {"bock": 0.2}),
    ("a tale of two cifies and of a bock in the town", {"cifies": 0.3, "bock": 0.4}),
    ("nothing to be said here", {}),
)


def read(text, scores):
    """A machine's reading of one block whose words have these scores; the others are sure."""
    reading = machine(text)
    region = reading.regions[0]
    words = tuple(
        word._replace(score=scores.get(text[word.start : word.end], 0.9999))
        for word in region.words
    )
    return replace(reading, regions=(replace(region, words=words),))


def on_store(desk, function, *values, **named):
    return desk.session._workers.store.submit(function, *values, **named).result(timeout=10)


def save(desk, number, reading, **how):
    on_store(desk, desk.store.save_read, number, reading=reading, state=PageState.READ, **how)
    # the value of the page as stored, as a run would have told it
    desk.session.shown.put_pages([on_store(desk, desk.store.page, number)])


@pytest.fixture
def scan(tmp_path):
    return make_scan(tmp_path / "scan", len(PAGES))


@pytest.fixture
def desk(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.settle()
        for number, page in enumerate(PAGES):
            save(desk, number, read(*page))
        desk.session.close_book()
        desk.settle()
        desk.open(scan)
        yield desk


@pytest.fixture
def doubts(desk):
    build(desk)
    return desk.session.doubts


def build(desk):
    desk.session.doubts.build()
    desk.wait_for(PagesJudged, when=lambda _event: not desk.session.doubts.is_building)
    desk.settle()


def here(doubts: Doubts) -> Doubt:
    """Where one stands now, asked anew."""
    assert doubts.at is not None
    return doubts.at


def go(desk, order):
    order()
    desk.settle()


def words(doubts):
    return [(doubt.page, doubt.word) for doubt in doubts.queue]


def test_the_words_of_the_whole_book_are_ranked(desk, doubts):
    assert sorted(words(doubts)) == [(0, "bock"), (1, "bock"), (1, "cifies")]
    assert all(doubt.why for doubt in doubts.queue)
    assert (doubts.progress, doubts.left, doubts.is_building) == (1, 3, False)
    assert doubts.found_share is None


def test_the_first_call_for_a_doubt_begins_to_build_the_queue(desk):
    doubts = desk.session.doubts
    doubts.next()
    assert doubts.is_building
    assert doubts.at is None
    desk.wait_for(PagesJudged, when=lambda _event: not doubts.is_building)
    go(desk, doubts.next)
    assert doubts.at is not None


def test_next_turns_the_page_and_passing_over_comes_round_again(desk, doubts):
    seen = []
    for _step in range(4):
        go(desk, doubts.next)
        seen.append((doubts.at.page, doubts.at.word))
        assert desk.session.page == doubts.at.page
    assert sorted(seen[:3]) == sorted(words(doubts))
    assert seen[3] == seen[0]
    assert doubts.left == 3


def test_one_goes_back_the_way_one_came(desk, doubts):
    go(desk, doubts.next)
    first = doubts.at
    go(desk, doubts.accept)
    second = doubts.at
    go(desk, doubts.previous)
    assert doubts.at == first
    go(desk, doubts.next)
    assert doubts.at == second


def test_an_accepted_word_is_asked_about_no_more(desk, doubts):
    go(desk, doubts.next)
    accepted = doubts.at
    go(desk, doubts.accept)
    assert accepted not in doubts.queue
    assert (doubts.left, doubts.looked_at, doubts.found_share) == (2, 1, 0)


def test_a_word_accepted_everywhere_goes_on_every_page(desk, doubts):
    bock = next(doubt for doubt in doubts.queue if doubt.word == "bock")
    go(desk, lambda: doubts.go_to(bock))
    go(desk, doubts.accept_everywhere)
    assert words(doubts) == [(1, "cifies")]


def test_a_word_put_off_comes_last(desk, doubts):
    go(desk, doubts.next)
    put_off = doubts.at
    go(desk, doubts.defer)
    assert doubts.queue[-1] == put_off
    assert doubts.left == 3


def test_what_was_said_survives_closing(desk, doubts, scan):
    for order in (doubts.next, doubts.accept, doubts.defer):
        go(desk, order)
    left = words(doubts)
    desk.session.close_book()
    desk.settle()
    desk.open(scan)
    build(desk)
    assert words(desk.session.doubts) == left
    assert desk.session.doubts.found_share == 0


def test_correcting_a_doubted_word_counts_it_as_an_error(desk, doubts):
    doubt = next(doubt for doubt in doubts.queue if doubt.word == "cifies")
    go(desk, lambda: doubts.go_to(doubt))
    text = desk.reading(1).regions[0].text
    desk.session.proofs.correct(1, 0, text.replace("cifies", "cities"))
    assert [each.word for each in doubts.doubts_of(1)] == ["bock"]
    desk.wait_for(CorrectionStored)
    assert doubts.found_share == 1
    assert doubts.found_share_at(doubt.chance + 0.01) is None
    assert (doubts.at.start, doubts.at.end) == (doubt.start, doubt.end)


def test_doubts_shift_with_what_is_typed_before_them(desk, doubts):
    desk.session.turn_to(1)
    desk.settle()
    text = desk.reading(1).regions[0].text
    desk.session.proofs.correct(1, 0, "It is " + text)
    desk.wait_for(CorrectionStored)
    new = desk.reading(1).regions[0].text
    assert [new[each.start : each.end] for each in doubts.doubts_of(1)] == ["cifies", "bock"]
    assert doubts.found_share is None


def test_what_a_person_typed_is_not_doubted_when_the_page_is_judged_anew(desk, doubts):
    desk.session.turn_to(0)
    desk.settle()
    desk.session.proofs.correct(0, 0, "the old bocck of the hoouse")
    desk.wait_for(CorrectionStored)
    desk.session.doubts.forget()
    build(desk)
    assert [each.page for each in desk.session.doubts.queue] == [1, 1]


def test_taking_a_correction_back_brings_the_doubt_back(desk, doubts):
    desk.session.turn_to(0)
    desk.settle()
    desk.session.proofs.correct(0, 0, "the old book of the house")
    desk.wait_for(CorrectionStored)
    assert not doubts.doubts_of(0)
    desk.session.proofs.undo(0)
    desk.wait_for(PagesStored)
    desk.wait_for(PagesJudged)
    assert [each.word for each in doubts.doubts_of(0)] == ["bock"]


def test_the_other_reading_is_offered_and_taken(desk):
    other = read("the old book of the house", {})
    other = replace(other, source=Source("model", NOON, engine=EngineSource("line-reader", "1")))
    save(desk, 0, other, make_current=False)
    build(desk)
    doubts = desk.session.doubts
    bock = next(doubt for doubt in doubts.queue if doubt.page == 0)
    assert bock.other == "book"
    go(desk, lambda: doubts.go_to(bock))
    go(desk, doubts.take_other)
    assert desk.session.reading(0).regions[0].text == "the old book of the house"
    assert (doubts.found_share, doubts.left) == (1, 2)
    assert doubts.at.page == 1


def test_a_proofread_page_is_asked_about_no_more_until_that_is_taken_back(desk, doubts):
    desk.session.proofs.accept([1])
    desk.wait_for(PagesStored)
    assert words(doubts) == [(0, "bock")]
    desk.session.proofs.unaccept([1])
    desk.wait_for(PagesStored)
    assert doubts.left == 3


def test_the_threshold_leaves_less_likely_errors_out(desk, doubts):
    chances = sorted(doubt.chance for doubt in doubts.queue)
    assert doubts.left_at(chances[-1]) == 1
    doubts.set_threshold(chances[-1])
    assert (doubts.left, len(doubts.queue)) == (1, 1)


def test_another_book_has_other_doubts(desk, doubts, tmp_path):
    desk.open(make_scan(tmp_path / "other", 2))
    assert (doubts.left, doubts.at, doubts.progress) == (0, None, 0)
    go(desk, doubts.next)
    assert doubts.at is None


def test_a_page_read_meanwhile_is_judged(desk, doubts):
    save(desk, 2, read("nothing to be sajd here", {"sajd": 0.1}))
    doubts.follow_run(desk.book.id, 2)
    desk.wait_for(PagesJudged)
    assert (2, "sajd") in words(doubts)


def test_a_loaded_reading_has_the_word_boxes_of_another(desk):
    block = Box(0, 0, 800, 20)
    words_ = PAGES[2][0]
    plain = read(words_, {})
    region = plain.regions[0]
    somewhere = tuple(w._replace(box=block, origin="estimated") for w in region.words)
    save(desk, 2, replace(plain, regions=(replace(region, words=somewhere),)))
    save(desk, 2, plain, make_current=False)
    desk.session.turn_to(2)
    desk.settle()
    assert desk.reading(2).regions[0].words == region.words
    desk.session.proofs.correct(2, 0, words_ + " today")
    desk.wait_for(CorrectionStored)
    assert desk.reading(2).regions[0].words[:2] == region.words[:2]
    desk.session.proofs.undo(2)
    desk.wait_for(PagesStored)
    assert desk.reading(2).regions[0].text == words_


def test_what_another_reading_has_differently_was_not_corrected_by_anybody(desk, doubts):
    (machine_made,) = on_store(desk, desk.store.history, 0)
    desk.session.turn_to(0)
    desk.settle()
    desk.session.proofs.correct(0, 0, "the old bock of the house and its garden")
    desk.wait_for(CorrectionStored)
    desk.session.proofs.revert(0, machine_made.id)
    desk.wait_for(PagesStored)
    read_again = replace(read("the old book of the house", {}), id=machine_made.id)
    desk.session.proofs.put_reading(desk.book.id, 0, read_again)
    assert doubts.doubts_of(0) == ()
    assert doubts.looked_at == 0


def test_one_stands_at_no_word_of_a_page_that_was_accepted(desk, doubts):
    go(desk, doubts.next)
    page = doubts.at.page
    desk.session.proofs.accept([page])
    desk.wait_for(PagesStored)
    assert doubts.at is None
    go(desk, doubts.next)
    assert here(doubts).page != page


def test_what_was_judged_before_pages_were_moved_is_not_taken_for_other_pages(desk):
    doubts = desk.session.doubts
    doubts.build()
    doubts.forget()
    desk.wait_for(DoubtsBegun)
    desk.settle()
    assert (doubts.left, doubts.progress) == (0, 0)
    build(desk)
    assert sorted(words(doubts)) == [(0, "bock"), (1, "bock"), (1, "cifies")]


def test_the_other_reading_is_not_put_where_the_word_stood_before_blocks_changed(desk):
    other = read("the old book of the house", {})
    other = replace(other, source=Source("model", NOON, engine=EngineSource("line-reader", "1")))
    save(desk, 0, other, make_current=False)
    build(desk)
    doubts = desk.session.doubts
    go(desk, lambda: doubts.go_to(next(each for each in doubts.queue if each.page == 0)))
    block = desk.reading(0).regions[0]
    desk.session.proofs.set_regions(0, (replace(block, text="A LINE ABOVE", words=()), block))
    doubts.doubts_of(0)
    doubts.take_other()
    assert [each.text for each in desk.reading(0).regions] == ["A LINE ABOVE", PAGES[0][0]]


def test_a_queue_that_could_not_be_built_is_built_when_it_is_asked_for_again(desk):
    doubts = desk.session.doubts
    doubts.build()
    desk.wait_for(DoubtsBegun)
    desk.session.apply(Refused(StoreError("store_failing", detail="the disk"), "doubts"))
    assert not doubts.is_building
    doubts.build()
    desk.wait_for(PagesJudged, when=lambda _event: not doubts.is_building)
    desk.settle()
    assert doubts.left == 3


def test_an_answer_that_could_not_be_kept_does_not_end_the_building(desk):
    doubts = desk.session.doubts
    doubts.build()
    desk.session.apply(Refused(StoreError("store_unwritable", detail="full"), "verdict"))
    assert doubts.is_building
