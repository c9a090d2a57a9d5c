"""The places that a replacement would change, each with a tick: what is there, what would be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from app.language import _
from app.store.planning import Planned
from ui.faces import tabular
from ui.page_model import Index
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

PLACE_ROLE = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SHARE_BEFORE = 0.35  # of the line, for what stands before the place


class PlacesModel(QAbstractListModel):
    """Belongs to `ui`."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.places: Sequence[Planned] = ()
        self._left_out: set[int] = set()  # rows

    def show_places(self, places: Sequence[Planned], *, but: Iterable[range]) -> None:
        """Show other places, all ticked but those in some rows."""
        self.beginResetModel()
        self.places = places
        self._left_out = set[int]().union(*but)
        self.endResetModel()
        self.chosen_changed.emit()

    def tick(self, stretches: Iterable[range], *, is_on: bool) -> None:
        """Tick all places in some rows, or none of them."""
        rows = set[int]().union(*stretches)
        self._left_out = self._left_out - rows if is_on else self._left_out | rows
        if self.places:
            self.dataChanged.emit(self.index(0), self.index(len(self.places) - 1))
        self.chosen_changed.emit()

    @property
    def count(self) -> int:
        """How many places are ticked."""
        return len(self.places) - len(self._left_out)

    def chosen(self) -> list[Planned]:
        """The places that are ticked."""
        return [each for row, each in enumerate(self.places) if row not in self._left_out]

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.places)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        place = self.places[index.row()]
        match role:
            case Qt.ItemDataRole.CheckStateRole:
                is_on = index.row() not in self._left_out
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.DisplayRole:
                return ""  # is painted
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return place_words(place)
            case _:
                return place if role == PLACE_ROLE else None

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self._left_out ^= {index.row()}
        self.dataChanged.emit(index, index)
        self.chosen_changed.emit()
        return True


def rows_of(pages: Iterable[tuple[int, int]], wanted: Collection[int]) -> tuple[range, ...]:
    """The rows that some pages have in a list of places.

    Args:
        pages: every page in the order of the list, and how many places it has.
        wanted: the pages that are asked for.
    """
    rows: list[range] = []
    start = 0
    for page, count in pages:
        if page in wanted:
            rows.append(range(start, start + count))
        start += count
    return tuple(rows)


def place_words(place: Planned) -> str:
    """A place in one line: 'Page 3: the tbe → the house'."""
    match = place.match
    before, old, after = _parts(place)
    return _("Page {n}: {before}{old} → {instead}{after}").format(
        n=match.page + 1, before=before, old=old, instead=place.instead, after=after
    )


def _parts(place: Planned) -> tuple[str, str, str]:
    match = place.match
    end = match.at + match.end - match.start
    return match.context[: match.at], match.context[match.at : end], match.context[end:]


class PlaceDelegate(QStyledItemDelegate):
    """The tick and the page, then the line: the old text struck out, the new one in bold."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        # The stubs lack the fields of Qt's style options.
        metrics: QFontMetrics = option.fontMetrics  # pyright: ignore[reportAttributeAccessIssue]
        return QSize(200, max(hint.height(), metrics.height() + Space.S))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)  # its ground, the tick and the focus
        self.initStyleOption(option, index)
        # The stubs lack the fields of Qt's style options.
        widget: QWidget = option.widget  # pyright: ignore[reportAttributeAccessIssue]
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        font: QFont = option.font  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        style = widget.style() if widget else QApplication.style()
        tick = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        left = style.subElementRect(tick, option, widget).right() + Space.S
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        palette = widget.palette()
        column = colours(palette)
        plain = palette.highlightedText().color() if is_selected else column.text
        quiet = plain if is_selected else column.secondary
        place: Planned = index.data(PLACE_ROLE)
        painter.save()
        painter.setFont(tabular(font))
        painter.setPen(quiet)
        wide = painter.fontMetrics().horizontalAdvance("00000")
        painter.drawText(
            QRect(left, rect.top(), wide, rect.height()), _RIGHT, str(place.match.page + 1)
        )
        line = QRect(rect)
        line.setLeft(left + wide + Space.M)
        line.setRight(rect.right() - Space.M)
        painter.setPen(plain)
        _paint_line(painter, line, place, font)
        painter.restore()


def _paint_line(painter: QPainter, line: QRect, place: Planned, font: QFont) -> None:
    struck, bold = QFont(font), QFont(font)
    struck.setStrikeOut(True)
    bold.setBold(True)
    before, old, after = _parts(place)
    room = round(line.width() * _SHARE_BEFORE)
    before = QFontMetrics(font).elidedText(before, Qt.TextElideMode.ElideLeft, room)
    left = line.left()
    parts = ((before, font), (old, struck), (" ", font), (place.instead, bold), (after, font))
    for text, face in parts:
        painter.setFont(face)
        room = line.right() - left
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(left, line.top(), room, line.height()), _LEFT, shown)
        left += painter.fontMetrics().horizontalAdvance(text)
