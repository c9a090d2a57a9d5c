"""Page preparation in the window: its commands, its dialogs, and what keeps them up to date."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from app.language import _

if TYPE_CHECKING:
    from app.change import Change
    from app.session import Session
    from ui.blank_sheet import BlankSheet
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.prepare_dialog import PrepareDialog
    from ui.session_signals import SessionSignals


class PrepareDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._book_id = ""  # of the dialogs
        self.dialog: PrepareDialog | None = None
        self.sheet: BlankSheet | None = None
        preparing = session.preparing
        orders.add(
            {
                "prepare": self.open,
                "blank_sheet": self.open_sheet,
                "insert_scan": lambda: self._choose(
                    _("Put an image in before this page"), partial(preparing.insert, session.page)
                ),
                "replace_scan": lambda: self._choose(
                    _("Take another image for this page"),
                    partial(preparing.substitute, session.page),
                ),
                "remove_pages": lambda: self._tell(preparing.remove(self._chosen())),
                "move_earlier": lambda: self._tell(preparing.move(self._chosen(), -1)),
                "move_later": lambda: self._tell(preparing.move(self._chosen(), 1)),
                "undo_pages": lambda: self._tell(preparing.undo()),
            }
        )
        signals.changed.connect(self._on_changed)

    @Slot()
    def open(self) -> None:
        """Show the pages with what they need."""
        # numpy would hold the first window up
        from ui.prepare_dialog import PrepareDialog

        shown = self._session.shown
        if shown is None:
            return
        if self.dialog is None:
            self.dialog = PrepareDialog(self._session.preparing, self._window)
            self.dialog.ordered.connect(self._on_ordered)
        self._book_id = shown.book.id
        self.dialog.show_book(shown.book.pages, shown.images, self._session.page)
        self.dialog.show()
        self.dialog.activateWindow()

    @Slot()
    def open_sheet(self) -> None:
        """Show the pages that seem blank; a book that was not looked at is looked at first."""
        from ui.blank_sheet import BlankSheet

        shown = self._session.shown
        if shown is None:
            return
        if self.sheet is None:
            self.sheet = BlankSheet(self._window)
            self.sheet.blank_told.connect(
                lambda pages: self._tell(self._session.proofs.mark_blank(pages))
            )
        self._book_id = shown.book.id
        if not self._session.preparing.search.was_looked_at:
            self._tell(self._session.preparing.search.find(steps=frozenset()))
        self.sheet.show_pages(self._session.preparing.search.blanks, shown.images)
        self.sheet.show_progress(self._session.preparing.search.progress)
        self.sheet.show()

    def _choose(self, title: str, order: Callable[[Path], Change]) -> None:
        files = _("Scans (*.pdf *.tif *.tiff *.png *.jpg *.jpeg *.jp2 *.webp *.bmp *.cbz *.djvu)")
        path, _filter = QFileDialog.getOpenFileName(self._window, title, "", files)
        if path:
            self._tell(order(Path(path)))

    def _chosen(self) -> tuple[int, ...]:
        chosen = self._window.pages.chosen_pages()
        return chosen if self._session.page in chosen else (self._session.page,)

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)

    @Slot(object)
    def _on_ordered(self, order: Callable[[], Change]) -> None:
        self._window.flush()
        self._tell(order())

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        shown = self._session.shown
        if change.book and shown is not None:
            self._session.preparing.warm_up()
        if shown is None or shown.book.id != self._book_id:
            for each in (self.dialog, self.sheet):
                if each is not None:
                    each.close()
            return
        preparing = self._session.preparing
        if self.dialog is not None and self.dialog.isVisible():
            if change.book:
                self.dialog.show_pages(shown.book.pages)
            elif change.pages:
                self.dialog.update_pages(shown.book.pages, change.pages)
            elif change.preparing:
                self.dialog.show_progress()
        if self.sheet is not None and self.sheet.isVisible() and (change.preparing or change.pages):
            self.sheet.show_pages(preparing.search.blanks, shown.images)
            self.sheet.show_progress(preparing.search.progress)
