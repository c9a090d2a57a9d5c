"""The letter test: its draw, its table, its rows, its protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers import Refused
from app.book import Box, Kind, PageState, Reading, Region, Source
from app.desk.letter_test import (
    CLAIMS,
    Letter,
    LetterTest,
    claim_of,
    drawn,
    letter_at,
    letters_of,
    lower_bound,
)
from app.letter_testing import LettersLoaded, pages_to_test
from app.letter_words import exact_text, result_text, so_far_text
from app.preparing import Arranged
from model.api import Span
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
SOURCE = Source("model", NOON)


def test_the_table_of_the_funders():
    assert [claim_of(right) for right in (484, 485, 489, 493, 496, 499, 500)] == [
        *(None, "95", "96", "97", "98", "99", "> 99")
    ]


def test_the_exact_bound_agrees_with_the_table_but_for_its_rounding():
    for right, claim in CLAIMS[1:]:
        assert lower_bound(right) == pytest.approx(int(claim) / 100, abs=0.002)
    assert lower_bound(500) == pytest.approx(0.025 ** (1 / 500), abs=1e-9)
    assert lower_bound(0) == pytest.approx(0, abs=1e-9)


def test_letters_are_what_is_printed():
    assert letters_of("a b\tc\nd\u0301-") == [0, 2, 4, 6, 8]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=20), st.integers(0, 99), st.data())
def test_a_draw_takes_each_letter_at_most_once_and_can_be_repeated(counts, seed, data):
    count = data.draw(st.integers(0, sum(counts)))
    places = drawn(counts, seed, count)
    assert len(set(places)) == count
    assert places == sorted(places) == drawn(counts, seed, count)
    assert all(0 <= number < counts[page] for page, number in places)


def test_every_letter_has_the_same_chance():
    counts = [100, 300, 0, 600]
    pages = Counter(page for seed in range(200) for page, _number in drawn(counts, seed, 50))
    assert [round(pages[page] / 10_000, 1) for page in range(4)] == [0.1, 0.3, 0.0, 0.6]


def region(text: str, **more) -> Region:
    return Region(Kind.TEXT, text, Box(0, 0, 100, 40), **more)


def test_a_letter_knows_what_stands_around_it_and_where_its_ink_is():
    word = Span(3, 8, Box(30, 0, 80, 20))
    reading = Reading((region("Der Satz"), region("so druck\nte man", words=(word,))), SOURCE)
    letter = letter_at(4, reading, 7 + 2)
    assert (letter.page, letter.letter, letter.before, letter.behind) == (
        *(4, "d", "so ", "ruck ⏎ te man"),
    )
    assert letter.in_word
    assert letter.box is not None
    assert 30 <= letter.box.left < letter.box.right < 50
    below = letter_at(4, reading, 7 + 7)
    assert below.letter == "t"
    assert not below.in_word
    assert below.box is not None
    assert below.box.top >= 20


def test_a_letter_of_a_text_without_boxes_has_no_place():
    reading = Reading((Region(Kind.TEXT, "so"),), SOURCE)
    assert letter_at(0, reading, 1) == Letter(0, "o", "s", "", None, in_word=False)


def ended(wrong: int, count: int = 500) -> LetterTest:
    letters = tuple(Letter(n % 7, "ſ", "da", "tz ⏎ Ω", None, in_word=False) for n in range(count))
    answers = "w" * wrong + "r" * (count - wrong)
    return LetterTest(3, NOON, "Anna", 42, tuple(range(7)), letters, answers, NOON)


def test_the_result_is_told_as_a_claim_and_exactly():
    assert "claim that 96 % of the letters are right is accepted" in result_text(ended(11))
    assert "no claim can be made" in result_text(ended(16))
    assert "at least 95.6" in exact_text(ended(13)) or "at least 95." in exact_text(ended(13))
    under_way = replace(ended(0), answers="w" * 8)
    assert so_far_text(under_way) == "At best 96 % can be reached."
    assert so_far_text(replace(under_way, answers="w" * 16)).startswith("95 % cannot")


# --- through the session ------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk() as desk:
        desk.open(make_scan(tmp_path / "scan", 4, blank=(3,)))
        desk.session.proofs.person = "Anna"
        text = "Und der ſetzer ſetzte Satz um Satz, bis das Blatt\nvoll war. " * 4
        for page in range(3):
            reading = Reading((region(text),), SOURCE)
            submit = desk.session._workers.store.submit
            page_now = submit(desk.store.save_read, page, reading=reading, state=PageState.READ)
            desk.session.proofs.put_pages(desk.book.id, (page_now.result(),))
        yield desk


def begin(desk: Desk, **how) -> LettersLoaded:
    desk.session.letters.begin(pages_to_test(desk.book), **how)
    return desk.wait_for(LettersLoaded)


def test_five_hundred_letters_are_drawn_from_the_pages_that_have_a_text(desk):
    loaded = begin(desk, seed=7)
    assert loaded.test is not None
    assert (len(loaded.test.letters), loaded.test.pages) == (500, (0, 1, 2))
    assert loaded.test.person == "Anna"
    again = begin(desk, seed=7)
    assert again.test is not None
    assert again.test.letters == loaded.test.letters
    assert again.test.id != loaded.test.id


def test_too_few_letters_are_told(desk):
    desk.session.letters.begin((0,))
    loaded = desk.wait_for(LettersLoaded)
    assert loaded.error is not None
    assert loaded.error.code == "letters_few"
    assert "500" in str(loaded.error)


def test_a_test_goes_on_where_it_was_left(desk):
    begin(desk)
    for is_right in (True, False, True, True):
        desk.session.letters.answer(is_right=is_right)
    desk.session.letters.step_back()
    desk.settle()
    scan = desk.book.paths[0]
    desk.session.close_book()
    assert desk.session.letters.test is None
    desk.open(scan)
    desk.session.letters.load()
    loaded = desk.wait_for(LettersLoaded)
    assert loaded.test is not None
    assert loaded.test.answers == "rwr"
    assert not loaded.test.is_ended


def test_a_test_follows_pages_that_are_moved_and_waits_for_those_taken_out(desk):
    test = begin(desk, seed=7).test
    assert test is not None
    desk.session.preparing.move((0,), 2)
    desk.wait_for(Arranged)
    assert desk.session.letters.test is None
    desk.session.letters.load()
    moved = desk.wait_for(LettersLoaded).test
    now = {0: 2, 1: 0, 2: 1}
    assert [each.page for each in moved.letters] == [now[each.page] for each in test.letters]
    desk.session.preparing.remove((2,))
    desk.wait_for(Arranged)
    desk.session.letters.load()
    gone = desk.wait_for(LettersLoaded)
    assert (gone.test, gone.error.code) == (None, "letters_gone")
    desk.session.preparing.undo()
    desk.wait_for(Arranged)
    desk.session.letters.load()
    assert desk.wait_for(LettersLoaded).test == moved


def test_the_protocol_of_pages_taken_out_since_then_can_be_written(desk, tmp_path):
    begin(desk, seed=7)
    for _letter in range(500):
        desk.session.letters.answer(is_right=True)
    desk.session.preparing.remove((0,))
    desk.wait_for(Arranged)
    desk.session.letters.load()
    assert desk.wait_for(LettersLoaded).test.is_ended
    desk.session.letters.write_protocol(tmp_path / "protocol.pdf")
    desk.wait_for(object, when=lambda _event: desk.session.letters.written is not None)


def test_the_last_answer_ends_it_and_can_be_taken_back(desk):
    begin(desk)
    letters = desk.session.letters
    for _letter in range(505):
        letters.answer(is_right=True)
    assert letters.test is not None
    assert letters.test.is_ended
    assert letters.test.ended is not None
    letters.step_back()
    assert (letters.test.is_ended, letters.test.ended) == (False, None)
    desk.settle()


def test_the_protocol_says_all_that_the_funder_asks_for(desk, tmp_path):
    begin(desk, seed=99)
    for number in range(500):
        desk.session.letters.answer(is_right=number != 17)
    desk.settle()
    path = tmp_path / "protocol.pdf"
    desk.session.letters.write_protocol(path)
    desk.wait_for(object, when=lambda _answer: desk.session.letters.written is not None)
    with pymupdf.open(path) as document:
        pages = [str(page.get_text()) for page in document]
    first, whole = pages[0].replace("\n", " "), "".join(pages)
    for said in ("Letter test: scan", "Tested by: Anna", "Seed of the draw: 99", "Pages: 1-3"):
        assert said in first
    assert "499 of 500 letters were right." in first
    assert "99 %" in first
    assert whole.count("WRONG") == 1
    assert "ſ" in whole
    assert len(pages) > 4
    assert list(tmp_path.glob("*.new")) == []


def test_a_protocol_that_cannot_be_written_is_told(desk, tmp_path):
    begin(desk)
    assert not desk.session.letters.write_protocol(tmp_path / "early.pdf")
    for _letter in range(500):
        desk.session.letters.answer(is_right=True)
    desk.session.letters.write_protocol(tmp_path / "nowhere" / "protocol.pdf")
    desk.wait_for(Refused)
    assert desk.session.letters.error is not None
    assert desk.session.letters.error.code == "export_unwritable"
