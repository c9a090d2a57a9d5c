"""Keeps the mark of openings, and asks what to do when the last one ended the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox

from app.change import Change
from app.language import _
from app.opening_mark import OpeningMark
from app.session import Session
from ui.main_window import MainWindow
from ui.session_signals import SessionSignals

STANDS_AFTER_MS = 3000
"""A book that has been shown for so long did not end the program by being opened."""


class SafeStart(QObject):
    """Belongs to `ui`; one for the window."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, mark: OpeningMark
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._mark = mark
        self._is_set = False
        self._stands = QTimer(self, singleShot=True, interval=STANDS_AFTER_MS)
        self._stands.timeout.connect(self.end)
        signals.changed.connect(self._on_changed)

    def begin(self, then: Callable[[], None]) -> None:
        """Go on with `then`, unless the last start ended while it opened a book: then ask first."""
        left = self._mark.left_behind()
        self._mark.remove()
        if left:
            self._ask(left, then)
        else:
            then()

    def end(self) -> None:
        """The book stands, or the program ends in order."""
        self._is_set = False
        self._mark.remove()

    def _ask(self, left: Sequence[Path], then: Callable[[], None]) -> None:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(_("Incunable"))
        box.setText(
            _("The last time, the program ended while it opened {name}.").format(
                name=", ".join(path.name for path in left)
            )
        )
        box.setInformativeText(
            _(
                "What was read and typed is safe. In safe mode no book is opened by itself, and "
                "neither graphics card nor checkpoint is used."
            )
        )
        safely = box.addButton(_("Start in &safe mode"), QMessageBox.ButtonRole.AcceptRole)
        usual = box.addButton(_("Start as &usual"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(safely)
        box.setEscapeButton(safely)
        box.finished.connect(lambda: self._on_answer(then, is_usual=box.clickedButton() is usual))
        box.open()

    def _on_answer(self, then: Callable[[], None], *, is_usual: bool) -> None:
        if is_usual:
            then()
        else:
            self._session.be_safe()
            self._window.show_safe_mode()

    def _on_changed(self, change: Change) -> None:
        opening = self._session.openings.order
        if opening is not None and not self._is_set:
            self._is_set = True
            self._stands.stop()
            self._mark.set(opening.paths)
        elif opening is None and self._is_set and not self._stands.isActive():
            self._stands.start()
        if change.opening_failed and opening is None:
            self.end()
