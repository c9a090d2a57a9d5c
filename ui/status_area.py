"""The foot of the window: the memory gauge above the run bar, and the plot that the gauge opens."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.language import _
from ui.memory_gauge import MemoryGauge
from ui.memory_plot import MemoryPlot, Sample
from ui.run_bar import RunBar
from ui.theme import Space

if TYPE_CHECKING:
    from app.events import Memory
    from app.run_view import RunView

TICK_MS = 1000


class StatusArea(QWidget):
    """Gauge and run bar. While a run goes on it asks each second for a fresh view of it."""

    fresh_view_wanted = Signal()  # answer with `tick`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gauge = MemoryGauge()
        self.run_bar = RunBar()
        self.plot = MemoryPlot(self)
        self._memory: Memory | None = None
        self._was_active = False
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self.fresh_view_wanted)
        self.gauge.plot_asked.connect(self.open_plot)
        self.setAccessibleName(_("Memory and reading"))
        self._build()

    def show_memory(self, memory: Memory | None) -> None:
        """Draw a measure of the memory."""
        self._memory = memory
        self.gauge.show_memory(memory)

    def show_run(self, view: RunView) -> None:
        """Show how the run stands, and add a moment to the plot."""
        if view.is_active and not self._was_active:
            self.plot.clear()
            self._tick.start()
        if not view.is_active:
            self._tick.stop()
        self._was_active = view.is_active
        self.run_bar.show_run(view)

    def tick(self, view: RunView) -> None:
        """Show the view that was asked for; one sample a second goes to the plot."""
        self.show_run(view)
        if view.is_active:
            sample = Sample(time.monotonic(), self._memory, view.steps_per_s, view.pages_per_minute)
            self.plot.add(sample, step_unit=view.step_unit)

    def open_plot(self) -> None:
        """Open the plot over the gauge."""
        self.plot.show_above(self.gauge)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.XS, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(self.gauge)
        column.addWidget(self.run_bar)
