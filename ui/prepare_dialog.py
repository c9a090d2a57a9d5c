"""Page preparation: the pages with what is proposed for them, one of them with its handles, orders.

Keeps the draft of the page that is looked at; all else it reads from the session. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
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
from ui.prepare_canvas import PrepareCanvas
from ui.prepare_draft import Draft, proposed
from ui.prepare_handles import Handles
from ui.prepare_pages import PreparePages
from ui.prepare_panel import PreparePanel
from ui.theme import Space

if TYPE_CHECKING:
    from app.preparing import Preparing

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
        self.choice = PreparePages()
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
        self.choice.go_to(current)

    def show_pages(self, pages: tuple[Page, ...]) -> None:
        """The pages as they stand now; the one on the canvas stays where it is."""
        self._pages = pages
        self.choice.show_pages(pages)
        self.show_progress()

    def update_pages(self, pages: tuple[Page, ...], changed: frozenset[int]) -> None:
        """Some pages have changed; the others and the numbers of all are as before."""
        self._pages = pages
        self.choice.update_pages(pages, changed)
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
            plural("Apply to {n} sure pa&ge", "Apply to {n} sure pa&ges", len(sure))
        )
        self.accept_sure.setEnabled(bool(sure))
        self.undo.setEnabled(preparing.can_undo)
        self.redo.setEnabled(preparing.can_redo)
        self._tell()

    # building

    def _build(self) -> None:
        self.setWindowTitle(_("Prepare pages"))
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
        row.addWidget(self.choice, stretch=2)
        row.addWidget(self.canvas, stretch=5)
        row.addLayout(controls, stretch=2)
        return row

    def _connect(self) -> None:
        self.choice.changed.connect(self._begin)
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
            "PgDown": lambda: self.choice.step(1),
            "PgUp": lambda: self.choice.step(-1),
        }
        for key, do in keys.items():
            QShortcut(QKeySequence(key), self, do)

    def _sure(self) -> tuple[int, ...]:
        doubtful = set(self._preparing.doubtful)
        return tuple(number for number in self._preparing.proposed if number not in doubtful)

    def _chosen(self) -> tuple[int, ...]:
        """The pages that an order goes to."""
        count, here = len(self._pages), self.choice.current
        match self.scope.currentIndex():
            case 1:
                return self.choice.selected
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
    def _begin(self) -> None:
        """A fresh draft of the page that is chosen: what was found for it, else what is done."""
        number = self.choice.current
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
        number, images = self.choice.current, self._images
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
