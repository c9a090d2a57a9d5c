"""Page preparation: what pages need is found on `jobs`, decided by a person, kept in the store.

Nothing is done to a page until somebody says so: what is found is proposed, with how sure it is,
and looked at. Every order is one arrangement of the book in place of another, so that taking it
back is to arrange the book as before. A run reads pages by their numbers, so orders that change
these wait for its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app import page_orders
from app.answers import Post, Refused, ask
from app.arranging import carry_out
from app.book import Box, Page, Reading, Region
from app.change import NOTHING, Change
from app.errors import SourceError, UserFacing
from app.open_book import OpenBook
from app.page_orders import Order
from app.page_search import PageLookedAt, PageSearch, image_of
from app.pages import open_pages
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


class Preparing:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        proofs: whose loaded readings are named by page numbers.
        workers: `jobs` looks at images, `store` keeps what is decided.
        post: as the session's.
        is_read: whether a run reads this book at the moment.
        refuse: tells why an order is not carried out.
        about_to: called when page numbers will mean other pages in a moment.
        renumbered: called when they do.
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
        about_to: Callable[[], None],
        renumbered: Callable[[], Change],
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._is_read = is_read
        self._refuse = refuse
        self._about_to = about_to
        self._renumbered = renumbered
        self.search = PageSearch(shelf, proofs, workers, post, gives_way=lambda: self.is_arranging)
        self._back: defaultdict[str, list[Arrangement]] = defaultdict(list)
        self._forth: defaultdict[str, list[Arrangement]] = defaultdict(list)

    # --- what views ask -------------------------------------------------------------------------

    @property
    def is_arranging(self) -> bool:
        """Whether page numbers may mean other pages in a moment."""
        return self._proofs.is_renumbering

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

    def warm_up(self) -> None:
        """Import numpy on `jobs` before it is needed here: it takes a tenth of a second."""
        self._workers.jobs.submit(import_module, "app.prepare.page_map")

    # --- orders ---------------------------------------------------------------------------------

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
                return self.search.take(answer)
            case Arranged():
                return self._on_arranged(answer)
            case Refused(order="look_at"):
                self.search.stop()
                return None  # the session tells it
            case Refused(order="arrange"):
                self._proofs.is_renumbering = False
                return None  # the session tells it
            case _:
                return None

    def _on_arranged(self, answer: Arranged) -> Change:
        self._proofs.is_renumbering = False
        self._remember(answer)
        opened = self._shelf.get(answer.book_id)
        if opened is None:
            return NOTHING
        before = opened.book.pages
        opened.put_all(answer.pages)
        is_renumbered = [_who(page) for page in before] != [_who(page) for page in answer.pages]
        if is_renumbered:
            self._proofs.forget_book(answer.book_id)
        if not self._shelf.is_shown(answer.book_id):
            return NOTHING
        if is_renumbered:
            self.search.stop()
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
        self._about_to()
        self._proofs.is_renumbering = True
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


def _who(page: Page) -> tuple[object, ...]:
    """What makes it this page and no other; what else is done to its image aside."""
    return *image_of(page), page.reading_id


def _same(answer: Arranged) -> Arranged:
    return answer


def _refused(error: UserFacing) -> Refused:
    return Refused(error, "arrange")
