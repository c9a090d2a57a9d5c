"""The way through the doubts in the window: keys and bar become orders, what they change is drawn.

The cursor goes to the doubted word as soon as the text of its page is shown, and the image follows
the cursor. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from app.change import Change
from app.desk.doubts import Doubt
from ui.doubt_bar import Standing
from ui.doubt_marks import Doubted

if TYPE_CHECKING:
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals

CALM_MS = 5000
"""After a book was opened, before it is looked through by itself: first it is to be seen."""


class DoubtDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._bar = window.side.doubts
        self._awaited: Doubt | None = None  # the cursor is to go there
        self._waits = False  # for the first doubt, while the book is looked through
        self._calm = QTimer(self, singleShot=True, interval=CALM_MS)
        self._calm.timeout.connect(self._on_calm)
        self._listen(orders)

    def _listen(self, orders: Orders) -> None:
        doubts = self._session.doubts
        orders.add(
            {
                "next_doubt": lambda: self._go(doubts.next),
                "previous_doubt": lambda: self._go(doubts.previous),
                "accept_doubt": lambda: self._go(doubts.accept),
                "accept_doubt_everywhere": lambda: self._go(doubts.accept_everywhere),
                "take_other": lambda: self._go(self._take_first),
                "take_listed": lambda: self._go(doubts.take_listed),
                "defer_doubt": lambda: self._go(doubts.defer),
            }
        )
        self._bar.ordered.connect(orders.carry_out)
        self._bar.threshold_chosen.connect(
            lambda threshold: self._signals.tell(doubts.set_threshold(threshold))
        )
        self._bar.threshold_tried.connect(self._on_threshold_tried)
        self._bar.close_asked.connect(self._on_close_asked)
        self._signals.changed.connect(self._on_changed)
        self._window.text.text_shown.connect(self._show_awaited)

    def _go(self, order: Callable[[], Change]) -> None:
        """Carry an order out and go where the queue stands then."""
        self._bar.show()
        change = order()
        doubts = self._session.doubts
        self._awaited = doubts.at
        self._waits = doubts.at is None and doubts.is_building
        self._signals.tell(change)
        self._show_awaited()

    def _take_first(self) -> Change:
        """Take what the bar offers first."""
        doubts = self._session.doubts
        return doubts.take_other() if doubts.at and doubts.at.other else doubts.take_listed()

    @Slot()
    def _show_awaited(self) -> None:
        """Put the cursor on the doubt, if the text of its page is in the pane."""
        doubt, text = self._awaited, self._window.text
        if doubt is None or text.page != doubt.page or not text.has_text:
            return
        self._awaited = None
        text.set_cursor(doubt.region, doubt.start)
        text.setFocus()
        self._bar.announce()

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book:
            self._awaited, self._waits = None, False
            self._bar.hide()
            self._calm.start()
        if change.current_page:
            self._waits = False  # who turned the page meanwhile is not taken away from it
        page = self._session.page
        if change.doubts or change.current_page or change.book or page in change.readings:
            self._show()
        if change.doubts and self._waits and self._session.doubts.left:
            self._go(self._session.doubts.next)

    def _show(self) -> None:
        doubts, window = self._session.doubts, self._window
        at = doubts.at
        window.text.show_doubts([_doubted(each, at) for each in self._of_page()])
        window.status.run_bar.show_doubts(doubts.left if self._session.book else 0)
        self._bar.show_standing(
            Standing(
                at,
                doubts.left,
                doubts.found_share_at(doubts.threshold),
                doubts.threshold,
                doubts.progress,
                doubts.is_building,
            )
        )

    def _of_page(self) -> list[Doubt]:
        """The doubts of the shown page over the threshold, with the one that is looked at."""
        doubts, page = self._session.doubts, self._session.page
        if self._session.book is None:
            return []
        found = [each for each in doubts.doubts_of(page) if each.chance >= doubts.threshold]
        at = doubts.at
        return [*found, at] if at is not None and at.page == page and at not in found else found

    @Slot(float)
    def _on_threshold_tried(self, threshold: float) -> None:
        doubts = self._session.doubts
        found_share = doubts.found_share_at(threshold)
        self._bar.show_count(doubts.left_at(threshold), found_share, threshold)

    @Slot()
    def _on_close_asked(self) -> None:
        self._bar.hide()
        self._window.text.setFocus()

    @Slot()
    def _on_calm(self) -> None:
        if self._session.book is not None and self._window.isVisible():  # not while it closes
            self._signals.tell(self._session.doubts.build())


def _doubted(doubt: Doubt, at: Doubt | None) -> Doubted:
    return Doubted(doubt.region, doubt.start, doubt.end, is_current=doubt == at)
