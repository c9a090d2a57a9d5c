"""The books that are open: the one that is shown, and those read in the background."""

from __future__ import annotations

from app.book import Book
from app.open_book import OpenBook


class Shelf:
    """Belongs to the UI thread; everything of the session that concerns a book looks here."""

    def __init__(self) -> None:
        self._books: dict[str, OpenBook] = {}
        self.shown: OpenBook | None = None

    @property
    def book(self) -> Book | None:
        """The book that is shown."""
        return self.shown.book if self.shown else None

    def get(self, book_id: str) -> OpenBook | None:
        """An open book, shown or not."""
        return self._books.get(book_id)

    def put(self, opened: OpenBook) -> None:
        """Add a book."""
        self._books[opened.book.id] = opened

    def take(self, book_id: str) -> OpenBook | None:
        """Remove a book; the caller closes it."""
        return self._books.pop(book_id, None)

    def all(self) -> tuple[OpenBook, ...]:
        """Every open book."""
        return tuple(self._books.values())

    def is_shown(self, book_id: str) -> bool:
        """Whether this book is the one on the screen."""
        return self.shown is not None and self.shown.book.id == book_id
