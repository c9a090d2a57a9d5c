"""How a book is opened: by file, folder or from the recent ones, with its password and details.

Sequences are coroutines of the window's event loop: open, then a password, then the details.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.answers import BookOpened, OpeningFailed
from app.change import Change
from app.errors import PasswordNeeded
from app.language import _
from app.opening import COPY_SUFFIX
from app.session import Session
from app.there import is_there
from ui.details_dialog import DetailsDialog
from ui.entry_list import Entry
from ui.fetch_dialog import FetchDialog
from ui.main_window import MainWindow
from ui.of_book import OfBook
from ui.password_dialog import PasswordDialog
from ui.session_signals import SessionSignals

IMAGE_SUFFIXES = ("png", "jpg", "jpeg", "tif", "tiff", "jp2", "j2k", "webp", "bmp")
BOOK_SUFFIXES = (
    "pdf",
    "cbz",
    "djvu",
    "mets",
    "xml",
    *IMAGE_SUFFIXES,
    COPY_SUFFIX.removeprefix("."),
)


class OpeningQuestions(QObject):
    """Asks for books, and orders them opened or queued. Belongs to `ui`."""

    def __init__(self, window: MainWindow, session: Session, signals: SessionSignals) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, paths: Sequence[Path], *, starts_reading: bool = False) -> None:
        """Open a scan: with a password where one is needed, and the details asked for once."""
        self._begin(self._open(tuple(paths), starts_reading=starts_reading))

    def open_files(self) -> None:
        """Choose a file, or several images."""
        names, _kind = QFileDialog.getOpenFileNames(
            self._window, _("Open a scanned book"), self._folder(), _book_filter()
        )
        if names:
            self.open([Path(name) for name in names])

    def open_folder(self) -> None:
        """Choose a folder of images."""
        name = QFileDialog.getExistingDirectory(
            self._window, _("Open a folder of page images"), self._folder()
        )
        if name:
            self.open([Path(name)])

    def open_recent(self) -> None:
        """Choose among the books opened last, by a few letters of the name."""
        entries = [
            Entry(
                str(place),
                book.name,
                str(book.paths[0]) if book.paths else "",
                "",
                "book",
                all(map(is_there, book.paths)),
            )
            for place, book in enumerate(self._session.welcome.recent)
        ]
        self._window.choose_entry(entries, _("Name of a book"), self._open_recent)

    def _open_recent(self, entry_id: str) -> None:
        self.open(self._session.welcome.recent[int(entry_id)].paths)

    def locate(self) -> None:
        """Show where the scan of the book lies now."""
        failed = self._session.openings.failed
        store_path = self._session.lost_store
        if failed is None or store_path is None:
            return
        name = str(failed.error.parameters["name"])  # of the scan, also where a copy was opened
        names = self._located(_("Where is {name} now?").format(name=name), name)
        if names:
            self._begin(self._open(tuple(Path(name) for name in names), store_path=store_path))

    def _located(self, question: str, name: str) -> list[str]:
        """The files or the folder that a person shows, as the lost scan was one or the other."""
        if Path(name).suffix.lower().removeprefix(".") in BOOK_SUFFIXES:
            return QFileDialog.getOpenFileNames(self._window, question, self._folder())[0]
        folder = QFileDialog.getExistingDirectory(self._window, question, self._folder())
        return [folder] if folder else []

    async def _open(
        self,
        paths: tuple[Path, ...],
        *,
        starts_reading: bool = False,
        store_path: Path | None = None,
    ) -> None:
        password: str | None = None
        while True:
            self._tell(self._session.open(paths, password=password, store_path=store_path))
            answer = await self._shown_or_failed()
            if not isinstance(answer, OpeningFailed):
                break
            if not isinstance(answer.error, PasswordNeeded):
                return
            password = await self._password(answer.error)
            if password is None:
                return
        if starts_reading:
            self._tell(self._session.runs.start())
        else:
            self._ask_details_once()

    async def _shown_or_failed(self) -> BookOpened | OpeningFailed:
        """The next answer to an order to show a book; those read in the background are passed."""
        while True:
            answer = await self._signals.answer(BookOpened, OpeningFailed)
            assert isinstance(answer, BookOpened | OpeningFailed)
            if answer.to_show:
                return answer

    async def _password(self, error: PasswordNeeded) -> str | None:
        dialog = PasswordDialog(error, self._window)
        given: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        dialog.given.connect(lambda word: given.done() or given.set_result(word))
        dialog.rejected.connect(lambda: given.done() or given.set_result(None))
        dialog.open()
        return await given

    def _ask_details_once(self) -> None:
        book = self._session.book
        if book is None or book.details_asked or self._session.read_only:
            return
        dialog = DetailsDialog(book.details, is_first=True, parent=self._window)
        dialog.saved.connect(
            lambda details: self._tell(self._session.catalogue.set_details(details))
        )
        dialog.declined.connect(lambda: self._tell(self._session.catalogue.decline_details()))
        OfBook(dialog, self._signals)
        dialog.open()

    def fetch(self) -> None:
        """Fetch a book from a server, and open it."""
        fetches, dialog = self._session.fetches, FetchDialog(self._window)
        dialog.look_asked.connect(lambda address: self._tell(fetches.look(address)))
        dialog.fetch_asked.connect(lambda: self._tell(fetches.begin()))
        dialog.stop_asked.connect(lambda: self._tell(fetches.stop()))
        dialog.fetched.connect(lambda record: self.open([record]))
        shown = self._signals.changed.connect(
            lambda change: dialog.show_fetches(fetches) if change.fetch else None
        )
        dialog.finished.connect(lambda _code: self._signals.changed.disconnect(shown))
        fetches.forget()
        dialog.show_fetches(fetches)
        dialog.open()

    def queue_book(self) -> None:
        """Choose a book that is read when this one is done."""
        names, _kind = QFileDialog.getOpenFileNames(
            self._window, _("Read another book after this one"), self._folder(), _book_filter()
        )
        if names:
            self._tell(self._session.runs.add_to_queue(tuple(Path(name) for name in names)))
            self._tell(self._session.read_queue())

    def waiting(self) -> None:
        """The books in the queue; choosing one takes it out."""
        runs = self._session.runs
        entries = [
            Entry(str(place), book.name, str(book.paths[0]), "", "book", True)
            for place, book in enumerate(runs.queue)
        ]
        self._window.choose_entry(
            entries,
            _("Take which book out of the queue?"),
            lambda entry_id: self._tell(runs.drop_from_queue(int(entry_id))),
        )

    def _folder(self) -> str:
        """Where the last book lay."""
        book = self._session.book
        recent = [each.paths for each in self._session.welcome.recent if each.paths]
        paths = book.paths if book is not None and book.paths else (recent[0] if recent else ())
        return str(paths[0].parent) if paths else str(Path.home())

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)

    def _begin(self, sequence: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(sequence)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _book_filter() -> str:
    every = " ".join(f"*.{suffix}" for suffix in BOOK_SUFFIXES)
    return ";;".join([f"{_('Scanned books')} ({every})", f"{_('All files')} (*)"])
