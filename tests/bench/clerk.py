"""A session without a window, for rows that run long: answers are awaited and none is kept."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from app.answers import BookOpened, Faulted, OpeningFailed, Refused
from app.places import places
from app.session import Session

WORST = (Faulted, OpeningFailed, Refused)


class Clerk:
    """A context manager round a session that lives in the places of `INCUNABLE_HOME`."""

    def __init__(self) -> None:
        self._events: SimpleQueue[object] = SimpleQueue()
        self.session = Session(places(), self._events.put)

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

    def wait_for(self, *kinds: type) -> Any:
        """Take events in until one of these kinds comes."""
        while True:
            event = self._events.get(timeout=120)
            self._take(event)
            if isinstance(event, kinds):
                return event

    def _take(self, event: object) -> None:
        self.session.apply(event)
        if isinstance(event, WORST):
            raise RuntimeError(f"the bench cannot go on: {event}")
