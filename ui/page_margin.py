"""What is drawn beside the text: the mark of a changed block, the kind of an empty one.

UI thread only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QTextBlock

from app.language import _
from ui.kind_names import KIND_NAMES
from ui.page_text import PageText
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QTextLayout
    from PySide6.QtWidgets import QTextEdit

MARK_PX = 2


def paint_margin(edit: QTextEdit, text: PageText) -> None:
    """Draw on the viewport, after the text itself."""
    painter = QPainter(edit.viewport())
    painter.setFont(edit.font())
    column = colours(edit.palette())
    for number, rect in blocks_in_sight(edit, len(text.regions)):
        region = text.regions[number]
        if region.by_hand or text.is_untold(number):
            mark = QRectF(rect.left() - Space.M, rect.top(), MARK_PX, rect.height())
            painter.fillRect(mark, column.accent)
        if not text.texts[number]:
            painter.setPen(column.secondary)
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, _(KIND_NAMES[region.kind]))


def blocks_in_sight(edit: QTextEdit, count: int) -> Iterator[tuple[int, QRectF]]:
    """Number and place of each block that is seen at least in part."""
    layout, top_px = edit.document().documentLayout(), edit.verticalScrollBar().value()
    block: QTextBlock = edit.cursorForPosition(QPoint(0, 0)).block()
    while block.isValid() and block.blockNumber() < count:
        rect = layout.blockBoundingRect(block).translated(0, -top_px)
        if rect.top() > edit.viewport().height():
            return
        yield block.blockNumber(), rect
        block = block.next()


def lines_in_sight(edit: QTextEdit, layout: QTextLayout, *, below_px: float = 0.0) -> range:
    """Which lines of a block are seen at least in part; of a long block these are few.

    Args:
        edit: the pane.
        layout: of the block.
        below_px: lines so far below the pane count as well: what stands above them is seen.
    """
    top = layout.position().y() - edit.verticalScrollBar().value()
    lines = range(layout.lineCount())
    foot = edit.viewport().height() + below_px - top
    first = bisect_left(lines, -top, key=lambda at: layout.lineAt(at).rect().bottom())
    return range(first, bisect_right(lines, foot, key=lambda at: layout.lineAt(at).y()))
