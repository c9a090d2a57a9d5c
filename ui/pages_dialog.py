"""Asks for pages as people write them: one to go to, or a range to read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.errors import UserFacing
from app.language import _, plural
from app.page_range import page_of, pages_of
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel


class PagesDialog(QDialog):
    """Says while it is typed what it means, so that nothing has to be refused afterwards."""

    chosen = Signal(object)  # tuple of page numbers from 0, ascending

    def __init__(
        self,
        labels: Sequence[str],
        *,
        title: str,
        order: str,
        is_one: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Build the dialog.

        Args:
            labels: the printed number of every page of the book, "" where unknown.
            title: what is asked.
            order: what the button does.
            is_one: one page is asked for, not a range.
            parent: the window.
        """
        super().__init__(parent)
        self._labels = labels
        self._is_one = is_one
        self.line = QLineEdit()
        self.message = QuietLabel(wraps=True)
        self.go = QPushButton(order, default=True)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self._build(title)
        self.line.textChanged.connect(self._judge)
        self.go.clicked.connect(self._on_go)
        self.cancel.clicked.connect(self.reject)
        self._judge("")

    def _build(self, title: str) -> None:
        self.setWindowTitle(title.removesuffix("?"))
        self.line.setAccessibleName(title)
        self.line.setPlaceholderText(_("12 or p. xii") if self._is_one else "1-12, 15, 20-")
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(title))
        column.addWidget(self.line)
        column.addWidget(self.message)
        column.addStretch()
        column.addLayout(foot(None, self.cancel, self.go))
        size_for(self, letters=56, lines=11)
        self.line.setFocus()

    def _pages(self) -> tuple[int, ...]:
        given, count = self.line.text(), len(self._labels)
        try:
            if self._is_one:
                return (page_of(given, count, self._labels),)
            return pages_of(given, count, self._labels)
        except UserFacing:
            return ()

    def _judge(self, given: str) -> None:
        pages = self._pages()
        self.go.setEnabled(bool(pages))
        if pages:
            self.message.show_text(self._meaning(pages))
        elif given.strip():
            known = _("No page is called so; the scan has pages 1 to {count}.")
            self.message.show_text(known.format(count=len(self._labels)), warns=True)
        else:
            self.message.show_text(_("A number is that of the scan, p. 12 the printed one."))

    def _meaning(self, pages: tuple[int, ...]) -> str:
        if not self._is_one:
            return plural("{n} page", "{n} pages", len(pages))
        label = self._labels[pages[0]]
        number = _("page {page} of the scan").format(page=pages[0] + 1)
        return _("{page}, printed {label}").format(page=number, label=label) if label else number

    def _on_go(self) -> None:
        self.chosen.emit(self._pages())
        self.accept()
