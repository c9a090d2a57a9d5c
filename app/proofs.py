"""Proofreading: the texts on the desk, corrections, acceptance, earlier readings.

A correction is on the screen at once and on the disk within the second; one that cannot be written
(disk full) is kept here and written as soon as it can be.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar

from app.answers import (
    CorrectionKept,
    CorrectionStored,
    HistoryLoaded,
    PagesStored,
    Post,
    ReadingLoaded,
    Refused,
    WordsPlaced,
    ask,
)
from app.blocks import of_kind
from app.book import Page, PageState, Reading, Region, Source
from app.change import NOTHING, Change
from app.desk.placed_reading import is_all_placed, placed
from app.errors import UserFacing
from app.open_book import OpenBook
from app.proofing import TextCorrection, apply, change_between, corrected
from app.shelf import Shelf
from app.store.database import BookStore, Stepped
from app.workers import Workers
from model.api import Kind

T = TypeVar("T")

LOADED_PAGES = 16
"""Readings held in memory; the others are a few milliseconds away in the store."""


class Proofs:
    """Belongs to the UI thread. Every order is about the book that is shown."""

    def __init__(self, shelf: Shelf, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self._loaded: OrderedDict[tuple[str, int], Reading | None] = OrderedDict()
        self._kept: list[CorrectionKept] = []
        self._corrections: Counter[tuple[str, int]] = Counter()  # made here, of each page
        self._on_their_way: Counter[tuple[str, int]] = Counter()  # corrections of each page
        self.person = ""
        self.is_renumbering = False  # page numbers may mean other pages in a moment
        self.saved_at: datetime | None = None

    @property
    def has_unsaved(self) -> bool:
        """Whether a correction is not on the disk yet, or waits for one that can be written."""
        return bool(self._kept) or self.is_saving

    @property
    def why_unsaved(self) -> UserFacing | None:
        """Why the last correction that waits could not be written."""
        return self._kept[-1].error if self._kept else None

    @property
    def is_saving(self) -> bool:
        """Whether corrections are on their way to the disk."""
        return self._on_their_way.total() > 0

    def is_unsaved(self, book_id: str) -> bool:
        """Whether a correction of this book is not on the disk yet."""
        waits = any(each.book_id == book_id for each in self._kept)
        on_their_way = +self._on_their_way
        return waits or any(each == book_id for each, _page in on_their_way)

    def reading(self, page: int) -> Reading | None:
        """The current reading of a page, None where there is none or it is not loaded yet."""
        return self._loaded.get((self._shown().book.id, page)) if self._shelf.shown else None

    def is_loaded(self, page: int) -> bool:
        """Whether it is known if this page has a reading."""
        return self._shelf.shown is not None and (self._shown().book.id, page) in self._loaded

    def load(self, page: int) -> Change:
        """Fetch a page's current reading, if it is not there yet; comes as `ReadingLoaded`."""
        opened = self._shown()
        key = (opened.book.id, page)
        if key in self._loaded:
            self._loaded.move_to_end(key)
            return NOTHING
        ask(
            self._workers.store,
            self._post,
            lambda: _placed(opened.store, page),
            answer=lambda reading: ReadingLoaded(opened.book.id, page, reading),
            refused=lambda error: ReadingLoaded(opened.book.id, page, None, error),
        )
        return NOTHING

    def place_words(self, book_id: str, page: int) -> Change:
        """Look for the words of a text in the page's other readings; comes as `WordsPlaced`.

        For a reading that came beside one that is on the desk: the text stays, letter by letter.
        """
        opened, reading = self._shelf.get(book_id), self._loaded.get((book_id, page))
        if opened is None or reading is None or is_all_placed(reading) or self.is_renumbering:
            return NOTHING
        store = opened.store

        def look() -> Reading:
            with store.reader() as reader:
                return placed(reading, lambda: reader.history(page))

        ask(
            self._workers.jobs,
            self._post,
            look,
            answer=lambda found: WordsPlaced(book_id, page, reading, found),
            refused=lambda error: Refused(error, "words"),
        )
        return NOTHING

    def correct(self, page: int, region: int, text: str) -> Change:
        """Give a block another text."""
        reading = self.reading(page)
        if reading is None or region >= len(reading.regions):
            return NOTHING
        return self._change(page, region, corrected(reading.regions[region], text))

    def set_kind(self, page: int, region: int, kind: Kind) -> Change:
        """Say what a block is: heading, text, note."""
        reading = self.reading(page)
        if reading is None:
            return NOTHING
        return self._change(page, region, of_kind(reading.regions[region], kind))

    def set_regions(self, page: int, regions: Sequence[Region]) -> Change:
        """Give a page these blocks: another order, more or fewer, or one of them changed."""
        reading = self.reading(page)
        if reading is None:
            return NOTHING
        correction = change_between(reading.regions, regions)
        return NOTHING if correction is None else self._make(page, reading, correction)

    def begin_by_hand(self, page: int, block: Region | None = None) -> Change:
        """Give a page without text an empty block to type into; None: one of plain text."""
        reading = self.reading(page)
        if reading is not None and reading.regions:
            return NOTHING
        block = block or Region(Kind.TEXT, "", by_hand=True)
        if reading is not None:
            return self.set_regions(page, (block,))
        empty = Reading((block,), self._by_me())
        self._put(page, empty)
        self._save(page, empty, None)
        return Change(readings=frozenset({page}))

    def undo(self, page: int) -> Change:
        """Take the last correction of a page back; comes as `PagesStored`."""
        return self._step(page, lambda store: store.undo(page, person=self.person))

    def redo(self, page: int) -> Change:
        """Make a correction that was taken back again; comes as `PagesStored`."""
        return self._step(page, lambda store: store.redo(page, person=self.person))

    def accept(self, pages: Sequence[int]) -> Change:
        """Say that these pages are proofread."""
        return self._set_state(pages, PageState.PROOFREAD)

    def unaccept(self, pages: Sequence[int]) -> Change:
        """Take that back: each page stands again where it stood before."""
        numbers = tuple(pages)
        return self._store_pages(lambda store: store.unaccept(numbers))

    def mark_blank(self, pages: Sequence[int]) -> Change:
        """Say that there is nothing on these pages."""
        return self._set_state(pages, PageState.BLANK)

    def revert(self, page: int, reading_id: int) -> Change:
        """Make an earlier reading the current one; the others stay."""
        return self._step(
            page, lambda store: (store.make_current(page, reading_id), store.reading(reading_id))
        )

    def history(self, page: int) -> Change:
        """Fetch all readings of a page; comes as `HistoryLoaded`."""
        book_id = self._shown().book.id
        self._on_store(
            lambda store: store.history(page),
            lambda readings: HistoryLoaded(book_id, page, readings),
        )
        return NOTHING

    def save_again(self) -> Change:
        """Try to write the corrections that could not be written, in their order."""
        kept, self._kept = self._kept, []
        for each in kept:
            opened = self._shelf.get(each.book_id)
            if opened is not None:
                self._submit(opened, each.page, each.reading, each.correction)
        return NOTHING

    def apply(self, answer: object) -> Change | None:
        """Take an answer of the store in; None when it is not about proofreading."""
        match answer:
            case ReadingLoaded():
                return self._on_loaded(answer)
            case CorrectionStored():
                return self._on_saved(answer)
            case CorrectionKept():
                self._on_their_way[answer.book_id, answer.page] -= 1
                self._kept.append(answer)
                return Change(notice=True)
            case PagesStored():
                return self._on_stored(answer)
            case WordsPlaced():
                return self._on_words_placed(answer)
            case _:
                return None

    def put_pages(self, book_id: str, pages: tuple[Page, ...]) -> Change:
        """Take newer values of pages in."""
        opened = self._shelf.get(book_id)
        changed = opened.put_pages(pages) if opened else frozenset[int]()
        return Change(pages=changed) if self._shelf.is_shown(book_id) else NOTHING

    def put_reading(self, book_id: str, page: int, reading: Reading | None) -> Change:
        """Take another current reading of a page in, unless its book was closed meanwhile."""
        if self._shelf.get(book_id) is None:
            return NOTHING
        self._remember((book_id, page), reading)
        return Change(readings=frozenset({page})) if self._shelf.is_shown(book_id) else NOTHING

    def take_changed(
        self, book_id: str, pages: tuple[Page, ...], *, shown: tuple[int, Reading | None] | None
    ) -> Change:
        """Take in that the store gave these pages other texts; all but the shown one come later."""
        numbers = frozenset(page.number for page in pages)
        for number in numbers:
            self._loaded.pop((book_id, number), None)
        change = self.put_pages(book_id, pages) | Change(saved=True)
        if shown is not None:
            change |= self.put_reading(book_id, *shown)
        self.saved_at = datetime.now(UTC)
        return change | Change(readings=numbers if self._shelf.is_shown(book_id) else frozenset())

    def forget_book(self, book_id: str) -> None:
        """Drop the readings of a book that is closed."""
        for key in [key for key in self._loaded if key[0] == book_id]:
            del self._loaded[key]

    def _shown(self) -> OpenBook:
        assert self._shelf.shown is not None, "an order about a book, and no book is shown"
        return self._shelf.shown

    def _on_loaded(self, answer: ReadingLoaded) -> Change:
        key = (answer.book_id, answer.page)
        if key in self._loaded:  # something newer came first, e.g. the page was read meanwhile
            return NOTHING
        return self.put_reading(answer.book_id, answer.page, answer.reading)

    def _on_saved(self, answer: CorrectionStored) -> Change:
        """A correction is on the disk, and with it every earlier one of its page."""
        place = (answer.book_id, answer.page.number)
        self._on_their_way[place] -= 1
        self._kept = [each for each in self._kept if (each.book_id, each.page) != place]
        self.saved_at = datetime.now(UTC)
        return self.put_pages(answer.book_id, (answer.page,)) | Change(saved=True)

    def _on_stored(self, answer: PagesStored) -> Change:
        self.saved_at = datetime.now(UTC)
        change = self.put_pages(answer.book_id, answer.pages) | Change(saved=True)
        if answer.reading is None:
            for stored in answer.pages:  # an imported text may have come beside the one shown
                change |= self.place_words(answer.book_id, stored.number)
            return change | self._follow(answer.book_id, answer.pages)
        page = answer.pages[0].number
        if answer.after is not None and answer.after != self._corrections[answer.book_id, page]:
            return change  # a correction made meanwhile is newer, and is on its way to the disk
        return change | self.put_reading(answer.book_id, page, answer.reading)

    def _on_words_placed(self, answer: WordsPlaced) -> Change:
        if self._loaded.get((answer.book_id, answer.page)) is not answer.was:
            return self.place_words(answer.book_id, answer.page)  # typed meanwhile: look again
        if answer.reading.regions == answer.was.regions:
            return NOTHING
        return self.put_reading(answer.book_id, answer.page, answer.reading)

    def _follow(self, book_id: str, pages: tuple[Page, ...]) -> Change:
        """A page that is called blank has no text, and has it again when that is taken back."""
        change = NOTHING
        for page in pages:
            key, has_text = (book_id, page.number), bool(page.reading_id)
            if key not in self._loaded or has_text == (self._loaded[key] is not None):
                continue
            if self._on_their_way[key]:  # typed meanwhile, which is newer
                continue
            if not has_text:
                change |= self.put_reading(book_id, page.number, None)
            elif self._shelf.is_shown(book_id):
                del self._loaded[key]
                change |= self.load(page.number)
        return change

    def _change(self, page: int, region: int, after: Region) -> Change:
        reading = self.reading(page)
        if reading is None:
            return NOTHING
        regions = (*reading.regions[:region], after, *reading.regions[region + 1 :])
        return self.set_regions(page, regions)

    def _make(self, page: int, reading: Reading, correction: TextCorrection) -> Change:
        changed = replace(apply(reading, correction), source=self._by_me())
        self._corrections[self._shown().book.id, page] += 1
        self._put(page, changed)
        self._save(page, changed, correction)
        return Change(readings=frozenset({page}))

    def _by_me(self) -> Source:
        return Source("hand", datetime.now(UTC), person=self.person)

    def _put(self, page: int, reading: Reading) -> None:
        self._remember((self._shown().book.id, page), reading)

    def _remember(self, key: tuple[str, int], reading: Reading | None) -> None:
        self._loaded[key] = reading
        self._loaded.move_to_end(key)
        unsaved = {(each.book_id, each.page) for each in self._kept}
        for old in list(self._loaded)[: max(0, len(self._loaded) - LOADED_PAGES)]:
            if old not in unsaved:
                del self._loaded[old]

    def _save(self, page: int, reading: Reading, correction: TextCorrection | None) -> None:
        self.save_again()
        self._submit(self._shown(), page, reading, correction)

    def _submit(
        self, opened: OpenBook, page: int, reading: Reading, correction: TextCorrection | None
    ) -> None:
        book_id, store = opened.book.id, opened.store
        self._on_their_way[book_id, page] += 1
        ask(
            self._workers.store,
            self._post,
            lambda: store.save_hand(page, reading, correction=correction),
            answer=lambda stored: CorrectionStored(book_id, stored),
            refused=lambda error: CorrectionKept(book_id, page, reading, correction, error),
        )

    def _set_state(self, pages: Sequence[int], state: PageState) -> Change:
        numbers = tuple(pages)
        person = self.person
        return self._store_pages(lambda store: store.set_state(numbers, state, person=person))

    def _store_pages(self, function: Callable[[BookStore], tuple[Page, ...]]) -> Change:
        self.save_again()
        book_id = self._shown().book.id
        self._on_store(function, lambda pages: PagesStored(book_id, pages))
        return NOTHING

    def _step(self, page: int, function: Callable[[BookStore], Stepped | None]) -> Change:
        """An order that gives one page another current reading."""
        self.save_again()
        book_id = self._shown().book.id
        after = self._corrections[book_id, page]

        def step(store: BookStore) -> Stepped | None:
            result = function(store)
            if result is None or result[1] is None:
                return result
            return result[0], placed(result[1], lambda: store.history(page))

        def answer(result: Stepped | None) -> PagesStored:
            if result is None:
                return PagesStored(book_id, ())
            return PagesStored(book_id, (result[0],), result[1], after)

        self._on_store(step, answer)
        return NOTHING

    def _on_store(self, function: Callable[[BookStore], T], answer: Callable[[T], object]) -> None:
        """Give an order about pages by their numbers, unless these are about to change."""
        if self.is_renumbering:
            return
        store = self._shown().store
        ask(
            self._workers.store,
            self._post,
            lambda: function(store),
            answer=answer,
            refused=lambda error: Refused(error, "proof"),
        )


def _placed(store: BookStore, page: int) -> Reading | None:
    """The current reading of a page, its words placed as far as any reading of it knows."""
    reading = store.current(page)
    return reading and placed(reading, lambda: store.history(page))
