"""Readings made elsewhere in the window: which folder, and whether they may stand as the text.

UI thread only; what becomes of it is told as a notice.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.importing.taking import ImportOrder
from app.language import _, plural

if TYPE_CHECKING:
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


class ImportDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._folder: Path | None = None  # where the last import came from
        orders.add({"import_readings": self._choose})

    def _choose(self) -> None:
        book = self._session.book
        if book is None:
            return
        beside = self._folder or (book.paths[0].parent if book.paths else Path.home())
        name = QFileDialog.getExistingDirectory(
            self._window, _("Import readings: a folder of PAGE, ALTO, hOCR or text"), str(beside)
        )
        if not name:
            return
        self._folder = Path(name)
        machine = sum(bool(page.reading_id) and not page.by_hand for page in book.pages)
        if machine:
            self._ask(Path(name), machine)
        else:
            self._begin(Path(name), make_current=False)

    def _ask(self, folder: Path, pages: int) -> None:
        """Some pages have a text: may the other one stand in its place?"""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(
            plural(
                "{n} page of this book has a text read by an engine.",
                "{n} pages of this book have a text read by an engine.",
                pages,
            )
        )
        box.setInformativeText(
            _(
                "Nothing is lost either way: every reading is kept among the earlier readings. "
                "A text by hand is never replaced."
            )
        )
        role = QMessageBox.ButtonRole.AcceptRole
        beside = box.addButton(_("&Keep their text, put the other beside it"), role)
        instead = box.addButton(_("&Show the imported text instead"), role)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(beside)
        beside.clicked.connect(lambda: self._begin(folder, make_current=False))
        instead.clicked.connect(lambda: self._begin(folder, make_current=True))
        box.open()

    def _begin(self, folder: Path, *, make_current: bool) -> None:
        order = ImportOrder(folder, make_current=make_current)
        self._signals.tell(self._session.imports.begin(order))
