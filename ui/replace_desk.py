"""Replacing over the book in the window: the dialog's orders reach the session and come back.

UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMessageBox

from app.finding_values import Asked, Plan, ReplaceEnded
from app.finding_words import ended_text
from ui.of_book import OfBook
from ui.replace_dialog import ReplaceDialog

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from app.store.planning import Planned
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


class ReplaceDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._orders = orders
        self._dialog: ReplaceDialog | None = None
        self._shown: tuple[Plan | None, ReplaceEnded | None] = (None, None)
        orders.add({"replace": self._open, "take_back_replacement": self._take_back})
        window.find_bar.replace_asked.connect(self.open)
        signals.changed.connect(self._on_changed)

    @property
    def dialog(self) -> ReplaceDialog | None:
        """The dialog, while it is open."""
        return self._dialog

    def _open(self) -> None:
        selected = self._window.text.selected_line()
        asked = self._window.find_bar.query
        self.open(Asked(selected) if selected else asked)

    @Slot(object)
    def open(self, asked: Asked) -> None:
        """Show the dialog with something to look for."""
        if self._session.book is None:
            return
        if self._dialog is not None:
            self._dialog.raise_()
            self._dialog.activateWindow()
            return
        dialog = ReplaceDialog(asked, can_change=not self._session.read_only, parent=self._window)
        finding = self._session.finding
        dialog.plan_asked.connect(lambda *order: self._tell(finding.prepare(*order)))
        dialog.replace_asked.connect(self._on_replace_asked)
        dialog.take_back_asked.connect(self._take_back)
        dialog.place_chosen.connect(self._orders.show_match)
        dialog.finished.connect(self._on_closed)
        self._dialog = dialog
        OfBook(dialog, self._signals)
        dialog.show()

    @Slot(object, object)
    def _on_replace_asked(self, plan: Plan, chosen: list[Planned]) -> None:
        self._window.flush()  # what was typed is in the book before it is searched through
        self._tell(self._session.finding.replace(plan, chosen))

    def _take_back(self) -> None:
        self._window.flush()
        self._tell(self._session.finding.take_back())

    @Slot()
    def _on_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = None

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if not change.found:
            return
        finding, book = self._session.finding, self._session.book
        (plan, ended), self._shown = self._shown, (finding.plan, finding.ended)
        if finding.ended is not None and finding.ended is not ended:
            self._show_ended(finding.ended)
        if self._dialog is not None and finding.plan is not plan and finding.plan is not None:
            self._dialog.show_plan(finding.plan, book.pages if book is not None else ())

    def _show_ended(self, ended: ReplaceEnded) -> None:
        if self._dialog is not None:
            self._dialog.show_ended(ended)
            return
        if ended is self._session.everywhere.ended:  # the bar of doubts says it
            return
        box = QMessageBox(self._window)
        box.setText(ended_text(ended))
        box.open()

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)


def is_done(ended: ReplaceEnded) -> bool:
    """Whether something was replaced that can be taken back."""
    outcome = ended.outcome
    return outcome is not None and bool(outcome.changed) and not outcome.is_taken_back
