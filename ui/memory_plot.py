"""The small plot over time that a click on the memory gauge opens: memory, steps, pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from app.language import _
from app.run_view import duration_text
from ui import memory_parts as parts
from ui.faces import secondary_font, tabular
from ui.numbers import bytes_text, short
from ui.theme import Colours, Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.events import Memory

SAMPLES = 600  # then every second one is dropped, so that a long run fits whole


class Sample(NamedTuple):
    """One moment of a run."""

    at_s: float  # monotonic
    memory: Memory | None = None
    steps_per_s: float | None = None
    pages_per_minute: float | None = None


def thinned(samples: Sequence[Sample]) -> list[Sample]:
    """Every second sample once there are too many; the last is always kept."""
    if len(samples) <= SAMPLES:
        return list(samples)
    return [*samples[:-1:2], samples[-1]]


class _Strip(NamedTuple):
    """One of the plots that lie above each other."""

    title: str
    value: Callable[[Sample], float | None]
    text: Callable[[float], str]
    top: float | None = None  # the value at the upper edge; None: the highest there was


class MemoryPlot(QFrame):
    """A card above the gauge; closes by Esc or a click elsewhere. Keeps what it has drawn only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._samples: list[Sample] = []
        self._step_unit = "tokens"
        self.setAccessibleName(_("Memory and speed over time"))

    def add(self, sample: Sample, *, step_unit: str = "tokens") -> None:
        """Draw one more moment."""
        self._samples = thinned([*self._samples, sample])
        self._step_unit = step_unit
        self.setAccessibleDescription(self._said())
        self.update()

    def clear(self) -> None:
        """Forget what was drawn: another run begins."""
        self._samples = []
        self.setAccessibleDescription("")
        self.update()

    def show_above(self, widget: QWidget) -> None:
        """Open over the right end of a widget, on its screen."""
        self.resize(self.sizeHint())
        corner = widget.mapToGlobal(QPoint(widget.width() - self.width() - Space.S, 0))
        screen = widget.screen().availableGeometry()
        x = max(screen.left(), min(corner.x(), screen.right() - self.width()))
        self.move(x, max(screen.top(), corner.y() - self.height() - Space.XS))
        self.show()

    @override
    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self._font()).height()
        return QSize(round(max(420.0, 28 * line)), round(3 * (3.5 * line + 2 * Space.M) + line))

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font())
        column = colours(self.palette())
        painter.fillRect(self.rect(), column.panel)
        painter.setPen(QPen(column.hairline, 1))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        if len(self._samples) < 2:
            painter.setPen(column.secondary)
            nothing = _("Nothing has been measured yet. The plot begins with the next run.")
            painter.drawText(_inside(self), _CENTRED, nothing)
            return
        self._draw_strips(painter, column)

    def _draw_strips(self, painter: QPainter, column: Colours) -> None:
        line = QFontMetricsF(painter.font()).height()
        inside = _inside(self)
        height = (inside.height() - line) / 3
        for at, strip in enumerate(self._strips()):
            top = inside.top() + at * height
            place = QRectF(inside.left(), top, inside.width(), height - Space.M)
            self._draw_strip(painter, strip, place, column)
        painter.setPen(column.secondary)
        foot = QRectF(inside.left(), inside.bottom() - line, inside.width(), line)
        ago = duration_text(self._samples[-1].at_s - self._samples[0].at_s)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, _("{time} ago").format(time=ago))
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, _("now"))

    def _draw_strip(self, painter: QPainter, strip: _Strip, place: QRectF, column: Colours) -> None:
        line = QFontMetricsF(painter.font()).height()
        known = [value for value in map(strip.value, self._samples) if value is not None]
        top = strip.top or max(known, default=0.0) or 1.0
        head = QRectF(place.left(), place.top(), place.width(), line)
        painter.setPen(column.text)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft, strip.title)
        if known:
            painter.drawText(head, Qt.AlignmentFlag.AlignRight, strip.text(known[-1]))
        plot = place.adjusted(0, line + Space.XS, 0, 0)
        painter.setPen(QPen(column.hairline, 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        painter.setPen(QPen(column.accent, 1.5))
        for curve in curves(self._samples, strip.value, plot, top):
            painter.drawPolyline(QPolygonF(curve))

    def _strips(self) -> tuple[_Strip, ...]:
        unit = _("lines/s") if self._step_unit == "lines" else _("tok/s")
        return (
            self._memory_strip(),
            _Strip(_("Speed"), lambda s: s.steps_per_s, lambda value: f"{short(value)} {unit}"),
            _Strip(_("Pages a minute"), lambda s: s.pages_per_minute, lambda value: short(value)),
        )

    def _memory_strip(self) -> _Strip:
        memory = self._samples[-1].memory
        title = _("Memory used")
        if memory is None:
            return _Strip(title, _used, _bytes)
        title = _("Memory used of {total}").format(total=bytes_text(memory.total_bytes))
        return _Strip(title, _used, _bytes, float(memory.total_bytes))

    def _said(self) -> str:
        said: list[str] = []
        for strip in self._strips():
            value = strip.value(self._samples[-1])
            if value is not None:
                said.append(f"{strip.title}: {strip.text(value)}")
        return "; ".join(said)

    def _font(self) -> QFont:
        return tabular(secondary_font(self.font()))


def curves(
    samples: Sequence[Sample],
    value: Callable[[Sample], float | None],
    plot: QRectF,
    top: float,
) -> list[list[QPointF]]:
    """The points of a curve, broken where nothing is known.

    Args:
        samples: in the order of time.
        value: what is drawn, None where unknown.
        plot: where it lies; its lower edge is nought.
        top: the value at its upper edge.
    """
    start, end = samples[0].at_s, samples[-1].at_s
    found: list[list[QPointF]] = [[]]
    for sample in samples:
        height = value(sample)
        if height is None:
            found.append([])
            continue
        x = plot.left() + plot.width() * (sample.at_s - start) / max(end - start, 1e-9)
        found[-1].append(QPointF(x, plot.bottom() - plot.height() * min(height / top, 1.0)))
    return [curve for curve in found if curve]


def _used(sample: Sample) -> float | None:
    return None if sample.memory is None else float(parts.used_bytes(sample.memory))


def _bytes(value: float) -> str:
    return bytes_text(int(value))


def _inside(widget: QWidget) -> QRectF:
    return QRectF(widget.rect()).adjusted(Space.L, Space.M, -Space.L, -Space.M)


_CENTRED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
