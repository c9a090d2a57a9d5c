"""The image of a page that is prepared: what is cut off, where it is split, with handles for both.

The image stands upright and straight; boxes and fold are drawn over it and moved by mouse, or by
keys: Tab goes from handle to handle, the arrows move the one that is lit. UI thread only.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from app.errors import UserFacing
from app.language import _
from app.sources.values import Raster
from ui.arrivals import Arrivals
from ui.picture import Picture
from ui.prepare_handles import Handle, Handles
from ui.theme import LIGHT, Space, colours, faded

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

STEP_PX, LONG_STEP_PX = 2, 20  # of the master, for an arrow alone and with Shift
REACH = 8  # logical pixels within which the mouse takes a line
_PAPER = LIGHT  # a page is light in the dark looks too


class PrepareCanvas(QWidget):
    """Draws one page; holds no state of the book. Belongs to `ui`."""

    changed = Signal(object)  # `Handles` as they were moved
    room_changed = Signal()  # it has another size: another image fits

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arrivals = Arrivals(self._on_arrived)
        self._awaited: Future[Raster] | None = None
        self._picture: Picture | None = None
        self._error = ""
        self._handles = Handles()
        self._lit: Handle | None = None
        self._held: Handle | None = None
        self._origin = (0.0, 0.0)  # of the image, in the frame of the handles
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 240)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_("Page image with its edges"))

    @property
    def fit(self) -> tuple[int, int]:
        """The box that an image has to fit into, in device pixels."""
        ratio, air = self.devicePixelRatioF(), 2 * Space.M
        width, height = self.width() - air, self.height() - air
        return max(1, round(width * ratio)), max(1, round(height * ratio))

    @property
    def lit(self) -> Handle | None:
        """The handle that the arrows move."""
        return self._lit

    def await_image(self, future: Future[Raster]) -> None:
        """Show this image when it comes; the one before stays so long."""
        if self._awaited is not None:
            self._awaited.cancel()
        self._awaited = future
        self._arrivals.expect("image", future)

    def show_handles(self, handles: Handles, *, origin: tuple[float, float]) -> None:
        """Draw these over the image.

        Args:
            handles: boxes and fold, in pixels of the master's size.
            origin: where the image's corner lies in their frame.
        """
        self._handles, self._origin = handles, origin
        if self._lit not in handles.there:
            self._lit = None
        self._describe()
        self.update()

    # what Qt calls

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        column = colours(self.palette())
        painter.fillRect(self.rect(), column.behind)
        if self._picture is None:
            painter.setPen(column.secondary)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._error)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(self._place(), self._picture.image)
        self._paint_cut_off(painter)
        self._paint_lines(painter)
        if self.hasFocus():
            painter.setPen(QPen(column.accent, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.room_changed.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tab chooses a handle and then leaves; the arrows move it."""
        far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = LONG_STEP_PX if far else STEP_PX
        moves = {
            Qt.Key.Key_Left: (-step, 0),
            Qt.Key.Key_Right: (step, 0),
            Qt.Key.Key_Up: (0, -step),
            Qt.Key.Key_Down: (0, step),
        }
        if event.key() in moves and self._lit is not None:
            self._move(self._lit, *moves[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - Qt's own signature
        there = self._handles.there
        at = there.index(self._lit) if self._lit in there else (-1 if next else len(there))
        at += 1 if next else -1
        if 0 <= at < len(there):
            self._light(there[at])
            return True
        self._light(None)
        return super().focusNextPrevChild(next)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = self._at(event.position())
            self._light(self._held)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is None:
            self._show_cursor(self._at(event.position()))
            return
        x, y = self._to_frame(event.position())
        was_x, was_y = self._handles.place(self._held)
        self._move(self._held, x - was_x, y - was_y)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    # inside

    @Slot(object, object)
    def _on_arrived(self, _key: object, future: Future[Raster]) -> None:
        if future is not self._awaited:
            return
        self._awaited = None
        try:
            self._picture, self._error = Picture(future.result()), ""
        except UserFacing as error:
            self._picture, self._error = None, str(error)
        self.update()

    def _place(self) -> QRectF:
        """Where the image is drawn, in logical pixels."""
        assert self._picture is not None
        size = self._picture.size
        room = self.rect().adjusted(Space.M, Space.M, -Space.M, -Space.M)
        scale = min(room.width() / size.width, room.height() / size.height)
        width, height = size.width * scale, size.height * scale
        left = room.left() + (room.width() - width) / 2
        return QRectF(left, room.top() + (room.height() - height) / 2, width, height)

    @property
    def _scale(self) -> float:
        """Logical pixels for a pixel of the master's size."""
        assert self._picture is not None
        return self._place().width() / self._picture.size.width * self._picture.scale

    def _to_room(self, x: float, y: float) -> QPointF:
        place, scale = self._place(), self._scale
        return QPointF(
            place.left() + (x - self._origin[0]) * scale,
            place.top() + (y - self._origin[1]) * scale,
        )

    def _to_frame(self, place: QPointF) -> tuple[float, float]:
        image, scale = self._place(), self._scale
        return (
            (place.x() - image.left()) / scale + self._origin[0],
            (place.y() - image.top()) / scale + self._origin[1],
        )

    def _at(self, place: QPointF) -> Handle | None:
        """The handle under the mouse, the nearest of several."""
        if self._picture is None:
            return None
        x, y = self._to_frame(place)
        return self._handles.near(x, y, within=REACH / self._scale)

    def _move(self, handle: Handle, dx: float, dy: float) -> None:
        moved = self._handles.moved(handle, dx, dy)
        if moved != self._handles:
            self._handles = moved
            self.update()
            self.changed.emit(moved)

    def _light(self, handle: Handle | None) -> None:
        self._lit = handle
        self._describe()
        self.update()

    def _describe(self) -> None:
        """The handle that the arrows move, for those who cannot see it."""
        self.setAccessibleDescription(_(self._lit.value) if self._lit is not None else "")

    def _show_cursor(self, handle: Handle | None) -> None:
        if handle is None:
            self.unsetCursor()
        else:
            self.setCursor(
                Qt.CursorShape.SizeHorCursor if handle.is_upright else Qt.CursorShape.SizeVerCursor
            )

    def _paint_cut_off(self, painter: QPainter) -> None:
        """What lies outside the paper is dimmed."""
        crop = self._handles.crop
        if crop is None:
            return
        corners = self._to_room(crop.left, crop.top), self._to_room(crop.right, crop.bottom)
        image, kept = self._place(), QRectF(*corners)
        dim = faded(_PAPER.text, 0.45)
        painter.save()
        painter.setClipRect(image)
        for part in _around(image, kept):
            painter.fillRect(part, dim)
        painter.restore()

    def _paint_lines(self, painter: QPainter) -> None:
        for handle in self._handles.there:
            (x1, y1), (x2, y2) = self._handles.line(handle)
            is_lit = handle is self._lit
            pen = QPen(_PAPER.look if handle.is_fold else _PAPER.accent, 3 if is_lit else 1.5)
            pen.setStyle(Qt.PenStyle.SolidLine if not handle.is_content else Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawLine(self._to_room(x1, y1), self._to_room(x2, y2))
            if is_lit:
                x, y = self._handles.place(handle)
                painter.setBrush(pen.color())
                painter.drawEllipse(self._to_room(x, y), 5, 5)
                painter.setBrush(Qt.BrushStyle.NoBrush)


def _around(image: QRectF, kept: QRectF) -> tuple[QRectF, ...]:
    """The image without what is kept, as four stripes."""
    top, bottom = max(image.top(), kept.top()), min(image.bottom(), kept.bottom())
    return (
        QRectF(image.left(), image.top(), image.width(), max(0.0, top - image.top())),
        QRectF(image.left(), bottom, image.width(), max(0.0, image.bottom() - bottom)),
        QRectF(image.left(), top, max(0.0, kept.left() - image.left()), bottom - top),
        QRectF(kept.right(), top, max(0.0, image.right() - kept.right()), bottom - top),
    )
