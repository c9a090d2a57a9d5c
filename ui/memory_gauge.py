"""The memory gauge: one bar that says what fills the device. Draws numbers and measures nothing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from app.language import N_, _
from app.run_view import device_text
from ui import memory_parts as parts
from ui.labels import SteadyLabel
from ui.memory_parts import Part
from ui.numbers import bytes_text
from ui.theme import Colours, Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from app.events import Memory

BAR_PX = 18
ROOM_PX = 4  # above and below the bar, for the tick and the ghost
NOTHING_YET = N_("Memory is shown while an engine is loaded")
BAR_SHARE = 0.5  # of the width, at least; the words beside the bar give way


class MemoryBar(QWidget):
    """The bar alone: parts, forecast, ghost of the dense cache, tick at the limit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory: Memory | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_memory(self, memory: Memory | None) -> None:
        """Draw a measure."""
        self._memory = memory
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, BAR_PX + 2 * ROOM_PX)

    def bar_rect(self) -> QRectF:
        """Where the bar lies; at its right is room for a ghost that runs off."""
        top = (self.height() - BAR_PX) / 2
        return QRectF(1, top, self.width() - 1 - Space.S, BAR_PX)

    def part_at(self, x: float) -> Part | None:
        """The part under a place of the bar."""
        if self._memory is None:
            return None
        bar = self.bar_rect()
        for stretch in parts.stretches(self._memory, bar.width()):
            if stretch.left <= x - bar.left() < stretch.right:
                return stretch.part
        return None

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        column = colours(self.palette())
        bar = self.bar_rect()
        painter.fillRect(bar, column.panel)
        if self._memory is not None:
            _draw_parts(painter, self._memory, bar, column)
        painter.setPen(QPen(column.hairline, 1))
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
        if self._memory is not None:
            _draw_forecast(painter, self._memory, bar, column)
            _draw_ghost(painter, self._memory, bar, column)
            _draw_tick(painter, self._memory, bar, column)


def _draw_parts(painter: QPainter, memory: Memory, bar: QRectF, column: Colours) -> None:
    for stretch in parts.stretches(memory, bar.width()):
        place = bar.adjusted(stretch.left, 0, stretch.right - bar.width(), 0)
        painter.fillRect(place, parts.brush_of(stretch.part, column))


def _draw_forecast(painter: QPainter, memory: Memory, bar: QRectF, column: Colours) -> None:
    """A thin line where references and window will end when all slots are full."""
    if memory.forecast_bytes <= 0:
        return
    x = bar.left() + min(parts.place_of(memory, memory.forecast_bytes, bar.width()), bar.width())
    painter.setPen(QPen(column.accent, 1))
    painter.drawLine(QPointF(x, bar.top() - ROOM_PX), QPointF(x, bar.bottom() + ROOM_PX))


def _draw_ghost(painter: QPainter, memory: Memory, bar: QRectF, column: Colours) -> None:
    """A dense cache begins where ours begins; its outline stays open where it runs off."""
    if memory.dense_bytes <= 0:
        return
    weights = parts.size_of(memory, Part.WEIGHTS)
    left = bar.left() + parts.place_of(memory, weights, bar.width())
    right = bar.left() + parts.place_of(memory, weights + memory.dense_bytes, bar.width())
    top, bottom = bar.top() - 1.5, bar.bottom() + 1.5
    end = min(right, bar.right() + Space.S)
    corners = [(end, top), (left, top), (left, bottom), (end, bottom)]
    if right <= bar.right():
        corners.append((end, top))
    painter.setPen(QPen(column.text, 1, Qt.PenStyle.DashLine))
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in corners]))


def _draw_tick(painter: QPainter, memory: Memory, bar: QRectF, column: Colours) -> None:
    limit = parts.place_of(memory, parts.limit_bytes(memory), bar.width())
    colour = column.look if parts.is_tight(memory) else column.text
    x = bar.left() + min(limit, bar.width() - 1)
    painter.fillRect(QRectF(x - 1, bar.top() - ROOM_PX, 2, BAR_PX + 2 * ROOM_PX), colour)


class MemoryGauge(QWidget):
    """The bar and its numbers; hovering names every part, a click asks for the plot over time."""

    plot_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory: Memory | None = None
        self.bar = MemoryBar()
        self.dense = SteadyLabel()
        self.number = SteadyLabel(_(NOTHING_YET))
        self.host = SteadyLabel()
        self.pages = SteadyLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S, 0, Space.S, 0)
        row.setSpacing(0)
        row.addWidget(self.bar, 1)
        for label in self._labels():
            label.setContentsMargins(Space.XS, 0, Space.S, 0)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(label)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_("Memory"))

    def show_memory(self, memory: Memory | None) -> None:
        """Show a measure; None before the first."""
        if memory == self._memory:
            return
        if _device_of(memory) != _device_of(self._memory):
            for label in self._labels():
                label.forget_width()
        self._memory = memory
        self.bar.show_memory(memory)
        self._show_numbers(memory)

    def _labels(self) -> tuple[SteadyLabel, ...]:
        return (self.dense, self.number, self.host, self.pages)

    def _show_numbers(self, memory: Memory | None) -> None:
        if memory is None:
            self.number.show_text(_(NOTHING_YET))
            self.setAccessibleDescription(_(NOTHING_YET))
        else:
            self.number.show_text(number_text(memory), warns=parts.is_tight(memory))
            self.setAccessibleDescription("; ".join(lines_of(memory)))
        self.dense.show_text(parts.dense_text(memory) if memory and memory.dense_bytes else "")
        self.host.show_text(host_text(memory) if memory else "")
        held = memory.reference_pages if memory else 0
        self.pages.show_text(_("{pages} pages held").format(pages=held) if held else "")
        self._make_room()

    def _make_room(self) -> None:
        """Leave the bar half of the width; the asides go first, the number stays."""
        left_px = self.width() * (1 - BAR_SHARE)
        for label in (self.number, self.dense, self.host, self.pages):
            left_px -= label.sizeHint().width()
            is_asked = bool(label.text()) and (label is self.number or left_px >= 0)
            label.setVisible(is_asked)

    # --- hands ----------------------------------------------------------------------------------

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().event(event)

    def _show_tip(self, event: QHelpEvent) -> None:
        if self._memory is None:
            QToolTip.hideText()
            return
        here = self.bar.part_at(event.pos().x() - self.bar.x())
        near = QRect(event.pos(), QSize(1, 1)).adjusted(-2, -20, 2, 20)  # asked anew beyond it
        QToolTip.showText(event.globalPos(), tip_of(self._memory, here), self, near)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and is_inside:
            self.plot_asked.emit()
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.plot_asked.emit()
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(colours(self.palette()).accent, 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


def number_text(memory: Memory) -> str:
    """What is used of what there is: of our limit where there is one, else of the device."""
    if memory.limit_bytes:
        return _("{used} of {limit} allowed").format(
            used=bytes_text(parts.ours_bytes(memory)), limit=bytes_text(parts.limit_bytes(memory))
        )
    return _("{used} of {total}").format(
        used=bytes_text(parts.used_bytes(memory)), total=bytes_text(memory.total_bytes)
    )


def host_text(memory: Memory) -> str:
    """The RAM of this program beside a card's memory; on a processor the bar says it already."""
    if memory.device == "cpu" or not memory.host_bytes:
        return ""
    return _("RAM {size}").format(size=bytes_text(memory.host_bytes))


def lines_of(memory: Memory) -> list[str]:
    """Every part with its bytes, and what stands beside the bar."""
    lines = [parts.part_text(memory, part) for part in Part]
    if memory.limit_bytes:
        lines.append(_("Limit of the settings: {size}").format(size=bytes_text(memory.limit_bytes)))
    if memory.forecast_bytes:
        full = bytes_text(memory.forecast_bytes)
        lines.append(_("Weights, pages and window when all is full: {size}").format(size=full))
    if memory.dense_bytes:
        dense = bytes_text(memory.dense_bytes)
        lines.append(_("A dense cache of the same pages: {size}").format(size=dense))
    if host_text(memory):
        lines.append(_("This program in RAM: {size}").format(size=bytes_text(memory.host_bytes)))
    return lines


def tip_of(memory: Memory, here: Part | None) -> str:
    """The tool tip: the device, every part, the one under the pointer in bold."""
    first = f"<b>{escape(_device_of(memory))}</b>"
    pointed = parts.part_text(memory, here) if here else ""
    rows = (
        f"<b>{escape(line)}</b>" if line == pointed else escape(line) for line in lines_of(memory)
    )
    return "<p style='white-space:pre'>" + "<br>".join((first, *rows)) + "</p>"


def _device_of(memory: Memory | None) -> str:
    if memory is None:
        return ""
    return _("RAM") if memory.device == "cpu" else device_text(memory.device)
