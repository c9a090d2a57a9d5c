"""The magnifier over the page image: a strip below the word of the cursor, or under the mouse.

It shows the line around a place enlarged and never covers that place. UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from app.book import Box, Span
from app.language import _
from ui.close_up import CloseUp
from ui.page_layout import Point
from ui.page_overlay import paint_mark
from ui.page_tint import paint_tint
from ui.theme import RADIUS, Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from ui.page_desk import PageDesk
    from ui.picture import Picture

TIMES = 2.5  # as large as the image is shown
HEIGHT_EM = 6.0
LEAST_SCALE = 0.5  # pixels of the screen for one of the master: a page shown tiny is read as well
LARGEST_SCALE = 6.0


class Magnifier(QWidget):
    """Lies over the desk; the mouse goes through it. Belongs to `ui`."""

    def __init__(self, desk: PageDesk, close_up: CloseUp) -> None:
        super().__init__(desk.viewport())
        self._desk = desk
        self._close_up = close_up
        self._center: Point | None = None  # pixels of the master
        self._mark: Span | None = None
        self.is_on = False  # it follows; else it is only held up by the mouse
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(_("Magnifier"))
        self.hide()
        close_up.arrived.connect(self.update)
        desk.zoom_changed.connect(self._lay_out)
        for bar in (desk.horizontalScrollBar(), desk.verticalScrollBar()):
            bar.valueChanged.connect(self._lay_out)

    def set_on(self, *, is_on: bool) -> None:
        """Follow the cursor and the mouse from now on, or no more."""
        self.is_on = is_on
        self._lay_out()

    def show_word(self, mark: Span | None) -> None:
        """Show the line around a word; None: there is nothing to show."""
        self._mark = mark
        self._center = None if mark is None else _middle(mark.box)
        self._lay_out()

    def show_point(self, point: Point) -> None:
        """Show what is around a place under the mouse."""
        self._center = point
        self._lay_out(is_held=True)

    def end(self) -> None:
        """The mouse was let go or is away: back to the word."""
        self.show_word(self._mark)

    def _lay_out(self, *_told: object, is_held: bool = False) -> None:
        """Stand below the place that is shown, or above it where there is no room below."""
        place = self._place() if self.is_on or is_held else None
        if place is None:
            self.hide()
            return
        room = self._desk.viewport().rect()
        height = min(round(HEIGHT_EM * self.fontMetrics().height()), room.height() // 2)
        gap = Space.L
        top = place.bottom() + gap
        if top + height > room.height():
            top = max(0.0, place.top() - gap - height)
        self.setGeometry(QRect(gap, round(top), max(1, room.width() - 2 * gap), height))
        self.show()
        self.raise_()
        self.update()

    def _place(self) -> QRectF | None:
        """What is shown enlarged, where it is seen now; None where it is out of sight."""
        if self._center is None:
            return None
        box = Box(self._center.x, self._center.y, self._center.x, self._center.y)
        if self._mark is not None and self._center == _middle(self._mark.box):
            box = self._mark.box
        place = self._desk.room_of(box)
        room = self._desk.viewport().rect()
        is_seen = place is not None and place.top() >= -1 and place.bottom() <= room.height() + 1
        return place if is_seen else None

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        column = colours(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), column.panel)
        picture = self._close_up.picture() or self._desk.picture
        if picture is not None and self._center is not None:
            self._paint_part(painter, picture, self._center)
        painter.setPen(QPen(column.accent, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _paint_part(self, painter: QPainter, picture: Picture, center: Point) -> None:
        scale, size = self._scale(), picture.master
        way = QPointF(
            _way(center.x * scale, size.width * scale, self.width()),
            _way(center.y * scale, size.height * scale, self.height()),
        )
        paper = QRectF(way.x(), way.y(), size.width * scale, size.height * scale)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        seen = paper.intersected(QRectF(self.rect()))
        share = picture.scale / scale
        part = QRectF(
            (seen.left() - way.x()) * share,
            (seen.top() - way.y()) * share,
            seen.width() * share,
            seen.height() * share,
        )
        painter.drawImage(seen, picture.image, part)
        paint_tint(painter, seen.toAlignedRect(), self._desk.tint)
        if self._mark is not None:
            box = self._mark.box
            rect = QRectF(
                way.x() + box.left * scale,
                way.y() + box.top * scale,
                box.width * scale,
                box.height * scale,
            )
            paint_mark(painter, rect, origin=self._mark.origin, tint=self._desk.tint, pen_px=1)
        painter.restore()

    def _scale(self) -> float:
        """Logical pixels of the screen for one pixel of the master."""
        shown = self._desk.zoom.scale / self._desk.devicePixelRatioF()
        return min(LARGEST_SCALE, max(LEAST_SCALE, TIMES * shown))


def _middle(box: Box) -> Point:
    return Point((box.left + box.right) / 2, (box.top + box.bottom) / 2)


def _way(center: float, paper: float, room: int) -> float:
    """Where the paper begins so that a place of it is in the middle, and no room is left empty."""
    if paper <= room:
        return (room - paper) / 2
    return min(0.0, max(room - paper, room / 2 - center))
