"""How gaps, unclear places and remarks look in the text, and what they say when pointed at.

They are painted over the text: a gap is solid, an unclear place dashed, a remark dotted and
flagged; a mark without any letter is a wedge between two. UI thread only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from app.language import N_, _
from app.marks import KINDS, mark_at
from ui.code_points import to_units
from ui.doubt_marks import parts
from ui.page_margin import blocks_in_sight
from ui.page_text import PageText, moved_within
from ui.theme import Colours, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QColor
    from PySide6.QtWidgets import QTextEdit

    from app.book import Mark, Region
    from ui.page_editor import PageEditor

MARK_NAMES = {"gap": N_("Gap"), "unclear": N_("Unclear"), "note": N_("Remark")}
_PENS = {
    "gap": Qt.PenStyle.SolidLine,
    "unclear": Qt.PenStyle.DashLine,
    "note": Qt.PenStyle.DotLine,
}
LINE_PX = 1.5
GAP_PX = 4.0  # between the foot of the letters and the line; a doubt's dots lie higher
WEDGE_PX = 4.0


def mark_words(region: Region, mark: Mark) -> str:
    """A mark in one line: "Unclear, 'hous': perhaps house"."""
    name, letters = _(MARK_NAMES[mark.kind]), " ".join(region.text[mark.start : mark.end].split())
    about = f"{name}, “{letters}”" if letters else name
    return f"{about}: {mark.text}" if mark.text else about


def paint_marks(edit: QTextEdit, text: PageText) -> None:
    """Draw on the viewport, over the text itself."""
    if not any(mark.kind in KINDS for region in text.regions for mark in region.marks):
        return
    painter = QPainter(edit.viewport())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    column = colours(edit.palette())
    for number, mark in _in_sight(edit, text):
        told, typed = text.regions[number].text, text.texts[number]
        start, end = (moved_within(at, told, typed) for at in (mark.start, mark.end))
        first, last = to_units(typed, start), to_units(typed, end)
        colour = _colour(mark.kind, column)
        painter.setPen(QPen(colour, LINE_PX, _PENS[mark.kind]))
        foot = None
        for part in parts(edit, number, first, last):
            y = round(part.baseline + GAP_PX) + 0.5
            painter.drawLine(QLineF(part.rect.left(), y, part.rect.right(), y))
            foot = QPointF(part.rect.right(), part.baseline)
        if mark.kind == "note" or foot is None:
            _paint_wedge(painter, foot or _foot_of(edit, number, last), colour)


def _in_sight(edit: QTextEdit, text: PageText) -> Iterator[tuple[int, Mark]]:
    for number, _rect in blocks_in_sight(edit, len(text.regions)):
        for mark in text.regions[number].marks:
            if mark.kind in KINDS:
                yield number, mark


def _colour(kind: str, column: Colours) -> QColor:
    return {"gap": column.failed, "unclear": column.look}.get(kind, column.accent)


def _foot_of(edit: QTextEdit, number: int, units: int) -> QPointF:
    """The foot of the line before a letter."""
    cursor = edit.textCursor()
    cursor.setPosition(edit.document().findBlockByNumber(number).position() + units)
    rect = edit.cursorRect(cursor)
    return QPointF(rect.left() + 1, rect.top() + rect.height() * 0.72)


def _paint_wedge(painter: QPainter, foot: QPointF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    low = foot + QPointF(0, WEDGE_PX + GAP_PX)
    painter.drawPolygon(QPolygonF([foot + QPointF(0, 1), low - QPointF(WEDGE_PX, 0),
                                   low + QPointF(WEDGE_PX, 0)]))  # fmt: skip


class MarkTips(QObject):
    """Tells what a mark says when the mouse rests on it. Belongs to `ui`."""

    def __init__(self, editor: PageEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        editor.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip:
            return False
        place = cast("QHelpEvent", event)
        QToolTip.showText(place.globalPos(), self._said_at(place.pos()), self._editor)
        return True

    def _said_at(self, at: QPoint) -> str:
        text = self._editor.text
        place = text.place_of(self._editor.cursorForPosition(at).position())
        if place is None:
            return ""
        region = text.regions[place.region]
        mark = mark_at(region, place.offset)
        return "" if mark is None else mark_words(region, mark)
