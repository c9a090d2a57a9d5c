"""The user's guide in a simple reader: chapters on the left, text on the right, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.language import _
from ui.dialogs import foot, size_for, spaced
from ui.labels import QuietLabel
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

MEASURE = 80  # letters on a line, at most


class Chapter(NamedTuple):
    """One page of the guide."""

    name: str  # of its file, for links
    title: str
    text: str  # Markdown


def chapters_of(folder: Path) -> list[Chapter]:
    """Read the guide, in the order of its file names; the first heading is the title."""
    found: list[Chapter] = []
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        lines = (line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
        found.append(Chapter(path.name, next(lines, path.stem), text))
    return found


class HelpView(QDialog):
    """Not modal: the guide stays open beside the work."""

    def __init__(
        self, chapters: Sequence[Chapter], *, log: Path, parent: QWidget | None = None
    ) -> None:
        """Build the reader.

        Args:
            chapters: of the guide, in order.
            log: the log file, whose place is shown at the foot.
            parent: the window.
        """
        super().__init__(parent)
        self._chapters = chapters
        self._log = log
        self.search = QLineEdit(clearButtonEnabled=True)
        self.list = QListWidget()
        self.page = GuidePage()
        self.log_place = QuietLabel(_("The log lies in {path}").format(path=log), wraps=True)
        self._build()
        self.search.textChanged.connect(self._on_search)
        self.list.currentRowChanged.connect(self._on_row)
        self.page.anchorClicked.connect(self._on_link)
        self.list.setCurrentRow(0)

    def show_chapter(self, name: str) -> None:
        """Turn to the chapter of this file name."""
        names = [chapter.name for chapter in self._chapters]
        if name in names:
            self.search.clear()
            self.list.setCurrentRow(names.index(name))

    def _build(self) -> None:
        self.setWindowTitle(_("User's guide"))
        self.search.setPlaceholderText(_("Search the guide"))
        self.search.setAccessibleName(_("Search the guide"))
        self.list.setAccessibleName(_("Chapters"))
        self.list.addItems([chapter.title for chapter in self._chapters])
        self.page.setAccessibleName(_("Text of the chapter"))
        for pane in (self.list, self.page):
            pane.setFrameShape(QFrame.Shape.NoFrame)
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.addWidget(self.list)
        panes.addWidget(self.page)
        panes.setStretchFactor(1, 1)
        letters = self.fontMetrics().averageCharWidth()
        panes.setSizes([max(self.list.sizeHintForColumn(0) + Space.L, 20 * letters), 90 * letters])
        show_log = QPushButton(_("Show the log"), autoDefault=False)
        show_log.clicked.connect(self._on_show_log)
        close = QPushButton(_("Close"), default=True)
        close.clicked.connect(self.close)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(self.search)
        column.addWidget(panes, 1)
        column.addWidget(self.log_place)
        column.addLayout(foot(show_log, None, close))
        size_for(self, letters=130, lines=44)

    def _on_row(self, row: int) -> None:
        if 0 <= row < len(self._chapters):
            self.page.show_markdown(self._chapters[row].text)
            self._mark_found()

    def _on_search(self, text: str) -> None:
        """List the chapters that hold the words, and turn to the first of them."""
        wanted = text.casefold().strip()
        held = [wanted in chapter.text.casefold() for chapter in self._chapters]
        for row, is_held in enumerate(held):
            self.list.item(row).setHidden(not is_held)
        if any(held) and not held[self.list.currentRow()]:
            self.list.setCurrentRow(held.index(True))
        self._mark_found()

    def _mark_found(self) -> None:
        """Go to the first place of what is searched for."""
        self.page.moveCursor(self.page.textCursor().MoveOperation.Start)
        if self.search.text().strip():
            self.page.find(self.search.text().strip())

    def _on_link(self, url: QUrl) -> None:
        """A link to a chapter turns to it; one into the world goes to the browser."""
        if url.isRelative():
            self.show_chapter(url.path())
        elif url.scheme() in {"http", "https"}:
            QDesktopServices.openUrl(url)

    def _on_show_log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log.parent)))


class GuidePage(QTextBrowser):
    """The text of a chapter, not wider than can be read with ease."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.document().setDocumentMargin(Space.L)

    def show_markdown(self, text: str) -> None:
        """Show a text with tables, without anything fetched for it."""
        self.document().setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self._keep_measure()

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None  # nothing is fetched: neither from the network nor from the disk

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_measure()

    def _keep_measure(self) -> None:
        widest = self.fontMetrics().averageCharWidth() * MEASURE + 2 * Space.L
        self.setLineWrapColumnOrWidth(min(widest, self.viewport().width()))
