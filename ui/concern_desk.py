"""Why a page is to be looked at: its places marked in the image, and a list that goes there.

UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QPainter, QPen

from app.book import Box, Kind, PageState, Reason, Region
from app.desk.concerns import Concern
from app.language import _
from app.page_words import reason_text
from ui.entry_list import Entry
from ui.theme import LIGHT

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.page_layout import Layout, Pan
    from ui.session_signals import SessionSignals

PEN_PX = 2
WORDS = 6  # of a block, to know it by


class ConcernDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._turn_to = orders.turn_to
        self._boxes: list[Box] = []  # of the image that is shown
        orders.add({"reasons": self._list})
        window.image.painted_over.append(self._paint)
        signals.changed.connect(self._on_changed)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        session = self._session
        if session.book is None:
            self._boxes = []
            return
        page = session.page
        if change.book or change.current_page or page in change.pages | change.readings:
            if session.page_at(page).state is PageState.LOOK:
                self._signals.tell(session.checking.load(page))
            self._show()
        elif change.concerns:
            self._show()

    def _show(self) -> None:
        """Mark the places of a page that is still to be looked at."""
        page = self._session.page
        is_open = self._session.page_at(page).state is PageState.LOOK
        placed = [each.box for each in self._session.checking.concerns(page) if each.box]
        regions = [Region(Kind.TEXT, "", box) for box in placed] if is_open else []
        shown = self._session.preparing.on_image(page, tuple(regions))
        self._boxes = [each.box for each in shown if each.box is not None]
        self._window.image.desk.viewport().update()

    def _list(self) -> None:
        if self._session.book is None:
            return
        page = self._session.page_at(self._session.page)
        concerns = list(self._session.checking.concerns(page.number))
        placed = {each.reason for each in concerns}
        concerns += [Concern(reason) for reason in page.reasons if reason not in placed]
        told = [each for each in concerns if each.reason in page.reasons]
        entries = [
            Entry(str(at), reason_text(each.reason).capitalize(), self._where(each))
            for at, each in enumerate(told)
        ]
        nothing = [Entry("", _("Nothing speaks against this page"), is_possible=False)]
        self._window.choose_entry(
            entries or nothing,
            _("Why this page is to be looked at"),
            lambda chosen: self._go(told[int(chosen)]),
        )

    def _where(self, concern: Concern) -> str:
        if concern.other_page is not None:
            return _("go to page {n}").format(n=concern.other_page + 1)
        block = self._block(concern)
        if block is not None:
            words = " ".join(self._window.text.regions[block].text.split()[:WORDS])
            return _("go to the block “{words}”").format(words=words)
        return _("go to the place in the image") if concern.box else ""

    def _block(self, concern: Concern) -> int | None:
        """The block that is meant, as the text stands now: the one in whose box it was found."""
        if concern.block is None or concern.box is None:
            return None
        [shown] = self._session.preparing.on_image(
            self._session.page, (Region(Kind.TEXT, "", concern.box),)
        )
        boxes = [region.box for region in self._window.text.regions]
        return boxes.index(shown.box) if shown.box in boxes else None

    def _go(self, concern: Concern) -> None:
        block = self._block(concern)
        if concern.other_page is not None:
            self._turn_to(concern.other_page)
        elif block is not None:
            self._window.text.set_cursor(block, 0)
            self._window.text.setFocus()
        elif concern.box is not None:
            region = Region(Kind.TEXT, "", concern.box)
            [shown] = self._session.preparing.on_image(self._session.page, (region,))
            if shown.box is not None:
                self._window.image.bring_into_sight(shown.box)
                self._window.image.setFocus()
        elif concern.reason is Reason.LOW_CONFIDENCE:
            self._window.commands["next_doubt"].trigger()

    def _paint(self, painter: QPainter, _layout: Layout, _pan: Pan) -> None:
        if not self._boxes:
            return
        ratio = self._window.image.devicePixelRatioF()
        painter.save()
        painter.scale(ratio, ratio)
        painter.setPen(QPen(LIGHT.look, PEN_PX, Qt.PenStyle.DotLine))
        for box in self._boxes:
            room = self._window.image.desk.room_of(box)
            if room is not None:
                painter.drawRect(room.adjusted(-3, -3, 3, 3))
        painter.restore()
