"""A session driven by a test, without a window: orders are given, answers waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from app.answers import BookOpened, Faulted, OpeningFailed
from app.book import Book, Reading
from app.events import Failed, Finished, Stopped
from app.places import places
from app.session import Session
from app.store.database import BookStore
from model.fake import FakeRecogniser


class Desk:
    """A context manager round a session; `seen` holds every event and answer in order."""

    def __init__(self, recogniser: Callable[[], FakeRecogniser] = FakeRecogniser) -> None:
        self._events: SimpleQueue[object] = SimpleQueue()
        self.seen: list[object] = []
        self.session = Session(places(), self._events.put, load=lambda _choice: recogniser())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.session.close()

    @property
    def book(self) -> Book:
        assert self.session.book is not None
        return self.session.book

    @property
    def store(self) -> BookStore:
        assert self.session.shown is not None
        return self.session.shown.store

    def reading(self, page: int) -> Reading:
        reading = self.session.reading(page)
        assert reading is not None
        return reading

    def open(self, path: Path, **how) -> BookOpened | OpeningFailed:
        self.session.open((path,), **how)
        return self.wait_for(BookOpened, OpeningFailed)

    def read(self, *pages: int, **how) -> Finished | Stopped | Failed:
        assert self.session.runs.start(pages or None, **how)
        return self.wait_for_end()

    def wait_for_end(self) -> Finished | Stopped | Failed:
        return self.wait_for(Finished, Stopped, Failed)

    def wait_for(self, *kinds: type, when: Callable[[Any], bool] = lambda _event: True) -> Any:
        """Take events in until one of these kinds comes; fails after ten seconds."""
        ends_s = time.monotonic() + 10
        while (left_s := ends_s - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left_s)
            except Empty:
                break
            self.seen.append(event)
            self.session.apply(event)
            if isinstance(event, kinds) and when(event):
                return event
        raise AssertionError(f"none of {[kind.__name__ for kind in kinds]} came")

    def settle(self) -> None:
        """Take in everything that is under way on `store`."""
        future = self.session._workers.store.submit(lambda: None)
        future.result(timeout=10)
        time.sleep(0)
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                return
            assert not isinstance(event, Faulted), event
            self.seen.append(event)
            self.session.apply(event)
