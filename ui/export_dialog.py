"""The export dialog: how far the book is, what to write, how it goes, and what was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.book_count import count_text
from app.export.wording import rules
from app.language import _, plural
from app.sentences import sentence
from ui.dialogs import foot, heading, size_for, spaced
from ui.export_form import ExportForm
from ui.labels import QuietLabel
from ui.numbers import share, whole
from ui.theme import Space

if TYPE_CHECKING:
    from app.book import Book
    from app.errors import UserFacing
    from app.export.formats import ExportReport
    from app.exporting import ExportOrder


PREVIEW_AFTER_MS = 250
"""How long a person must not have changed anything before the first page is made anew."""


class ExportDialog(QDialog):
    """Orders an export and shows it going on; the window stays usable meanwhile."""

    ordered = Signal(object)  # ExportOrder
    cancel_asked = Signal()
    preview_asked = Signal(object)  # ExportOrder

    def __init__(
        self,
        book: Book,
        *,
        folder: Path,
        last: Mapping[str, Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Build the dialog.

        Args:
            book: as it is shown now.
            folder: where the first export is offered to go.
            last: what `choices` gave the last time.
            parent: the window.
        """
        super().__init__(parent)
        self._written: Path | None = None
        self._is_running = False
        self.form = ExportForm(book, folder, last or {})
        self.summary = QuietLabel(count_text(book.pages), wraps=True)
        self.progress = QProgressBar()
        self.message = QuietLabel(wraps=True)
        self.preview = QPlainTextEdit(readOnly=True)
        self._looked_at: ExportOrder | None = None
        self._soon = QTimer(self, singleShot=True, interval=PREVIEW_AFTER_MS)
        self.export = QPushButton(_("Export"), default=True)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self.show_folder = QPushButton(_("Show in its folder"), autoDefault=False)
        self.close_button = QPushButton(_("Close"), autoDefault=False)
        self._build(book)
        self._connect()
        self._refresh()
        self._soon.start()

    @property
    def choices(self) -> dict[str, Any]:
        """What to remember for the next time, as plain JSON."""
        return self.form.choices()

    def show_progress(self, done: int, pages: int) -> None:
        """Pages written so far."""
        self._is_running = True
        self.progress.setRange(0, max(pages, 1))
        self.progress.setValue(done)
        is_last = done >= pages > 0
        checking = _("Reading the file back and comparing it")
        writing = _("Writing page {share}").format(share=share(done, pages))
        self._say(checking if is_last else writing)
        self._refresh()

    def show_preview(self, text: str) -> None:
        """What the first page will be like."""
        if text != self.preview.toPlainText():
            self.preview.setPlainText(text)

    def show_report(self, report: ExportReport | None) -> None:
        """The export has ended; None: it was cancelled."""
        self._is_running = False
        self._written = report.path if report else None
        if report is None:
            self._say(_("Cancelled; nothing was written."))
        else:
            said = _("{name} is written: {pages}, {words} words, read back and compared.").format(
                name=report.path.name,
                pages=plural("{n} page", "{n} pages", report.pages),
                words=whole(report.words),
            )
            self._say(" ".join((said, *rules(report.provenance))))
            self.form.replace.setChecked(False)
        self._refresh()

    def show_error(self, error: UserFacing) -> None:
        """The export has failed."""
        self._is_running = False
        self._written = None
        self._say(" ".join(sentence(error)), warns=True)
        self._refresh()

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self, book: Book) -> None:
        title = book.details.title or book.paths[0].name
        self.setWindowTitle(_("Export"))
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(Space.XS)
        self.progress.setAccessibleName(_("Pages written"))
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.form)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Export “{title}”").format(title=title)))
        column.addWidget(self.summary)
        column.addSpacing(Space.S)
        column.addWidget(self._beside_preview(scroll), 1)
        column.addWidget(self.progress)
        column.addWidget(self.message)
        column.addLayout(foot(self.show_folder, None, self.cancel, self.close_button, self.export))
        size_for(self, letters=140, lines=40)

    def _beside_preview(self, form: QWidget) -> QSplitter:
        """The form, and what comes of it."""
        self.preview.setAccessibleName(_("The first page with a text, as it will be"))
        self.preview.setPlaceholderText(_("The first page with a text will be shown here."))
        self.preview.document().setDocumentMargin(Space.M)
        self.preview.setMinimumWidth(self.fontMetrics().averageCharWidth() * 20)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(form)
        splitter.addWidget(self.preview)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setCollapsible(0, False)  # noqa: FBT003 - Qt takes no keyword
        return splitter

    def _connect(self) -> None:
        self.form.changed.connect(self._soon.start)
        self._soon.timeout.connect(self._on_look)
        self.form.changed.connect(self._refresh)
        self.export.clicked.connect(self._on_export)
        self.cancel.clicked.connect(self.cancel_asked)
        self.close_button.clicked.connect(self.close)
        self.finished.connect(self._soon.stop)
        self.show_folder.clicked.connect(self._on_show_folder)

    # --- what is done ---------------------------------------------------------------------------

    def _on_export(self) -> None:
        order = self.form.order()
        if order is None:
            return
        self._is_running = True
        self._written = None
        self.progress.setRange(0, 0)
        self._say(_("Collecting the pages"))
        self._refresh()
        self.ordered.emit(order)

    def _on_look(self) -> None:
        order = self.form.draft()
        if order is not None and order != self._looked_at and not self._is_running:
            self._looked_at = order
            self.preview_asked.emit(order)

    def _on_show_folder(self) -> None:
        if self._written is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._written.parent)))

    def _say(self, text: str, *, warns: bool = False) -> None:
        self.message.show_text(text, warns=warns)

    def _refresh(self) -> None:
        runs = self._is_running
        self.form.setEnabled(not runs)
        self.export.setEnabled(not runs and self.form.order() is not None)
        self.progress.setVisible(runs)
        self.cancel.setVisible(runs)
        self.close_button.setVisible(not runs)
        self.show_folder.setVisible(self._written is not None)
        self.message.setVisible(bool(self.message.text()))
