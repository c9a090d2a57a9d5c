"""Page preparation: what pages need is found on `jobs`, decided by a person, kept in the store.

Nothing is done to a page until somebody says so: what is found is proposed, with how sure it is,
and looked at. Every order is one arrangement of the book in place of another, so that taking it
back is to arrange the book as before. A run reads pages by their numbers, so orders that change
these wait for its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app import page_orders
from app.answers import Post, Refused, ask
from app.arranging import carry_out
from app.book import Box, Page, PageState, Reading, Region
from app.change import NOTHING, Change
from app.errors import SourceError, UserFacing
from app.open_book import OpenBook
from app.page_orders import Order
from app.pages import open_pages
from app.prepare.treatment import USUAL_STEPS, Print, Step
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.arranging import Arrangement
from app.workers import Workers

if TYPE_CHECKING:  # numpy stays out of the way to the first window
    from app.prepare.page_map import PageMap

MOST_STEPS_BACK = 50
FEW_DPI = 300.0
"""Scans coarser than this are read worse."""


Way = Literal["do", "undo", "redo"]


@dataclass(frozen=True)
class Arranged:
    """The pages of a book as they are arranged now."""

    book_id: str
    pages: tuple[Page, ...]
    before: Arrangement
    way: Way


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


class Preparing:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        proofs: whose loaded readings are named by page numbers.
        workers: `jobs` looks at images, `store` keeps what is decided.
        post: as the session's.
        is_read: whether a run reads this book at the moment.
        refuse: tells why an order is not carried out.
        renumbered: called when page numbers mean other pages.
    """

    def __init__(
        self,
        shelf: Shelf,
        proofs: Proofs,
        workers: Workers,
        post: Post,
        *,
        is_read: Callable[[str], bool],
        refuse: Callable[[UserFacing], Change],
        renumbered: Callable[[], Change],
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._is_read = is_read
        self._refuse = refuse
        self._renumbered = renumbered
        self._search: _Search | None = None
        self._back: defaultdict[str, list[Arrangement]] = defaultdict(list)
        self._forth: defaultdict[str, list[Arrangement]] = defaultdict(list)
        self._print: dict[tuple[object, ...], Print] = {}  # of images that were looked at
        self.is_arranging = False  # page numbers may mean other pages in a moment

    # --- what views ask -------------------------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int] | None:
        """Pages looked at and pages to look at, while a search is under way."""
        search = self._search
        if search is None or not self._shelf.is_shown(search.book_id):
            return None
        return search.total - len(search.left), search.total

    @property
    def proposed(self) -> tuple[int, ...]:
        """Pages for which something is proposed and not decided."""
        return tuple(page.number for page in self._pages() if page.proposal is not None)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Those of them that a person should look at."""
        return tuple(
            page.number for page in self._pages() if page.proposal and page.proposal.doubtful
        )

    @property
    def blanks(self) -> tuple[tuple[int, Print], ...]:
        """Pages on which no print was seen, and of which nobody has said yet what they are."""
        settled = {PageState.BLANK, PageState.PROOFREAD}
        seen = (
            (page, self._print.get((self._book_id(), *_image_of(page)), Print.THERE))
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

    @property
    def coarse(self) -> tuple[int, ...]:
        """Pages that are known to be scanned at under 300 ppi."""
        sizes = ((page.number, page.size) for page in self._pages())
        return tuple(number for number, size in sizes if size and size.dpi and size.dpi < FEW_DPI)

    @property
    def can_undo(self) -> bool:
        """Whether an order can be taken back."""
        return bool(self._pages() and self._back[self._book_id()])

    @property
    def can_redo(self) -> bool:
        """Whether an order that was taken back can be carried out again."""
        return bool(self._pages() and self._forth[self._book_id()])

    def page_map(self, number: int) -> PageMap | None:
        """How a page's prepared image lies on its master; None where it is the master."""
        page = self._pages()[number]
        if page.size is None or not page.treatment.moves_pixels:
            return None
        from app.prepare.page_map import PageMap

        return PageMap(page.size, page.treatment)

    def shown_page(self, page: Page) -> Page:
        """A page with the size of the image that is shown of it."""
        page_map = self.page_map(page.number)
        return page if page_map is None else replace(page, size=page_map.size)

    def shown_reading(self, number: int, reading: Reading | None) -> Reading | None:
        """A reading with its blocks where they lie on the image that is shown."""
        if reading is None or self.page_map(number) is None:
            return reading
        return replace(reading, regions=self.on_image(number, reading.regions))

    def box_on_master(self, number: int, box: Box) -> Box:
        """A box drawn on the image that is shown of a page, as it is stored."""
        page_map = self.page_map(number)
        return box if page_map is None else page_map.box_to_master(box)

    def on_image(self, number: int, regions: Sequence[Region]) -> tuple[Region, ...]:
        """Blocks of a page as they lie on the image that is shown of it."""
        page_map = self.page_map(number)
        if page_map is None:
            return tuple(regions)
        from app.regions import on_prepared

        return on_prepared(regions, page_map)

    # --- orders ---------------------------------------------------------------------------------

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

    def accept(self, pages: Sequence[int]) -> Change:
        """Do what is proposed for these pages."""
        chosen = [number for number in pages if self._pages()[number].proposal is not None]
        return self._arrange(page_orders.accept(chosen)) if chosen else NOTHING

    def dismiss(self, pages: Sequence[int]) -> Change:
        """Leave these pages as they are, whatever is proposed for them."""
        kept = {number: self._pages()[number].treatment for number in pages}
        return self._arrange(page_orders.treat(kept)) if kept else NOTHING

    def treat(self, pages: Sequence[int], **changes: object) -> Change:
        """Change some of what is done to pages.

        Args:
            pages: their numbers.
            changes: fields of `Treatment`; a `fold` makes two pages of each that is whole.
        """
        if not pages or not changes:
            return NOTHING
        return self._arrange(page_orders.change(pages, changes, rtl=self._is_rtl()))

    def insert(self, before: int, path: Path) -> Change:
        """Put the images of another file in before a page; the file stays where it is."""
        return self._arrange_with(path, lambda count: page_orders.insert(before, path, count))

    def substitute(self, number: int, path: Path) -> Change:
        """Take the image of another file for a page; what was read of the old one stays."""
        return self._arrange_with(path, lambda _count: page_orders.substitute(number, path))

    def remove(self, pages: Sequence[int]) -> Change:
        """Take pages out of the book; their readings are kept, and come back with them."""
        if not pages or len(set(pages)) >= len(self._pages()):
            return NOTHING
        return self._arrange(page_orders.remove(pages))

    def move(self, pages: Sequence[int], steps: int) -> Change:
        """Move pages towards the end of the book, below 0 towards its beginning."""
        return self._arrange(page_orders.move(pages, steps)) if pages else NOTHING

    def undo(self) -> Change:
        """Take the last order back."""
        return self._step(self._back, "undo")

    def redo(self) -> Change:
        """Carry the order out again that was taken back last."""
        return self._step(self._forth, "redo")

    # --- what workers tell ----------------------------------------------------------------------

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about preparation."""
        match answer:
            case PageLookedAt():
                return self._on_looked_at(answer)
            case Arranged():
                return self._on_arranged(answer)
            case Refused(order="arrange"):
                self.is_arranging = False
                return None  # the session tells it
            case _:
                return None

    def _on_looked_at(self, answer: PageLookedAt) -> Change:
        page = answer.page
        change = NOTHING
        if page is not None:
            change = self._proofs.put_pages(answer.book_id, (page,))
            if answer.seen is not None:
                self._print[answer.book_id, *_image_of(page)] = answer.seen
        search = self._search
        if search is not None and search.book_id == answer.book_id:
            if search.left and self._shelf.is_shown(search.book_id):
                self._look_at_next()
            else:
                self._search = None
        return change | Change(preparing=True)

    def _on_arranged(self, answer: Arranged) -> Change:
        self.is_arranging = False
        self._remember(answer)
        opened = self._shelf.get(answer.book_id)
        if opened is None:
            return NOTHING
        before = opened.book.pages
        opened.put_all(answer.pages)
        if not self._shelf.is_shown(answer.book_id):
            return NOTHING
        if [_who(page) for page in before] != [_who(page) for page in answer.pages]:
            self._search = None
            self._proofs.forget_book(answer.book_id)
            return self._renumbered() | Change(preparing=True)
        changed = frozenset(
            new.number for old, new in zip(before, answer.pages, strict=True) if old != new
        )
        return Change(preparing=True, pages=changed, images=changed)

    def _remember(self, answer: Arranged) -> None:
        """Where the way back from this order leads, and the way forth from a step back."""
        back, forth = self._back[answer.book_id], self._forth[answer.book_id]
        match answer.way:
            case "undo":
                back.pop()
                forth.append(answer.before)
            case "redo":
                forth.pop()
                back.append(answer.before)
            case _:
                back.append(answer.before)
                del back[:-MOST_STEPS_BACK]
                forth.clear()

    # --- inside ---------------------------------------------------------------------------------

    def _look_at_next(self) -> None:
        search, opened = self._search, self._shelf.shown
        assert search is not None
        assert opened is not None
        page = opened.book.pages[search.left.pop(0)]
        steps, rtl, book_id = search.steps, self._is_rtl(), opened.book.id
        ask(
            self._workers.jobs,
            self._post,
            lambda: self._look_at(opened, page, steps=steps, rtl=rtl),
            answer=lambda looked_at: PageLookedAt(book_id, *looked_at),
            refused=lambda error: Refused(error, "arrange"),
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
            if search is None or self.is_arranging or not is_wanted:
                return None  # given up meanwhile; the store may be closed
            known = store.set_page_info(page.number, seen.info.size, seen.info.fingerprint)
            return store.propose(page.number, seen.proposal) if steps else known

        return self._workers.store.submit(keep).result(), seen.print

    def _arrange_with(self, path: Path, order: Callable[[int], Order]) -> Change:
        """An order that needs the number of images in another file, counted on `jobs`."""
        opened = self._may_arrange()
        if isinstance(opened, Change):
            return opened
        book_id, store = opened.book.id, opened.store

        def count_and_arrange() -> Arranged:
            images = open_pages([path])
            count = images.info.page_count
            images.close()
            done = self._workers.store.submit(carry_out, store, order(count)).result()
            return Arranged(book_id, *done, way="do")

        ask(self._workers.jobs, self._post, count_and_arrange, answer=_same, refused=_refused)
        return Change(preparing=True)

    def _arrange(self, order: Order, way: Way = "do") -> Change:
        opened = self._may_arrange()
        if isinstance(opened, Change):
            return opened
        book_id, store = opened.book.id, opened.store
        ask(
            self._workers.store,
            self._post,
            lambda: carry_out(store, order),
            answer=lambda done: Arranged(book_id, *done, way=way),
            refused=_refused,
        )
        return Change(preparing=True)

    def _may_arrange(self) -> OpenBook | Change:
        opened = self._shelf.shown
        if opened is None or opened.read_only or self.is_arranging:
            return NOTHING
        if self._is_read(opened.book.id):
            return self._refuse(SourceError("arrange_while_reading"))
        if self._proofs.why_unsaved is not None:
            return self._refuse(self._proofs.why_unsaved)
        self.is_arranging = True
        return opened

    def _step(self, stack: Mapping[str, list[Arrangement]], way: Way) -> Change:
        opened = self._shelf.shown
        if opened is None or not stack[opened.book.id] or self.is_arranging:
            return NOTHING
        target = stack[opened.book.id][-1]
        return self._arrange(lambda _placed, _pages: target, way)

    def _pages(self) -> tuple[Page, ...]:
        return self._shelf.shown.book.pages if self._shelf.shown else ()

    def _book_id(self) -> str:
        return self._shelf.shown.book.id if self._shelf.shown else ""

    def _is_rtl(self) -> bool:
        return self._shelf.shown is not None and self._shelf.shown.book.details.direction == "rtl"


def _image_of(page: Page) -> tuple[object, ...]:
    """Which image it is, or which side of one."""
    return page.scan_index, page.scan_path, page.treatment.side


def _who(page: Page) -> tuple[object, ...]:
    """What makes it this page and no other; what else is done to its image aside."""
    return *_image_of(page), page.reading_id


def _same(answer: Arranged) -> Arranged:
    return answer


def _refused(error: UserFacing) -> Refused:
    return Refused(error, "arrange")
