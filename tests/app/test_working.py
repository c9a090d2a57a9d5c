"""How long a person is at work on each page, and what is foretold from it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Acceptance, Book, Details, Page, PageState
from app.progress import ENOUGH_PAGES, Progress, progress_of
from app.store.work import Effort
from app.working import IDLE_S, WorkLoaded
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit

NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)


class Clock:
    """Tells the time that a test sets."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with Desk() as desk:
        desk.session.working.clock = clock
        desk.open(make_scan(tmp_path / "scan", 3))
        desk.read()
        desk.session.proofs.person = "Anna"
        desk.session.working.touch()
        yield desk


def wait(desk: Desk, clock: Clock, *spans_s: float) -> None:
    """Signs of life after so many seconds each."""
    for span_s in spans_s:
        clock.now_s += span_s
        desk.session.working.touch()


def spent(desk: Desk) -> dict[int, tuple[float, int]]:
    desk.session.working.load()
    loaded: WorkLoaded = desk.wait_for(WorkLoaded)
    assert all(each.person == "Anna" for each in loaded.efforts)
    return {each.page: (each.seconds, each.edits) for each in loaded.efforts}


def test_the_time_between_signs_of_life_counts(desk, clock):
    wait(desk, clock, 10, 20, 5)
    assert spent(desk) == {0: (35, 0)}


def test_after_a_minute_without_any_the_clock_stands_still(desk, clock):
    wait(desk, clock, 10, 3600, 10)
    assert spent(desk) == {0: (20 + IDLE_S, 0)}


def test_each_page_has_its_own_time(desk, clock):
    wait(desk, clock, 10)
    desk.session.turn_to(2)
    wait(desk, clock, 5, 7)
    desk.session.turn_to(0)
    wait(desk, clock, 1, 2)
    assert spent(desk) == {0: (17, 0), 2: (8, 0)}


def test_corrections_are_counted(desk, clock):
    desk.session.turn_to(0)
    desk.settle()
    desk.session.proofs.correct(0, 0, "one")
    desk.settle()
    desk.session.turn_to(1)
    wait(desk, clock, 3)
    desk.session.proofs.correct(0, 0, "two")
    desk.settle()
    assert spent(desk) == {0: (3, 2)}


def test_what_was_spent_is_kept_with_the_book(desk, clock):
    wait(desk, clock, 10)
    desk.session.close_book()
    scan = next(event for event in desk.seen if hasattr(event, "opened")).opened.book.paths[0]
    desk.open(scan)
    desk.session.working.touch()
    wait(desk, clock, 5)
    assert spent(desk) == {0: (15, 0)}


def proofread(count: int, *, of: int = 100, rounds: int = 1) -> Book:
    pages = [
        Page(
            number,
            state=PageState.PROOFREAD,
            acceptances=(Acceptance("Anna", NOON + timedelta(minutes=number)),),
        )
        for number in range(count)
    ]
    rest = [Page(number, state=PageState.READ) for number in range(count, of)]
    return Book("b", (), "f", Details(rounds=rounds), (*pages, *rest))


def test_nothing_is_foretold_before_five_pages():
    efforts = [Effort(page, "Anna", 60.0, 2) for page in range(ENOUGH_PAGES)]
    before = progress_of(proofread(4), efforts)
    assert (before.seconds_a_page, before.seconds_left) == (60, None)
    assert progress_of(proofread(5), efforts).seconds_left == 95 * 60


def test_the_last_pages_tell_how_long_one_takes():
    efforts = [Effort(page, "Anna", 300.0 if page < 30 else 40.0, page) for page in range(50)]
    progress = progress_of(proofread(50), efforts)
    assert (progress.seconds_a_page, progress.seconds_left) == (40, 50 * 40)
    assert progress.edits_a_page == 39.5
    assert progress.shares[0].pages == 50


def test_rounds_count_and_blank_pages_do_not():
    book = proofread(10, of=20, rounds=2)
    blank = Page(20, state=PageState.BLANK)
    book = Book("b", (), "f", book.details, (*book.pages, blank))
    progress = progress_of(book, [Effort(page, "Anna", 10.0, 0) for page in range(10)])
    assert (progress.rounds_done, progress.rounds_in_all) == (10, 40)
    assert progress.seconds_left == 300


def test_a_book_that_nobody_has_worked_at():
    assert progress_of(proofread(0, of=3), []) == Progress(0, 3, 0, None, None, None)


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0.1, 900)), max_size=30), st.integers(0, 10))
def test_what_is_foretold_lies_between_the_quickest_and_the_slowest(spent, done):
    efforts = [Effort(page, "Anna", seconds, 0) for page, seconds in spent]
    progress = progress_of(proofread(done, of=10), efforts)
    assert progress.rounds_done == done
    if progress.seconds_left is not None:
        total: dict[int, float] = {}
        for page, seconds in spent:
            total[page] = total.get(page, 0) + seconds
        left = 10 - done
        assert min(total.values()) * left <= progress.seconds_left + 1e-6
        assert progress.seconds_left <= max(total.values()) * left + 1e-6
