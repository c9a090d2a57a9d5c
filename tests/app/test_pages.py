"""The queue in front of the decoding child: who is served first, what is kept, how it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from pathlib import Path

import psutil
import pytest

from app.errors import PasswordNeeded, SourceError
from app.pages import PageQueue, Priority, Raster, open_pages
from app.sources.source import Limits, Source
from tests.app.make_sources import SIZE, encoded, make_folder, page_image

pytestmark = pytest.mark.unit

PAGES = 12
PAGE_BYTES = SIZE[0] * SIZE[1]


@pytest.fixture
def folder(tmp_path) -> Path:
    files = {f"{n}.png": encoded(page_image(n), "PNG") for n in range(PAGES)}
    return make_folder(tmp_path / "book", files)


@pytest.fixture
def queue(folder) -> Iterator[PageQueue]:
    queue = open_pages([folder])
    yield queue
    queue.close()


class Held:
    """Holds the thread `pages` inside a callback, so that requests pile up, and lets it go on."""

    def __init__(self, queue: PageQueue) -> None:
        self._go_on = threading.Event()
        reached = threading.Event()

        def hold(_: object) -> None:
            reached.set()
            assert self._go_on.wait(20)

        queue.text_layer(PAGES - 1).add_done_callback(hold)  # the one thing that is never kept
        assert reached.wait(20)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._go_on.set()


def asked(queue: PageQueue, order: list[int], page: int, priority: Priority) -> Future[Raster]:
    """Ask for a small page; `order` gets its number when it comes."""
    future = queue.image(page, fit=(20, 20), priority=priority)
    future.add_done_callback(lambda done: order.append(page) if not done.cancelled() else None)
    return future


def test_pages_come_as_asked_for(queue):
    assert queue.info.page_count == PAGES
    raster = queue.image(3, fit=(20, 20), priority=Priority.VISIBLE).result(20)
    assert (raster.width_px, raster.height_px) == (13, 20)
    assert queue.image(3, scale=0.5, priority=Priority.READER).result(20).height_px == 150
    assert queue.page_info(3, priority=Priority.READER).result(20).size[:2] == SIZE
    assert queue.text_layer(3).result(20) == ()


def test_the_page_looked_at_comes_first_then_the_readers_then_thumbnails(queue):
    order: list[int] = []
    with Held(queue):
        futures = [
            asked(queue, order, page, priority)
            for page, priority in (
                (0, Priority.THUMBNAIL),
                (1, Priority.THUMBNAIL),
                (2, Priority.READER),
                (3, Priority.READER),
                (4, Priority.VISIBLE),
                (5, Priority.VISIBLE),
            )
        ]
    wait(futures, 20)
    assert order == [5, 4, 2, 3, 1, 0]


def test_a_thumbnail_that_becomes_the_page_looked_at_moves_up(queue):
    order: list[int] = []
    with Held(queue):
        futures = [asked(queue, order, page, Priority.THUMBNAIL) for page in range(3)]
        futures += [asked(queue, order, 0, Priority.VISIBLE)]
    wait(futures, 20)
    assert order == [0, 0, 2, 1]


def test_a_request_cancelled_before_it_begins_is_dropped(queue):
    order: list[int] = []
    with Held(queue):
        futures = [asked(queue, order, page, Priority.VISIBLE) for page in range(4)]
        assert futures[1].cancel()
        assert futures[2].cancel()
    wait(futures, 20)
    assert order == [3, 0]


def test_equal_requests_share_one_decoding_and_do_not_cancel_each_other(queue):
    with Held(queue):
        first = queue.image(0, fit=(20, 20), priority=Priority.VISIBLE)
        second = queue.image(0, fit=(20, 20), priority=Priority.VISIBLE)
        third = queue.image(0, fit=(20, 20), priority=Priority.THUMBNAIL)
        first.cancel()
    assert second.result(20) is third.result(20)


def test_what_was_looked_at_is_kept_and_comes_at_once(queue):
    first = queue.image(0, priority=Priority.VISIBLE).result(20)
    with Held(queue):
        again = queue.image(0, priority=Priority.VISIBLE)
        assert again.done()
        assert again.result() is first
        assert not queue.image(0, scale=0.5, priority=Priority.VISIBLE).done()


def test_infos_are_kept(queue):
    info = queue.page_info(0, priority=Priority.READER).result(20)
    with Held(queue):
        assert queue.page_info(0, priority=Priority.VISIBLE).result(0) is info


def kept(queue: PageQueue, pages: range, fit: tuple[int, int] | None) -> list[int]:
    """Which pages come at once, asked for without changing what is kept."""
    with Held(queue):
        futures = {page: queue.image(page, fit=fit, priority=Priority.READER) for page in pages}
        there = [page for page, future in futures.items() if future.done()]
        for future in futures.values():
            future.cancel()
    return there


def test_the_pages_kept_are_the_last_ones_and_bounded_by_their_bytes(folder):
    queue = PageQueue(Source.open([folder]), cache_bytes=4 * PAGE_BYTES * 8 // 7 + 8)
    try:
        for page in (0, 1, 2, 3, 0, 4):  # 0 is looked at again, so 1 is the oldest
            queue.image(page, priority=Priority.VISIBLE).result(20)
        assert kept(queue, range(6), None) == [0, 2, 3, 4]
    finally:
        queue.close()


def test_thumbnails_do_not_push_out_pages_nor_pages_thumbnails(folder):
    queue = PageQueue(Source.open([folder]), cache_bytes=2 * PAGE_BYTES * 8 // 7 + 8)
    thumbnail = (40, 60)
    room = queue.image(0, fit=thumbnail, priority=Priority.THUMBNAIL).result(20)
    count = 2 * PAGE_BYTES // 7 // len(room.data)
    try:
        assert count >= 6
        for page in range(2):
            queue.image(page, priority=Priority.VISIBLE).result(20)
        for page in range(PAGES - 1):
            queue.image(page, fit=thumbnail, priority=Priority.THUMBNAIL).result(20)
        queue.image(2, priority=Priority.VISIBLE).result(20)
        assert kept(queue, range(4), None) == [1, 2]
        assert kept(queue, range(PAGES - 1), thumbnail) == list(range(PAGES - 1 - count, PAGES - 1))
    finally:
        queue.close()


def test_what_the_reader_takes_pushes_nothing_out(folder):
    queue = PageQueue(Source.open([folder]), cache_bytes=2 * PAGE_BYTES * 8 // 7 + 8)
    try:
        queue.image(0, priority=Priority.VISIBLE).result(20)
        for page in range(1, 5):
            queue.image(page, priority=Priority.READER).result(20)
        assert kept(queue, range(5), None) == [0]
    finally:
        queue.close()


def test_a_page_that_fails_fails_its_own_request_only(folder):
    (folder / "3.png").write_bytes(b"no image")
    queue = open_pages([folder])
    try:
        futures = [queue.image(page, priority=Priority.VISIBLE) for page in (2, 3, 4)]
        wait(futures, 20)
        failure = futures[1].exception()
        assert isinstance(failure, SourceError)
        assert failure.parameters["page"] == 4
        assert futures[0].result().width_px == futures[2].result().width_px == SIZE[0]
    finally:
        queue.close()


def test_closing_ends_the_thread_and_the_child_and_cancels_what_waits(folder):
    queue = open_pages([folder])
    children = psutil.Process().children()
    with Held(queue):
        waiting = [queue.image(page, priority=Priority.VISIBLE) for page in range(3)]
        closing = threading.Thread(target=queue.close)
        closing.start()
        wait(waiting, 20)
    closing.join(20)
    assert all(future.cancelled() for future in waiting)
    assert "pages" not in {thread.name for thread in threading.enumerate()}
    assert not any(child.is_running() for child in children)
    queue.close()
    assert queue.image(0, priority=Priority.VISIBLE).cancelled()


def test_closing_does_not_wait_for_a_decoder_that_hangs(folder):
    queue = open_pages([folder], limits=Limits(seconds=60))
    (child,) = psutil.Process().children()
    child.suspend()
    stuck = queue.image(0, priority=Priority.VISIBLE)
    while not stuck.running():
        threading.Event().wait(0.005)
    queue.close()
    with pytest.raises(CancelledError):
        stuck.result(1)
    assert not child.is_running()


def test_requests_from_many_threads_are_all_answered(queue):
    results: list[Raster] = []

    def ask(start: int) -> None:
        for step in range(PAGES):
            page = (start + step) % PAGES
            results.append(queue.image(page, fit=(20, 20), priority=Priority(step % 3)).result(20))

    threads = [threading.Thread(target=ask, args=(start,)) for start in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(results) == 6 * PAGES


def test_a_book_that_cannot_be_opened_leaves_nothing_behind(tmp_path, shared):
    with pytest.raises(SourceError):
        open_pages([tmp_path / "nothing.pdf"])
    with pytest.raises(PasswordNeeded):
        open_pages([shared / "files" / "encryption_openpassword.pdf"])
    assert not psutil.Process().children()
