"""Which database belongs to which scan, and the books opened last. Belongs to the worker `store`.

The file only repeats what stands in the books' own databases. When it is damaged or gone it is made
again from them, so that no book is lost with it.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Generator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from app.book import Book, PageState
from app.errors import StoreError
from app.store.connection import (
    Form,
    create,
    open_for_reading,
    open_for_writing,
    reading_told,
    transaction,
    writing_told,
)
from app.store.lock import FileLock, lock_path
from app.store.migrations import BOOK
from app.store.reader import BookReader
from app.store.readings import writable
from app.store.rows import paths_from_json, paths_to_json
from app.there import is_there

log = logging.getLogger(__name__)

SUFFIX = ".sqlite"
"""Of the books' databases in the folder `books`."""


class Found(NamedTuple):
    """The database of a scan, and how sure that is."""

    path: Path
    is_moved: bool = False  # the same scan at another place, which is remembered from now on
    is_changed: bool = False  # the same place with another content: pages are to be matched


class RecentBook(NamedTuple):
    """A book opened before."""

    paths: tuple[Path, ...]  # of the scan
    title: str
    store_path: Path
    pages: int
    proofread: int
    page: int  # shown last, from 0
    opened_at: datetime

    @property
    def name(self) -> str:
        """Its title, or the name of its scan."""
        return self.title or (self.paths[0].stem if self.paths else "")


class Library:
    """The open library."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    @classmethod
    def open(cls, path: Path, books: Path) -> Self:
        """Open the library, or make it from the databases of the books.

        Args:
            path: the library's file.
            books: the folder of the books' databases.

        Raises:
            StoreError: `store_newer`, `store_foreign`, `store_unwritable`.
        """
        with writing_told(path), FileLock.wait(lock_path(path)):  # two programs may start at once
            if path.exists():
                try:
                    return cls(open_for_writing(path, LIBRARY), path)
                except StoreError as error:
                    if error.code != "store_damaged":
                        raise
            return cls._made_from(_books_in(books), path)

    @classmethod
    def _made_from(cls, known: Sequence[tuple[Path, Book]], path: Path) -> Self:
        library = cls(create(path, LIBRARY, lambda db: None), path)
        for store_path, book in known:
            library.remember(book, store_path)
        return library

    @contextlib.contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else makes a database within: two programs may open a new book at once."""
        with writing_told(self._path), FileLock.wait(lock_path(self._path)):
            yield

    def find(self, paths: Sequence[Path], fingerprint: str) -> Found | None:
        """The database of a scan.

        Args:
            paths: of the scan, absolute.
            fingerprint: its quick fingerprint.

        Returns:
            The database of just this scan; else of one with the same fingerprint that lies no more
            where it lay, and which is then remembered at these paths; else of another scan that lay
            at these paths; else None. Databases that are gone are not counted.
        """
        same_paths = self._stored("paths = ?", paths_to_json(paths))
        alike = self._stored("fingerprint = ?", fingerprint)
        for store_path, _was in same_paths:
            if any(store_path == other for other, _was in alike):
                return Found(store_path)
        for store_path, was in alike:
            if not any(map(is_there, was)):
                self._move(store_path, paths)
                return Found(store_path, is_moved=True)
        return Found(same_paths[0][0], is_changed=True) if same_paths else None

    def remember(self, book: Book, store_path: Path, *, page: int = 0) -> None:
        """Note that a book was opened just now, and how far it is.

        Args:
            book: with all its pages.
            store_path: its database.
            page: the one that is shown, from 0.
        """
        proofread = sum(each.state is PageState.PROOFREAD for each in book.pages)
        row = (
            self._relative(store_path),
            paths_to_json(book.paths),
            book.fingerprint,
            writable(book.details.title),
            len(book.pages),
            proofread,
            page,
            datetime.now(UTC).isoformat(timespec="microseconds"),
        )
        with transaction(self._db, self._path):
            self._db.execute("INSERT OR REPLACE INTO book VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)", row)

    def recent(self, limit: int) -> tuple[RecentBook, ...]:
        """The books opened last, the newest first."""
        rows = self._rows(
            "SELECT paths, title, store_path, pages, proofread, page, opened_at FROM book"
            " WHERE NOT is_forgotten ORDER BY opened_at DESC LIMIT ?",
            limit,
        )
        return tuple(self._recent(*row) for row in rows)

    def forget(self, store_path: Path) -> None:
        """Take a book off the recent ones. Its text stays, and is found when it is opened again."""
        with transaction(self._db, self._path):
            self._db.execute(
                "UPDATE book SET is_forgotten = 1 WHERE store_path = ?",
                (self._relative(store_path),),
            )

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _move(self, store_path: Path, paths: Sequence[Path]) -> None:
        with transaction(self._db, self._path):
            self._db.execute(
                "UPDATE book SET paths = ? WHERE store_path = ?",
                (paths_to_json(paths), self._relative(store_path)),
            )

    def _stored(self, condition: str, value: str) -> list[tuple[Path, tuple[Path, ...]]]:
        """Databases that exist and the paths of their scans, the last opened first."""
        rows = self._rows(
            f"SELECT store_path, paths FROM book WHERE {condition} ORDER BY opened_at DESC", value
        )
        found = ((self._absolute(stored), paths_from_json(paths)) for stored, paths in rows)
        return [(store_path, paths) for store_path, paths in found if is_there(store_path)]

    def _rows(self, query: str, *values: object) -> list[Any]:
        with reading_told():
            return self._db.execute(query, values).fetchall()

    def _recent(self, paths: str, title: str, stored: str, *rest: Any) -> RecentBook:  # noqa: ANN401 - a row
        pages, proofread, page, opened_at = rest
        return RecentBook(
            paths_from_json(paths),
            title,
            self._absolute(stored),
            pages,
            proofread,
            page,
            datetime.fromisoformat(opened_at),
        )

    def _relative(self, store_path: Path) -> str:
        """A path that stays true when the whole data folder is moved."""
        home = self._path.parent
        near = store_path.is_relative_to(home)
        return (store_path.relative_to(home) if near else store_path.absolute()).as_posix()

    def _absolute(self, stored: str) -> Path:
        return self._path.parent / stored


def _books_in(folder: Path) -> list[tuple[Path, Book]]:
    """Every sound database of a book in a folder, the one changed last at the end."""
    paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
    found: list[tuple[Path, Book]] = []
    for path in paths:
        try:
            with contextlib.closing(BookReader(open_for_reading(path, BOOK), path)) as reader:
                found.append((path, reader.book()))
        except StoreError as error:
            log.info("%s is left out of the library: %s", path, error.code)
    return found


def _first(db: sqlite3.Connection) -> None:
    db.execute(
        """
        CREATE TABLE book (
            store_path TEXT PRIMARY KEY,  -- relative to the library where it is near
            paths TEXT NOT NULL,  -- of the scan, JSON list
            fingerprint TEXT NOT NULL,
            title TEXT NOT NULL,
            pages INTEGER NOT NULL,
            proofread INTEGER NOT NULL,
            page INTEGER NOT NULL,  -- shown last, from 0
            opened_at TEXT NOT NULL,  -- ISO 8601, UTC
            is_forgotten INTEGER NOT NULL
        ) STRICT
        """
    )


LIBRARY = Form(0x496E636C, (_first,))  # "Incl"
"""The database of the library."""
