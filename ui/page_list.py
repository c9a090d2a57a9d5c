"""The page list: a filter above, the pages below, and what can be done with those chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.book import Page
from app.language import _, plural
from ui.page_grid import PageGrid
from ui.page_model import Index, PageModel, Shown
from ui.thumbnails import RequestThumbnail


class PageList(QWidget):
    """Pages to choose from; what is chosen and ordered is told by signals. Belongs to `ui`."""

    page_chosen = Signal(int)  # the user wants to see it
    read_asked = Signal(object)  # these with a tuple of pages, ascending
    accept_asked = Signal(object)
    unaccept_asked = Signal(object)
    blank_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = PageModel()
        self._filter = QComboBox(self)
        self._grid = PageGrid(self._model, self)
        self._is_changeable = True
        self._build()
        self._grid.page_chosen.connect(self.page_chosen)
        self._grid.customContextMenuRequested.connect(self._on_menu_wanted)
        self._filter.activated.connect(self._on_filter_chosen)
        self.setFocusProxy(self._grid)

    def show_odd_numbers(self, odd: Mapping[int, str]) -> None:
        """Tell of printed numbers that do not follow, by page; each with what is odd about it."""
        self._model.show_odd_numbers(odd)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._filter)
        column.addWidget(self._grid, stretch=1)
        self.setTabOrder(self._filter, self._grid)
        self._grid.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._filter.setAccessibleName(_("Which pages are listed"))
        self._filter.setItemDelegate(_WithCount(self._filter))
        for shown in Shown:
            self._filter.addItem(_(shown.value), 0)
        self._tell_counts()

    def set_book(self, pages: Iterable[Page], request_thumbnail: RequestThumbnail | None) -> None:
        """Show the pages of another book.

        Args:
            pages: all pages of the book, in order; none where no book is open.
            request_thumbnail: page and longest side in device pixels to a future raster.
        """
        self._grid.set_book(pages, request_thumbnail)
        self._tell_counts()

    def update_pages(self, pages: Iterable[Page]) -> None:
        """Draw these pages as they are now; pages that the filter no longer takes leave."""
        self._grid.update_pages(pages)
        self._tell_counts()

    def show_current(self, page: int) -> None:
        """Mark the page that is shown; nothing is told back."""
        self._grid.show_current(page)

    def show_reading(self, page: int | None, progress: float | None = None) -> None:
        """Let the ring of the page being read turn, or show its progress (0..1) where known."""
        self._grid.show_reading(page, progress)

    def show_only(self, shown: Shown) -> None:
        """List the pages of some states only."""
        self._filter.setCurrentIndex(list(Shown).index(shown))
        self._grid.show_only(shown)

    def set_changeable(self, *, is_changeable: bool) -> None:
        """Whether pages may be read and accepted: not in a book that is open elsewhere."""
        self._is_changeable = is_changeable

    def forget_thumbnails(self, pages: Iterable[int]) -> None:
        """The scans of these pages have changed."""
        self._grid.forget_thumbnails(pages)

    def chosen_pages(self) -> tuple[int, ...]:
        """The pages that are selected, ascending; orders for several pages go to these."""
        return self._grid.chosen_pages()

    def _tell_counts(self) -> None:
        for place, count in enumerate(self._model.counts().values()):
            self._filter.setItemData(place, count)

    @Slot(int)
    def _on_filter_chosen(self, place: int) -> None:
        self._grid.show_only(list(Shown)[place])

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        pages = self.chosen_pages()
        if pages and self._is_changeable:
            self._menu(pages).popup(self._grid.viewport().mapToGlobal(place))

    def _menu(self, pages: tuple[int, ...]) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addSection(plural("{n} page", "{n} pages", len(pages)))
        for text, asked in self._orders():
            menu.addAction(text, lambda asked=asked: asked.emit(pages))
        return menu

    def _orders(self) -> tuple[_Order, ...]:
        return (
            _Order(_("&Read again"), self.read_asked),
            _Order(_("&Accept as proofread"), self.accept_asked),
            _Order(_("&Take acceptance back"), self.unaccept_asked),
            _Order(_("Mark as &blank"), self.blank_asked),
        )


class _WithCount(QStyledItemDelegate):
    """Adds to a line of the opened filter how many pages it would list."""

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        count = index.data(Qt.ItemDataRole.UserRole)
        # The stubs do not know the fields of Qt's style options.
        option.text += f"  ({count})"  # pyright: ignore[reportAttributeAccessIssue]


class _Order(NamedTuple):
    text: str
    asked: SignalInstance
