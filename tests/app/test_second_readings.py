from __future__ import annotations

from dataclasses import replace

import pytest

from app.answers import CorrectionStored, PagesStored, ReadingLoaded, WordsPlaced
from app.book import PageState
from app.desk.part import part_of
from app.errors import EngineError
from app.events import Finished, PageFinished
from app.reader import BesideEnd
from app.second_readings import Compared, Offer
from model.api import Block, Box, Engine, Kind, Span
from model.fake import FakeRecogniser
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit

ROOM = Box(10, 50, 400, 300)
LINES = Offer(Engine.LINE_READER)


@pytest.fixture
def scan(tmp_path):
    return make_scan(tmp_path / "scan", 3)


def named(engine, text, *, pace=None, modes=("script",)):
    class Named(FakeRecogniser):
        def __init__(self, *args, **how):
            super().__init__(*args, **how)
            self.seen: list[tuple[int, ...]] = []
            self.asked: list[str | None] = []

        @property
        def source(self):
            return replace(super().source, engine=engine)

        def read(self, images, stop, *, mode=None):
            self.asked.append(mode)

            def watched():
                for image in images:
                    self.seen.append(image.pixels.shape)
                    yield image

            return super().read(watched(), stop, mode=mode)

    box = ROOM if engine == "line-reader" else None  # of all that is printed
    return Named(lambda _page: [Block(Kind.TEXT, text, box)], pieces_per_s=pace, modes=modes)


def desk_of(first, second):
    desk = Desk()
    desk.session.runs._reader._load = lambda choice: (
        second() if choice.engine is Engine.LINE_READER else first()
    )
    desk.session.set_settings(replace(desk.session.settings, engine=Engine.READER))
    return desk


@pytest.fixture
def desk(scan):
    first, second = named("reader", "the old hoxse"), named("line-reader", "tbe old house")
    with desk_of(lambda: first, lambda: second) as desk:
        vars(desk)["second"] = second  # for tests that look at it
        desk.open(scan)
        desk.read(0)
        yield desk


def differences(desk):
    return [(each.left, each.right) for each in desk.session.second.at.found]


def test_a_page_is_read_once_more_and_its_text_stays_until_something_is_taken(desk):
    before = desk.book.pages[0]
    desk.session.second.read(0, LINES)
    desk.wait_for(Compared)
    assert desk.book.pages[0] == before
    assert desk.reading(0).text == "the old hoxse"
    assert differences(desk) == [("the", "tbe"), ("hoxse", "house")]
    kept = desk.session._workers.store.submit(desk.store.history, 0).result()
    assert [each.source.engine.engine for each in kept] == ["line-reader", "reader"]


def test_differences_are_settled_one_by_one_and_each_can_be_undone(desk):
    second = desk.session.second
    second.read(0, LINES)
    desk.wait_for(Compared)
    second.take(second.at.found[0], "left")
    assert differences(desk) == [("hoxse", "house")]
    second.take(second.at.found[0], "right")
    assert desk.reading(0).text == "the old house"
    desk.wait_for(CorrectionStored)
    desk.wait_for(Compared)
    assert differences(desk) == []  # what was left as it is does not come again
    desk.session.proofs.undo(0)
    desk.wait_for(PagesStored)
    assert desk.reading(0).text == "the old hoxse"


@pytest.mark.parametrize(
    ("choice", "text"),
    [("right", "tbe old house"), ("both", "the tbe old hoxse house"), ("left", "the old hoxse")],
)
def test_a_whole_page_is_settled_as_one_correction(desk, choice, text):
    second = desk.session.second
    second.read(0, LINES)
    desk.wait_for(Compared)
    second.take_page(choice)
    assert desk.reading(0).text == text
    assert differences(desk) == []
    if choice != "left":
        desk.wait_for(CorrectionStored)
        desk.session.proofs.undo(0)
        desk.wait_for(PagesStored, when=lambda event: event.reading is not None)
        assert desk.reading(0).text == "the old hoxse"


def test_an_area_alone_is_given_to_the_engine_and_is_no_reading_of_the_page(desk):
    area = Box(100, 60, 220, 110)
    desk.session.second.read(0, LINES, area)
    desk.wait_for(Compared)
    height, width, _ = desk.second.seen[-1]
    assert (width, height) == (120 + 24, 50 + 24)
    other = desk.session.second.at.other
    assert part_of(other) == area
    assert other.regions[0].box.left >= ROOM.left + 88  # where the area is on the page
    readers = desk.session._workers.store.submit(desk.store.machine_texts, 0).result()
    assert [each.reader.split()[0] for each in readers] == ["reader"]


def test_another_mode_is_told_with_the_reading(scan):
    engine = named("reader", "a text", modes=("parallel", "tiled"))
    with desk_of(lambda: engine, lambda: engine) as desk:
        desk.open(scan)
        desk.session.second.read(0, Offer(Engine.READER, in_other_mode=True))
        end = desk.wait_for(BesideEnd)
        assert engine.asked == ["tiled"]
        assert end.reading.source.engine.mode == "tiled"
        assert desk.book.pages[0].state is PageState.UNREAD
        desk.wait_for(Compared)
        desk.session.second.take_page("right")
        assert not desk.session.is_editable(0)  # there is no text to correct yet


def test_words_that_it_placed_come_to_a_text_by_hand_that_knew_none(scan):
    text = "in an old house"
    spans = [Span(0, 2, Box(20, 60, 40, 76)), Span(6, 9, Box(80, 60, 110, 76))]

    def second():
        lines = [Block(Kind.TEXT, text, ROOM, words=tuple(spans))]
        return FakeRecogniser(lambda _page: lines)

    with desk_of(lambda: named("reader", "in an odd hoxse"), second) as desk:
        desk.open(scan)
        desk.read(0)
        proofs = desk.session.proofs
        for typed in ("in an odd house", text):
            proofs.correct(0, 0, typed)
            desk.wait_for(CorrectionStored)
        desk.session.second.read(0, LINES)
        desk.wait_for(WordsPlaced, when=lambda event: event.reading.regions[0].words)
        placed = {word.start: (word.box, word.origin) for word in desk.reading(0).regions[0].words}
        assert placed == {span.start: (span.box, "exact") for span in spans}
        proofs.correct(0, 0, "in an old houſe")  # the store learns of the places with this
        desk.wait_for(CorrectionStored)
        for undone in (text, "in an odd house", "in an odd hoxse"):
            proofs.undo(0)
            desk.wait_for(PagesStored, when=lambda event: event.reading is not None)
            assert desk.reading(0).text == undone
            assert desk.reading(0).regions[0].words[-1].box == spans[-1].box
        for again in ("in an odd house", text, "in an old houſe"):
            proofs.redo(0)
            desk.wait_for(PagesStored, when=lambda event: event.reading is not None)
            assert desk.reading(0).text == again


def test_words_are_placed_in_a_text_by_hand_that_is_opened_anew(scan):
    spans = (Span(0, 2, Box(20, 60, 40, 76)),)

    def second():
        return FakeRecogniser(
            lambda _page: [Block(Kind.TEXT, "in an old house", ROOM, words=spans)]
        )

    with desk_of(lambda: named("reader", "in an odd hoxse"), second) as desk:
        desk.open(scan)
        desk.read(0)
        desk.session.proofs.correct(0, 0, "in an old house")
        desk.wait_for(CorrectionStored)
        desk.session.second.read(0, LINES)
        desk.wait_for(BesideEnd)
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.wait_for(ReadingLoaded, when=lambda event: event.page == 0)
        assert desk.reading(0).source.by == "hand"
        assert [word.box for word in desk.reading(0).regions[0].words] == [spans[0].box]


def test_a_run_under_way_goes_on_and_is_read_before(scan):
    first = named("reader", "the old hoxse", pace=30)
    with desk_of(lambda: first, lambda: named("line-reader", "tbe old house")) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(PageFinished)
        desk.session.second.read(0, LINES)
        assert desk.session.second.waiting == 1
        assert isinstance(desk.wait_for_end(), Finished)
        assert [page.state.value for page in desk.book.pages] == ["read"] * 3
        assert desk.session.second.waiting == 1
        desk.wait_for(Compared)
        assert desk.session.second.waiting == 0


def test_an_engine_that_fails_is_told_and_the_page_stays(scan):
    def broken():
        raise EngineError("engine_failed", detail="no memory")

    with desk_of(lambda: named("reader", "the old hoxse"), broken) as desk:
        desk.open(scan)
        desk.read(0)
        desk.session.second.read(0, LINES)
        assert desk.wait_for(BesideEnd).error is not None
        assert desk.session.notices[-1].error.code == "engine_failed"
        assert (desk.session.second.waiting, desk.session.second.at) == (0, None)
        assert desk.reading(0).text == "the old hoxse"


def test_it_can_be_given_up(scan):
    with desk_of(
        lambda: named("reader", "a"), lambda: named("line-reader", "b", pace=0.01)
    ) as desk:
        desk.open(scan)
        desk.session.second.read(0, LINES)
        desk.session.second.give_up()
        assert desk.wait_for(BesideEnd).reading is None


def test_a_book_that_is_open_elsewhere_is_not_read(scan):
    with Desk() as owner:
        owner.open(scan)
        with Desk() as desk:
            desk.open(scan)
            desk.session.second.read(0, LINES)
            assert desk.session.second.waiting == 0
            assert desk.session.notices


def test_the_line_reader_is_always_offered_first(desk):
    assert desk.session.second.offers()[0] == LINES
