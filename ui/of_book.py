"""Dialogs about one book: when another is shown, they are closed without an answer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog

from app.change import Change
from ui.session_signals import SessionSignals


class OfBook(QObject):
    """Closes its dialog when the book changes, so that no answer reaches another book.

    Lives as long as the dialog, which is its parent.
    """

    def __init__(self, dialog: QDialog, signals: SessionSignals) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        signals.changed.connect(self._on_changed)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book and self._dialog.isVisible():
            closed = QDialog.DialogCode.Rejected
            self._dialog.blockSignals(True)  # nobody has declined anything
            self._dialog.done(closed)
            self._dialog.blockSignals(False)
            self._dialog.finished.emit(closed.value)  # but whoever opened it may open another
