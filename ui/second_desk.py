"""Second readings in the window: who is to read is asked, what differs is shown and marked.

The differing words are marked in the image as well as listed; the one that is looked at is lit by
the cursor, which goes there without taking the keys. UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Slot
from PySide6.QtGui import QPainter, QPen

from app.book import Box, Kind, Region
from app.desk.differences import Choice, Difference
from app.desk.part import part_of
from app.desk.word_places import place_of
from app.language import _
from app.run_view import ENGINE_NAMES, engine_text
from app.second_readings import Offer
from ui.announce import announce
from ui.area_marker import AreaMarker
from ui.entry_list import Entry
from ui.second_pane import SecondPane
from ui.theme import LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QMenu

    from app.change import Change
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.page_layout import Layout, Pan
    from ui.session_signals import SessionSignals

MARK_PX = 2


class SecondDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._marks: list[tuple[Box, bool]] = []  # of the image that is shown; whether looked at
        self._lists = False  # the pane shows differences
        self.pane = SecondPane(window.side)
        self.areas = AreaMarker(window.image, size=self._size)
        window.side.put_below_text(self.pane)
        window.image.painted_over.append(self._paint)
        self._listen(orders)

    def _listen(self, orders: Orders) -> None:
        orders.add(
            {
                "read_beside": lambda: self._ask(None),
                "read_block_beside": self._ask_block,
                "read_area": self._begin_area,
                "second_stop": lambda: self._tell(self._session.second.give_up()),
                "differences": self._go_to_pane,
            }
        )
        self.areas.marked.connect(self._on_area)
        self.areas.left.connect(self._window.text.setFocus)
        self.pane.chosen.connect(self._on_chosen)
        self.pane.settled.connect(self._on_settled)
        self.pane.close_asked.connect(self._on_close_asked)
        self._window.text.block_menu_made.connect(self._add_to_menu)
        self._signals.changed.connect(self._on_changed)

    # --- who is to read what --------------------------------------------------------------------

    def _ask(self, box: Box | None) -> None:
        """Let the person choose an engine, for the page or for a part of it (page pixels)."""
        session = self._session
        if session.book is None:
            return
        page = session.page
        offers = session.second.offers()
        entries = [Entry(str(at), offer_text(offer)) for at, offer in enumerate(offers)]
        prompt = _("Read this page again with") if box is None else _("Read this part again with")

        def read(chosen: str) -> None:
            self._tell(session.second.read(page, offers[int(chosen)], box))

        self._window.choose_entry(entries, prompt, read)

    def _ask_block(self) -> None:
        place = self._window.text.place
        regions = self._window.text.regions
        if place is not None and place.region < len(regions):
            box = regions[place.region].box
            if box is not None:
                self._ask(self._on_page(box))

    def _begin_area(self) -> None:
        """Begin with the block of the cursor, or with a part of the page."""
        place, regions, size = self._window.text.place, self._window.text.regions, self._size()
        at = regions[place.region].box if place is not None and regions else None
        if at is None and size is not None:
            at = Box(size[0] * 0.1, size[1] * 0.1, size[0] * 0.9, size[1] * 0.3)
        self.areas.begin(at)
        self._window.image.setFocus()
        announce(self._window.image, _hint())

    @Slot(object)
    def _on_area(self, area: Box) -> None:
        box = self._on_page(area)
        if box is not None:
            self._ask(box)

    @Slot(object)
    def _add_to_menu(self, menu: QMenu) -> None:
        menu.addAction(_("&Read this block again with…"), self._ask_block)

    def _on_page(self, box: Box) -> Box | None:
        return self._session.preparing.box_on_master(self._session.page, box)

    def _size(self) -> tuple[float, float] | None:
        picture = self._window.image.desk.picture
        return None if picture is None else (picture.master.width, picture.master.height)

    # --- what differs ---------------------------------------------------------------------------

    def _go_to_pane(self) -> None:
        if self.pane.isVisible():
            self.pane.setFocus()

    @Slot(object)
    def _on_chosen(self, difference: Difference) -> None:
        """Put the cursor on the words, unless somebody types; the keys stay with the list."""
        text = self._window.text
        if 0 <= difference.region < len(text.regions) and not text.is_being_typed:
            text.set_cursor(difference.region, difference.start)
        self._mark()

    @Slot(str, str)
    def _on_settled(self, choice: Choice, scope: str) -> None:
        second, at = self._session.second, self.pane.at
        if at is None:
            return
        self._window.flush()
        match scope:
            case "page":
                self._tell(second.take_page(choice))
            case "block":
                self._tell(second.take_block(at.region, choice))
            case _:
                self._tell(second.take(at, choice))

    @Slot()
    def _on_close_asked(self) -> None:
        second = self._session.second
        self._tell(second.close() if second.at is not None else second.give_up())
        self._window.text.setFocus()

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book or change.current_page:
            self.areas.end()
        if change.second or change.book or change.current_page:
            self._show()
        elif self._session.page in change.readings and self.pane.isVisible():
            self._mark()

    def _show(self) -> None:
        at, session = self._session.second.at, self._session
        is_here = at is not None and at.page == session.page
        waits = session.second.waiting > 0 and not is_here
        was_listed = self.pane.isVisible() and self._lists
        self._lists = is_here
        self.pane.setVisible(is_here or waits)
        if waits:
            self.pane.show_waiting()
        if at is not None and is_here:
            name = engine_text(at.other.source.engine) or _("the other reading")
            if part_of(at.other) is not None:
                name = _("{engine}, a part of the page").format(engine=name)
            self.pane.show_found(at.found, name=name, font_scale=session.settings.text_scale)
            if not was_listed:
                if not self._window.text.is_being_typed:  # or the next letters would be orders
                    self.pane.setFocus()
                announce(self.pane, self.pane.title.text())
        self._mark()

    def _mark(self) -> None:
        at = self._session.second.at
        is_here = at is not None and at.page == self._session.page and self.pane.isVisible()
        self._marks = list(self._placed(at.found)) if at is not None and is_here else []
        self._window.image.desk.viewport().update()

    def _placed(self, found: tuple[Difference, ...]) -> Iterator[tuple[Box, bool]]:
        """Where the differences are on the image that is shown."""
        regions, page = self._window.text.regions, self._session.page
        for each in found:
            is_at = each == self.pane.at
            if 0 <= each.region < len(regions) and each.left:
                place = place_of(regions[each.region], each.start, each.end)
                if place is not None:
                    yield place.box, is_at
                    continue
            if each.box is not None:
                other = (Region(Kind.TEXT, "", each.box),)
                [shown] = self._session.preparing.on_image(page, other)
                if shown.box is not None:
                    yield shown.box, is_at

    def _paint(self, painter: QPainter, _layout: Layout, _pan: Pan) -> None:
        """Underline each differing word in the image, the one that is looked at in a frame."""
        if not self._marks:
            return
        ratio = self._window.image.devicePixelRatioF()
        painter.save()
        painter.scale(ratio, ratio)
        for box, is_at in self._marks:
            room = self._window.image.desk.room_of(box)
            if room is None:
                continue
            painter.setPen(QPen(LIGHT.failed, MARK_PX))
            if is_at:
                painter.drawRect(room.adjusted(-2, -2, 2, 2))
            else:
                below = QPointF(0, MARK_PX)
                painter.drawLine(room.bottomLeft() + below, room.bottomRight() + below)
        painter.restore()

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)


def offer_text(offer: Offer) -> str:
    """An engine that can read once more, in words."""
    name = _(ENGINE_NAMES.get(offer.engine.value, offer.engine.value))
    return _("{engine}, in its other mode").format(engine=name) if offer.in_other_mode else name


def _hint() -> str:
    return _("Arrows move the area, with Shift its right and lower edge. Enter reads it, Esc ends.")
