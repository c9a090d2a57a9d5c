"""Asks what a mark says: what is guessed in an unclear place, or a remark."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.book import Mark
from app.language import N_, _
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel
from ui.text_marks import MARK_NAMES

ASKS = {
    "gap": N_("What may have stood here? It may stay empty."),
    "unclear": N_("What do you guess? It may stay empty."),
    "note": N_("What is to be said of this place?"),
}


class MarkDialog(QDialog):
    """Shows one mark, new or old. Belongs to `ui`."""

    marked = Signal(str)  # what it says
    removed = Signal()

    def __init__(self, mark: Mark, letters: str, *, is_new: bool, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._needs_text = mark.kind == "note"
        self.line = QLineEdit(mark.text)
        self.keep = QPushButton(_("Keep"), default=True)
        self.remove = QPushButton(_("Remove the mark"), autoDefault=False)
        self.setWindowTitle(_(MARK_NAMES[mark.kind]))
        self.line.setAccessibleName(_(ASKS[mark.kind]))
        self.remove.setVisible(not is_new)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(f"{_(MARK_NAMES[mark.kind])}: “{letters}”" if letters else
                                 _(MARK_NAMES[mark.kind])))  # fmt: skip
        column.addWidget(QuietLabel(_(ASKS[mark.kind]), wraps=True))
        column.addWidget(self.line)
        column.addLayout(foot(self.remove, None, self.keep))
        self.line.textChanged.connect(self._judge)
        self.keep.clicked.connect(self._on_keep)
        self.remove.clicked.connect(self._on_remove)
        self._judge()
        size_for(self, letters=64, lines=8)

    def _judge(self) -> None:
        self.keep.setEnabled(bool(self.line.text().strip()) or not self._needs_text)

    def _on_keep(self) -> None:
        self.marked.emit(self.line.text().strip())
        self.accept()

    def _on_remove(self) -> None:
        self.removed.emit()
        self.accept()
