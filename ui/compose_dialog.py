"""The compose rules, edited as lines of text: what is typed, a blank, what becomes of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.characters import DEFAULT_RULES, Rules, rules_of, rules_text
from app.language import _, plural
from ui.dialogs import foot, heading, size_for, spaced
from ui.faces import reading_font
from ui.labels import QuietLabel


class ComposeDialog(QDialog):
    """Tells of other rules when they are kept. Belongs to `ui`."""

    changed = Signal(object)  # `Rules`

    def __init__(self, rules: Rules, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit(rules_text(rules))
        self.count = QuietLabel()
        self.reset = QPushButton(_("&As at first"), autoDefault=False)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self.keep = QPushButton(_("&Keep"), default=True)
        self.setWindowTitle(_("Compose rules"))
        self.text.setAccessibleName(_("Compose rules, one a line"))
        self.text.setTabChangesFocus(True)
        self.text.setFont(reading_font(self.font(), 1.1))
        says = _(
            "One rule a line: what you type, a blank, what becomes of it. A rule is applied only "
            "when you ask for it ({key}), to the letters before the cursor; the longest wins."
        )
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Compose rules")))
        column.addWidget(QuietLabel(says.format(key=key), wraps=True))
        column.addWidget(self.text, 1)
        column.addWidget(self.count)
        column.addLayout(foot(self.reset, None, self.cancel, self.keep))
        self.text.textChanged.connect(self._count)
        self.reset.clicked.connect(lambda: self.text.setPlainText(rules_text(DEFAULT_RULES)))
        self.cancel.clicked.connect(self.reject)
        self.keep.clicked.connect(self._on_keep)
        self._count()
        size_for(self, letters=64, lines=26)

    def _count(self) -> None:
        count = len(rules_of(self.text.toPlainText()))
        self.count.show_text(plural("{n} rule", "{n} rules", count))

    def _on_keep(self) -> None:
        self.changed.emit(rules_of(self.text.toPlainText()))
        self.accept()
