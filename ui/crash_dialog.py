"""What is shown after a bug of ours: that the work is safe, and a report to copy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.language import _, plural
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel


class CrashDialog(QDialog):
    """One dialog for all faults of a session: a second one is added to the first."""

    quit_asked = Signal()

    def __init__(self, report: str, *, log: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reports = [report]
        self.report = QPlainTextEdit(report, readOnly=True)
        self.count = QuietLabel()
        self.copy = QPushButton(_("Copy the report"), autoDefault=False)
        self.quit = QPushButton(_("Quit"), autoDefault=False)
        self.go_on = QPushButton(_("Go on"), default=True)
        self._build(log)
        self.copy.clicked.connect(self._on_copy)
        self.quit.clicked.connect(self._on_quit)
        self.go_on.clicked.connect(self.accept)

    def add(self, report: str) -> None:
        """Another fault, while this one is still shown."""
        self._reports.append(report)
        self.report.setPlainText("\n\n\n".join(self._reports))
        self.count.setText(plural("{n} fault", "{n} faults", len(self._reports)))

    def _build(self, log: Path) -> None:
        self.setWindowTitle(_("A fault in Incunable"))
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(_("Report of the fault"))
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Something went wrong in Incunable itself")))
        safe = _(
            "It is no fault of yours. Every finished page and every correction up to the last"
            " second is in the book. You can go on; if something looks wrong, quit and start again."
        )
        column.addWidget(QuietLabel(safe, wraps=True))
        about = _(
            "The report below helps to mend it. It holds no text of your pages, and nothing is sent"
            " unless you send it. The log lies in {folder}."
        )
        column.addWidget(QuietLabel(about.format(folder=log.parent), wraps=True))
        column.addWidget(self.report, 1)
        column.addWidget(self.count)
        column.addLayout(foot(self.copy, None, self.quit, self.go_on))
        size_for(self, letters=100, lines=34)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy.setText(_("Copied"))

    def _on_quit(self) -> None:
        self.accept()
        self.quit_asked.emit()
