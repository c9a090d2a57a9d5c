from __future__ import annotations

import pytest

from app.answers import CorrectionStored
from app.book import PageState
from app.doubting import PagesJudged
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import machine
from model.api import Span

pytestmark = pytest.mark.unit


def with_scores(text, scores):
    """A reading of one block whose words have these scores; the others are sure."""
    from dataclasses import replace

    reading = machine(text)
    region = reading.regions[0]
    words = tuple(
        word._replace(score=scores.get(text[word.start : word.end], 0.99)) for word in region.words
    )
    return replace(reading, regions=(replace(region, words=words),))


@pytest.fixture
def desk(tmp_path):
    scan = make_scan(tmp_path / "scan", 3)
    with Desk() as desk:
        desk.open(scan)
        pages = [
            with_scores("the old bock of the house", {"bock": 0.2}),
            with_scores("a tale of two cifies and of a bock", {"cifies": 0.3, "bock": 0.4}),
            with_scores("nothing to be said here", {}),
        ]
        for number, reading in enumerate(pages):
            on_store(desk, desk.store.save_read, number, reading=reading, state=PageState.READ)
        yield desk


def on_store(desk, function, *values, **named):
    return desk.session._workers.store.submit(function, *values, **named).result(timeout=10)


def build(desk):
    # the values of the pages as stored, as a run would have told them
    desk.session.shown.put_pages(on_store(desk, desk.store.book).pages)
    desk.session.doubts.build()
    desk.wait_for(PagesJudged, when=lambda _event: not desk.session.doubts.is_building)
    desk.settle()


def words(desk):
    return [doubt.word for doubt in desk.session.doubts.queue]


def test_the_words_of_the_whole_book_are_ranked(desk):
    build(desk)
    doubts = desk.session.doubts
    assert sorted(words(desk)) == ["bock", "bock", "cifies"]
    assert doubts.progress == 1
    assert doubts.left == 3


def test_next_turns_the_page_and_accept_goes_on(desk):
    build(desk)
    doubts = desk.session.doubts
    doubts.next()
    assert desk.session.page == doubts.at.page
    first = doubts.at
    doubts.accept()
    assert first not in doubts.queue
    assert doubts.left == 2
    assert doubts.found_share == 0
    doubts.previous()
    assert doubts.at == first
