"""Who has proofread a page in which round, and whose turn it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.book import Acceptance, Details, Page, PageState
from app.rounds import accepted_text, round_text, rounds_of, wants
from app.store.database import BookStore
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import book_of, machine

pytestmark = pytest.mark.unit

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
PROOFREAD = PageState.PROOFREAD


@pytest.fixture
def store(tmp_path: Path) -> Iterator[BookStore]:
    with BookStore.create(tmp_path / "book.sqlite", book_of(2)) as store:
        store.save_read(0, reading=machine("one"), state=PageState.READ)
        yield store


def who(store: BookStore, page: int = 0) -> list[str]:
    return [each.person for each in store.page(page).acceptances]


def test_each_round_is_kept_with_person_and_date(store):
    store.set_state([0], PROOFREAD, person="Anna")
    store.set_state([0], PROOFREAD, person="Bert")
    store.set_state([0], PROOFREAD, person="Bert")
    page = store.page(0)
    assert who(store) == ["Anna", "Bert"]
    assert all(each.date is not None for each in page.acceptances)
    assert rounds_of(page) == 2
    assert store.book().pages[0] == page


def test_taking_back_takes_the_last_round(store):
    store.set_state([0], PROOFREAD, person="Anna")
    store.set_state([0], PROOFREAD, person="Bert")
    (page,) = store.unaccept([0])
    assert (page.state, who(store)) == (PROOFREAD, ["Anna"])
    (page,) = store.unaccept([0])
    assert (page.state, who(store)) == (PageState.READ, [])
    (page,) = store.unaccept([0])
    assert (page.state, who(store)) == (PageState.READ, [])


def test_another_text_was_proofread_by_nobody(store):
    store.set_state([0], PROOFREAD, person="Anna")
    store.save_read(0, reading=machine("two"), state=PageState.READ)
    store.make_current(0, store.history(0)[0].id)
    page = store.page(0)
    assert (page.state, page.acceptances) == (PageState.READ, ())


def test_pages_accepted_before_rounds_were_kept_count_as_one(store, tmp_path):
    store.set_state([0], PROOFREAD)
    store.close()
    with sqlite3.connect(tmp_path / "book.sqlite") as db:
        db.execute("UPDATE acceptance SET person = '', date = ''")
    db.close()
    with BookStore.open(tmp_path / "book.sqlite") as again:
        page = again.page(0)
        assert page.acceptances == (Acceptance("", None),)
        assert (rounds_of(page), accepted_text(page)) == (1, "")
        assert wants(page, "Bert", rounds=2)
        assert not wants(page, "Bert", rounds=1)


def test_the_number_of_rounds_is_a_detail_of_the_book(store):
    store.set_details(Details(title="Opera", rounds=2))
    assert store.book().details.rounds == 2


def test_a_page_waits_for_those_who_have_not_seen_it():
    once = Page(0, state=PROOFREAD, acceptances=(Acceptance("Anna", NOON),))
    assert not wants(once, "Anna", rounds=2)
    assert wants(once, "Bert", rounds=2)
    assert not wants(once, "Bert", rounds=1)
    assert wants(Page(0, state=PageState.READ), "Anna", rounds=1)
    assert not wants(Page(0, state=PageState.BLANK), "Anna", rounds=3)


def test_a_page_says_who_has_seen_it_and_how_far_it_is():
    page = Page(0, state=PROOFREAD, acceptances=(Acceptance("Anna", NOON), Acceptance("", NOON)))
    assert accepted_text(page) == "Anna, 2026-11-03; 2026-11-03"
    assert round_text(page, rounds=3) == "round 2 of 3"
    assert round_text(page, rounds=1) == ""


def test_a_second_person_is_led_through_the_pages_of_the_first(tmp_path):
    with Desk() as desk:
        desk.open(make_scan(tmp_path / "scan", 3))
        desk.read()
        desk.session.catalogue.set_details(Details(rounds=2))
        desk.session.proofs.person = "Anna"
        desk.session.proofs.accept((0, 1, 2))
        desk.settle()
        assert desk.session.next_for_me(0) is None
        desk.session.proofs.person = "Bert"
        assert desk.session.next_for_me(0) == 1
        desk.session.proofs.accept((1,))
        desk.settle()
        assert desk.session.next_for_me(0) == 2
        assert [rounds_of(page) for page in desk.book.pages] == [1, 2, 1]
