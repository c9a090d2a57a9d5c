"""Scrolls by gliding, so that the eye can follow; at once where motion is not wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QVariantAnimation, Slot
from typing_extensions import override

from ui.theme import is_motion_wanted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar

GLIDE_MS = 160
_BY_HAND = {QEvent.Type.Wheel, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress}


class Glide(QObject):
    """Moves the scroll bars of an area to a goal; the hand of the person stops it. In `ui`."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self._bars: list[QScrollBar] = []
        self._start: list[int] = []
        self.goal: tuple[int, ...] | None = None  # while it glides
        self._way = QVariantAnimation(self)
        self._way.setDuration(GLIDE_MS)
        self._way.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.valueChanged.connect(self._on_moved)
        self._way.finished.connect(self.stop)
        for watched in (area, area.viewport(), area.verticalScrollBar()):
            watched.installEventFilter(self)

    def to(self, goal: Sequence[int], bars: Sequence[QScrollBar]) -> None:
        """Let these bars come to these values."""
        self.stop()
        if not is_motion_wanted(self._area):
            for bar, value in zip(bars, goal, strict=True):
                bar.setValue(value)
            return
        self._bars, self.goal = list(bars), tuple(goal)
        self._start = [bar.value() for bar in bars]
        self._way.start()

    @Slot()
    def stop(self) -> None:
        """Rest where it is."""
        self.goal = None
        self._way.stop()

    @Slot(object)
    def _on_moved(self, share: float) -> None:
        for bar, start, end in zip(self._bars, self._start, self.goal or self._start, strict=True):
            bar.setValue(round(start + (end - start) * share))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.goal is not None and event.type() in _BY_HAND:
            self.stop()
        return False
