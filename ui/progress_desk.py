"""Progress in the window: signs of life are told to the session, and the dialog shows the sum.

UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.of_book import OfBook
from ui.progress_dialog import ProgressDialog

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


class ProgressDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        orders.add({"progress": self._open})
        self._watch()
        signals.changed.connect(self._on_changed)

    def _watch(self) -> None:
        """Typing, moving the cursor, scrolling and every command are signs of life."""
        window = self._window
        window.text.cursor_moved.connect(self._on_alive)
        window.text.edited.connect(self._on_alive)
        window.commands.ordered.connect(self._on_alive)
        window.image.region_clicked.connect(self._on_alive)
        for area in (window.text.editor, window.image.desk):
            area.verticalScrollBar().valueChanged.connect(self._on_alive)

    @Slot()
    def _on_alive(self) -> None:
        self._session.working.touch()

    def _open(self) -> None:
        if self._session.book is not None:
            self._signals.tell(self._session.working.load())

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.current_page:
            self._session.working.touch()
        progress = self._session.working.progress
        if change.work and progress is not None:
            dialog = ProgressDialog(self._window)
            dialog.show_progress(progress)
            OfBook(dialog, self._signals)
            dialog.open()
