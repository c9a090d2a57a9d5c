"""What leaves the book: transcripts and portable copies, written on `jobs` while work goes on."""

from __future__ import annotations

from pathlib import Path

from app.answers import Done, ExportEnded, ExportProgressed, Post, Refused, ask
from app.change import NOTHING, Change
from app.errors import ExportError, UserFacing
from app.exporting import ExportOrder, export_book
from app.shelf import Shelf
from app.there import is_there
from app.workers import Workers
from model.api import Stop


class Exports:
    """Belongs to the UI thread. One export at a time, of the book that is shown."""

    def __init__(self, shelf: Shelf, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self._stop: Stop | None = None
        self.progress: ExportProgressed | None = None  # while one is under way
        self.ended: ExportEnded | UserFacing | None = None  # how the last one ended

    def begin(self, order: ExportOrder) -> Change:
        """Write a transcript; comes as `ExportProgressed`, then `ExportEnded` or an error."""
        opened = self._shelf.shown
        if opened is None or self._stop is not None:
            return NOTHING
        stop = self._stop = Stop()
        self.progress, self.ended = ExportProgressed(0, len(opened.book.pages)), None
        book, store, images = opened.book, opened.store, opened.images

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

    def stop(self) -> Change:
        """Give the export under way up; nothing of it stays on the disk."""
        if self._stop is not None:
            self._stop.ask()
        return NOTHING

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

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about an export."""
        match answer:
            case ExportProgressed():
                self.progress = answer
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
