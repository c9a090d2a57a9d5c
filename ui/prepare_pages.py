"""The list of pages that are prepared: what is found for each, filtered, one of them chosen."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.book import Page
from app.language import N_, _
from ui.page_model import page_number_words
from ui.prepare_draft import proposal_words
from ui.theme import Space

FILTERS = (N_("All pages"), N_("Something found"), N_("To look at"))


class PreparePages(QWidget):
    """Belongs to `ui`."""

    changed = Signal()  # another page is chosen, or the chosen one is another now

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: tuple[Page, ...] = ()
        self.filter = QComboBox()
        self.list = QListWidget()
        self._build()
        self.filter.currentIndexChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self.changed)

    @property
    def current(self) -> int | None:
        """The number of the chosen page."""
        item = self.list.currentItem()
        return _number(item) if item is not None else None

    @property
    def selected(self) -> tuple[int, ...]:
        """The numbers of all selected pages, ascending."""
        return tuple(sorted(_number(item) for item in self.list.selectedItems()))

    def show_pages(self, pages: tuple[Page, ...]) -> None:
        """List these pages; the chosen one stays so."""
        self._pages = pages
        self._fill()

    def update_pages(self, pages: tuple[Page, ...], changed: frozenset[int]) -> None:
        """Some pages have changed; the others and the numbers of all are as before."""
        if self.filter.currentIndex() or len(pages) != len(self._pages):
            self.show_pages(pages)
            return
        self._pages = pages
        for number in changed:
            _write(self.list.item(number), pages[number])
        if self.current in changed:
            self.changed.emit()

    def go_to(self, number: int) -> None:
        """Choose a page, if it is listed."""
        for row in range(self.list.count()):
            if _number(self.list.item(row)) == number:
                self.list.setCurrentRow(row)

    def step(self, rows: int) -> None:
        """Choose the page so many lines further down."""
        row = self.list.currentRow() + rows
        if 0 <= row < self.list.count():
            self.list.setCurrentRow(row)

    def _build(self) -> None:
        self.filter.addItems([_(each) for each in FILTERS])
        self.filter.setAccessibleName(_("Which pages are listed"))
        self.list.setAccessibleName(_("Pages"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self.filter)
        column.addWidget(self.list, stretch=1)

    @Slot()
    def _fill(self) -> None:
        """List the pages that the filter takes; stay on the page, or where it was."""
        here = self.current
        wanted = [page for page in self._pages if self._takes(page)]
        with QSignalBlocker(self.list):
            row = max(0, self.list.currentRow())
            self.list.clear()
            for page in wanted:
                item = QListWidgetItem()
                _write(item, page)
                self.list.addItem(item)
            rows = {page.number: at for at, page in enumerate(wanted)}
            row = row if here is None else rows.get(here, row)
            self.list.setCurrentRow(min(row, len(wanted) - 1))
        self.changed.emit()

    def _takes(self, page: Page) -> bool:
        match self.filter.currentIndex():
            case 0:
                return True
            case 1:
                return page.proposal is not None
            case _:
                return bool(page.proposal and page.proposal.doubtful)


def _number(item: QListWidgetItem) -> int:
    return item.data(Qt.ItemDataRole.UserRole)


def _write(item: QListWidgetItem, page: Page) -> None:
    """The number of a page, and what is found for it or done to it."""
    done = _("prepared") if page.treatment else ""
    parts = (page_number_words(page), proposal_words(page) or done)
    item.setText(" · ".join(part for part in parts if part))
    item.setToolTip(item.text())
    item.setData(Qt.ItemDataRole.UserRole, page.number)
