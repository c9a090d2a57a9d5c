"""The places of the whole book where a text was found: page and context, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.answers import MatchesFound
from app.language import _, plural
from app.store.reader import Match
from ui.faces import tabular
from ui.labels import QuietLabel
from ui.page_model import Index
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QPalette

MATCH_ROLE = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LINES_SHOWN = 6
_SHARE_BEFORE = 0.4  # of the line, for what stands before the match


class _Model(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.matches: tuple[Match, ...] = ()

    def show(self, matches: tuple[Match, ...]) -> None:
        self.beginResetModel()
        self.matches = matches
        self.endResetModel()

    @override
    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.matches)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | Match | None:
        match = self.matches[index.row()]
        if role == MATCH_ROLE:
            return match
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            words = (
                _("Page {n}, earlier reading: {text}")
                if match.reading_id
                else _("Page {n}: {text}")
            )
            return words.format(n=match.page + 1, text=match.context)
        return None


class _Delegate(QStyledItemDelegate):
    """The page's number, then the line with the match in the middle, in bold."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # The stubs lack the fields of Qt's style options.
        metrics: QFontMetrics = option.fontMetrics  # pyright: ignore[reportAttributeAccessIssue]
        return QSize(200, metrics.height() + Space.S)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        # The stubs lack the fields of Qt's style options.
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        palette: QPalette = option.palette  # pyright: ignore[reportAttributeAccessIssue]
        font: QFont = option.font  # pyright: ignore[reportAttributeAccessIssue]
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        column, match = colours(palette), index.data(MATCH_ROLE)
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        if is_selected:
            painter.fillRect(rect, column.accent_soft)
        painter.setFont(tabular(font))
        painter.setPen(column.text if is_selected else column.secondary)
        wide = painter.fontMetrics().horizontalAdvance("00000")
        number = QRect(rect.left(), rect.top(), wide, rect.height())
        painter.drawText(number, _RIGHT, str(match.page + 1))
        line = rect.adjusted(number.width() + Space.M, 0, -Space.M, 0)
        if match.reading_id:
            line = _behind(painter, line, _("earlier reading"))
        painter.setPen(column.text)
        _paint_context(painter, line, match, font)


def _behind(painter: QPainter, line: QRect, words: str) -> QRect:
    """Write some words at the start of a line; what is left of it."""
    painter.drawText(line, _LEFT, words)
    return line.adjusted(painter.fontMetrics().horizontalAdvance(words) + Space.M, 0, 0, 0)


def _paint_context(painter: QPainter, line: QRect, match: Match, font: QFont) -> None:
    """What was found stands where it can be seen, however long the line before it."""
    bold = QFont(font)
    bold.setBold(True)
    end = match.at + match.end - match.start
    context = match.context
    room = round(line.width() * _SHARE_BEFORE)
    before = QFontMetrics(font).elidedText(context[: match.at], Qt.TextElideMode.ElideLeft, room)
    left = line.left()
    for text, face in ((before, font), (context[match.at : end], bold), (context[end:], font)):
        painter.setFont(face)
        room = line.right() - left
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(left, line.top(), room, line.height()), _LEFT, shown)
        left += painter.fontMetrics().horizontalAdvance(text)


class BookMatches(QWidget):
    """A list to walk through; each place that becomes current is told. Belongs to `ui`."""

    match_chosen = Signal(object)  # `Match`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Model(self)
        self._list = QListView(self)
        self._says = QuietLabel(parent=self)
        self._build()
        self._list.selectionModel().currentChanged.connect(self._on_current_changed)

    def _build(self) -> None:
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Delegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setAccessibleName(_("Places in the book"))
        self._says.setContentsMargins(Space.M, Space.XS, Space.M, Space.XS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._says)
        column.addWidget(self._list, stretch=1)

    def show_found(self, found: MatchesFound | None) -> None:
        """Show what was found, none of it chosen."""
        self._model.show(found.matches if found is not None else ())
        self._says.show_text(_told(found))

    def go(self, step: int) -> None:
        """To the next place (1) or the one before (-1), around the ends."""
        count = self._model.rowCount()
        if count == 0:
            return
        here = self._list.currentIndex()
        start = here.row() if here.isValid() else (-1 if step > 0 else 0)
        self._list.setCurrentIndex(self._model.index((start + step) % count))

    @property
    def at(self) -> int | None:
        """The place that is chosen, from 0."""
        here = self._list.currentIndex()
        return here.row() if here.isValid() else None

    @property
    def count(self) -> int:
        """How many places there are."""
        return self._model.rowCount()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), LINES_SHOWN * self.fontMetrics().lineSpacing())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.match_chosen.emit(self._model.matches[current.row()])


def _told(found: MatchesFound | None) -> str:
    """How many, on how many pages, and whether all of them are listed."""
    if found is None or not found.total:
        return _("Not found in the book.")
    places = plural("{n} place", "{n} places", found.total)
    pages = plural("{n} page", "{n} pages", found.pages)
    told = _("{places} on {pages}").format(places=places, pages=pages)
    if found.total == len(found.matches):
        return told
    listed = plural("the first {n} is listed", "the first {n} are listed", len(found.matches))
    return f"{told}; {listed}"
