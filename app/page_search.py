"""Pages looked at one by one on `jobs`, for what they need and whether there is print on them.

Other work on `jobs` comes between two pages. What is found is proposed, nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass

from app.answers import Post, Refused, ask
from app.book import Page, PageState
from app.change import NOTHING, Change
from app.errors import SourceError
from app.open_book import OpenBook
from app.prepare.treatment import USUAL_STEPS, Print, Step
from app.proofs import Proofs
from app.shelf import Shelf
from app.workers import Workers


@dataclass(frozen=True)
class PageLookedAt:
    """A page was looked at; None: its image cannot be had."""

    book_id: str
    page: Page | None
    seen: Print | None = None  # what print its pixels show


@dataclass
class _Search:
    """Pages of one book that are still to be looked at."""

    book_id: str
    left: list[int]
    total: int
    steps: frozenset[Step]


class PageSearch:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        proofs: takes pages as they are stored.
        workers: `jobs` looks at images, `store` keeps what is proposed.
        post: as the session's.
        gives_way: whether page numbers may mean other pages in a moment, so that what was found
            must not be stored under them.
    """

    def __init__(
        self,
        shelf: Shelf,
        proofs: Proofs,
        workers: Workers,
        post: Post,
        *,
        gives_way: Callable[[], bool],
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._gives_way = gives_way
        self._search: _Search | None = None
        self._print: dict[tuple[object, ...], Print] = {}  # of images that were looked at

    @property
    def progress(self) -> tuple[int, int] | None:
        """Pages looked at and pages to look at, while a search is under way."""
        search = self._search
        if search is None or not self._shelf.is_shown(search.book_id):
            return None
        return search.total - len(search.left), search.total

    @property
    def blanks(self) -> tuple[tuple[int, Print], ...]:
        """Pages on which no print was seen, and of which nobody has said yet what they are."""
        settled = {PageState.BLANK, PageState.PROOFREAD}
        seen = (
            (page, self._print.get((self._book_id(), *image_of(page)), Print.THERE))
            for page in self._pages()
        )
        return tuple(
            (page.number, print_)
            for page, print_ in seen
            if print_ is not Print.THERE and page.state not in settled
        )

    @property
    def was_looked_at(self) -> bool:
        """Whether pages of this book were looked at since the program was started."""
        return any(key[0] == self._book_id() for key in self._print)

    def find(
        self, pages: Sequence[int] | None = None, *, steps: frozenset[Step] = USUAL_STEPS
    ) -> Change:
        """Look at pages, or at all, for what they need; comes page by page as proposals.

        Args:
            pages: their numbers; None: all.
            steps: what is looked for; none: only whether there is print, see `blanks`.
        """
        opened = self._shelf.shown
        if opened is None or opened.read_only or self._search is not None:
            return NOTHING
        numbers = list(range(len(opened.book.pages)) if pages is None else pages)
        if not numbers:
            return NOTHING
        self._search = _Search(opened.book.id, numbers, len(numbers), steps)
        self._look_at_next()
        return Change(preparing=True)

    def stop(self) -> Change:
        """Look at no more pages; what was found stays proposed."""
        if self._search is None:
            return NOTHING
        self._search = None
        return Change(preparing=True)

    def take(self, answer: PageLookedAt) -> Change:
        """Take in what was seen of a page, and look at the next."""
        page = answer.page
        change = NOTHING
        if page is not None:
            change = self._proofs.put_pages(answer.book_id, (page,))
            if answer.seen is not None:
                self._print[answer.book_id, *image_of(page)] = answer.seen
        search = self._search
        if search is not None and search.book_id == answer.book_id:
            if search.left and self._shelf.is_shown(search.book_id):
                self._look_at_next()
            else:
                self._search = None
        return change | Change(preparing=True)

    def _look_at_next(self) -> None:
        search, opened = self._search, self._shelf.shown
        assert search is not None
        assert opened is not None
        page = opened.book.pages[search.left.pop(0)]
        steps, book_id = search.steps, opened.book.id
        rtl = opened.book.details.direction == "rtl"
        ask(
            self._workers.jobs,
            self._post,
            lambda: self._look_at(opened, page, steps=steps, rtl=rtl),
            answer=lambda looked_at: PageLookedAt(book_id, *looked_at),
            refused=lambda error: Refused(error, "look_at"),
        )

    def _look_at(
        self, opened: OpenBook, page: Page, *, steps: frozenset[Step], rtl: bool
    ) -> tuple[Page | None, Print | None]:
        """On `jobs`: what one page needs, kept in the store, and what print is on it."""
        # OpenCV would hold the first window up
        from app.prepare.looking import look_at_page

        try:
            seen = look_at_page(page, opened.images, steps=steps, rtl=rtl)
        except (SourceError, CancelledError):  # cancelled: the book was closed
            return None, None
        store, search = opened.store, self._search

        def keep() -> Page | None:
            is_wanted = search is self._search and opened is self._shelf.shown
            if search is None or self._gives_way() or not is_wanted:
                return None  # given up meanwhile; the store may be closed
            known = store.set_page_info(page.number, seen.info.size, seen.info.fingerprint)
            return store.propose(page.number, seen.proposal) if steps else known

        return self._workers.store.submit(keep).result(), seen.print

    def _pages(self) -> tuple[Page, ...]:
        return self._shelf.shown.book.pages if self._shelf.shown else ()

    def _book_id(self) -> str:
        return self._shelf.shown.book.id if self._shelf.shown else ""


def image_of(page: Page) -> tuple[object, ...]:
    """Which image a page is, or which side of one."""
    return page.scan_index, page.scan_path, page.treatment.side
