from __future__ import annotations

import gc
import threading
import weakref
from dataclasses import replace
from functools import partial

import pymupdf
import pytest

from app.answers import CorrectionStored, Done, PagesStored, ReadingLoaded
from app.book import PageState, Reason
from app.checking import BookJudged, ConcernsLoaded
from app.errors import UserFacing
from app.events import (
    Failed,
    Finished,
    MemoryMeasured,
    PageFinished,
    PageStarted,
    Paused,
    ReadBeside,
    Resumed,
    Stage,
    StageChanged,
    Started,
    Stopped,
    TextAdded,
)
from app.run_view import run_sentence
from app.sentences import sentence
from app.store.writing import verdict_with
from model.api import Block, Box, Engine, Kind, OutOfVram, PageEnd, PageUnreadable
from model.fake import FakeRecogniser, Wait
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import machine

pytestmark = pytest.mark.unit


@pytest.fixture
def scan(tmp_path):
    return make_scan(tmp_path / "scan", 6, blank=(3,))


def states(desk):
    return [page.state.value for page in desk.book.pages]


def texts(desk, count=6):
    for number in range(count):
        desk.session.turn_to(number)
        desk.settle()
    return [reading and reading.text for reading in map(desk.session.reading, range(count))]


def slow(**how):
    return lambda: FakeRecogniser(pieces_per_s=200, **how)


# --- reading ------------------------------------------------------------------------------------


def test_a_book_is_read_from_the_first_page_to_the_last(scan):
    with Desk() as desk:
        desk.open(scan)
        assert isinstance(desk.read(), Finished)
        assert states(desk) == ["read", "read", "read", "blank", "read", "read"]
        assert "leaf 6." in desk.reading(5).text.replace("\n", " ")


def test_a_run_tells_what_it_does_in_order(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        kinds = [type(event) for event in desk.seen]
        assert kinds.index(Started) < kinds.index(PageStarted) < kinds.index(TextAdded)
        assert kinds.count(PageFinished) == 6
        assert kinds.count(Finished) == 1
        assert MemoryMeasured in kinds


def test_streamed_text_becomes_the_reading(scan):
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(TextAdded)
        assert desk.session.page_at(0).state is PageState.READING
        assert not desk.session.is_editable(0)
        first = desk.session.stream(0)
        assert first
        desk.wait_for(PageFinished)
        assert desk.session.stream(0) is None
        assert desk.reading(0).regions[0].text.startswith(first[0].text)
        desk.session.runs.stop()
        desk.wait_for_end()


def test_stop_keeps_text_read_so_far_and_the_next_run_reads_that_page_again(scan):
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(TextAdded, when=lambda event: event.page == 1)
        desk.session.runs.stop()
        assert isinstance(desk.wait_for_end(), Stopped)
        page = desk.book.pages[1]
        assert (page.state, page.reasons) == (PageState.LOOK, (Reason.STOPPED,))
        assert desk.reading(1).text
        desk.read()
        assert states(desk) == ["read", "read", "read", "blank", "read", "read"]
        started = [event.page for event in desk.seen if isinstance(event, PageStarted)]
        assert started == [0, 1, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("said", ["blank", "proofread", "whole"])
def test_what_a_page_keeps_is_what_is_shown_when_it_is_read_again_and_stopped(scan, said):
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.settle()
        save = partial(desk.store.save_read, 0, reading=machine("a whole text"))
        page = desk.session._workers.store.submit(save, state=PageState.READ).result()
        desk.session.proofs.put_pages(desk.book.id, (page,))
        desk.session.proofs.take_changed(desk.book.id, (page,), shown=None)
        desk.session.proofs.load(0)
        order = {"blank": desk.session.proofs.mark_blank, "proofread": desk.session.proofs.accept}
        if said in order:
            order[said]((0,))
        desk.settle()
        desk.session.runs.start((0,), again=True)
        desk.wait_for(TextAdded)
        desk.session.runs.stop()
        desk.wait_for_end()
        with desk.store.reader() as reader:
            kept = reader.current(0)
        desk.settle()
        shown = desk.session.reading(0)
        assert (shown and shown.text) == (kept and kept.text)


def test_pause_holds_between_two_steps_and_stop_works_out_of_it(scan):
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(TextAdded)
        desk.session.runs.pause()
        desk.wait_for(Paused)
        assert desk.session.runs.view().state.value == "paused"
        desk.session.runs.resume()
        desk.wait_for(Resumed)
        desk.wait_for(TextAdded)
        desk.session.runs.pause()
        desk.wait_for(Paused)
        desk.session.runs.stop()
        assert isinstance(desk.wait_for_end(), Stopped)


def test_a_page_on_which_the_engine_fails_is_marked_and_the_run_goes_on(scan):
    with Desk(lambda: FakeRecogniser(fail_on={1: PageUnreadable("too faint")})) as desk:
        desk.open(scan)
        assert isinstance(desk.read(), Finished)
        page = desk.book.pages[1]
        assert (page.state, page.failure) == (PageState.FAILED, "page_failed")
        assert "too faint" in page.failure_detail
        assert states(desk)[2:] == ["read", "blank", "read", "read"]
        desk.read()  # the failed page, and only that one, is tried again
        assert states(desk)[1] == "read"


def test_an_engine_that_fails_on_page_after_page_ends_the_run(scan):
    broken = {number: RuntimeError("device lost") for number in range(6)}
    with Desk(lambda: FakeRecogniser(fail_on=broken)) as desk:
        desk.open(scan)
        end = desk.read()
        assert isinstance(end, Failed)
        assert end.error.code == "engine_failed"
        assert states(desk)[3:] == ["unread"] * 3
        assert desk.session.notices[-1].error is end.error


def test_an_undecodable_image_costs_its_page_only(scan):
    (scan / "p3.png").write_bytes((scan / "p3.png").read_bytes()[:60])
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        assert states(desk) == ["read", "read", "failed", "blank", "read", "read"]


@pytest.mark.parametrize("end", [PageEnd.CAP, PageEnd.LOOP, PageEnd.SECTIONS])
def test_a_page_that_was_cut_asks_for_a_look(scan, end):
    def script(page):
        yield Block(Kind.TEXT, "Some text")
        if page == 0:
            yield end

    with Desk(lambda: FakeRecogniser(script)) as desk:
        desk.open(scan)
        desk.read()
        assert states(desk)[:2] == ["look", "read"]


def test_a_doubtful_page_is_read_once_more_in_another_mode_and_the_better_is_current(scan):
    def script(page):
        yield Block(Kind.TEXT, "first try" if page == 0 else "second try")
        if page == 0:
            yield PageEnd.LOOP

    with Desk(lambda: FakeRecogniser(script, modes=("base", "tiled"))) as desk:
        desk.open(scan)
        desk.read(0)
        assert states(desk)[0] == "read"
        assert desk.reading(0).text == "second try"
        kept = desk.session._workers.store.submit(desk.store.history, 0).result()
        assert {reading.text for reading in kept} == {"first try", "second try"}


def nothing():
    return ()


def invented():
    bare = Box(270, 60, 390, 500)  # beside all print
    return (*FULL, Block(Kind.TEXT, "What is not there", bare))


def ended(end):
    return lambda: (*FULL, end)


SOME = "".join(f"{n * 29 + 5} words upon a leaf\n" for n in range(24))
FULL = (Block(Kind.TEXT, SOME, Box(25, 20, 399, 590)),)


@pytest.mark.parametrize("pages_at_once", [1, 3])
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (nothing, Reason.MAYBE_BLANK),
        (ended(PageEnd.SECTIONS), Reason.SECTIONS_DIFFER),
        (ended(PageEnd.LOOP), Reason.LOOP_CUT),
        (ended(PageEnd.CAP), Reason.CAP_REACHED),
        (invented, Reason.TEXT_WITHOUT_INK),
    ],
)
def test_every_guard_leads_to_one_retry_in_another_mode(scan, wrong, reason, pages_at_once):
    modes: list[str | None] = []

    class Watched(FakeRecogniser):
        def read(self, images, stop, *, mode=None):
            modes.append(mode)
            return super().read(images, stop, mode=mode)

    def script(page):
        return wrong() if page == 1 else _unalike(page)

    how = {"modes": ("base", "tiled"), "request_pages": pages_at_once}
    with Desk(lambda: Watched(script, **how)) as desk:
        desk.open(scan)
        desk.read(0, 1, 2)
        assert states(desk)[:3] == ["read"] * 3
        assert modes.count("tiled") == 1
        second, first = readings(desk, 1)
        engines = [each.source.engine for each in (first, second)]
        assert [engine and engine.mode for engine in engines] == ["base", "tiled"]
        told = desk.session._workers.store.submit(verdict_of, desk.store, first.id).result()
        assert reason in told


def _unalike(page):
    """Pages of a book do not have the same text."""
    line = f"Line {page} of {page * 7} the {page + 3} old book\n"
    text = line + "".join(f"{n * 31 + page} lines of leaf\n" for n in range(24))
    return (Block(Kind.TEXT, text, FULL[0].box),)


def verdict_of(store, reading_id):
    return verdict_with(store._db, 2, reading_id)[1]  # the second page's row


def test_the_images_of_doubtful_pages_are_not_kept_until_they_are_read_again(scan):
    alive: list[weakref.ref] = []  # of the images
    most = 0

    class Watched(FakeRecogniser):
        def read(self, images, stop, *, mode=None):
            def watched():
                nonlocal most
                for image in images:
                    alive.append(weakref.ref(image.pixels))
                    yield image
                    del image
                    gc.collect()
                    most = max(most, sum(ref() is not None for ref in alive))

            return super().read(watched(), stop, mode=mode)

    def script(_page):
        yield Block(Kind.TEXT, "Some text")
        yield PageEnd.LOOP

    with Desk(lambda: Watched(script, modes=("base", "tiled"), request_pages=6)) as desk:
        desk.open(scan)
        desk.read()
        assert len(alive) > 6  # each was read a second time
        assert most <= 2


def test_a_run_that_is_too_long_is_not_begun(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.session.set_settings(replace(desk.session.settings, max_pages=5))
        end = desk.read()
        assert isinstance(end, Failed)
        assert end.error.code == "run_too_long"
        assert "6 pages is longer than the 5" in sentence(end.error).happened
        assert set(states(desk)) == {"unread"}
        assert isinstance(desk.read(0, 1), Finished)


def test_several_pages_in_one_request_end_one_by_one(scan):
    with Desk(lambda: FakeRecogniser(request_pages=4)) as desk:
        desk.open(scan)
        desk.read()
        assert states(desk) == ["read", "read", "read", "blank", "read", "read"]


def test_too_little_memory_for_several_pages_is_answered_by_reading_them_singly(scan):
    with Desk(lambda: FakeRecogniser(request_pages=4, fail_on={1: OutOfVram("full")})) as desk:
        desk.open(scan)
        assert isinstance(desk.read(), Finished)
        assert states(desk) == ["read", "read", "read", "blank", "read", "read"]


def test_too_little_memory_for_one_page_ends_the_run_and_keeps_the_pages_before(scan):
    with Desk(lambda: FakeRecogniser(fail_on={2: OutOfVram("full")})) as desk:
        desk.open(scan)
        end = desk.read()
        assert isinstance(end, Failed)
        assert end.error.code == "out_of_memory"
        assert states(desk) == ["read", "read", "unread", "unread", "unread", "unread"]


def test_an_engine_that_cannot_be_loaded_says_so(scan):
    def no_engine():
        raise UserFacing("engine_unavailable", engine="x", detail="no driver")

    with Desk(no_engine) as desk:
        desk.open(scan)
        assert isinstance(desk.read(), Failed)
        assert desk.session.notices


def test_long_silence_does_not_hinder_a_stop(scan):
    with Desk(lambda: FakeRecogniser(lambda _page: [Wait(60)])) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(PageStarted)
        desk.session.runs.stop()
        assert isinstance(desk.wait_for_end(), Stopped)
        assert states(desk)[0] == "unread"


# --- resuming -----------------------------------------------------------------------------------


def test_a_book_opened_again_goes_on_where_it_stood(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read(0, 1, 2)
        desk.session.catalogue.remember_view({"page": 2})
    with Desk() as desk:
        desk.open(scan)
        assert desk.session.page == 2
        assert states(desk) == ["read", "read", "read", "unread", "unread", "unread"]
        desk.read()
        started = [event.page for event in desk.seen if isinstance(event, PageStarted)]
        assert started == [3, 4, 5]


def test_finished_pages_are_never_read_again_unless_asked(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        assert not desk.session.runs.start()
        desk.read(1, 2, again=True)
        started = [event.page for event in desk.seen if isinstance(event, PageStarted)]
        assert started == [0, 1, 2, 3, 4, 5, 1, 2]


def test_a_queued_book_is_read_after_the_one_before(scan, tmp_path):
    other = make_scan(tmp_path / "other", 2)
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.session.runs.add_to_queue((other,))
        desk.wait_for_end()
        started = desk.wait_for(Started)
        assert started.book_id != desk.book.id
        assert desk.session.runs.view().title == "other"
        desk.wait_for_end()
        assert desk.session.runs.queue == ()
        desk.wait_for(BookJudged, when=lambda event: event.book_id == started.book_id)
        assert len(desk.session._shelf.all()) == 1
        desk.open(other)
        assert states(desk) == ["read", "read"]


# --- proofreading -------------------------------------------------------------------------------


def test_a_correction_survives_closing_and_can_be_undone_after(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        desk.session.turn_to(0)
        desk.settle()
        before = desk.reading(0).regions[2].text
        assert desk.session.proofs.correct(0, 2, "Corrected by hand")
        desk.wait_for(CorrectionStored)
        assert desk.book.pages[0].by_hand
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == "Corrected by hand"
        desk.session.proofs.undo(0)
        desk.wait_for(PagesStored)
        assert desk.reading(0).regions[2].text == before
        desk.session.proofs.redo(0)
        desk.wait_for(PagesStored)
        assert desk.reading(0).regions[2].text == "Corrected by hand"


def test_a_correction_made_while_an_undo_is_on_its_way_is_not_lost(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read(0)
        desk.session.turn_to(0)
        desk.settle()
        desk.session.proofs.correct(0, 2, "first")
        desk.session.proofs.undo(0)
        desk.session.proofs.correct(0, 3, "second")
        desk.settle()
        assert desk.reading(0).regions[3].text == "second"
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[3].text == "second"


def test_a_machine_never_takes_a_hands_place(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        desk.session.turn_to(0)
        desk.settle()
        desk.session.proofs.correct(0, 2, "Mine")
        desk.wait_for(CorrectionStored)
        desk.read(0, again=True)
        assert desk.reading(0).regions[2].text == "Mine"
        assert not desk.session.runs.start(again=False)


def test_reading_all_again_leaves_edited_and_proofread_pages_alone(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        desk.session.proofs.accept((1,))
        desk.wait_for(PagesStored)
        desk.seen.clear()
        desk.read(again=True)
        started = [event.page for event in desk.seen if isinstance(event, PageStarted)]
        assert started == [0, 2, 3, 4, 5]


def test_accepting_and_taking_it_back(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        desk.session.proofs.accept((0, 1))
        desk.wait_for(PagesStored)
        assert states(desk)[:3] == ["proofread", "proofread", "read"]
        assert desk.session.next_unfinished(0) == 2
        assert desk.session.next_unfinished(5) == 2
        desk.session.proofs.unaccept((0,))
        desk.wait_for(PagesStored)
        assert states(desk)[:2] == ["read", "proofread"]


def test_a_failed_page_can_be_typed_by_hand(scan):
    with Desk(lambda: FakeRecogniser(fail_on={0: PageUnreadable("no")})) as desk:
        desk.open(scan)
        desk.read(0)
        desk.session.turn_to(0)
        desk.settle()
        assert not desk.session.is_editable(0)
        desk.session.proofs.begin_by_hand(0)
        desk.wait_for(CorrectionStored)
        desk.session.proofs.correct(0, 0, "Typed from the scan")
        desk.wait_for(CorrectionStored)
    with Desk() as desk:
        desk.open(scan)
        assert texts(desk, 1) == ["Typed from the scan"]


def test_a_reading_that_comes_late_does_not_replace_a_newer_one(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        newest = desk.session.reading(0)
        late = ReadingLoaded(desk.book.id, 0, None)
        assert not desk.session.apply(late)
        assert desk.session.reading(0) is newest


def test_a_reading_that_comes_after_its_book_was_closed_is_not_kept_for_the_next_time(scan):
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        book_id = desk.book.id
        desk.session.close_book()
        desk.settle()
        desk.session.apply(ReadingLoaded(book_id, 0, None))
        desk.open(scan)
        desk.settle()
        assert desk.session.reading(0) is not None


def test_a_book_open_twice_is_shown_for_reading_only_the_second_time(scan, own_home):
    with Desk() as first, Desk() as second:
        first.open(scan)
        first.read(0)
        second.open(scan)
        assert second.session.read_only
        assert not second.session.runs.start()
        assert second.session.notices[-1].error.code == "store_locked"
        assert not second.session.is_editable(0)


def test_everything_is_freed_when_a_session_closes(scan):
    with Desk(slow()) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(TextAdded)
    assert not {thread.name for thread in threading.enumerate()} & {"reading", "store", "pages"}


# --- what lies under a PDF ----------------------------------------------------------------------


@pytest.fixture
def old_pdf(tmp_path):
    document = pymupdf.open()
    for number in range(3):
        page = document.new_page()
        if number != 1:
            page.insert_text((72, 100), f"An old layer of leaf {number + 1}")
    path = tmp_path / "old.pdf"
    document.save(path)
    document.close()
    return path


def test_an_old_text_layer_is_ignored_until_it_is_asked_for(old_pdf):
    with Desk() as desk:
        desk.open(old_pdf)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.session.reading(0) is None
        desk.session.take_old_text()
        desk.wait_for(Done)
        assert states(desk) == ["read", "unread", "read"]
        assert "An old layer of leaf 1" in desk.reading(0).text
        assert desk.reading(0).source.imported_from


def test_an_old_text_never_takes_the_place_of_a_reading(old_pdf):
    with Desk() as desk:
        desk.open(old_pdf)
        desk.read(0)
        before = desk.reading(0)
        desk.session.take_old_text()
        desk.wait_for(Done)
        assert desk.reading(0) is before


# --- second readings ----------------------------------------------------------------------------


def by(engine, script):
    class Named(FakeRecogniser):
        @property
        def source(self):
            return replace(super().source, engine=engine)

    return Named(script)


def looped_first(page):
    yield Block(Kind.TEXT, "what the first one reads")
    if page == 1:
        yield PageEnd.LOOP


def readings(desk, page):
    return desk.session._workers.store.submit(desk.store.history, page).result()


def unsure_first(page):
    yield Block(Kind.TEXT, "what the first one reads", score=0.95 if page == 1 else 0.99)


def second_by(script, *, first=looped_first, fails=False):
    """The reader of the runs, and after it the line reader."""

    def load(choice):
        if choice.engine is not Engine.LINE_READER:
            return by("reader", first)
        if fails:
            raise RuntimeError("no memory")
        return by("line-reader", script)

    return load


def desk_with(load):
    desk = Desk()
    desk.session.runs._reader._load = load
    desk.session.set_settings(replace(desk.session.settings, engine=Engine.READER))
    return desk


def test_a_page_that_still_asks_for_a_look_is_read_by_a_second_engine_beside_the_first(scan):
    with desk_with(second_by(lambda _page: [Block(Kind.TEXT, "what the second reads")])) as desk:
        desk.open(scan)
        assert isinstance(desk.read(0, 1, 2), Finished)
        assert [len(readings(desk, page)) for page in range(3)] == [1, 2, 1]
        second, first = readings(desk, 1)
        assert second.source.engine is not None
        assert second.source.engine.engine == "line-reader"
        assert second.text == "what the second reads"
        page = desk.book.pages[1]
        assert (page.state, page.reasons) == (PageState.LOOK, (Reason.LOOP_CUT,))
        assert page.reading_id == first.id
        assert [event.page.number for event in desk.seen if isinstance(event, ReadBeside)] == [1]


def test_a_page_that_looks_well_but_was_read_unsurely_is_read_beside_too(scan):
    second = second_by(lambda _page: [Block(Kind.TEXT, "the second")], first=unsure_first)
    with desk_with(second) as desk:
        desk.open(scan)
        desk.read(0, 1, 2)
        assert states(desk)[:3] == ["read", "read", "read"]
        assert [len(readings(desk, page)) for page in range(3)] == [1, 2, 1]
        assert desk.book.pages[1].reading_id == readings(desk, 1)[1].id


def test_a_second_reader_that_fails_costs_nothing_but_a_notice(scan):
    with desk_with(second_by(None, fails=True)) as desk:
        desk.open(scan)
        assert isinstance(desk.read(0, 1, 2), Finished)
        assert states(desk)[:3] == ["read", "look", "read"]
        assert desk.session.notices[-1].error.code == "second_reader_failed"
        assert len(readings(desk, 1)) == 1


def test_stop_ends_the_second_reading_too(scan):
    with desk_with(second_by(lambda _page: [Wait(60)])) as desk:
        desk.open(scan)
        desk.session.runs.start((0, 1, 2))
        desk.wait_for(StageChanged, when=lambda event: event.stage is Stage.READING_BESIDE)
        assert "a second time" in run_sentence(desk.session.runs.view())
        desk.session.runs.stop()
        assert isinstance(desk.wait_for_end(), Stopped)
        assert len(readings(desk, 1)) == 1


# --- what the book as a whole says --------------------------------------------------------------


def leaf(page):
    """Page 2 is page 0 scanned again."""
    number = 0 if page == 2 else page
    lines = "\n".join(f"word{number}x{n} upon this leaf" for n in range(24))
    return (Block(Kind.TEXT, lines),)


def test_a_leaf_scanned_twice_asks_for_a_look_on_both_pages_when_the_run_has_ended(scan):
    with Desk(lambda: FakeRecogniser(leaf)) as desk:
        desk.open(scan)
        desk.read(0, 1, 2)
        desk.wait_for(BookJudged)
        assert states(desk)[:3] == ["look", "read", "look"]
        assert desk.book.pages[0].reasons == (Reason.DOUBLED_PAGE,)
        desk.session.checking.load(2)
        desk.wait_for(ConcernsLoaded)
        assert [each.other_page for each in desk.session.checking.concerns(2)] == [0]
        desk.session.proofs.accept((0,))
        desk.wait_for(PagesStored)
        desk.read(2, again=True)
        desk.wait_for(BookJudged)
        assert states(desk)[0] == "proofread"


def test_a_book_that_is_put_away_is_compared_before_it_is_closed(scan, tmp_path):
    other = make_scan(tmp_path / "other", 2)
    with Desk(lambda: FakeRecogniser(leaf, pieces_per_s=60)) as desk:
        desk.open(scan)
        desk.session.runs.start((0, 1, 2))
        desk.wait_for(PageStarted)
        desk.open(other)
        desk.wait_for_end()
        desk.wait_for(BookJudged)
        assert len(desk.session._shelf.all()) == 1
        desk.open(scan)
        assert states(desk)[:3] == ["look", "read", "look"]
