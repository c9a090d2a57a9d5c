"""The pages of a book as a list for Qt: which are shown, and what is said of each."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from typing_extensions import override

from app.book import Page, PageState
from app.language import N_, _
from app.page_words import page_state_text
from app.rounds import accepted_text

PAGE_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class Shown(Enum):
    """Which pages the list shows; the value is what the list is then called."""

    ALL = N_("All pages")
    UNFINISHED = N_("Unfinished")
    LOOK = N_("To look at")
    FAILED = N_("Failed")
    PROOFREAD = N_("Proofread")

    def takes(self, state: PageState) -> bool:
        """Whether pages in this state are shown."""
        match self:
            case Shown.ALL:
                return True
            case Shown.UNFINISHED:
                return state not in {PageState.PROOFREAD, PageState.BLANK}
            case Shown.LOOK:
                return state is PageState.LOOK
            case Shown.FAILED:
                return state is PageState.FAILED
            case Shown.PROOFREAD:
                return state is PageState.PROOFREAD


class PageModel(QAbstractListModel):
    """Draws from the pages it was last told of; the truth is the session's. Belongs to `ui`."""

    def __init__(self) -> None:
        super().__init__()
        self._pages: list[Page] = []
        self._numbers: list[int] = []  # of the pages shown, ascending
        self._shown = Shown.ALL
        self._odd: dict[int, str] = {}  # pages whose printed number does not follow, and why

    @property
    def shown(self) -> Shown:
        """Which pages are shown."""
        return self._shown

    def set_pages(self, pages: Iterable[Page]) -> None:
        """Another book, or none."""
        self.beginResetModel()
        self._pages = list(pages)
        self._numbers = self._filtered()
        self.endResetModel()

    def show_only(self, shown: Shown) -> None:
        """Show the pages of some states only."""
        if shown is self._shown:
            return
        self.beginResetModel()
        self._shown = shown
        self._numbers = self._filtered()
        self.endResetModel()

    def update_pages(self, pages: Iterable[Page]) -> None:
        """These pages have changed; those that the filter no longer takes leave the list."""
        for page in pages:
            if self._pages[page.number] != page:
                self._pages[page.number] = page
                self._update(page)

    def show_odd_numbers(self, odd: Mapping[int, str]) -> None:
        """Tell of printed numbers that do not follow; each with what is odd about it."""
        changed = {number for number, _why in odd.items() ^ self._odd.items()}
        self._odd = dict(odd)
        for number in changed:
            index = self.index_of(number)
            self.dataChanged.emit(index, index)

    def counts(self) -> dict[Shown, int]:
        """How many pages each filter would show."""
        states = Counter(page.state for page in self._pages)
        return {
            each: sum(count for state, count in states.items() if each.takes(state))
            for each in Shown
        }

    def index_of(self, number: int) -> QModelIndex:
        """Where a page stands in the list; not valid if it is not shown."""
        row = bisect_left(self._numbers, number)
        is_shown = row < len(self._numbers) and self._numbers[row] == number
        return self.index(row) if is_shown else QModelIndex()

    def page_of(self, index: Index) -> Page:
        """The page that stands there."""
        return self._pages[self._numbers[index.row()]]

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._numbers)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | Page | None:
        page = self.page_of(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                words = page_number_words(page)
                return f"{words} !" if page.number in self._odd else words
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                odd = self._odd.get(page.number, "")
                return ", ".join(part for part in (page_words(page), odd, page.note) if part)
            case _:
                return page if role == PAGE_ROLE else None

    def _filtered(self) -> list[int]:
        return [page.number for page in self._pages if self._shown.takes(page.state)]

    def _update(self, page: Page) -> None:
        row = bisect_left(self._numbers, page.number)
        was_shown = row < len(self._numbers) and self._numbers[row] == page.number
        if was_shown and self._shown.takes(page.state):
            self.dataChanged.emit(self.index(row), self.index(row))
        elif was_shown:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._numbers[row]
            self.endRemoveRows()
        elif self._shown.takes(page.state):
            self.beginInsertRows(QModelIndex(), row, row)
            self._numbers.insert(row, page.number)
            self.endInsertRows()


def page_number_words(page: Page) -> str:
    """The printed number in front where it is known, the number of the scan behind it."""
    scan = str(page.number + 1)
    return f"{page.label} ({scan})" if page.label else scan


def page_words(page: Page) -> str:
    """A page in one line, e.g. "Page 12, printed 8, to look at: perhaps blank"."""
    parts = [_("Page {n}").format(n=page.number + 1)]
    if page.label:
        parts.append(_("printed {label}").format(label=page.label))
    parts.append(page_state_text(page))
    who = accepted_text(page) if page.state is PageState.PROOFREAD else ""
    return f"{', '.join(parts)} ({who})" if who else ", ".join(parts)
