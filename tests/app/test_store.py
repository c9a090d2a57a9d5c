from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.book import Details, Page, PageSize, PageState, Reading, Reason, Region, Source
from app.errors import SourceError, StoreError
from app.store.database import BookStore
from model.api import Kind
from tests.app.store_books import (
    NOON,
    book_of,
    correct,
    large_book,
    machine,
    redone,
    text_of,
    typed,
    undone,
)

pytestmark = pytest.mark.unit

READ, LOOK, BLANK = PageState.READ, PageState.LOOK, PageState.BLANK
PROOFREAD, FAILED, UNREAD = PageState.PROOFREAD, PageState.FAILED, PageState.UNREAD
DAY = timedelta(days=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[BookStore]:
    store = BookStore.create(tmp_path / "book.sqlite", book_of(3))
    yield store
    store.close()


def reopened(store: BookStore) -> BookStore:
    store.close()
    return BookStore.open(store.path)


def test_a_book_is_found_again_as_it_was_made(tmp_path):
    details = Details("Hypnerotomachia", "Colonna", "1499", "Inc. 7", "it", notes="ſ")
    page = Page(0, "0001.tif", "i", size=PageSize(10, 20, 300.0), fingerprint="abc")
    book = replace(book_of(2), details=details, details_asked=True)
    book = replace(book, pages=(page, Page(1)))
    with BookStore.create(tmp_path / "deep" / "book.sqlite", book) as store:
        assert store.book() == book
    with BookStore.open(tmp_path / "deep" / "book.sqlite") as store:
        assert store.book() == book
        assert not store.read_only


def test_a_page_read_has_its_text_state_and_source_after_closing(store):
    reading = machine("Of the Art of Printing", "Chap. I")
    page = store.save_read(1, reading=reading, state=LOOK, reasons=(Reason.CAP_REACHED,), seconds=2)
    assert page == Page(
        1, label="2", state=LOOK, reasons=(Reason.CAP_REACHED,), reading_id=1, seconds=2
    )
    with reopened(store) as again:
        assert again.page(1) == page
        assert again.current(1) == replace(reading, id=page.reading_id)
        assert again.reading(page.reading_id) == replace(reading, id=page.reading_id)
        assert again.current(0) is None


def test_a_page_that_failed_says_why(store):
    failure = SourceError("page_timeout", page=2, seconds=60)
    page = store.save_read(1, reading=None, state=FAILED, failure=failure)
    assert (page.state, page.failure, page.reading_id) == (FAILED, "page_timeout", 0)
    assert page.failure_detail == "The image of page 2 took longer than 60 seconds to decode."
    page = store.save_read(1, reading=machine("read now"), state=READ)
    assert (page.state, page.failure, page.failure_detail) == (READ, "", "")


def test_a_page_that_fails_when_read_again_keeps_the_text_it_had(store):
    store.save_read(0, reading=machine("first"), state=READ)
    page = store.save_read(
        0, reading=None, state=FAILED, failure=SourceError("page_zero_size", page=1)
    )
    assert page.state is FAILED
    assert text_of(store, 0) == "first"


def test_a_blank_page_has_no_text_and_the_earlier_one_stays_in_history(store):
    store.save_read(0, reading=machine("show-through"), state=READ)
    assert store.save_read(0, reading=None, state=BLANK).state is BLANK
    assert store.current(0) is None
    assert [reading.text for reading in store.history(0)] == ["show-through"]


def test_a_second_try_that_is_not_better_stands_beside_the_first(store):
    first = store.save_read(0, reading=machine("first"), state=LOOK, reasons=(Reason.LOOP_CUT,))
    second = machine("second", date=NOON + DAY)
    page = store.save_read(0, reading=second, state=READ, make_current=False)
    assert replace(page, seconds=0) == replace(first, seconds=0)
    assert [reading.text for reading in store.history(0)] == ["second", "first"]


def test_a_page_cut_by_a_stop_never_replaces_a_whole_one(store):
    store.save_read(0, reading=machine("all of it"), state=READ)
    page = store.save_read(0, reading=machine("all"), state=LOOK, reasons=(Reason.STOPPED,))
    assert (page.state, page.reasons, text_of(store, 0)) == (READ, (), "all of it")
    store.save_read(1, reading=machine("a"), state=LOOK, reasons=(Reason.STOPPED,))
    store.save_read(1, reading=machine("a b"), state=LOOK, reasons=(Reason.STOPPED,))
    assert text_of(store, 1) == "a b"


def test_nothing_is_ever_stored_as_being_read(store):
    with pytest.raises(AssertionError):
        store.save_read(0, reading=None, state=PageState.READING)
    assert store.page(0).state is UNREAD


def test_an_order_that_fails_half_way_leaves_nothing_behind_and_the_next_works(store):
    with pytest.raises(AssertionError):
        store.set_state([0, 1, 99], PROOFREAD)
    assert {page.state for page in store.book().pages} == {UNREAD}
    assert store.save_read(0, reading=machine("all of it"), state=READ).state is READ


# --- by hand ---------------------------------------------------------------------------------


def test_a_machine_never_takes_the_place_of_a_person(store):
    store.save_read(0, reading=machine("tbe"), state=LOOK, reasons=(Reason.LOW_CONFIDENCE,))
    by_hand = correct(store, 0, "the")
    page = store.save_read(0, reading=machine("tne"), state=READ, seconds=3)
    assert page == replace(by_hand, seconds=3)
    assert page.by_hand
    page = store.save_read(
        0, reading=None, state=FAILED, failure=SourceError("page_zero_size", page=1)
    )
    assert (page.state, text_of(store, 0)) == (LOOK, "the")
    assert {reading.text for reading in store.history(0)} == {"tbe", "the", "tne"}


def test_a_machine_never_takes_the_place_of_an_accepted_text(store):
    store.save_read(0, reading=machine("accepted as it is"), state=READ)
    store.set_state([0], PROOFREAD)
    page = store.save_read(0, reading=machine("another"), state=READ)
    assert (page.state, page.by_hand, text_of(store, 0)) == (PROOFREAD, False, "accepted as it is")


def test_an_empty_block_nobody_typed_into_gives_way_to_a_machine(store):
    empty = Reading((Region(Kind.TEXT, ""),), Source("hand", NOON, person="Aldus"))
    assert store.save_hand(0, empty, correction=None).state is UNREAD
    page = store.save_read(0, reading=machine("read after all"), state=READ)
    assert (page.state, text_of(store, 0)) == (READ, "read after all")


@pytest.mark.parametrize("state", [UNREAD, FAILED, BLANK])
def test_text_typed_on_a_page_without_text_makes_it_a_page_with_text(store, state):
    failure = SourceError("page_zero_size", page=1) if state is FAILED else None
    store.save_read(0, reading=None, state=state, failure=failure)
    text = Reading((Region(Kind.TEXT, "typed"),), Source("hand", NOON))
    page = store.save_hand(0, text, correction=None)
    assert (page.state, page.failure, page.by_hand) == (READ, "", True)


def test_corrections_of_one_sitting_go_into_one_reading(store):
    store.save_read(0, reading=machine("tbe quick fux"), state=READ)
    first = correct(store, 0, "the quick fux")
    second = correct(store, 0, "the quick fox", after=timedelta(minutes=2))
    assert first.reading_id == second.reading_id
    assert [reading.text for reading in store.history(0)] == ["the quick fox", "tbe quick fux"]
    assert store.history(0)[0].source == Source("hand", NOON + timedelta(minutes=2), person="Aldus")


def test_the_open_reading_is_still_open_after_closing_the_book(store):
    store.save_read(0, reading=machine("tbe fux"), state=READ)
    first = correct(store, 0, "the fux")
    with reopened(store) as again:
        second = correct(again, 0, "the fox", after=timedelta(hours=23))
        assert first.reading_id == second.reading_id


def begin_anew(store: BookStore, why: str) -> dict:
    """Do what ends a reading by hand; what the next correction is made with."""
    match why:
        case "accepted":
            store.set_state([0], PROOFREAD)
        case "accepted and taken back":
            store.set_state([0], PROOFREAD)
            store.unaccept([0])
        case "another reading taken":
            mine = store.page(0).reading_id
            store.make_current(0, store.history(0)[-1].id)
            store.make_current(0, mine)
        case "another person":
            return {"person": "Manutius"}
        case "a day passed":
            return {"after": timedelta(days=1, minutes=2)}
    return {}


@pytest.mark.parametrize(
    "why",
    [
        "accepted",
        "accepted and taken back",
        "another reading taken",
        "another person",
        "a day passed",
    ],
)
def test_a_new_reading_by_hand_begins_and_the_one_before_stays(store, why):
    store.save_read(0, reading=machine("tbe fux"), state=READ)
    first = correct(store, 0, "the fux")
    second = correct(store, 0, "the fox", **begin_anew(store, why))
    assert second.reading_id != first.reading_id
    assert store.reading(first.reading_id).text == "the fux"
    assert text_of(store, 0) == "the fox"


def test_text_typed_on_an_accepted_page_that_was_never_read_makes_it_read_by_a_machine(store):
    store.set_state([0], PROOFREAD)
    text = Reading((Region(Kind.TEXT, "typed"),), Source("hand", NOON))
    store.save_hand(0, text, correction=None)
    store.unaccept([0])
    page = store.save_read(0, reading=machine("read"), state=LOOK, reasons=(Reason.LOOP_CUT,))
    assert (page.state, page.reasons, text_of(store, 0)) == (READ, (), "typed")


# --- undo ------------------------------------------------------------------------------------


def test_undo_and_redo_survive_closing(store):
    reading = machine("tbe quick fux")
    store.save_read(0, reading=reading, state=READ)
    correct(store, 0, "the quick fux")
    correct(store, 0, "the quick fox")
    store = reopened(store)
    assert undone(store, 0).text == "the quick fux"
    store = reopened(store)
    assert undone(store, 0).regions == reading.regions
    assert store.undo(0) is None
    store = reopened(store)
    assert redone(store, 0).text == "the quick fux"
    assert redone(store, 0).text == "the quick fox"
    assert store.redo(0) is None
    store.close()


def test_a_new_correction_drops_those_taken_back(store):
    store.save_read(0, reading=machine("a"), state=READ)
    for text in ("ab", "abc", "abcd"):
        correct(store, 0, text)
    store.undo(0)
    store.undo(0)
    correct(store, 0, "abx")
    assert store.redo_of(0) == ()
    assert [each.after.text for each in store.undo_of(0)] == ["abx", "ab"]
    assert store.redo(0) is None


def test_undo_goes_on_behind_an_acceptance_and_leaves_the_accepted_reading_alone(store):
    store.save_read(0, reading=machine("tbe fux"), state=READ)
    correct(store, 0, "the fux")
    accepted = correct(store, 0, "the fox")
    store.set_state([0], PROOFREAD)
    reading = undone(store, 0)
    assert reading.text == "the fux"
    assert reading.id != accepted.reading_id
    assert [each.after.text for each in store.redo_of(0)] == ["the fox"]
    store.make_current(0, accepted.reading_id)
    assert [each.after.text for each in store.undo_of(0)] == ["the fox", "the fux"]
    assert store.redo_of(0) == ()


def test_there_is_nothing_to_undo_in_a_reading_by_machine(store):
    assert store.undo(0) is None
    store.save_read(0, reading=machine("tbe"), state=READ)
    correct(store, 0, "the")
    store.make_current(0, store.history(0)[-1].id)
    assert store.undo(0) is None
    assert text_of(store, 0) == "tbe"


def test_undo_never_touches_a_text_that_is_not_as_the_correction_left_it(store):
    store.save_read(0, reading=machine("tbe"), state=READ)
    correct(store, 0, "the")
    other, _correction = typed(machine("the"), "quite another text")
    store.save_hand(0, other, correction=None)
    assert store.undo(0) is None
    assert text_of(store, 0) == "quite another text"


def test_undo_by_another_person_is_a_reading_of_theirs(store):
    store.save_read(0, reading=machine("tbe"), state=READ)
    first = correct(store, 0, "the", person="Aldus")
    stepped = store.undo(0, person="Manutius")
    assert stepped is not None
    assert stepped[1].source.person == "Manutius"
    assert stepped[1].id != first.reading_id
    assert store.reading(first.reading_id).text == "the"


def test_any_walk_of_corrections_undo_and_redo_ends_where_a_plain_list_says(store):
    """The journal against the simplest thing that does the same, the book closed now and then."""
    store.save_read(0, reading=machine("0"), state=READ)
    texts, at, rng = ["0"], 0, random.Random(7)
    for step in range(1, 120):
        match rng.choice(["type", "type", "undo", "redo", "close", "accept"]):
            case "type":
                texts[at + 1 :] = [f"{step}"]
                at += 1
                correct(store, 0, f"{step}")
            case "undo":
                assert (store.undo(0) is None) == (at == 0)
                at = max(at - 1, 0)
            case "redo":
                assert (store.redo(0) is None) == (at == len(texts) - 1)
                at = min(at + 1, len(texts) - 1)
            case "close":
                store = reopened(store)
            case "accept":
                store.set_state([0], PROOFREAD)
        assert text_of(store, 0) == texts[at]
    store.close()


# --- states and readings ---------------------------------------------------------------------


def test_an_acceptance_taken_back_gives_the_state_before_with_its_reasons(store):
    store.save_read(0, reading=machine("a"), state=LOOK, reasons=(Reason.MISSING_INK,))
    store.save_read(1, reading=machine("b"), state=READ)
    accepted = store.set_state([0, 1], PROOFREAD)
    assert [page.state for page in accepted] == [PROOFREAD, PROOFREAD]
    assert accepted[0].reasons == ()
    correct(store, 0, "typed after accepting")
    with reopened(store) as again:
        back = again.unaccept([0, 1])
        assert [(page.state, page.reasons) for page in back] == [
            (LOOK, (Reason.MISSING_INK,)),
            (READ, ()),
        ]
        assert text_of(again, 0) == "typed after accepting"
        assert again.unaccept([0])[0].state is LOOK, "there is nothing more to take back"


def test_a_page_said_to_be_blank_has_no_text_until_that_is_taken_back(store):
    store.save_read(0, reading=machine("show-through"), state=LOOK, reasons=(Reason.MAYBE_BLANK,))
    (page,) = store.set_state([0], BLANK)
    assert (page.state, page.reasons, page.reading_id) == (BLANK, (), 0)
    assert store.current(0) is None
    store.set_state([0], PROOFREAD)
    assert store.unaccept([0])[0].state is BLANK
    (page,) = store.unaccept([0])
    assert (page.state, page.reasons) == (LOOK, (Reason.MAYBE_BLANK,))
    assert text_of(store, 0) == "show-through"


def test_a_failure_is_known_again_when_an_acceptance_is_taken_back(store):
    failure = SourceError("page_zero_size", page=1)
    failed = store.save_read(0, reading=None, state=FAILED, failure=failure)
    store.set_state([0], PROOFREAD)
    assert store.unaccept([0]) == (failed,)


def test_any_earlier_reading_can_be_taken_with_its_state_and_the_others_stay(store):
    first = store.save_read(0, reading=machine("one"), state=LOOK, reasons=(Reason.LOOP_CUT,))
    second = store.save_read(0, reading=machine("two", date=NOON + DAY), state=READ)
    third = correct(store, 0, "three", after=2 * DAY)
    assert [reading.text for reading in store.history(0)] == ["three", "two", "one"]
    page = store.make_current(0, first.reading_id)
    assert (page.state, page.reasons, page.by_hand) == (LOOK, (Reason.LOOP_CUT,), False)
    page = store.make_current(0, third.reading_id)
    assert (page.state, page.reasons, page.by_hand) == (READ, (), True)
    assert store.make_current(0, second.reading_id).reading_id == second.reading_id
    assert [reading.text for reading in store.history(0)] == ["three", "two", "one"]


def test_taking_another_reading_takes_an_acceptance_back(store):
    first = store.save_read(0, reading=machine("one"), state=READ)
    store.save_read(0, reading=machine("two"), state=READ)
    store.set_state([0], PROOFREAD)
    assert store.make_current(0, first.reading_id).state is READ


def test_a_reading_of_another_page_cannot_be_taken(store):
    other = store.save_read(1, reading=machine("one"), state=READ)
    with pytest.raises(AssertionError):
        store.make_current(0, other.reading_id)
    assert store.current(0) is None


# --- the book --------------------------------------------------------------------------------


def test_details_view_source_and_page_infos_survive_closing(store, tmp_path):
    store.set_details_asked()
    assert store.book().details_asked
    store.set_details(Details(title="Opera", direction="ltr"))
    store.set_view({"page": 2, "zoom": 1.5, "splitters": [300, 700]})
    store.set_source((tmp_path / "moved \udcff.pdf",), "other")
    page = store.set_page_info(2, PageSize(100, 200, None), "image", label="iii")
    with reopened(store) as again:
        book = again.book()
        assert book.details == Details(title="Opera", direction="ltr")
        assert book.details_asked
        assert (book.paths, book.fingerprint) == ((tmp_path / "moved \udcff.pdf",), "other")
        assert again.view() == {"page": 2, "zoom": 1.5, "splitters": [300, 700]}
        assert (
            again.page(2)
            == page
            == Page(2, label="iii", size=PageSize(100, 200), fingerprint="image")
        )
        assert again.set_page_info(2, PageSize(100, 200), "image") == page, "the label stays"


def test_pages_come_with_their_readings_in_the_order_asked_for(store):
    store.save_read(0, reading=machine("zero"), state=READ)
    store.save_read(2, reading=machine("two"), state=READ)
    with store.reader() as reader:
        found = [
            (page.number, reading and reading.text) for page, reading in reader.currents((2, 1, 0))
        ]
    assert found == [(2, "two"), (1, None), (0, "zero")]


def test_pages_that_got_other_numbers_keep_their_readings(store):
    for number, text in enumerate(("zero", "one", "two")):
        store.save_read(number, reading=machine(text), state=READ)
    correct(store, 1, "uno")
    pages = [Page(number, name=f"{number}.tif") for number in range(4)]
    stored = store.set_pages(pages, was={0: 2, 2: 1, 3: 0})
    assert [text_of(store, page.number) for page in stored] == ["two", None, "uno", "zero"]
    assert [page.name for page in stored] == ["0.tif", "1.tif", "2.tif", "3.tif"]
    assert undone(store, 2).text == "one"


def test_what_was_known_of_an_image_is_not_forgotten_for_what_is_not(store):
    known = store.set_page_info(0, PageSize(10, 20, 300.0), "image", label="i")
    (page, *_others) = store.set_pages([Page(0, name="new name"), Page(1)])
    assert page == replace(known, name="new name")
    (page,) = store.set_pages([Page(0, label="1", size=PageSize(5, 6), fingerprint="other")])
    assert (page.label, page.size, page.fingerprint) == ("1", PageSize(5, 6), "other")


def test_no_page_with_a_text_is_dropped_from_a_book(store):
    store.save_read(1, reading=machine("read"), state=READ)
    store.save_read(2, reading=machine("blank?"), state=READ)
    store.set_state([2], BLANK)
    stored = store.set_pages([Page(0)], was={})
    assert [(page.number, page.state) for page in stored] == [(0, UNREAD), (1, READ), (2, BLANK)]
    assert text_of(store, 1) == "read"
    assert store.set_pages([Page(0), Page(1)]) == stored


def test_a_copy_is_one_file_that_holds_everything(store, tmp_path):
    store.save_read(0, reading=machine("tbe"), state=READ)
    correct(store, 0, "the")
    path = tmp_path / "copy of it.incunable"
    path.write_text("an older copy")
    store.save_copy(path)
    assert sorted(each.name for each in tmp_path.glob("copy*")) == ["copy of it.incunable"]
    assert path.read_bytes()[18:20] == b"\x01\x01", "needs no files beside it"
    with BookStore.open(path, read_only=True) as copy:
        assert copy.book() == store.book()
        assert copy.history(0) == store.history(0)
    with BookStore.open(path) as copy:
        assert undone(copy, 0).text == "tbe"
    assert text_of(store, 0) == "the"


def test_a_copy_that_cannot_be_written_is_said(store, tmp_path):
    with pytest.raises(StoreError) as caught:
        store.save_copy(tmp_path / "no such folder" / "copy.incunable")
    assert caught.value.code == "store_unwritable"


def test_three_thousand_finished_pages_are_back(tmp_path):
    path = large_book(tmp_path / "book.sqlite", pages=3000)
    with BookStore.open(path) as store:
        book = store.book()
    assert len(book.pages) == 3000
    assert {(page.state, page.by_hand) for page in book.pages} == {(READ, False)}
