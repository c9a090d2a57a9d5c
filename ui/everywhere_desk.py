"""Taking a doubted word everywhere, in the window: one key shows what it would do, twice does it.

UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.finding_words import ended_text
from ui.replace_desk import is_done

if TYPE_CHECKING:
    from app.change import Change
    from app.desk.doubts import Doubt
    from app.finding_values import ReplaceEnded
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


class EverywhereDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._orders = orders
        self._row = window.side.doubts.everywhere
        self._at: Doubt | None = None  # that is looked at while the row is shown
        self._goes_on = False  # to the next doubt, as soon as the pages are judged anew
        self._ended: ReplaceEnded | None = None  # that was told
        orders.add({"take_everywhere": self._take})
        self._row.ordered.connect(orders.carry_out)
        self._row.proofread_chosen.connect(self._show)
        self._row.left.connect(self._on_left)
        signals.changed.connect(self._on_changed)

    def _take(self) -> None:
        """Show what would be done; done once more, do it."""
        everywhere = self._session.everywhere
        self._window.flush()  # what was typed is in the book before it is searched through
        if everywhere.is_prepared:
            self._tell(everywhere.carry_out(proofread_too=self._row.proofread_too.isChecked()))
            return
        self._at = self._session.doubts.at
        self._row.proofread_too.setChecked(False)
        self._tell(everywhere.prepare())
        self._show()

    @Slot()
    def _show(self) -> None:
        everywhere = self._session.everywhere
        if everywhere.is_prepared:
            too = self._row.proofread_too.isChecked()
            self._window.side.doubts.show()
            self._row.show_preview(everywhere.preview(proofread_too=too))
        elif everywhere.ended is not None:
            ended = everywhere.ended
            self._row.show_ended(
                ended_text(ended), warns=ended.error is not None, can_take_back=is_done(ended)
            )
        else:
            self._row.hide()

    @Slot()
    def _on_left(self) -> None:
        self._at, self._goes_on = None, False
        self._tell(self._session.everywhere.cancel())
        self._window.text.setFocus()

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book:
            self._goes_on = False
            self._tell(self._session.everywhere.cancel())
        if change.found:
            self._hear_end()
            self._show()
        if change.doubts:
            self._follow_doubt()

    def _hear_end(self) -> None:
        ended = self._session.everywhere.ended
        if ended is not None and ended is not self._ended:
            self._goes_on = is_done(ended)
        self._ended = ended

    def _follow_doubt(self) -> None:
        """Go on when the word is gone; what is said of one word goes away with the next."""
        at, everywhere = self._session.doubts.at, self._session.everywhere
        if self._goes_on and at is None:
            self._goes_on, self._at = False, None
            self._orders.carry_out("next_doubt")
            return
        if at is None or self._row.isHidden():
            return
        if self._at is not None and at[:3] != self._at[:3]:  # page, block, place
            self._at, self._goes_on = None, False
            self._tell(everywhere.cancel())
            return
        self._at = at

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)
