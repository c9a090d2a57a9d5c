"""Readings made elsewhere in the window: which folder, and whether they may stand as the text.

UI thread only; what becomes of it is told as a notice.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog

from app.importing.taking import ImportOrder
from app.language import _, plural

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


SHOWN_AFTER_MS = 500
"""A shorter wait shows nothing."""


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
        self._progress: QProgressDialog | None = None
        orders.add({"import_readings": self._choose})
        signals.changed.connect(self._on_changed)

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

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        progress = self._session.imports.progress
        if not change.export:
            return
        if progress is None:
            self._put_away()
        else:
            dialog = self._progress or self._begun()
            dialog.setMaximum(max(progress.files, 1))
            dialog.setValue(min(progress.done, progress.files - 1))  # at its end it would hide

    def _begun(self) -> QProgressDialog:
        """Shown once it takes longer than a moment; the window stays usable."""
        dialog = self._progress = QProgressDialog(self._window)
        dialog.setLabelText(_("Taking readings in; what is saved stays."))
        dialog.setCancelButtonText(_("Stop"))
        dialog.setWindowModality(Qt.WindowModality.NonModal)
        dialog.setMinimumDuration(SHOWN_AFTER_MS)
        dialog.setAutoReset(False)  # noqa: FBT003 - Qt takes no keyword
        dialog.canceled.connect(lambda: self._signals.tell(self._session.imports.stop()))
        return dialog

    def _put_away(self) -> None:
        if self._progress is not None:
            self._progress.hide()
            self._progress.deleteLater()
            self._progress = None

    def _begin(self, folder: Path, *, make_current: bool) -> None:
        order = ImportOrder(folder, make_current=make_current)
        self._signals.tell(self._session.imports.begin(order))
