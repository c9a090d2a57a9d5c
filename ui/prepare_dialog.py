"""Page preparation: the pages with what is proposed for them, one of them with its handles, orders.

Keeps the draft of the page that is looked at; all else it reads from the session. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.book import Page, PageSize
from app.language import N_, _, plural
from app.pages import PageInfo, PageQueue, Priority
from ui.arrivals import Arrivals
from ui.dialogs import foot, size_for, spaced
from ui.labels import QuietLabel
from ui.page_model import page_number_words
from ui.prepare_canvas import PrepareCanvas
from ui.prepare_draft import Draft, proposal_words, proposed
from ui.prepare_handles import Handles
from ui.prepare_panel import PreparePanel
from ui.theme import Space

if TYPE_CHECKING:
    from app.preparing import Preparing

FILTERS = (N_("All pages"), N_("Something found"), N_("To look at"))
SCOPES = (
    N_("this page"),
    N_("the selected pages"),
    N_("all odd pages"),
    N_("all even pages"),
    N_("all pages"),
)


class PrepareDialog(QDialog):
    """Belongs to `ui`."""

    ordered = Signal(object)  # a function that gives the session an order: its `Change`

    def __init__(self, preparing: Preparing, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._preparing = preparing
        self._pages: tuple[Page, ...] = ()
        self._images: PageQueue | None = None
        self._arrivals = Arrivals(self._on_size_arrived)
        self._sizes: dict[
            tuple[Path | None, int], PageSize
        ] = {}  # of images that were never opened before
        self.draft: Draft | None = None
        self.filter = QComboBox()
        self.list = QListWidget()
        self.canvas = PrepareCanvas()
        self.panel = PreparePanel()
        self.preview = QCheckBox(_("Pre&view as the reader gets it"))
        self.scope = QComboBox()
        self.apply = QPushButton(_("&Apply to"), default=True)
        self.leave = QPushButton(_("Leave as it &is"), autoDefault=False)
        self.search = QPushButton(_("&Find what pages need"), autoDefault=False)
        self.accept_sure = QPushButton(autoDefault=False)
        self.undo = QPushButton(_("&Undo"), autoDefault=False)
        self.redo = QPushButton(_("Re&do"), autoDefault=False)
        self.progress = QProgressBar()
        self.message = QuietLabel(wraps=True)
        self._build()
        self._connect()

    # what the desk tells

    def show_book(self, pages: tuple[Page, ...], images: PageQueue, current: int) -> None:
        """Show these pages of a book, one of them on the canvas."""
        if images is not self._images:
            self._images = images
            self._sizes.clear()
        self.show_pages(pages)
        self._go_to(current)

    def show_pages(self, pages: tuple[Page, ...]) -> None:
        """The pages as they stand now; the one on the canvas stays where it is."""
        here = self._current()
        self._pages = pages
        self._fill(here)
        self.show_progress()

    def update_pages(self, pages: tuple[Page, ...], changed: frozenset[int]) -> None:
        """Some pages have changed; the others and the numbers of all are as before."""
        if self.filter.currentIndex() or len(pages) != len(self._pages):
            self.show_pages(pages)
            return
        self._pages = pages
        for number in changed:
            item = self.list.item(number)
            item.setText(_line(pages[number]))
            item.setToolTip(item.text())
        if self._current() in changed:
            self._begin()
        self.show_progress()

    def show_progress(self) -> None:
        """How far the search is, and what can be done."""
        preparing = self._preparing
        under_way = preparing.search.progress
        self.progress.setVisible(under_way is not None)
        if under_way is not None:
            self.progress.setRange(0, under_way[1])
            self.progress.setValue(under_way[0])
        self.search.setText(_("&Stop") if under_way else _("&Find what pages need"))
        sure = self._sure()
        self.accept_sure.setText(
            plural("Apply to {n} s&ure page", "Apply to {n} s&ure pages", len(sure))
        )
        self.accept_sure.setEnabled(bool(sure))
        self.undo.setEnabled(preparing.can_undo)
        self.redo.setEnabled(preparing.can_redo)
        self._tell()

    # building

    def _build(self) -> None:
        self.setWindowTitle(_("Prepare pages"))
        self.filter.addItems([_(each) for each in FILTERS])
        self.filter.setAccessibleName(_("Which pages are listed"))
        self.list.setAccessibleName(_("Pages"))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scope.addItems([_(each) for each in SCOPES])
        self.scope.setAccessibleName(_("Apply to"))
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(_("Pages looked at"))
        column = QVBoxLayout(self)
        spaced(column)
        column.addLayout(foot(self.search, self.accept_sure, None, self.undo, self.redo))
        column.addWidget(self.progress)
        column.addLayout(self._middle(), stretch=1)
        column.addWidget(self.message)
        size_for(self, letters=150, lines=46)

    def _middle(self) -> QHBoxLayout:
        pages = QVBoxLayout()
        pages.setSpacing(Space.S)
        pages.addWidget(self.filter)
        pages.addWidget(self.list, stretch=1)
        controls = QVBoxLayout()
        controls.setSpacing(Space.S)
        controls.addWidget(self.panel, stretch=1)
        controls.addWidget(self.preview)
        controls.addWidget(self.leave)
        apply = QHBoxLayout()
        apply.setSpacing(Space.S)
        apply.addWidget(self.apply)
        apply.addWidget(self.scope, stretch=1)
        controls.addLayout(apply)
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        row.addLayout(pages, stretch=2)
        row.addWidget(self.canvas, stretch=5)
        row.addLayout(controls, stretch=2)
        return row

    def _connect(self) -> None:
        self.filter.currentIndexChanged.connect(lambda _at: self._fill(self._current()))
        self.list.currentItemChanged.connect(self._on_page_chosen)
        self.canvas.changed.connect(self._on_moved)
        self.canvas.room_changed.connect(self._ask)
        self.panel.changed.connect(self._on_changed)
        self.preview.toggled.connect(lambda _is_on: self._show_draft())
        self.apply.clicked.connect(self._on_apply)
        self.leave.clicked.connect(self._on_leave)
        self.search.clicked.connect(self._on_find)
        self.accept_sure.clicked.connect(lambda: self._order(self._accept(self._sure())))
        self.undo.clicked.connect(lambda: self._order(self._preparing.undo))
        self.redo.clicked.connect(lambda: self._order(self._preparing.redo))
        keys: dict[QKeySequence | QKeySequence.StandardKey | str, Callable[[], object]] = {
            QKeySequence.StandardKey.Undo: self.undo.click,
            QKeySequence.StandardKey.Redo: self.redo.click,
            "Ctrl+Return": self.apply.click,
            "PgDown": lambda: self._step(1),
            "PgUp": lambda: self._step(-1),
        }
        for key, do in keys.items():
            QShortcut(QKeySequence(key), self, do)

    # the list

    def _fill(self, here: int | None) -> None:
        """List the pages that the filter takes; stay on the page, or where it was."""
        wanted = [page for page in self._pages if self._takes(page)]
        with QSignalBlocker(self.list):
            row = max(0, self.list.currentRow())
            self.list.clear()
            for page in wanted:
                item = QListWidgetItem(_line(page))
                item.setToolTip(item.text())
                item.setData(Qt.ItemDataRole.UserRole, page.number)
                self.list.addItem(item)
            rows = {page.number: at for at, page in enumerate(wanted)}
            self.list.setCurrentRow(
                min(rows.get(-1 if here is None else here, row), len(wanted) - 1)
            )
        self._begin()

    def _takes(self, page: Page) -> bool:
        match self.filter.currentIndex():
            case 0:
                return True
            case 1:
                return page.proposal is not None
            case _:
                return bool(page.proposal and page.proposal.doubtful)

    def _go_to(self, number: int) -> None:
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == number:
                self.list.setCurrentRow(row)

    def _step(self, rows: int) -> None:
        row = self.list.currentRow() + rows
        if 0 <= row < self.list.count():
            self.list.setCurrentRow(row)

    def _current(self) -> int | None:
        item = self.list.currentItem()
        return item.data(Qt.ItemDataRole.UserRole) if item is not None else None

    def _sure(self) -> tuple[int, ...]:
        doubtful = set(self._preparing.doubtful)
        return tuple(number for number in self._preparing.proposed if number not in doubtful)

    def _chosen(self) -> tuple[int, ...]:
        """The pages that an order goes to."""
        count, here = len(self._pages), self._current()
        match self.scope.currentIndex():
            case 1:
                items = self.list.selectedItems()
                return tuple(sorted(item.data(Qt.ItemDataRole.UserRole) for item in items))
            case 2:
                return tuple(range(0, count, 2))
            case 3:
                return tuple(range(1, count, 2))
            case 4:
                return tuple(range(count))
            case _:
                return () if here is None else (here,)

    # the page

    @Slot()
    def _on_page_chosen(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """A fresh draft of the page that is chosen: what was found for it, else what is done."""
        number = self._current()
        page = self._pages[number] if number is not None else None
        size = self._size_of(page) if page is not None else None
        if page is None or size is None:
            self.draft = None
        elif self.draft is None or self.draft.page != page:
            self.draft = Draft(page, size, proposed(page))
        self._show_draft()

    def _size_of(self, page: Page) -> PageSize | None:
        """Of its master; asked for where it is not known yet."""
        image = page.scan_path, page.scan_index
        size = page.size or self._sizes.get(image)
        if size is None and self._images is not None:
            info = self._images.page_info(page.number, priority=Priority.VISIBLE)
            self._arrivals.expect(image, info)
        return size

    @Slot(object, object)
    def _on_size_arrived(self, image: tuple[Path | None, int], info: Future[PageInfo]) -> None:
        if info.exception() is None:
            self._sizes[image] = info.result().size
            self._begin()

    def _show_draft(self) -> None:
        draft = self.draft
        self.panel.show_draft(draft)
        self.apply.setEnabled(draft is not None)
        self.leave.setEnabled(draft is not None and draft.page.proposal is not None)
        if draft is None or self.preview.isChecked():
            self.canvas.show_handles(Handles(), origin=(0.0, 0.0))
        else:
            frame = draft.canvas_frame
            self.canvas.show_handles(draft.handles, origin=(frame.left, frame.top))
        self._ask()

    @Slot()
    def _ask(self) -> None:
        """Fetch the image that the canvas needs now."""
        number, images = self._current(), self._images
        if number is None or images is None:
            return
        draft, fit = self.draft, self.canvas.fit
        if draft is None:
            self.canvas.await_image(images.image(number, fit=fit, priority=Priority.VISIBLE))
            return
        shown = draft.treatment if self.preview.isChecked() else draft.on_canvas
        self.canvas.await_image(
            images.prepared(number, fit=fit, priority=Priority.VISIBLE, treatment=shown)
        )

    @Slot(object)
    def _on_moved(self, handles: Handles) -> None:
        if self.draft is not None:
            self.draft = self.draft.moved(handles)
            self.panel.show_draft(self.draft)

    @Slot(object)
    def _on_changed(self, change: Callable[[Draft], Draft]) -> None:
        if self.draft is not None:
            self.draft = change(self.draft)
            self._show_draft()

    # orders

    @Slot()
    def _on_apply(self) -> None:
        draft, chosen = self.draft, self._chosen()
        if draft is None:
            return
        if draft.is_proposed:  # each page gets what was found for it
            self._order(self._accept(chosen))
        elif draft.changes:
            changes = draft.changes
            self._order(lambda: self._preparing.treat(chosen, **changes))
        else:
            self._order(lambda: self._preparing.dismiss(chosen))

    @Slot()
    def _on_leave(self) -> None:
        if self.draft is not None:
            number = self.draft.page.number
            self._order(lambda: self._preparing.dismiss((number,)))

    @Slot()
    def _on_find(self) -> None:
        is_under_way = self._preparing.search.progress is not None
        self._order(self._preparing.search.stop if is_under_way else self._preparing.search.find)

    def _accept(self, numbers: tuple[int, ...]) -> Callable[[], object]:
        return lambda: self._preparing.accept(numbers)

    def _order(self, order: Callable[[], object]) -> None:
        self.ordered.emit(order)

    def _tell(self) -> None:
        """What is to be known of the book, in one line."""
        doubtful, coarse = len(self._preparing.doubtful), len(self._preparing.coarse)
        parts: list[str] = []
        if doubtful:
            parts.append(plural("{n} page to look at", "{n} pages to look at", doubtful))
        if coarse:
            words = plural(
                "{n} page is scanned at under 300 ppi and will be read worse",
                "{n} pages are scanned at under 300 ppi and will be read worse",
                coarse,
            )
            parts.append(words)
        self.message.show_text(" · ".join(parts), warns=bool(doubtful or coarse))


def _line(page: Page) -> str:
    found = proposal_words(page)
    done = _("prepared") if page.treatment else ""
    return " · ".join(part for part in (page_number_words(page), found or done) if part)
