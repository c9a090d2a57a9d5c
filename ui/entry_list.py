"""Lines to choose from: icon, name, explanation, keys. The list of the palette."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from ui import icons
from ui.faces import secondary_font
from ui.fuzzy import ranked
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QFont, QPainter

Index = QModelIndex | QPersistentModelIndex

ENTRY_ROLE = Qt.ItemDataRole.UserRole
ICON_PX = 16
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Entry(NamedTuple):
    """One line to choose."""

    id: str
    text: str
    says: str = ""
    keys: str = ""  # as the system spells them
    icon: str = ""
    is_possible: bool = True


class EntryModel(QAbstractListModel):
    """The entries that answer to what was typed, the best first; the impossible ones last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self._shown: list[Entry] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Take other entries; all are shown."""
        self._entries = entries
        self.look_for("")

    def look_for(self, query: str) -> None:
        """Show what answers to a query."""
        names = [entry.text for entry in self._entries]
        order = ranked(query, names, [entry.says for entry in self._entries])
        self.beginResetModel()
        found = [self._entries[at] for at in order]
        self._shown = sorted(found, key=lambda entry: not entry.is_possible)
        self.endResetModel()

    def entry(self, index: Index) -> Entry:
        """The entry of a row."""
        return self._shown[index.row()]

    @property
    def possible_count(self) -> int:
        """How many of the rows can be chosen; they come first."""
        return sum(entry.is_possible for entry in self._shown)

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(part for part in (entry.text, entry.keys, entry.says) if part)
            case _ if role == ENTRY_ROLE:
                return entry
            case _:
                return None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        able = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return able if self.entry(index).is_possible else Qt.ItemFlag.NoItemFlags


class EntryDelegate(QStyledItemDelegate):
    """Draws one line: icon, name, explanation in secondary text, keys at the end."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        look: Any = option  # its fields are missing in Qt's types
        return QSize(200, look.fontMetrics.height() + Space.M)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = _Line(painter, option)
        line.draw(index.data(ENTRY_ROLE))


class _Line:
    """One line while it is drawn; words are set from the outer ends inwards."""

    def __init__(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        look: Any = option  # its fields are missing in Qt's types
        self._painter = painter
        self._place: QRect = look.rect
        self._font: QFont = look.font
        self._column = colours(look.palette)
        self._is_chosen = bool(look.state & QStyle.StateFlag.State_Selected)
        self._room = self._place.adjusted(Space.M, 0, -Space.M, 0)

    def draw(self, entry: Entry) -> None:
        painter, column = self._painter, self._column
        painter.save()
        if self._is_chosen:
            painter.fillRect(self._place, column.accent_soft)
        ink = column.text if entry.is_possible else column.blank
        quiet = column.text if self._is_chosen else column.secondary if entry.is_possible else ink
        self._icon(entry.icon, ink)
        self._at_end(entry.keys, quiet)
        self._at_start(entry.text, ink)
        self._aside(entry.says, quiet)
        painter.restore()

    def _icon(self, name: str, ink: QColor) -> None:
        if name:
            scale = self._painter.device().devicePixelRatioF()
            top = self._room.top() + (self._room.height() - ICON_PX) // 2
            picture = icons.pixmap(name, ICON_PX, ink.name(), scale)
            self._painter.drawPixmap(self._room.left(), top, picture)
        self._room.adjust(ICON_PX + Space.S, 0, 0, 0)

    def _at_end(self, text: str, ink: QColor) -> None:
        if not text:
            return
        self._painter.setFont(self._font)
        self._painter.setPen(ink)
        width = self._painter.fontMetrics().horizontalAdvance(text)
        place = QRect(self._room)
        place.setLeft(self._room.right() - width)
        self._painter.drawText(place, _LEFT, text)
        self._room.adjust(0, 0, -width - Space.M, 0)

    def _at_start(self, text: str, ink: QColor) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(ink)
        self._painter.drawText(self._room, _LEFT, self._fitting(text))
        width = self._painter.fontMetrics().horizontalAdvance(text)
        self._room.adjust(width + Space.M, 0, 0, 0)

    def _aside(self, text: str, ink: QColor) -> None:
        if self._room.width() < 8 * Space.S:
            return
        self._painter.setFont(secondary_font(self._font))
        self._painter.setPen(ink)
        self._painter.drawText(self._room, _LEFT, self._fitting(text))

    def _fitting(self, text: str) -> str:
        metrics = self._painter.fontMetrics()
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, self._room.width())
