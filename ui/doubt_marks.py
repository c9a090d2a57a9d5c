"""How doubts look in the text: a dotted line below each, a soft ground under the current one.

They are painted over the text and are no part of its formats: a queue that changes at every
correction would otherwise have the page laid out anew. UI thread only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextBlock

from ui.code_points import to_units
from ui.page_margin import blocks_in_sight, lines_in_sight
from ui.page_text import PageText, moved_within
from ui.theme import colours

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTextEdit

DOT_PX = 2.0
WORD = 100  # letters; one begun above the pane is seen too
GAP_PX = 2.0  # between the foot of the letters and the dots


class Doubted(NamedTuple):
    """A word of the page that may be wrong."""

    region: int
    start: int  # code points in the region's text as the book has it
    end: int
    is_current: bool = False


class Part(NamedTuple):
    """Letters that stand on one line of the pane."""

    rect: QRectF  # pixels of the viewport
    baseline: float


def paint_ground(edit: QTextEdit, text: PageText, doubts: Sequence[Doubted]) -> None:
    """Paint below the text: the ground of the current doubt."""
    current = [doubt for doubt in doubts if doubt.is_current]
    if not current:
        return
    painter = QPainter(edit.viewport())
    for stretch in _stretches(edit, text, current):
        painter.fillRect(stretch.rect.adjusted(-2, 0, 2, 0), colours(edit.palette()).accent_soft)


def paint_underlines(edit: QTextEdit, text: PageText, doubts: Sequence[Doubted]) -> None:
    """Paint over the text: a dotted line below each doubt."""
    if not doubts:
        return
    painter = QPainter(edit.viewport())
    pen = QPen(colours(edit.palette()).look, DOT_PX)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.0, 1.5])
    painter.setPen(pen)
    for stretch in _stretches(edit, text, doubts):
        y = round(stretch.baseline + GAP_PX) + 0.5
        painter.drawLine(QLineF(stretch.rect.left(), y, stretch.rect.right(), y))


def _stretches(edit: QTextEdit, text: PageText, doubts: Sequence[Doubted]) -> Iterator[Part]:
    """Where the doubts stand that are in sight."""
    of_region: dict[int, list[Doubted]] = {}
    for doubt in doubts:
        of_region.setdefault(doubt.region, []).append(doubt)
    for number, _rect in blocks_in_sight(edit, len(text.regions)):
        told, typed = text.regions[number].text, text.texts[number]
        seen = _seen(edit, number)
        for doubt in of_region.get(number, ()):
            start = moved_within(doubt.start, told, typed)
            if start not in seen:
                continue
            end = moved_within(doubt.end, told, typed)
            yield from parts(edit, number, to_units(typed, start), to_units(typed, end))


def _seen(edit: QTextEdit, number: int) -> range:
    """Offsets of the letters of a block that are surely among those seen, and some around them."""
    layout = edit.document().findBlockByNumber(number).layout()
    lines = lines_in_sight(edit, layout)
    if not lines:
        return range(0)
    last = layout.lineAt(lines[-1])
    # A letter is at most two units, so no letter that is seen has a greater offset than its unit.
    first_unit = layout.lineAt(lines[0]).textStart()
    return range(first_unit // 2 - WORD, last.textStart() + last.textLength() + 1)


def parts(edit: QTextEdit, number: int, start: int, end: int) -> Iterator[Part]:
    """The places of some letters of a block that are in sight, line by line.

    Args:
        edit: the pane.
        number: of the block.
        start: UTF-16 units from the start of the block.
        end: exclusive.
    """
    block: QTextBlock = edit.document().findBlockByNumber(number)
    layout = block.layout()
    bars = edit.horizontalScrollBar().value(), edit.verticalScrollBar().value()
    origin = layout.position() - QPointF(*bars)
    for at in lines_in_sight(edit, layout):
        line = layout.lineAt(at)
        first, last = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if first >= last:
            continue
        left, right = sorted((_x(line.cursorToX(first)), _x(line.cursorToX(last))))
        top = origin.y() + line.y()
        rect = QRectF(origin.x() + left, top, right - left, line.ascent() + line.descent())
        yield Part(rect, top + line.ascent())


def _x(found: object) -> float:
    """Qt gives the place with the letter's number beside it."""
    return found[0] if isinstance(found, tuple) else float(found)  # pyright: ignore[reportArgumentType]
