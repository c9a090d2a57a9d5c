"""A layout that sets widgets one after the other and begins a new row where the width ends."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from typing_extensions import override


class Flow(QLayout):
    """Widgets in rows, each as wide as it asks for; those of a row share their middle line."""

    def __init__(self, parent: QWidget | None = None, *, across_px: int, down_px: int) -> None:
        super().__init__(*([parent] if parent else []))
        self._items: list[QLayoutItem] = []
        self._across_px = across_px
        self._down_px = down_px
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        rows = self._rows(width - self._margins().width())
        heights = [max(item.sizeHint().height() for item in row) for row in rows]
        between = self._down_px * max(len(rows) - 1, 0)
        return sum(heights) + between + self._margins().height()

    @override
    def sizeHint(self) -> QSize:
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown)
        width += self._across_px * max(len(shown) - 1, 0)
        height = max((item.sizeHint().height() for item in shown), default=0)
        return QSize(width, height) + self._margins()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size + self._margins()

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        inside = rect.marginsRemoved(self.contentsMargins())
        y = inside.top()
        for row in self._rows(inside.width()):
            height = max(item.sizeHint().height() for item in row)
            self._set_row(row, QRect(inside.left(), y, inside.width(), height))
            y += height + self._down_px

    def _set_row(self, row: list[QLayoutItem], place: QRect) -> None:
        x = place.left()
        for item in row:
            size = QSize(min(item.sizeHint().width(), place.width()), item.sizeHint().height())
            y = place.top() + (place.height() - size.height()) // 2
            spot = QRect(x, y, size.width(), size.height())
            direction = self._direction()
            item.setGeometry(_mirrored(spot, place) if direction else spot)
            x += size.width() + self._across_px

    def _direction(self) -> bool:
        """Whether rows begin at the right."""
        owner = self.parentWidget()
        return owner is not None and owner.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            needed = item.sizeHint().width()
            if not rows or needed > left:
                rows.append([])
                left = width
            rows[-1].append(item)
            left -= needed + self._across_px
        return rows

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _margins(self) -> QSize:
        margins = self.contentsMargins()
        return QSize(margins.left() + margins.right(), margins.top() + margins.bottom())


def _mirrored(spot: QRect, place: QRect) -> QRect:
    return QRect(
        place.right() - (spot.right() - place.left()), spot.top(), spot.width(), spot.height()
    )
