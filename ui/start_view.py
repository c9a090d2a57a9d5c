"""The empty window: where to drop a scan, the books of before, the sample, and what will read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.language import _, plural
from ui import icons, theme
from ui.book_card import BookCard
from ui.dialogs import heading
from ui.flow import Flow
from ui.labels import QuietLabel
from ui.numbers import moment_text, share
from ui.theme import CARD_RADIUS, Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage, QPaintEvent

    from app.store.library import RecentBook

ICON_PX = 20


class StartView(QScrollArea):
    """What is chosen here is told by signals; books and pictures are handed in."""

    open_asked = Signal()
    open_folder_asked = Signal()
    sample_asked = Signal()
    book_chosen = Signal(object)  # the paths of a recent book, a tuple
    forget_asked = Signal(object)  # the store path of a recent book
    paths_dropped = Signal(object)  # tuple of Path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: dict[Path, BookCard] = {}  # by store path
        self.drop_area = DropArea()
        self.sample = BookCard(
            _("The sample book"),
            (_("How to read a book with Incunable"), _("Ten pages to try things on")),
            icon="incunable",
        )
        self.engine = QuietLabel(wraps=True)
        self._recent_title = heading(_("Recent books"))
        self._shelf = Flow(across_px=Space.M, down_px=Space.M)
        self._build()
        self.setFocusProxy(self.drop_area.open_button)
        self.drop_area.open_button.clicked.connect(self.open_asked)
        self.drop_area.folder_button.clicked.connect(self.open_folder_asked)
        self.drop_area.paths_dropped.connect(self.paths_dropped)
        self.sample.clicked.connect(self.sample_asked)

    def show_recent(self, books: Sequence[RecentBook], *, missing: Collection[Path] = ()) -> None:
        """Show the books opened last.

        Args:
            books: newest first.
            missing: store paths of those whose scan is not where it was.
        """
        for card in self.cards.values():
            self._shelf.removeWidget(card)
            card.deleteLater()
        self._shelf.removeWidget(self.sample)
        self.cards = {book.store_path: self._card(book, missing) for book in books}
        before: QWidget = self.drop_area.folder_button
        for card in (*self.cards.values(), self.sample):
            self._shelf.addWidget(card)
            self.setTabOrder(before, card)
            before = card
        self._recent_title.setText(_("Recent books") if books else _("To begin with"))

    def show_picture(self, store_path: Path, picture: QImage) -> None:
        """The first page of a recent book; dropped if the book is no longer shown."""
        if store_path in self.cards:
            self.cards[store_path].show_picture(picture)

    def show_engine(self, text: str) -> None:
        """The line on what device and engine will be used."""
        self.engine.setText(_("Next to read: {engine}").format(engine=text))

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.L)
        column.addWidget(self.drop_area)
        column.addWidget(self._recent_title)
        column.addLayout(self._shelf)
        self._shelf.addWidget(self.sample)
        column.addStretch()
        column.addWidget(self.engine)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._recent_title.setText(_("To begin with"))

    def _card(self, book: RecentBook, missing: Collection[Path]) -> BookCard:
        is_missing = book.store_path in missing
        counted = share(book.proofread, book.pages)
        done = plural(
            "{share} page proofread", "{share} pages proofread", book.pages, share=counted
        )
        gone = _("The scan is not where it was")
        card = BookCard(
            book.name,
            (done, gone if is_missing else moment_text(book.opened_at)),
            share=book.proofread / book.pages if book.pages else 0.0,
            is_missing=is_missing,
        )
        card.clicked.connect(lambda: self.book_chosen.emit(book.paths))
        card.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        card.customContextMenuRequested.connect(lambda at: self._open_menu(card, book, at))
        return card

    def _open_menu(self, card: BookCard, book: RecentBook, at: QPoint) -> None:
        menu = QMenu(card)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        forget = menu.addAction(_("Take off this list; the book itself is kept"))
        forget.triggered.connect(lambda: self.forget_asked.emit(book.store_path))
        menu.popup(card.mapToGlobal(at))


class DropArea(QWidget):
    """A large field to drop scans on, with the buttons for those who do not drag."""

    paths_dropped = Signal(object)  # tuple of Path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_over = False
        self.open_button = QPushButton(_("Open…"))
        self.folder_button = QPushButton(_("Open folder…"))
        self.setAcceptDrops(True)
        self._build()

    def _build(self) -> None:
        theme.give_icon(self.open_button, "open")
        theme.give_icon(self.folder_button, "folder")
        title = heading(_("Drop a scanned book here"))
        kinds = QuietLabel(
            _("PDF, folder of images, TIFF, CBZ, DjVu, METS, JPEG, PNG, JPEG 2000, WebP, BMP"),
            wraps=True,
        )
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.S)
        buttons.addStretch()
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.folder_button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, 2 * Space.XL + ICON_PX, Space.XL, 2 * Space.XL)
        column.setSpacing(Space.S)
        for label in (title, kinds):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(Space.S)
        column.addLayout(buttons)

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        column = colours(self.palette())
        edge = column.accent if self._is_over else column.blank
        painter.setPen(QPen(edge, 2 if self._is_over else 1, Qt.PenStyle.DashLine))
        painter.setBrush(column.accent_soft if self._is_over else column.panel)
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(1, 1, -1, -1), CARD_RADIUS, CARD_RADIUS
        )
        sign = icons.pixmap("drop", ICON_PX, column.text.name(), self.devicePixelRatioF())
        painter.drawPixmap((self.width() - ICON_PX) // 2, Space.XL, sign)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files_of(event):
            event.acceptProposedAction()
            self._show_over(is_over=True)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_over(is_over=False)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self._show_over(is_over=False)
        files = _files_of(event)
        if files:
            event.acceptProposedAction()
            self.paths_dropped.emit(files)

    def _show_over(self, *, is_over: bool) -> None:
        self._is_over = is_over
        self.update()


def _files_of(event: QDropEvent) -> tuple[Path, ...]:
    """The local files that are dragged."""
    urls = event.mimeData().urls()
    return tuple(Path(url.toLocalFile()) for url in urls if url.isLocalFile())
