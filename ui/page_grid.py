"""The pages themselves: a virtual list of cells in one column or many, as the room allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget
from typing_extensions import override

from app.book import Page
from app.language import _
from ui.page_delegate import BOX, TURN_S, PageDelegate
from ui.page_model import Index, PageModel, Shown
from ui.theme import is_motion_wanted
from ui.thumbnails import RequestThumbnail, Thumbnails

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

REST_MS = 40  # after scrolling, before thumbnails are asked for
RING_MS = 60  # between two pictures of the turning ring
_STEPS = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right}


class PageGrid(QListView):
    """Shows pages and which of them is current; asks for thumbnails of those in sight. In `ui`."""

    page_chosen = Signal(int)  # by mouse or key; not when `show_current` says so

    def __init__(self, model: PageModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = model
        self._thumbnails = Thumbnails(self)
        self._delegate = PageDelegate(self, self._thumbnails)
        self._current: int | None = None
        self._reading: int | None = None
        self._columns = 1
        self._is_told = False  # the current page changes because we were told so
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._ring = QTimer(self, interval=RING_MS)
        self._set_up()
        self._listen()

    def _set_up(self) -> None:
        self.setModel(self._pages)
        self.setItemDelegate(self._delegate)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(_("Pages"))

    def _listen(self) -> None:
        self._thumbnails.arrived.connect(self._on_thumbnail_arrived)
        self._rest.timeout.connect(self._on_rested)
        self._ring.timeout.connect(self._on_ring_turned)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._on_scrolled)
        for changed in (self._pages.modelReset, self._pages.rowsInserted, self._pages.rowsRemoved):
            changed.connect(self._on_rows_changed)

    def set_book(self, pages: Iterable[Page], request: RequestThumbnail | None) -> None:
        """Show the pages of another book, or of none."""
        self._thumbnails.begin(request)
        self._current = None
        self.show_reading(None)
        with self._told():
            self._pages.set_pages(pages)

    def update_pages(self, pages: Iterable[Page]) -> None:
        """Draw these pages as they are now."""
        with self._told():
            self._pages.update_pages(pages)

    def show_only(self, shown: Shown) -> None:
        """Show the pages of some states only."""
        with self._told():
            self._pages.show_only(shown)

    def forget_thumbnails(self, pages: Iterable[int]) -> None:
        """The scans of these pages have changed."""
        self._thumbnails.forget(pages)
        self._rest.start()

    def show_current(self, number: int) -> None:
        """Mark this page as the one that is shown, and bring it into sight."""
        if number == self._current:
            return
        self._current = number
        self._mark_current()
        self.scrollTo(self.currentIndex())

    def show_reading(self, number: int | None, progress: float | None = None) -> None:
        """Let the ring of this page turn, or show how far it is read (0..1)."""
        if (number, progress) != (self._reading, self._delegate.progress):
            self._update_page(self._reading)
            self._reading, self._delegate.progress = number, progress
            self._update_page(number)
        turns = number is not None and progress is None and is_motion_wanted(self)
        if not (turns and self.isVisible()):
            self._ring.stop()
        elif not self._ring.isActive():  # told again at every word: it would never come round
            self._ring.start()

    def chosen_pages(self) -> tuple[int, ...]:
        """The selected pages, ascending."""
        return tuple(sorted(self._pages.page_of(index).number for index in self.selectedIndexes()))

    @override
    def sizeHint(self) -> QSize:
        cell = self._delegate.cell(self.fontMetrics())
        return QSize(cell.width() + self.verticalScrollBar().sizeHint().width(), 4 * cell.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), self._delegate.cell(self.fontMetrics()).height())

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if self._is_told or not current.isValid():
            return
        self._current = self._pages.page_of(current).number
        self.page_chosen.emit(self._current)

    @override
    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Paint the cells anew. `QListView` would lay all pages out anew: cells never differ."""
        QAbstractItemView.dataChanged(self, top_left, bottom_right, roles)

    @override
    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        with self._told():  # Qt would make a neighbour current and so turn the page
            super().rowsAboutToBeRemoved(parent, start, end)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_lost = not self.currentIndex().isValid() and self._pages.rowCount() > 0
        if is_lost and event.key() in _STEPS:
            self.setCurrentIndex(self._nearest())
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._lay_out()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._rest.start()
        return super().event(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
        self.show_reading(self._reading, self._delegate.progress)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ring.stop()
        self._thumbnails.want((), size_px=1)

    @contextmanager
    def _told(self) -> Iterator[None]:
        was_told, self._is_told = self._is_told, True
        try:
            yield
        finally:
            self._is_told = was_told

    def _mark_current(self) -> None:
        index = self._index_of(self._current)
        several = len(self.selectionModel().selectedRows()) > 1
        flag = QItemSelectionModel.SelectionFlag
        keeps = several and index.isValid() and self.selectionModel().isSelected(index)
        with self._told():
            self.selectionModel().setCurrentIndex(
                index, flag.NoUpdate if keeps else flag.ClearAndSelect
            )

    def _index_of(self, number: int | None) -> QModelIndex:
        return QModelIndex() if number is None else self._pages.index_of(number)

    def _nearest(self) -> QModelIndex:
        """The first page shown that is not before the current one, else the last."""
        for row in range(self._pages.rowCount()):
            index = self._pages.index(row)
            if self._pages.page_of(index).number >= (self._current or 0):
                return index
        return self._pages.index(self._pages.rowCount() - 1)

    def _lay_out(self) -> None:
        """Divide the width into columns; what was at the top stays at the top."""
        cell = self._delegate.cell(self.fontMetrics())
        columns = max(1, (self.viewport().width() - 1) // cell.width())
        # One pixel less than there is: Qt begins a new row where a cell would end at the edge.
        grid = QSize((self.viewport().width() - 1) // columns, cell.height())
        self._rest.start()
        if grid == self.gridSize():
            return
        top = self._rows_in_sight().start
        self._columns = columns
        self._delegate.cell_size = grid
        self.setGridSize(grid)
        self.verticalScrollBar().setSingleStep(cell.height() // 3)
        self.doItemsLayout()
        self.verticalScrollBar().setValue(top // columns * grid.height())

    def _rows_in_sight(self) -> range:
        """Rows of the model that are seen now."""
        grid = self.gridSize()
        if grid.isEmpty():
            return range(0)
        top_px = self.verticalScrollBar().value()
        first = top_px // grid.height()
        last = (top_px + self.viewport().height()) // grid.height()
        rows = range(first * self._columns, (last + 1) * self._columns)
        return range(rows.start, min(rows.stop, self._pages.rowCount()))

    def _update_page(self, number: int | None) -> None:
        index = self._index_of(number)
        if index.isValid():
            self.update(index)

    @Slot()
    def _on_scrolled(self) -> None:
        self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        if not self.isVisible():
            return
        pages = [self._pages.page_of(self._pages.index(row)) for row in self._rows_in_sight()]
        size_px = round(BOX.height() * self.devicePixelRatioF())
        self._thumbnails.want([page.number for page in pages], size_px=size_px)

    @Slot(int)
    def _on_thumbnail_arrived(self, page: int) -> None:
        self._update_page(page)

    @Slot()
    def _on_ring_turned(self) -> None:
        self._delegate.turned = (self._delegate.turned + RING_MS / 1000 / TURN_S) % 1.0
        self._update_page(self._reading)

    @Slot()
    def _on_rows_changed(self) -> None:
        self._mark_current()
        self._rest.start()
