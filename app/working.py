"""How long a person is at work on each page: one part of the session.

Measured on this machine, kept in the book's own database, sent nowhere. What counts is the time
between two signs of life (a key, a click, a turn of the page); after a minute without any the clock
stands still.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from app.answers import Done, Post, ask
from app.change import NOTHING, Change
from app.open_book import OpenBook
from app.progress import Progress, progress_of
from app.shelf import Shelf
from app.store.work import Effort
from app.workers import Workers

IDLE_S = 60.0
"""So long a person may look at a page without a sign of life; more does not count."""

KEPT_S = 30.0
"""After so much work at one page it is written down, so that a crash costs no more."""


@dataclass(frozen=True)
class WorkLoaded:
    """What was spent on the pages of a book."""

    book_id: str
    efforts: tuple[Effort, ...]


class Working:
    """Belongs to the UI thread.

    Args:
        shelf: the books.
        workers: `store` writes.
        post: as the session's.
        page: the number of the page that is shown.
        person: the name in the settings.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        shelf: Shelf,
        workers: Workers,
        post: Post,
        *,
        page: Callable[[], int],
        person: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self._page = page
        self._person = person
        self.clock = clock
        self._last_s: float | None = None  # sign of life
        self._at: tuple[OpenBook, Effort] | None = None  # since it was last written down
        self.progress: Progress | None = None

    def touch(self) -> None:
        """A sign of life: the time since the last one was spent on the page shown till now."""
        now_s, opened = self.clock(), self._shelf.shown
        self._add(seconds=min(now_s - self._last_s, IDLE_S) if self._last_s is not None else 0.0)
        self._last_s = now_s
        if opened is None or opened.read_only:
            self.flush()
            return
        here = Effort(self._page(), self._person(), 0.0, 0)
        if self._at is None or not _is_same(self._at, opened, here):
            self.flush()
            self._at = opened, here
            self._last_s = now_s
        elif self._at[1].seconds >= KEPT_S:
            self._write()

    def count_edit(self, book_id: str, page: int) -> None:
        """A correction was made."""
        if self._at is not None and (self._at[0].book.id, self._at[1].page) == (book_id, page):
            opened, effort = self._at
            self._at = opened, effort._replace(edits=effort.edits + 1)
            return
        known = self._shelf.get(book_id)
        if known is not None:  # stored after the page was turned
            self._submit(known, Effort(page, self._person(), 0.0, 1))

    def flush(self) -> None:
        """Write down what was spent; the next sign of life begins anew."""
        self._write()
        self._at, self._last_s = None, None

    def load(self) -> Change:
        """Ask how far the shown book is; comes as `WorkLoaded`."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        self.touch()
        self._write()
        book_id, store = opened.book.id, opened.store
        ask(
            self._workers.store,
            self._post,
            store.efforts,
            answer=lambda efforts: WorkLoaded(book_id, efforts),
            refused=lambda _error: WorkLoaded(book_id, ()),
        )
        return NOTHING

    def apply(self, answer: object) -> Change | None:
        """Take an answer of the store in; None when it is for another part."""
        if not isinstance(answer, WorkLoaded):
            return None
        opened = self._shelf.shown
        if opened is None or opened.book.id != answer.book_id:
            return NOTHING
        self.progress = progress_of(opened.book, answer.efforts)
        return Change(work=True)

    def _add(self, *, seconds: float) -> None:
        if self._at is not None:
            opened, effort = self._at
            self._at = opened, effort._replace(seconds=effort.seconds + seconds)

    def _write(self) -> None:
        if self._at is None:
            return
        opened, effort = self._at
        self._at = opened, effort._replace(seconds=0.0, edits=0)
        if effort.seconds > 0 or effort.edits:
            self._submit(opened, effort)

    def _submit(self, opened: OpenBook, effort: Effort) -> None:
        store, day = opened.store, date.today().isoformat()
        ask(
            self._workers.store,
            self._post,
            lambda: store.add_work(effort, day=day),
            answer=lambda _nothing: Done("work"),
            refused=lambda _error: Done("work"),  # what is lost is a measure, no text
        )


def _is_same(at: tuple[OpenBook, Effort], opened: OpenBook, here: Effort) -> bool:
    known, effort = at
    return known is opened and effort._replace(seconds=0.0, edits=0) == here
