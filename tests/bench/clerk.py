"""A session without a window, for rows that run long: answers are awaited and none is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from app.answers import BookOpened, Faulted, OpeningFailed, Refused
from app.events import Failed
from app.places import places
from app.session import Session
from model import api

WORST = (Faulted, Failed, OpeningFailed, Refused)


class Clerk:
    """A context manager round a session that lives in the places of `INCUNABLE_HOME`."""

    def __init__(self, *, load: Callable[[api.EngineChoice], api.Recogniser] = api.load) -> None:
        self._events: SimpleQueue[object] = SimpleQueue()
        self.session = Session(places(), self._events.put, load=load)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.session.close()

    def open(self, path: Path) -> BookOpened:
        self.session.open((path,))
        return self.wait_for(BookOpened)

    def wait_for(self, *kinds: type, each: Callable[[object], None] = lambda _event: None) -> Any:
        """Take events in until one of these kinds comes; `each` sees all of them."""
        while True:
            event = self._events.get(timeout=120)
            self._take(event)
            each(event)
            if isinstance(event, kinds):
                return event

    def serve(self, seconds: float) -> None:
        """Take events in for so long."""
        ends_s = time.monotonic() + seconds
        while (left_s := ends_s - time.monotonic()) > 0:
            try:
                self._take(self._events.get(timeout=left_s))
            except Exception as error:
                if type(error).__name__ != "Empty":
                    raise

    def _take(self, event: object) -> None:
        self.session.apply(event)
        if isinstance(event, WORST):
            raise RuntimeError(f"the bench cannot go on: {event}")
