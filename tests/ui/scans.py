"""Pages that stand in for a scan in tests of the window: made of flat colour, answered on order."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread
from typing import NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from app.sources.values import Raster

T = TypeVar("T", bound=QWidget)


class Asked(NamedTuple):
    page: int
    fit: tuple[int, int] | None
    scale: float
    future: Future[Raster]


class Scans:
    """Answers requests for images at once (from another thread), or when the test says so."""

    def __init__(self, *, width_px: int = 1000, height_px: int = 1500, at_once: bool = True):
        self.width_px, self.height_px = width_px, height_px
        self.at_once = at_once
        self.asked: list[Asked] = []

    def request(
        self, page: int, *, fit: tuple[int, int] | None = None, scale: float = 1.0
    ) -> Future[Raster]:
        future: Future[Raster] = Future()
        self.asked.append(Asked(page, fit, scale, future))
        if self.at_once:
            self.answer(self.asked[-1])
        return future

    def answer(self, asked: Asked, error: Exception | None = None) -> None:
        """End a request from another thread, as the real queue does."""

        def end() -> None:
            if not asked.future.set_running_or_notify_cancel():
                return
            if error is not None:
                asked.future.set_exception(error)
            else:
                asked.future.set_result(self.raster(asked))

        thread = Thread(target=end)
        thread.start()
        thread.join()

    def raster(self, asked: Asked) -> Raster:
        scale = min(asked.scale, 1.0)
        if asked.fit is not None:
            scale = min(scale, asked.fit[0] / self.width_px, asked.fit[1] / self.height_px)
        width_px = max(1, round(self.width_px * scale))
        height_px = max(1, round(self.height_px * scale))
        return Raster(
            width_px, height_px, 3, bytes(grey(asked.page)) * (width_px * height_px), scale
        )


def grey(page: int) -> tuple[int, int, int]:
    """The colour of a page."""
    return (200 - page * 10, 180, 160 - page * 10)


def stripes(width_px: int, height_px: int) -> Raster:
    """Columns of black and white, one pixel wide: any scaling shows."""
    columns = np.zeros((height_px, width_px), np.uint8)
    columns[:, ::2] = 255
    return Raster(width_px, height_px, 1, columns.tobytes(), 1.0)


def found(parent: QWidget, kind: type[T]) -> T:
    """The one child of this kind."""
    child = parent.findChild(kind)
    assert child is not None
    return child


def notch(widget: QWidget, place: QPointF, modifiers: Qt.KeyboardModifier) -> QWheelEvent:
    """The wheel turned away from the hand by one notch."""
    return QWheelEvent(
        place,
        widget.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
