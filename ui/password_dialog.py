"""Asks for the password of an encrypted scan. It is handed on and not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.language import _
from app.sentences import sentence
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel

if TYPE_CHECKING:
    from app.errors import PasswordNeeded


class PasswordDialog(QDialog):
    """Says after a wrong password that it was wrong; the error itself carries that."""

    given = Signal(str)

    def __init__(self, error: PasswordNeeded, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        said = sentence(error)
        self.message = QuietLabel(said.happened, wraps=True)
        self.message.show_text(
            f"{said.happened} {said.next}", warns=bool(error.parameters.get("tried"))
        )
        self.line = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.show_it = QCheckBox(_("Show it"))
        self.open_button = QPushButton(_("Open"), default=True)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setWindowTitle(_("Password"))
        self.line.setAccessibleName(_("Password"))
        self.open_button.setEnabled(False)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("This scan is locked")))
        column.addWidget(self.message)
        column.addWidget(self.line)
        column.addWidget(self.show_it)
        column.addStretch()
        column.addLayout(foot(None, self.cancel, self.open_button))
        size_for(self, letters=64, lines=12)
        self.line.setFocus()

    def _connect(self) -> None:
        self.line.textChanged.connect(lambda text: self.open_button.setEnabled(bool(text)))
        self.show_it.toggled.connect(self._on_show_it)
        self.cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._on_open)

    def _on_show_it(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.line.setEchoMode(mode)

    def _on_open(self) -> None:
        password = self.line.text()
        self.line.clear()
        self.given.emit(password)
        self.accept()
