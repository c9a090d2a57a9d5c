"""Paints the strips of the page's image above the lines of the text pane. UI thread only."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.book import Box, Region, Span
from ui.code_points import to_code_points
from ui.line_strips import Strips, strip_box, strips_of
from ui.page_layout import Point
from ui.page_margin import blocks_in_sight, lines_in_sight
from ui.page_overlay import paint_mark
from ui.page_text import Place, moved_within
from ui.page_tint import Tint, paint_tint
from ui.theme import colours
from ui.words_on_page import mark_at, offset_at

if TYPE_CHECKING:
    from ui.close_up import CloseUp
    from ui.page_editor import PageEditor
    from ui.picture import Picture

KEPT = 300  # strips; some 30 KB each
GAP_PX = 2  # between a strip and the letters below it


class _Line(NamedTuple):
    """One line of the pane with its strip."""

    number: int  # of the block
    box: Box  # what the strip shows, pixels of the master
    rect: QRectF  # where, pixels of the viewport
    start: int  # code points in the block's text as the book has it
    end: int


class StripPainter:
    """Belongs to `ui`. The picture of the page comes when it comes; till then strips are empty."""

    def __init__(self, edit: PageEditor, close_up: CloseUp) -> None:
        self._edit = edit
        self._close_up = close_up
        self.tint = Tint.NONE
        self._strips = Strips()
        self._picture: Picture | None = None
        self._cut: OrderedDict[tuple[QRect, tuple[int, int]], QPixmap] = OrderedDict()

    def lay_out(self, regions: Sequence[Region], column_px: float) -> int:
        """Lay the strips of a page out; the room that lines need between them, in pixels."""
        self._strips = strips_of(regions, column_px)
        height_px = self._strips.height_px
        return round(height_px) + 2 * GAP_PX if height_px else 0

    def paint(self, dirty: QRect, place: Place | None) -> None:
        """Paint the strips that lie in a part of the viewport."""
        picture = self._close_up.picture()
        if picture is not self._picture:
            self._picture = picture
            self._cut.clear()
        painter = QPainter(self._edit.viewport())
        column = colours(self._edit.palette())
        for line in self._lines(dirty):
            if picture is None:
                painter.fillRect(line.rect, column.window)
                continue
            painter.drawPixmap(line.rect.topLeft(), self._strip(picture, line))
            paint_tint(painter, line.rect.toAlignedRect(), self.tint)
            mark = self._mark(line, place)
            if mark is not None:
                rect = _within(mark.box, line)
                paint_mark(painter, rect, origin=mark.origin, tint=self.tint, pen_px=1)

    def place_at(self, at: QPoint) -> Place | None:
        """The letter whose print is seen there; None where there is no strip."""
        here = QRect(at, at)
        for line in self._lines(here):
            if line.rect.contains(QPointF(at)):
                share = QPointF(at) - line.rect.topLeft()
                scale = line.box.width / line.rect.width()
                point = Point(line.box.left + share.x() * scale, line.box.top + share.y() * scale)
                offset = offset_at(self._region(line.number), point)
                return Place(line.number, max(line.start, min(offset, line.end)))
        return None

    def _lines(self, dirty: QRect) -> Iterator[_Line]:
        """The lines in sight whose strip meets a part of the viewport."""
        edit, strips = self._edit, self._strips
        for number, _rect in blocks_in_sight(edit, len(strips.scales)):
            if not strips.scales[number]:
                continue
            layout = edit.document().findBlockByNumber(number).layout()
            bars = edit.horizontalScrollBar().value(), edit.verticalScrollBar().value()
            origin = layout.position() - QPointF(*bars)
            for at in lines_in_sight(edit, layout, below_px=strips.height_px + GAP_PX):
                line = layout.lineAt(at)
                top = origin.y() + line.y() - strips.height_px - GAP_PX
                if top > dirty.bottom() + 1 or top + strips.height_px < dirty.top():
                    continue
                start, length = line.textStart(), line.textLength()
                found = self._line(number, QPointF(origin.x(), top), (start, length))
                if found is not None:
                    yield found

    def _line(self, number: int, corner: QPointF, units: tuple[int, int]) -> _Line | None:
        region, typed = self._region(number), self._edit.text.texts[number]
        first, length = units
        ends = (to_code_points(typed, first), to_code_points(typed, first + length))
        start, end = (moved_within(each, typed, region.text) for each in ends)
        end -= len(region.text[start:end]) - len(region.text[start:end].rstrip("\n "))
        box = strip_box(region, start, end)
        if box is None or region.box is None:
            return None
        scale, height_px = self._strips.scales[number], self._strips.height_px
        is_first = start == 0 or region.text[start - 1] == "\n"
        indent = max(0.0, box.left - region.box.left) * scale if is_first else 0.0
        width = max(1.0, min(box.width * scale, self._edit.column_px - indent))
        height = min(height_px, box.height * scale)
        top = corner.y() + height_px - height
        rect = QRectF(round(corner.x() + indent), round(top), round(width), round(height))
        return _Line(number, box, rect, start, end)

    def _region(self, number: int) -> Region:
        return self._edit.text.regions[number]

    def _mark(self, line: _Line, place: Place | None) -> Span | None:
        """The word of the cursor, if it is in this line."""
        if place is None or place.region != line.number:
            return None
        region = self._region(line.number)
        offset = moved_within(place.offset, self._edit.text.texts[line.number], region.text)
        if not line.start <= offset <= line.end:
            return None
        return mark_at(region, offset)

    def _strip(self, picture: Picture, line: _Line) -> QPixmap:
        """The part of the picture, scaled well and kept."""
        ratio = self._edit.devicePixelRatioF()
        scale = picture.scale
        part = QRectF(
            line.box.left * scale,
            line.box.top * scale,
            line.box.width * scale,
            line.box.height * scale,
        ).toAlignedRect()
        size = (round(line.rect.width() * ratio), round(line.rect.height() * ratio))
        key = (part, size)
        if key not in self._cut:
            cut = picture.image.copy(part.intersected(picture.image.rect()))
            scaled = cut.scaled(
                *size,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            pixmap = QPixmap.fromImage(scaled)
            pixmap.setDevicePixelRatio(ratio)
            self._cut[key] = pixmap
            while len(self._cut) > KEPT:
                self._cut.popitem(last=False)
        return self._cut[key]


def _within(box: Box, line: _Line) -> QRectF:
    """Where a box of the master is in the strip of its line."""
    across = line.rect.width() / line.box.width
    down = line.rect.height() / line.box.height
    left = line.rect.left() + (box.left - line.box.left) * across
    top = line.rect.top() + (box.top - line.box.top) * down
    rect = QRectF(left, top, box.width * across, box.height * down)
    return rect.intersected(line.rect)
