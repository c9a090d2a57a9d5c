"""Opening a book: its scan in the decoding child, its database in the store, the two matched.

`Opener.open` waits for both and is called on the worker `jobs`.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from app.answers import BookOpened
from app.book import Book, Page
from app.errors import SourceError, StoreError, UserFacing
from app.giving_up import GivingUp
from app.open_book import OpenBook
from app.pages import PageQueue, Priority, open_pages
from app.places import Places
from app.sources.limits import Limits
from app.sources.values import SourceInfo
from app.store.database import BookStore
from app.store.library import SUFFIX, Library, RecentBook
from app.store.matching import match_scans, matched_pages
from app.there import is_there
from app.workers import Worker

log = logging.getLogger(__name__)

COPY_SUFFIX = ".incunable"
RECENT_BOOKS = 12


@dataclass(frozen=True)
class OpenOrder:
    """What to open."""

    paths: tuple[Path, ...]  # of the scan; or one portable `.incunable` file
    password: str | None = None
    to_show: bool = True
    store_path: Path | None = None  # the database whose scan was found again at `paths`
    giving_up: GivingUp = field(default_factory=GivingUp, compare=False)


class _Stored(NamedTuple):
    """A book's database as it was found or made."""

    store: BookStore
    book: Book
    view: Mapping[str, Any]
    is_changed: bool  # the scan is another than the database knows
    notice: UserFacing | None


class Opener:
    """Opens books. Its methods are called on the thread named beside each."""

    def __init__(self, places: Places, store: Worker) -> None:
        self._places = places
        self._store = store
        self._library: Library | None = None

    def open(self, order: OpenOrder, *, page_limit_megapixels: int) -> BookOpened:
        """Open a book; on `jobs`.

        Raises:
            SourceError, PasswordNeeded: the scan cannot be opened, or the order was given up.
            StoreError: the database cannot be opened or made.
        """
        try:
            answer = self._open(order, page_limit_megapixels)
        except (SourceError, CancelledError) as error:
            if order.giving_up.asked:
                raise _given_up(order) from error
            raise
        if order.giving_up.over():
            self._let_go(answer.opened)
            raise _given_up(order)
        return answer

    def _open(self, order: OpenOrder, page_limit_megapixels: int) -> BookOpened:
        paths = tuple(path.absolute() for path in order.paths)
        store_path = order.store_path
        if is_copy(paths):
            store_path = paths[0]
            paths = self._store.submit(_paths_in, store_path).result()
        limits = Limits(page_pixels=page_limit_megapixels * 1_000_000)
        images = open_pages(
            paths, password=order.password, limits=limits, giving_up=order.giving_up
        )
        order.giving_up.by(images.close)
        try:
            stored = self._store.submit(self._stored, images.info, store_path).result()
        except BaseException:
            images.close()
            raise
        try:
            if stored.is_changed:
                stored = self._matched(stored, images)
        except BaseException:
            images.close()
            self._store.submit(stored.store.close)
            raise
        opened = OpenBook(stored.book, images, stored.store, read_only=stored.store.read_only)
        return BookOpened(opened, dict(stored.view), order.to_show, stored.notice)

    def _let_go(self, opened: OpenBook) -> None:
        opened.images.close()
        self._store.submit(opened.store.close)

    def recent(self) -> tuple[tuple[RecentBook, ...], frozenset[Path]]:
        """The books opened last, and the databases of those whose scan is gone; on `jobs`.

        A disk that does not answer is waited for here, where nothing else waits.
        """
        books = self._store.submit(lambda: self._opened_library().recent(RECENT_BOOKS)).result()
        gone = (book for book in books if not all(map(is_there, book.paths)))
        return books, frozenset(book.store_path for book in gone)

    def forget(self, store_path: Path) -> None:
        """Take a book off the recent ones; on `store`."""
        self._opened_library().forget(store_path)

    def remember(self, book: Book, store_path: Path, page: int) -> None:
        """Note how far a book is, for the list of recent ones; on `store`."""
        self._opened_library().remember(book, store_path, page=page)

    def close(self) -> None:
        """Let go of the library; on `store`."""
        if self._library is not None:
            self._library.close()
            self._library = None

    def _opened_library(self) -> Library:
        if self._library is None:
            data = self._places.data
            self._library = Library.open(data / f"library{SUFFIX}", self._places.books)
        return self._library

    def _stored(self, info: SourceInfo, store_path: Path | None) -> _Stored:
        """Find or make the database of a scan; on `store`."""
        library = self._opened_library()
        if store_path is not None or library.find(info.paths, info.fingerprint):
            return self._remembered(library, info, store_path)
        with library.alone():
            return self._remembered(library, info, None)

    def _remembered(self, library: Library, info: SourceInfo, store_path: Path | None) -> _Stored:
        is_changed = False
        if store_path is None:
            found = library.find(info.paths, info.fingerprint)
            store_path = found.path if found else None
            is_changed = found.is_changed if found else False
        stored = self._existing(store_path, info) if store_path else self._new(info)
        library.remember(stored.book, stored.store.path, page=_page_of(stored.view))
        return stored._replace(is_changed=is_changed or stored.is_changed)

    def _existing(self, path: Path, info: SourceInfo) -> _Stored:
        try:
            store = BookStore.open(path)
        except StoreError as error:
            if error.code != "store_damaged":
                raise
            return self._new(info)._replace(notice=error)
        try:
            return _of_scan(store, info)
        except BaseException:
            store.close()
            raise

    def _new(self, info: SourceInfo) -> _Stored:
        book = new_book(info)
        store = BookStore.create(self._places.books / f"{book.id}{SUFFIX}", book)
        return _Stored(store, book, {}, is_changed=False, notice=None)

    def _matched(self, stored: _Stored, images: PageQueue) -> _Stored:
        """Give the images of a changed scan to the pages of the book; on `jobs`."""
        new = fingerprints(images)
        if stored.store.read_only:
            return stored
        matching = match_scans(stored.book.pages, new)
        pages, was = matched_pages(stored.book.pages, matching, images.info.names, new)
        put = self._store.submit(_put_matched, stored.store, pages, was, images).result()
        notice = SourceError(
            "source_changed",
            name=images.info.paths[0].name,
            new=len(new) - len(matching.was),
            replaced=len(matching.replaced),
            kept=len(matching.kept),
        )
        return stored._replace(book=replace(stored.book, pages=put), notice=notice)


def _put_matched(
    store: BookStore, pages: tuple[Page, ...], was: Mapping[int, int], images: PageQueue
) -> tuple[Page, ...]:
    """Store the matched pages, and only then that the scan is known; on `store`.

    A program that ends between the two matches again when it next opens the book.
    """
    put = store.set_pages(pages, was=was)
    store.set_source(images.info.paths, images.info.fingerprint)
    return put


def _of_scan(store: BookStore, info: SourceInfo) -> _Stored:
    """What an open database says of a scan; where that lies now is noted; on `store`."""
    book = store.book()
    is_changed = book.fingerprint != info.fingerprint
    if not is_changed and book.paths != info.paths and not store.read_only:
        store.set_source(info.paths, info.fingerprint)
    book = replace(book, paths=info.paths, fingerprint=info.fingerprint)
    return _Stored(store, book, store.view(), is_changed, store.refusal)


def new_book(info: SourceInfo) -> Book:
    """A book of which nothing is known but its scan."""
    pages = tuple(
        Page(number, name=info.names[number], label=info.labels[number])
        for number in range(info.page_count)
    )
    return Book(str(uuid.uuid4()), info.paths, info.fingerprint, info.details, pages)


def fingerprints(images: PageQueue) -> tuple[str, ...]:
    """The fingerprint of every image of a scan, "" for one that cannot be decoded; slow."""
    found: list[str] = []
    for page in range(images.info.page_count):
        try:
            info = images.page_info(page, priority=Priority.READER).result()
        except SourceError:
            log.info("page %d has no fingerprint: it cannot be decoded", page)
            found.append("")
        else:
            found.append(info.fingerprint)
    return tuple(found)


def _given_up(order: OpenOrder) -> SourceError:
    return SourceError("opening_given_up", name=order.paths[0].name)


def is_copy(paths: Sequence[Path]) -> bool:
    """Whether a portable copy of a book was given, and not a scan."""
    return len(paths) == 1 and paths[0].suffix == COPY_SUFFIX


def _paths_in(store_path: Path) -> tuple[Path, ...]:
    """Where the scan of a portable file lay; on `store`."""
    try:
        store = BookStore.open(store_path, read_only=True)
    except StoreError as error:
        if error.code != "store_damaged":
            raise
        detail = error.parameters["detail"]
        raise StoreError("copy_damaged", name=store_path.name, detail=detail) from error
    try:
        return store.book().paths
    finally:
        store.close()


def _page_of(view: Mapping[str, Any]) -> int:
    page = view.get("page", 0)
    return page if isinstance(page, int) else 0
