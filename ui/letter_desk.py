"""The letter test in the window: the dialog's answers reach the session, page images the dialog.

UI thread only.
"""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from app.errors import UserFacing
from app.language import _
from app.letter_testing import pages_to_test
from app.pages import Priority
from app.sentences import sentence
from ui.arrivals import Arrivals
from ui.letter_dialog import LetterDialog
from ui.of_book import OfBook
from ui.picture import Picture

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from app.sources.values import Raster
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals

LONGEST_PX = 4000  # of the sides of a page's picture


class LetterDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._dialog: LetterDialog | None = None
        self._arrivals = Arrivals(self._on_arrived)
        self._page: int | None = None  # whose picture was asked for
        self._picture: Picture | None = None
        self._said = ""
        orders.add({"letter_test": self._open})
        signals.changed.connect(self._on_changed)

    def _open(self) -> None:
        book = self._session.book
        if book is None or self._dialog is not None:
            return
        dialog = LetterDialog(
            pages_to_test(book),
            [page.label for page in book.pages],
            can_change=not self._session.read_only,
            parent=self._window,
        )
        letters, tell = self._session.letters, self._signals.tell
        dialog.begin_asked.connect(lambda pages: tell(letters.begin(pages)))
        dialog.answered.connect(lambda is_right: tell(letters.answer(is_right=is_right)))
        dialog.back_asked.connect(lambda: tell(letters.step_back()))
        dialog.protocol_asked.connect(self._on_protocol_asked)
        dialog.finished.connect(self._on_closed)
        self._dialog = dialog
        OfBook(dialog, self._signals)
        dialog.open()
        tell(letters.load())

    @Slot()
    def _on_protocol_asked(self) -> None:
        book = self._session.book
        if book is None or self._dialog is None:
            return
        folder = book.paths[0].parent if book.paths else Path.home()
        start = str(folder / _("letter test {name}.pdf").format(name=book.paths[0].stem))
        name, _kind = QFileDialog.getSaveFileName(
            self._dialog, _("Save the protocol"), start, "PDF (*.pdf)"
        )
        if name:
            path = Path(name if name.endswith(".pdf") else f"{name}.pdf")
            self._signals.tell(self._session.letters.write_protocol(path))

    @Slot()
    def _on_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = self._page = self._picture = None

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        dialog, letters = self._dialog, self._session.letters
        if dialog is None or not change.letters:
            return
        dialog.show_error(letters.error)
        if letters.error is None and letters.written is not None:
            dialog.show_written(letters.written)
        elif letters.error is None:
            dialog.show_test(letters.test)
            self._show_image()

    def _show_image(self) -> None:
        test, opened = self._session.letters.test, self._session.shown
        if test is None or test.is_ended or opened is None or self._dialog is None:
            return
        page = test.letters[len(test.answers)].page
        if page != self._page:
            self._page, self._picture, self._said = page, None, ""
            size = (LONGEST_PX, LONGEST_PX)
            picture = opened.images.image(page, fit=size, priority=Priority.VISIBLE)
            self._arrivals.expect(page, picture)
        self._dialog.show_image(self._picture, said=self._said)

    def _on_arrived(self, page: int, future: Future[Raster]) -> None:
        if page != self._page or self._dialog is None or future.cancelled():
            return
        try:
            self._picture = Picture(future.result())
        except UserFacing as error:
            self._said = sentence(error).happened
        self._dialog.show_image(self._picture, said=self._said)
