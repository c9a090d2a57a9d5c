"""The page image with its blocks: outlines, the one that is lit, clicks that choose one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from app.book import Box, PageSize, Region, Span
from app.language import _, plural
from ui.close_up import CloseUp
from ui.kind_names import KIND_NAMES
from ui.magnifier import Magnifier
from ui.page_desk import PageDesk, PaintOver
from ui.page_hand import PageHand
from ui.page_image import RequestImage
from ui.page_layout import Layout, Pan, Point
from ui.page_overlay import Overlay
from ui.page_tint import Tint
from ui.theme import is_motion_wanted

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPainter

FADE_MS = 30  # between two steps of a block that fades in
TOLD_LETTERS = 60  # of each block, in the description


class PageView(QWidget):
    """Draws the blocks that it was told of and tells which one is chosen. Belongs to `ui`.

    `desk` holds the image: zoom, pan, and the signals about both.
    """

    region_clicked = Signal(int, object)  # index, `Point` in pixels of the master
    region_opened = Signal(int, object)  # the same; its text is to be edited

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overlay = Overlay()
        self.desk = PageDesk(self, self._paint_over)
        self.close_up = CloseUp(self)
        self.magnifier = Magnifier(self.desk, self.close_up)
        self._hand = PageHand(self.desk)
        self._page: int | None = None
        self.painted_over: list[PaintOver] = []  # what others draw over the blocks
        self._fade = QTimer(self, interval=FADE_MS)
        self._fade.timeout.connect(self._on_fade_step)
        self._hand.clicked.connect(self._on_clicked)
        self._hand.opened.connect(self._on_opened)
        self._hand.pointed.connect(self._on_pointed)
        self._hand.held.connect(self._on_held)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.desk, 1)
        self.setFocusProxy(self.desk)
        self.setMinimumSize(160, 160)

    def set_book(self, request_image: RequestImage | None) -> None:
        """Ask this for the pages of another book; None where no book is open."""
        self._page = None
        self._overlay.clear()
        self.magnifier.show_word(None)
        self.close_up.begin(request_image)
        self.desk.set_book(request_image)

    def show_page(self, page: int, size: PageSize | None) -> None:
        """Turn to a page as soon as its image has come; its blocks come with `show_regions`.

        Args:
            page: from 0.
            size: of its master; None where it is not known yet.
        """
        if page != self._page:
            self._page = page
            self._overlay.clear()
            self.magnifier.show_word(None)
        self.close_up.show_page(page)
        self.desk.show_page(page, size)

    def reload(self) -> None:
        """Fetch the image anew: the scan of this page has changed."""
        self.close_up.forget()
        self.desk.reload()

    def show_regions(self, regions: Sequence[Region], *, fades: bool = False) -> None:
        """Draw these blocks of the page; new ones fade in while it is being read."""
        if tuple(regions) == self._overlay.regions:
            return
        self._overlay.show(regions, fades=fades and is_motion_wanted(self))
        self.desk.setAccessibleDescription(_described(regions))
        if self._overlay.is_fading:
            self._fade.start()
        self._draw()

    def light(self, region: int | None, mark: Span | None = None) -> None:
        """Light the block of the text cursor, and mark the word that it stands in."""
        if self._overlay.light(region, mark):
            self.magnifier.show_word(mark)
            self._draw()

    def put_below(self, line: QWidget) -> None:
        """Put a line of words below the image."""
        self._column.addWidget(line)

    def set_tint(self, tint: Tint) -> None:
        """Show the image inverted or sepia, or as it is."""
        self._overlay.tint = tint
        self.desk.set_tint(tint)
        self.magnifier.update()

    def bring_into_sight(self, box: Box) -> None:
        """Scroll as little as needed to see a box of the master; not at all if it is seen."""
        self.desk.bring_into_sight(box)

    def set_boxes_shown(self, *, is_shown: bool) -> None:
        """Show the outlines of all blocks, or of the lit one only."""
        self._overlay.is_shown = is_shown
        self._draw()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits the lit block; Ctrl with up and down walks the blocks."""
        has_ctrl = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if not event.modifiers():
                self._tell(self.region_opened, self._overlay.lit)
            case Qt.Key.Key_Down if has_ctrl:
                self._tell(self.region_clicked, self._overlay.next_with_box(1))
            case Qt.Key.Key_Up if has_ctrl:
                self._tell(self.region_clicked, self._overlay.next_with_box(-1))
            case _:
                super().keyPressEvent(event)

    def _tell(self, signal: SignalInstance, region: int | None) -> None:
        """Of a block chosen by key: as if its first letter had been clicked."""
        box = self._overlay.box(region)
        if box is not None:
            signal.emit(region, Point(box.left, box.top))

    def _draw(self) -> None:
        self.desk.viewport().update()

    def _paint_over(self, painter: QPainter, layout: Layout, pan: Pan) -> None:
        pen_px = max(1, round(self.devicePixelRatioF()))
        self._overlay.paint(painter, layout, pan, pen_px=pen_px)
        for paint in self.painted_over:
            paint(painter, layout, pan)

    @Slot(object)
    def _on_clicked(self, point: Point) -> None:
        region = self._overlay.at(point)
        if region is not None:
            self.region_clicked.emit(region, point)

    @Slot(object)
    def _on_opened(self, point: Point) -> None:
        region = self._overlay.at(point)
        if region is not None:
            self.region_opened.emit(region, point)

    @Slot(object)
    def _on_pointed(self, point: Point | None) -> None:
        region = self._overlay.at(point) if point is not None else None
        if region != self._overlay.hovered:
            self._overlay.hovered = region
            self._draw()
        if self.magnifier.is_on:
            self._magnify(point)

    @Slot(object)
    def _on_held(self, point: Point | None) -> None:
        self._magnify(point)

    def _magnify(self, point: Point | None) -> None:
        if point is None:
            self.magnifier.end()
        else:
            self.magnifier.show_point(point)

    @Slot()
    def _on_fade_step(self) -> None:
        if not self._overlay.is_fading:
            self._fade.stop()
        self._draw()


def _described(regions: Sequence[Region]) -> str:
    """The blocks in reading order, for those who cannot see them."""
    count = plural("{n} block", "{n} blocks", len(regions))
    blocks = [f"{_(KIND_NAMES[each.kind])}: {each.text[:TOLD_LETTERS]}" for each in regions]
    return "\n".join([count, *blocks])
