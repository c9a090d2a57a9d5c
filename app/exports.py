"""What leaves the book: transcripts and portable copies, written on `jobs` while work goes on."""

from __future__ import annotations

from pathlib import Path

from app.answers import (
    Done,
    ExportEnded,
    ExportPreviewed,
    ExportProgressed,
    Post,
    Refused,
    ask,
)
from app.change import NOTHING, Change
from app.errors import ExportError, UserFacing
from app.exporting import ExportOrder, export_book, write_log
from app.language import plural
from app.previewing import first_page
from app.shelf import Shelf
from app.store.database import BookStore
from app.there import is_there
from app.workers import Workers
from model.api import Stop


class Exports:
    """Belongs to the UI thread. One export at a time, of the book that is shown."""

    def __init__(self, shelf: Shelf, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self.person = ""  # stands in the audit log beside what was exported
        self._stop: Stop | None = None
        self._book_id = ""  # that is exported
        self._store: BookStore | None = None  # of that book
        self.progress: ExportProgressed | None = None  # while one is under way
        self.ended: ExportEnded | UserFacing | None = None  # how the last one ended
        self._is_closed = False
        self.preview: str | None = None  # what the order looked at last would write first

    def is_writing(self, book_id: str) -> bool:
        """Whether this book is being exported, so that its files are needed."""
        return self._stop is not None and self._book_id == book_id

    def begin(self, order: ExportOrder) -> Change:
        """Write a transcript; comes as `ExportProgressed`, then `ExportEnded` or an error."""
        opened = self._shelf.shown
        if opened is None or self._stop is not None:
            return NOTHING
        stop = self._stop = Stop()
        self.progress, self.ended = ExportProgressed(0, len(opened.book.pages)), None
        book, store, images = opened.book, opened.store, opened.images
        self._book_id, self._store = book.id, store

        def tell(done: int, pages: int) -> None:
            self._post(ExportProgressed(done, pages))

        ask(
            self._workers.jobs,
            self._post,
            lambda: export_book(book, store, order, progress=tell, stop=stop, images=images),
            answer=ExportEnded,
            refused=lambda error: Refused(error, "export"),
        )
        return Change(export=True)

    def look_at(self, order: ExportOrder) -> Change:
        """See what an order would write of its first page; comes as `ExportPreviewed`."""
        opened = self._shelf.shown
        if opened is None or self._stop is not None or self._is_closed:
            return NOTHING
        book, store = opened.book, opened.store
        ask(
            self._workers.jobs,
            self._post,
            lambda: first_page(book, store, order),
            answer=ExportPreviewed,
            refused=lambda _error: ExportPreviewed(""),  # the export itself will say why
        )
        return NOTHING

    def stop(self) -> Change:
        """Give the export under way up; nothing of it stays on the disk."""
        if self._stop is not None:
            self._stop.ask()
        return NOTHING

    def close(self) -> None:
        """Give up what is under way, and look at nothing any more: the workers are about to end."""
        self._is_closed = True
        self.stop()

    def save_copy(self, path: Path, *, replace: bool = False) -> Change:
        """Write everything known of the book into one portable file.

        Args:
            path: the file to be.
            replace: a file of that name may be replaced.
        """
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        store = opened.store

        def copy() -> None:
            if is_there(path) and not replace:
                raise ExportError("export_exists", name=path.name)
            with store.reader() as reader:
                reader.save_copy(path)

        ask(
            self._workers.jobs,
            self._post,
            copy,
            answer=lambda _nothing: Done("copy"),
            refused=lambda error: Refused(error, "copy"),
        )
        return NOTHING

    def save_log(self, path: Path, *, replace: bool = False) -> Change:
        """Write the audit log of the book as a table.

        Args:
            path: the file to be.
            replace: a file of that name may be replaced.
        """
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        store = opened.store
        ask(
            self._workers.jobs,
            self._post,
            lambda: write_log(store, path, replace=replace),
            answer=lambda _nothing: Done("log"),
            refused=lambda error: Refused(error, "log"),
        )
        return NOTHING

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about an export."""
        match answer:
            case ExportProgressed():
                self.progress = answer
            case ExportPreviewed(text=text):
                self.preview = text
            case ExportEnded():
                self._end(answer)
            case Refused(error=error, order="export"):
                self._end(error)
            case _:
                return None
        return Change(export=True)

    def _end(self, ended: ExportEnded | UserFacing) -> None:
        self._stop = None
        self.progress = None
        self.ended = ended
        if isinstance(ended, ExportEnded) and ended.report is not None:
            pages = plural("{n} page", "{n} pages", ended.report.pages)
            self._note(f"{ended.report.path.name}, {pages}")

    def _note(self, detail: str) -> None:
        """Write into the audit log what left the book."""
        store, person = self._store, self.person
        if store is None or store.read_only:
            return
        ask(
            self._workers.store,
            self._post,
            lambda: store.note("exported", person=person, detail=detail),
            answer=lambda _nothing: Done("note"),
            refused=lambda error: Refused(error, "note"),
        )
