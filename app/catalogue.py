"""What the catalogue says of the shown book, and what the window remembers. UI thread only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from app.answers import DetailsStored, Done, Post, Refused, ask
from app.book import Details
from app.change import NOTHING, Change
from app.shelf import Shelf
from app.workers import Workers

T = TypeVar("T")


class Catalogue:
    """Orders on the details of a book; one part of the session."""

    def __init__(self, shelf: Shelf, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self.view: dict[str, object] = {}  # page, zoom and splitters of the shown book

    def set_details(self, details: Details) -> Change:
        """Say what the catalogue says of the book; it is then not asked for again."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        book_id, store = opened.book.id, opened.store
        return self._ask(
            lambda: store.set_details(details), lambda _: DetailsStored(book_id, details), "details"
        )

    def decline_details(self) -> Change:
        """The person was asked for details and gave none; not asked again."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        details, book_id, store = opened.book.details, opened.book.id, opened.store
        return self._ask(
            store.set_details_asked, lambda _: DetailsStored(book_id, details), "details"
        )

    def note_opening(self, person: str) -> Change:
        """Write into the audit log of the shown book that it was opened."""
        opened = self._shelf.shown
        if opened is None or opened.read_only:
            return NOTHING
        names, store = ", ".join(path.name for path in opened.book.paths), opened.store
        return self._ask(
            lambda: store.note("opened", person=person, detail=names),
            lambda _: Done("note"),
            "note",
        )

    def remember_view(self, view: dict[str, object]) -> Change:
        """Keep the page, the zoom and the splitters of this book for the next time."""
        opened = self._shelf.shown
        if opened is None or opened.read_only or view == self.view:
            return NOTHING
        self.view = view
        store = opened.store
        return self._ask(lambda: store.set_view(view), lambda _: Done("view"), "view")

    def apply(self, answer: object) -> Change | None:
        """Take an answer of the store in; None when it is for another part."""
        match answer:
            case DetailsStored(book_id=book_id, details=details):
                return self._on_details(book_id, details)
            case _:
                return None

    def _on_details(self, book_id: str, details: Details) -> Change:
        opened = self._shelf.get(book_id)
        if opened is None:
            return NOTHING
        opened.book = replace(opened.book, details=details, details_asked=True)
        return Change(details=self._shelf.is_shown(book_id), saved=True)

    def _ask(self, function: Callable[[], T], answer: Callable[[T], object], order: str) -> Change:
        refused = partial(Refused, order=order)
        ask(self._workers.store, self._post, function, answer=answer, refused=refused)
        return NOTHING
