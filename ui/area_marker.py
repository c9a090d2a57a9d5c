"""An area marked on the page image: drawn with the mouse, or moved and stretched by keys.

A drag with Shift held marks at any time. While the mode is on, the area is changed by the arrows,
taken with Enter, and left with Esc. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from typing_extensions import override

from app.book import Box
from ui.box_drag import shifted, spanned, stretched, within
from ui.theme import LIGHT, faded

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from ui.page_layout import Layout, Pan, Point
    from ui.page_view import PageView

STEPS = 200  # of an arrow key over the height of the page
LEAST_PX = 6.0  # logical pixels; less was a click

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class AreaMarker(QObject):
    """Listens to a page image. Belongs to `ui`.

    Args:
        view: the image.
        size: gives the size of the image's page, None where it is not known.
    """

    marked = Signal(object)  # `Box` of the image that is shown
    left = Signal()  # the mode was ended without an area

    def __init__(self, view: PageView, *, size: Callable[[], tuple[float, float] | None]) -> None:
        super().__init__(view)
        self._view = view
        self._size = size
        self._start: Point | None = None  # where the mouse began
        self.area: Box | None = None
        self.is_on = False
        view.painted_over.append(self._paint)
        view.desk.installEventFilter(self)
        view.desk.viewport().installEventFilter(self)

    def begin(self, area: Box | None) -> None:
        """Let an area be marked by keys, or by a drag without Shift; it begins as given."""
        self.is_on, self.area = True, area
        self._draw()

    def end(self) -> None:
        """Mark no more."""
        self.is_on, self.area, self._start = False, None, None
        self._draw()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what marks; all else goes on to the desk."""
        kind = QEvent.Type
        match event.type():
            case kind.KeyPress if watched is self._view.desk and self.is_on:
                return self._on_key(cast("QKeyEvent", event))
            case kind.MouseButtonPress:
                return self._on_press(cast("QMouseEvent", event))
            case kind.MouseMove if self._start is not None:
                return self._on_move(cast("QMouseEvent", event))
            case kind.MouseButtonRelease if self._start is not None:
                return self._on_release()
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self._move(_ARROWS[key], event.modifiers())
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._take()
        elif key == Qt.Key.Key_Escape:
            self.end()
            self.left.emit()
        else:
            return False
        return True

    def _move(self, way: tuple[int, int], held: Qt.KeyboardModifier) -> None:
        """Plain: the area moves; with Shift its right and lower edge."""
        size = self._size()
        if self.area is None or size is None:
            return
        across, down = (each * size[1] / STEPS for each in way)
        if held & Qt.KeyboardModifier.ShiftModifier:
            edge = "right" if across else "bottom"
            self.area = within(stretched(self.area, (edge,), across, down), size)
        else:
            self.area = within(shifted(self.area, across, down), size)
        self._view.bring_into_sight(self.area)
        self._draw()

    def _on_press(self, event: QMouseEvent) -> bool:
        has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        point = self._view.desk.point_at(event.position())
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not is_left or point is None or not (has_shift or self.is_on):
            return False
        self._start, self.area = point, None
        return True

    def _on_move(self, event: QMouseEvent) -> bool:
        point = self._view.desk.point_at(event.position())
        if self._start is not None and point is not None:
            self.area = within(spanned(self._start, point), self._size())
            self._draw()
        return True

    def _on_release(self) -> bool:
        self._start = None
        room = self._view.desk.room_of(self.area) if self.area is not None else None
        if room is None or min(room.width(), room.height()) < LEAST_PX:
            self.area = None
            self._draw()
        else:
            self._take()
        return True

    def _take(self) -> None:
        area = self.area
        self.end()
        if area is not None:
            self.marked.emit(area)

    def _draw(self) -> None:
        self._view.desk.viewport().update()

    def _paint(self, painter: QPainter, _layout: Layout, _pan: Pan) -> None:
        room = self._view.desk.room_of(self.area) if self.area is not None else None
        if room is None:
            return
        ratio = self._view.devicePixelRatioF()
        painter.save()
        painter.scale(ratio, ratio)
        painter.setPen(QPen(LIGHT.accent, 2, Qt.PenStyle.DashLine))
        painter.setBrush(faded(LIGHT.accent_soft, 0.4))
        painter.drawRect(room)
        painter.restore()
