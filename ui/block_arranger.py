"""Blocks arranged on the page image: numbers in reading order, handles, boxes drawn and moved.

Listens to the desk while the mode is on and draws over it; what is done is told, not done, here.
A box that is changed by keys is told after a moment of rest, so that it is one correction. UI
thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from typing_extensions import override

from app.book import Box, Region
from ui.box_drag import Drag, Edge, shifted, spanned, stretched, within
from ui.theme import LIGHT, faded

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from ui.page_layout import Layout, Pan, Point
    from ui.page_view import PageView

REST_MS = 400  # after the last key, before a box is told
HANDLE_PX = 9.0  # logical pixels, these three
GRIP_PX = 7.0  # this near to a handle counts as on it
DRAG_PX = 4.0  # less than this was a click
STEPS = 400  # of an arrow key over the height of the page
_PAPER = LIGHT  # a page is light in the dark looks too

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class BlockArranger(QObject):
    """Listens to a page image. Belongs to `ui`.

    Args:
        view: the image.
        blocks: gives the blocks of the page as they stand.
        lit: gives the block of the text cursor.
        size: gives the size of the page's master, None where it is not known.
    """

    block_chosen = Signal(int)
    box_changed = Signal(int, object)  # block, `Box`
    box_drawn = Signal(object)  # `Box` of a new block
    number_dropped = Signal(int, int)  # block, the block in whose place it is to stand
    ordered = Signal(str)  # id of a command
    left = Signal()  # the mode is to end

    def __init__(
        self,
        view: PageView,
        *,
        blocks: Callable[[], Sequence[Region]],
        lit: Callable[[], int | None],
        size: Callable[[], tuple[float, float] | None],
    ) -> None:
        super().__init__(view)
        self._view = view
        self._blocks = blocks
        self._lit = lit
        self._size = size
        self._is_on = False
        self._drag: Drag | None = None
        self._pending: tuple[int, Box] | None = None  # changed by keys and not told yet
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.flush)
        view.painted_over.append(self._paint)
        view.desk.installEventFilter(self)
        view.desk.viewport().installEventFilter(self)

    @property
    def is_on(self) -> bool:
        """Whether blocks are being arranged."""
        return self._is_on

    def set_on(self, *, is_on: bool) -> None:
        """Begin or end."""
        self.flush()
        self._is_on, self._drag = is_on, None
        self._draw()

    def flush(self) -> None:
        """Tell the box that keys have changed."""
        self._rest.stop()
        pending, self._pending = self._pending, None
        if pending is not None:
            self.box_changed.emit(*pending)

    # --- what is heard --------------------------------------------------------------------------

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what arranges; all else goes on to the desk."""
        if not self._is_on:
            return False
        kind = QEvent.Type
        match event.type():
            case kind.KeyPress if watched is self._view.desk:
                return self._on_key(cast("QKeyEvent", event))
            case kind.MouseButtonPress:
                return self._on_press(cast("QMouseEvent", event))
            case kind.MouseMove if self._drag is not None:
                return self._on_move(cast("QMouseEvent", event))
            case kind.MouseButtonRelease if self._drag is not None:
                return self._on_release()
            case kind.FocusOut:
                self.flush()
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            return self._on_arrow(_ARROWS[key], event.modifiers())
        match key:
            case Qt.Key.Key_Escape:
                self.left.emit()
            case Qt.Key.Key_Delete:
                self.flush()
                self.ordered.emit("block_delete")
            case Qt.Key.Key_Insert:
                self.flush()
                self.ordered.emit("block_add")
            case _:
                return False
        return True

    def _on_arrow(self, way: tuple[int, int], held: Qt.KeyboardModifier) -> bool:
        """Plain: the box moves; Shift: its right and lower edge; with Ctrl its left and upper."""
        lit, box = self._lit_box()
        shift, ctrl = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
        held &= ~Qt.KeyboardModifier.KeypadModifier
        is_own = held in {Qt.KeyboardModifier.NoModifier, shift, shift | ctrl}
        if box is None or lit is None or not is_own:
            return False
        size = self._size()
        step = max(1.0, (size[1] if size else 2000.0) / STEPS)
        across, down = way[0] * step, way[1] * step
        if not held & shift:
            changed = shifted(box, across, down)
        elif held & ctrl:
            changed = stretched(box, ("left",) if across else ("top",), across, down)
        else:
            changed = stretched(box, ("right",) if across else ("bottom",), across, down)
        self._pending = lit, within(changed, size)
        self._rest.start()
        self._draw()
        return True

    def _on_press(self, event: QMouseEvent) -> bool:
        point = self._view.desk.point_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or point is None:
            return False
        self.flush()
        self._drag = self._grasped(event.position(), point)
        if self._drag.block >= 0:
            self.block_chosen.emit(self._drag.block)
        self._view.desk.setFocus(Qt.FocusReason.MouseFocusReason)
        return True

    def _grasped(self, place: QPointF, point: Point) -> Drag:
        lit, box = self._lit_box()
        edges = self._edges_at(place, box)
        if lit is not None and edges:
            return Drag("edges", point, point, lit, edges)
        for number, _box in self._boxed():
            if self._badge(number).contains(place):
                return Drag("number", point, point, number)
        block = self._block_at(point)
        return Drag("new", point, point) if block is None else Drag("box", point, point, block)

    def _on_move(self, event: QMouseEvent) -> bool:
        point = self._view.desk.point_at(event.position())
        if self._drag is not None and point is not None:
            scale = self._scale()
            far = max(abs(point.x - self._drag.start.x), abs(point.y - self._drag.start.y))
            is_begun = self._drag.is_begun or far * scale >= DRAG_PX
            self._drag = replace(self._drag, now=point, is_begun=is_begun)
            self._draw()
        return True

    def _on_release(self) -> bool:
        drag, self._drag = self._drag, None
        self._draw()
        if drag is None or not drag.is_begun:
            return True
        if drag.kind == "number":
            target = self._block_at(drag.now)
            if target is not None and target != drag.block:
                self.number_dropped.emit(drag.block, target)
            return True
        box = within(drag.box(self._box(drag.block)), self._size())
        if drag.kind == "new":
            self.box_drawn.emit(box)
        else:
            self.box_changed.emit(drag.block, box)
        return True

    # --- where things are -----------------------------------------------------------------------

    def _box(self, number: int) -> Box | None:
        """The box of a block, as keys have changed it."""
        if self._pending is not None and self._pending[0] == number:
            return self._pending[1]
        blocks = self._blocks()
        return blocks[number].box if 0 <= number < len(blocks) else None

    def _lit_box(self) -> tuple[int | None, Box | None]:
        lit = self._lit()
        return lit, None if lit is None else self._box(lit)

    def _boxed(self) -> list[tuple[int, Box]]:
        boxes = ((number, self._box(number)) for number in range(len(self._blocks())))
        return [(number, box) for number, box in boxes if box is not None]

    def _block_at(self, point: Point) -> int | None:
        """The smallest block around a place of the master."""
        around = [
            (box.width * box.height, number)
            for number, box in self._boxed()
            if box.left <= point.x <= box.right and box.top <= point.y <= box.bottom
        ]
        return min(around)[1] if around else None

    def _scale(self) -> float:
        """Logical pixels for one of the master."""
        room = self._view.desk.room_of(Box(0, 0, 1000, 1000))
        return room.width() / 1000 if room is not None else 1.0

    def _badge(self, number: int) -> QRectF:
        """Where the number of a block stands, in logical pixels of the pane."""
        box = self._box(number)
        room = self._view.desk.room_of(box) if box is not None else None
        if room is None:
            return QRectF()
        metrics = QFontMetricsF(self._view.font())
        width = metrics.horizontalAdvance(str(number + 1)) + metrics.height() * 0.7
        size = QSizeF(max(width, metrics.height()), metrics.height())
        return QRectF(room.topLeft() - QPointF(size.width() / 2, size.height() / 2), size)

    def _edges_at(self, place: QPointF, box: Box | None) -> tuple[Edge, ...]:
        for middle, edges in self._handles(box):
            if (middle - place).manhattanLength() <= 2 * GRIP_PX:
                return edges
        return ()

    def _handles(self, box: Box | None) -> list[tuple[QPointF, tuple[Edge, ...]]]:
        room = self._view.desk.room_of(box) if box is not None else None
        if room is None:
            return []
        middle = room.center()
        return [
            (room.bottomRight(), ("right", "bottom")),
            (room.topRight(), ("right", "top")),
            (room.bottomLeft(), ("left", "bottom")),
            (QPointF(middle.x(), room.bottom()), ("bottom",)),
            (QPointF(middle.x(), room.top()), ("top",)),
            (QPointF(room.left(), middle.y()), ("left",)),
            (QPointF(room.right(), middle.y()), ("right",)),
        ]

    # --- how it looks ---------------------------------------------------------------------------

    def _draw(self) -> None:
        self._view.desk.viewport().update()

    def _paint(self, painter: QPainter, layout: Layout, pan: Pan) -> None:
        """Draw in device pixels over the blocks; called by the image."""
        if not self._is_on:
            return
        ratio = self._view.devicePixelRatioF()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        painter.setFont(self._view.font())
        self._paint_changing(painter)
        lit, box = self._lit_box()
        for middle, _edges in self._handles(box):
            side = HANDLE_PX / 2
            painter.setPen(QPen(_PAPER.accent, 1))
            painter.setBrush(_PAPER.panel)
            painter.drawRect(QRectF(middle - QPointF(side, side), middle + QPointF(side, side)))
        for number, _box in self._boxed():
            self._paint_number(painter, number, is_lit=number == lit)
        painter.restore()

    def _paint_number(self, painter: QPainter, number: int, *, is_lit: bool) -> None:
        badge = self._badge(number)
        drag = self._drag
        if drag is not None and drag.kind == "number" and drag.block == number and drag.is_begun:
            room = self._view.desk.room_of(spanned(drag.now, drag.now))
            badge.moveCenter(room.center() if room is not None else badge.center())
        painter.setPen(QPen(_PAPER.accent, 1))
        painter.setBrush(_PAPER.accent if is_lit else _PAPER.panel)
        painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2)
        painter.setPen(_PAPER.panel if is_lit else _PAPER.text)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(number + 1))

    def _paint_changing(self, painter: QPainter) -> None:
        """The box that is being changed, as it would be."""
        drag, box = self._drag, None
        if drag is not None and drag.is_begun and drag.kind != "number":
            box = drag.box(self._box(drag.block))
        elif self._pending is not None:
            box = self._pending[1]
        room = self._view.desk.room_of(box) if box is not None else None
        if room is not None:
            painter.setPen(QPen(_PAPER.accent, 2, Qt.PenStyle.DashLine))
            painter.setBrush(faded(_PAPER.accent_soft, 0.3))
            painter.drawRect(room)
