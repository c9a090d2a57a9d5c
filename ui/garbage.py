"""Python's collector of garbage, on the UI thread and on no other.

By itself it runs on whatever thread makes an object too many, which is mostly `jobs`. What it finds
may hold pictures, cursors, fonts or models of Qt, as a dialog leaves behind, and these may only be
destroyed on the thread that they belong to.

Source: `GarbageCollector` of calibre, `src/calibre/gui2/__init__.py`.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer, Slot

OLDEST = 2
"""The generation that holds all the others."""

EVERY_MS = 100
REST = 1000
"""A look through all there is takes at most one part in so many of the time."""


class Garbage(QObject):
    """Looks for garbage when Python would. Belongs to `ui`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rests_until_s = 0.0
        self._clock = QTimer(self, interval=EVERY_MS)
        self._clock.timeout.connect(self.collect)

    def watch(self) -> None:
        """Take the collector, until `release`."""
        gc.disable()
        self._clock.start()

    def release(self) -> None:
        """Give the collector back."""
        self._clock.stop()
        gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect as many generations as are due; none where the thresholds say so."""
        begun_s = time.monotonic()
        due = _generation_due(may_be_oldest=begun_s >= self._rests_until_s)
        if due is None:
            return
        gc.collect(due)
        if due == OLDEST:
            ended_s = time.monotonic()
            self._rests_until_s = ended_s + REST * (ended_s - begun_s)


def _generation_due(*, may_be_oldest: bool) -> int | None:
    """The oldest generation with more in it than its threshold."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if not thresholds[0]:  # as while an engine is loaded
        return None
    generations = range(OLDEST if may_be_oldest else OLDEST - 1, -1, -1)
    return next((each for each in generations if counts[each] > thresholds[each]), None)
