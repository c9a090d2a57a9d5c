"""Openings that meet with something else: another opening, a run that ends, a fault."""

from __future__ import annotations

import pytest

from app.answers import BookOpened, Faulted
from app.checking import BookChecked, BookJudged
from app.events import Finished
from app.pages import Priority
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit


@pytest.fixture
def scan(tmp_path):
    return make_scan(tmp_path / "scan", 2)


def told_until(desk: Desk, kind: type) -> list[object]:
    """What comes in the meantime, not taken in yet, as if the window were busy."""
    told: list[object] = []
    while not told or not isinstance(told[-1], kind):
        told.append(desk._events.get(timeout=10))
    return told


def test_a_book_opened_again_while_its_run_ends_may_be_written(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.session.close_book()
        desk.wait_for(Finished)
        desk.wait_for(BookChecked)
        late = told_until(desk, BookJudged)  # the last for which the book is held open
        desk.session.open((scan,))
        late += told_until(desk, BookOpened)
        for event in late:
            desk.session.apply(event)
        assert desk.book.paths == (scan,)
        assert not desk.session.read_only
        desk.wait_for(object, when=lambda _event: desk.session.reading(0) is not None)


def test_a_book_put_away_while_another_is_opened_is_let_go_when_that_is_open(scan, tmp_path):
    other = make_scan(tmp_path / "other", 1)
    with Desk() as desk:
        desk.open(scan)
        shown = desk.session.shown
        assert shown is not None
        desk.session.open((other,))
        desk.session.close_book()
        desk.wait_for(BookOpened)
        assert desk.book.paths == (other,)
        assert shown.images.page_info(0, priority=Priority.VISIBLE).cancelled()


def test_an_opening_that_ends_by_a_fault_is_not_waited_for(scan, monkeypatch):
    with Desk() as desk:
        with monkeypatch.context() as patch:
            patch.setattr("app.opening.open_pages", lambda *_given, **_more: 1 // 0)
            desk.session.open((scan,))
            fault = desk._events.get(timeout=10)
            assert isinstance(fault, Faulted)
        assert not desk.session.openings.is_under_way
        desk.open(scan)
        assert desk.session.openings.order is None
        assert desk.book.paths == (scan,)
