"""What a book as a whole says of its pages, found on `jobs` as pages are read; and the reasons.

Each page is judged by itself when it ends (`app.reading_run`). Whether its text stands on another
page too, or is oddly long for its print, only the others can tell: so the book is gone through when
a run ends, and now and then before. Pages that a person has accepted are left alone.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial

from app.answers import Post, Refused, ask
from app.book import Page, PageState
from app.change import NOTHING, Change
from app.desk.book_checks import PageText, doubled, odd_lengths
from app.desk.concerns import Concern
from app.errors import UserFacing
from app.events import Failed, Finished, PageFinished, RunEvent, Stopped
from app.open_book import OpenBook
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.database import BookStore
from app.workers import Workers
from model.api import Kind

log = logging.getLogger(__name__)

PAGES_BETWEEN = 50
"""Read by a run before the book is gone through again."""

_AROUND = frozenset({Kind.RUNNING_HEAD, Kind.PAGE_NUMBER, Kind.FOOTER, Kind.FIGURE})

BookWide = dict[int, tuple[int, tuple[Concern, ...]]]
"""By page the reading that was looked at, and what the book says of it."""


@dataclass(frozen=True)
class BookChecked:
    """What the book as a whole says of its pages."""

    book_id: str
    found: BookWide


@dataclass(frozen=True)
class BookJudged:
    """Pages stand otherwise than before."""

    book_id: str
    pages: tuple[Page, ...]


@dataclass(frozen=True)
class ConcernsLoaded:
    """What speaks against the text of a page, with places."""

    book_id: str
    page: int
    concerns: tuple[Concern, ...]


class Checking:
    """Belongs to the UI thread."""

    def __init__(self, shelf: Shelf, proofs: Proofs, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._under_way: Counter[str] = Counter()  # books that are gone through
        self._read = 0  # pages since the book was gone through
        self._loaded: ConcernsLoaded | None = None

    def is_checking(self, book_id: str) -> bool:
        """Whether this book is gone through at the moment."""
        return self._under_way[book_id] > 0

    def concerns(self, page: int) -> tuple[Concern, ...]:
        """What speaks against the text of a page of the shown book, once it was asked for."""
        loaded, book = self._loaded, self._shelf.book
        if loaded is None or book is None or (loaded.book_id, loaded.page) != (book.id, page):
            return ()
        return loaded.concerns

    def load(self, page: int) -> Change:
        """Fetch what speaks against a page's text; comes as `ConcernsLoaded`."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        book_id, store = opened.book.id, opened.store
        ask(
            self._workers.store,
            self._post,
            lambda: store.concerns(page),
            answer=lambda concerns: ConcernsLoaded(book_id, page, concerns),
            refused=lambda error: Refused(error, "checking"),
        )
        return NOTHING

    def follow_run(self, book_id: str, event: RunEvent) -> None:
        """Take in that a run has read a page, or has ended."""
        match event:
            case PageFinished():
                self._read += 1
                is_due = self._read >= PAGES_BETWEEN
            case Finished() | Stopped() | Failed():
                is_due = self._read > 0
            case _:
                return
        opened = self._shelf.get(book_id)
        if is_due and opened is not None and not opened.read_only:
            self._read = 0
            self._check(opened)

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about this."""
        match answer:
            case BookChecked():
                return self._on_checked(answer)
            case BookJudged(book_id=book_id, pages=pages):
                self._under_way[book_id] -= 1
                return self._proofs.put_pages(book_id, pages) if pages else NOTHING
            case ConcernsLoaded():
                self._loaded = answer
                return Change(concerns=True)
            case _:
                return None

    def _check(self, opened: OpenBook) -> None:
        book_id, store = opened.book.id, opened.store
        self._under_way[book_id] += 1
        ask(
            self._workers.jobs,
            self._post,
            lambda: book_wide(store),
            answer=lambda found: BookChecked(book_id, found),
            refused=partial(_given_up, book_id),
        )

    def _on_checked(self, checked: BookChecked) -> Change:
        opened = self._shelf.get(checked.book_id)
        if opened is None:
            self._under_way[checked.book_id] -= 1
            return NOTHING
        store = opened.store
        ask(
            self._workers.store,
            self._post,
            lambda: store.judge_in_book(checked.found) if checked.found else (),
            answer=lambda pages: BookJudged(checked.book_id, pages),
            refused=partial(_given_up, checked.book_id),
        )
        return NOTHING


def _given_up(book_id: str, error: UserFacing) -> BookJudged:
    """What hinders it here hinders saving too, and is told there."""
    log.info("the pages of a book could not be compared: %s", error)
    return BookJudged(book_id, ())


def book_wide(store: BookStore) -> BookWide:
    """Compare the pages of a book with each other; on any thread."""
    with store.reader() as reader:
        pages = {page.number: page for page in reader.book().pages}
        measured = {each.page: each for each in reader.standings()}
        texts = [
            PageText(page, tuple(each.text for each in regions if each.kind not in _AROUND))
            for page, regions in reader.plain_currents()
        ]
    alarms: defaultdict[int, list[Concern]] = defaultdict(list)
    for found in (
        odd_lengths({page: each.standing for page, each in measured.items()}),
        doubled(texts),
    ):
        for page, concerns in found.items():
            alarms[page] += concerns
    return {
        page: (each.reading_id, tuple(alarms[page]))
        for page, each in measured.items()
        if _is_open(pages[page]) and (alarms[page] or pages[page].reasons)
    }


def _is_open(page: Page) -> bool:
    """Whether nobody has settled how the page stands."""
    return page.state in {PageState.READ, PageState.LOOK}
