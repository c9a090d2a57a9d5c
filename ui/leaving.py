"""What is asked before the window closes: a run under way, and text that is not on the disk."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QMessageBox

from app.language import _
from app.sentences import sentence
from app.session import Session
from ui.main_window import MainWindow
from ui.session_signals import SessionSignals

WAIT_MS = 50
WAITS = 240
"""So often it is looked whether the last words have reached the disk: 12 s, as a locked database
is waited for 10."""


class Leaving(QObject):
    """Asks, and lets the window close. Belongs to `ui`."""

    def __init__(self, window: MainWindow, session: Session, signals: SessionSignals) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._waits = 0
        self._box: QMessageBox | None = None

    @Slot()
    def ask(self) -> None:
        """Close the window; ask while a book is read, or when something typed cannot be saved."""
        if self._box is not None and self._box.isVisible():
            return
        if self._session.proofs.is_saving and self._waits < WAITS:
            self._waits += 1
            QTimer.singleShot(WAIT_MS, self.ask)
            return
        self._waits = 0
        if self._session.proofs.has_unsaved:
            self._ask_about_text()
        else:
            self._ask_about_run()

    def _ask_about_text(self) -> None:
        why = self._session.proofs.why_unsaved
        said = sentence(why) if why is not None else None
        box = self._question(
            _("What you typed last is not saved."), f"{said.happened} {said.next}" if said else ""
        )
        box.addButton(_("Save again and quit"), _ACCEPT).clicked.connect(self._save_again)
        box.addButton(_("Quit without it"), _DESTROY).clicked.connect(self._ask_about_run)
        box.addButton(_("Stay"), _REJECT)
        box.open()

    @Slot()
    def _save_again(self) -> None:
        self._signals.tell(self._session.proofs.save_again())
        QTimer.singleShot(0, self.ask)

    @Slot()
    def _ask_about_run(self) -> None:
        if self._session.runs.run is None:
            self._window.leave()
            return
        box = self._question(
            _("A book is being read."),
            _("Every finished page is saved; reading goes on at this page the next time."),
        )
        box.addButton(_("Stop and quit"), _ACCEPT).clicked.connect(self._window.leave)
        box.addButton(_("Go on reading"), _REJECT)
        box.open()

    def _question(self, text: str, more: str) -> QMessageBox:
        self._box = QMessageBox(self._window)
        self._box.setIcon(QMessageBox.Icon.Question)
        self._box.setText(text)
        self._box.setInformativeText(more)
        return self._box


_ACCEPT = QMessageBox.ButtonRole.AcceptRole
_DESTROY = QMessageBox.ButtonRole.DestructiveRole
_REJECT = QMessageBox.ButtonRole.RejectRole
