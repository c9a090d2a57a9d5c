"""A book that is open: its value, its page images and its store, held together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from app.book import DONE_STATES, Book, Page, PageState, Reason
from app.pages import PageQueue
from app.store.database import BookStore


class Tally(NamedTuple):
    """How the pages of a book stand."""

    done: int
    proofread: int
    to_read: int  # what an order to read the book would find


@dataclass
class OpenBook:
    """Belongs to the UI thread; `store` is called on the worker `store` only."""

    book: Book
    images: PageQueue
    store: BookStore
    read_only: bool = False
    _tally: tuple[tuple[Page, ...], Tally] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.images.arrange(self.book.pages)

    @property
    def tally(self) -> Tally:
        """How the pages stand; counted once after each change, for it is asked many times."""
        if self._tally is None or self._tally[0] is not self.book.pages:
            to_read = len(self.pages_to_read(None, again=False))
            self._tally = self.book.pages, tally_of(self.book, to_read=to_read)
        return self._tally[1]

    def pages_to_read(self, chosen: tuple[int, ...] | None, *, again: bool) -> tuple[int, ...]:
        """The pages that a run reads; those that are in the scan no more have only their text."""
        wanted = pages_to_read(self.book, chosen, again=again)
        return tuple(number for number in wanted if self._has_image(self.book.pages[number]))

    def _has_image(self, page: Page) -> bool:
        in_scan = 0 <= page.scan_index < self.images.info.page_count
        return in_scan or page.scan_path is not None

    def put_all(self, pages: tuple[Page, ...]) -> None:
        """Take these as the pages of the book; its images follow."""
        self.book = replace(self.book, pages=pages)
        self.images.arrange(pages)

    def put_pages(self, pages: Sequence[Page]) -> frozenset[int]:
        """Put newer values of some pages in; which of them differ."""
        before, mine = self.book.pages, list(self.book.pages)
        changed = {page.number for page in pages if mine[page.number] != page}
        for page in pages:
            mine[page.number] = page
        if changed:
            self.book = replace(self.book, pages=tuple(mine))
        if any(mine[number].treatment != before[number].treatment for number in changed):
            self.images.arrange(self.book.pages)
        return frozenset(changed)


def tally_of(book: Book, *, to_read: int) -> Tally:
    """Count the pages by how they stand."""
    states = [page.state for page in book.pages]
    return Tally(
        done=sum(state in DONE_STATES for state in states),
        proofread=states.count(PageState.PROOFREAD),
        to_read=to_read,
    )


def pages_to_read(book: Book, chosen: tuple[int, ...] | None, *, again: bool) -> tuple[int, ...]:
    """The pages that a run reads, in order.

    Without `again` those that have no result yet, then those that failed before. With `again` all
    chosen ones; pages that a person edited or proofread only when they were chosen one by one.
    """
    numbers = range(len(book.pages)) if chosen is None else chosen
    pages = [book.pages[number] for number in numbers]
    if again:
        wanted = pages if chosen is not None else [page for page in pages if not _is_by_hand(page)]
        return tuple(page.number for page in wanted)
    fresh = [page.number for page in pages if _has_no_result(page)]
    failed = [page.number for page in pages if page.state is PageState.FAILED]
    return (*fresh, *failed)


def _is_by_hand(page: Page) -> bool:
    return page.by_hand or page.state is PageState.PROOFREAD


def _has_no_result(page: Page) -> bool:
    was_stopped = page.state is PageState.LOOK and Reason.STOPPED in page.reasons
    return page.state is PageState.UNREAD or (was_stopped and not page.by_hand)
