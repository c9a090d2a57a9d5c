"""The hand on the desk: wheel, pinch, drag and click become zoom, pan and places of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal, Slot
from typing_extensions import override

from ui.page_layout import STEP

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

    from ui.page_desk import PageDesk

NOTCH = 120  # of a wheel, as Qt counts
HOLD_MS = 350  # the button is held down so long before what is below it is enlarged


class PageHand(QObject):
    """Listens to a desk: Ctrl+wheel and pinch zoom, space or the middle button moves. In `ui`."""

    clicked = Signal(object)  # `Point` in pixels of the page's master, these three
    opened = Signal(object)  # double click
    pointed = Signal(object)  # the mouse is there; None: it is nowhere
    held = Signal(object)  # the button is held down there; None: it was let go

    def __init__(self, desk: PageDesk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._grip: QPointF | None = None  # where the page was taken hold of
        self._is_space_down = False
        self._pressed_at: QPointF | None = None  # the left button, which is still down
        self._hold = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._hold.timeout.connect(self._on_held)
        desk.installEventFilter(self)
        desk.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what the hand does; all else goes on to the desk."""
        kind = QEvent.Type
        if watched is self._desk:
            match event.type():
                case kind.KeyPress | kind.KeyRelease:
                    return self._on_key(cast("QKeyEvent", event))
                case kind.FocusOut:
                    self._hold_space(is_down=False)
            return False
        match event.type():
            case kind.Wheel:
                return self._on_wheel(cast("QWheelEvent", event))
            case kind.NativeGesture:
                return self._on_gesture(cast("QNativeGestureEvent", event))
            case kind.MouseButtonPress:
                return self._on_press(cast("QMouseEvent", event))
            case kind.MouseMove:
                return self._on_move(cast("QMouseEvent", event))
            case kind.MouseButtonRelease:
                return self._on_release()
            case kind.MouseButtonDblClick:
                return self._on_double_click(cast("QMouseEvent", event))
            case kind.Leave:
                self.pointed.emit(None)
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() != Qt.Key.Key_Space or event.modifiers():
            return False
        if not event.isAutoRepeat():
            self._hold_space(is_down=event.type() == QEvent.Type.KeyPress)
        return True

    def _hold_space(self, *, is_down: bool) -> None:
        self._is_space_down = is_down
        self._show_cursor()

    def _on_wheel(self, event: QWheelEvent) -> bool:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        notches = event.angleDelta().y() / NOTCH
        if notches:
            self._desk.zoom_by(STEP**notches, at=event.position())
        return True

    def _on_gesture(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._desk.zoom_by(1.0 + event.value(), at=event.position())
        return True

    def _on_press(self, event: QMouseEvent) -> bool:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (is_left and self._is_space_down):
            self._grip = event.position()
            self._show_cursor()
            return True
        point = self._desk.point_at(event.position())
        if is_left and point is not None:
            self.clicked.emit(point)
            self._pressed_at = event.position()
            self._hold.start()
        return False

    @Slot()
    def _on_held(self) -> None:
        if self._pressed_at is not None:
            self.held.emit(self._desk.point_at(self._pressed_at))

    def _on_move(self, event: QMouseEvent) -> bool:
        if self._grip is None:
            self.pointed.emit(self._desk.point_at(event.position()))
            self._move_held(event.position())
            return False
        self._desk.move_by(event.position() - self._grip)
        self._grip = event.position()
        return True

    def _move_held(self, place: QPointF) -> None:
        if self._pressed_at is not None:
            self._pressed_at = place
            if not self._hold.isActive():
                self._on_held()

    def _let_go(self) -> None:
        if self._pressed_at is not None:
            self._pressed_at = None
            self._hold.stop()
            self.held.emit(None)

    def _on_release(self) -> bool:
        self._let_go()
        was_held, self._grip = self._grip is not None, None
        self._show_cursor()
        return was_held

    def _on_double_click(self, event: QMouseEvent) -> bool:
        point = self._desk.point_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            self.opened.emit(point)
        return True

    def _show_cursor(self) -> None:
        if self._grip is not None:
            self._desk.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._is_space_down:
            self._desk.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._desk.viewport().unsetCursor()
