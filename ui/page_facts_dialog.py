"""Asks for the number printed on a page, and for what the proofreader has to say of the page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.language import _
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel


class PageFactsDialog(QDialog):
    """Shows both as they stand; what was changed is told when it is kept. Belongs to `ui`."""

    label_changed = Signal(str)
    note_changed = Signal(str)

    def __init__(
        self, page_name: str, label: str, note: str, *, warning: str, parent: QWidget | None
    ) -> None:
        """Build the dialog.

        Args:
            page_name: what the page is called: 'page 13 (ix)'.
            label: its printed number.
            note: what was said of it.
            warning: what is odd about the number; "" where nothing is.
            parent: the window.
        """
        super().__init__(parent)
        self._label, self._note = label, note
        self.number = QLineEdit(label)
        self.note = QPlainTextEdit(note)
        self.warning = QuietLabel(wraps=True)
        self.keep = QPushButton(_("Keep"), default=True)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self.setWindowTitle(_("Printed number and note"))
        self.note.setTabChangesFocus(True)
        self.note.setAccessibleName(_("Note on this page"))
        self.warning.show_text(warning, warns=True)
        self.warning.setVisible(bool(warning))
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(_("&Printed number"), self.number)
        form.addRow("", self.warning)
        form.addRow(_("&Note"), self.note)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(page_name))
        column.addWidget(QuietLabel(_("The number is taken from the page where it can be read; "
                                      "what you write here holds."), wraps=True))  # fmt: skip
        column.addLayout(form, 1)
        column.addLayout(foot(None, self.cancel, self.keep))
        self.keep.clicked.connect(self._on_keep)
        self.cancel.clicked.connect(self.reject)
        size_for(self, letters=70, lines=16)

    def _on_keep(self) -> None:
        label, note = self.number.text().strip(), self.note.toPlainText().strip()
        if label != self._label:
            self.label_changed.emit(label)
        if note != self._note:
            self.note_changed.emit(note)
        self.accept()
