"""The contact sheet: pages on which no print was seen, to be confirmed as blank in one sweep."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.language import _, plural
from app.pages import PageQueue, Priority
from app.prepare.treatment import Print
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel
from ui.theme import LIGHT, Space
from ui.thumbnails import Thumbnails

SHEET_PX = 180  # longest side of a page on the sheet, logical


class BlankSheet(QDialog):
    """Every page is ticked; what is not blank is unticked, with mouse or space. Belongs to `ui`."""

    blank_told = Signal(object)  # tuple of page numbers

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = Thumbnails(self)
        self._images: PageQueue | None = None
        self.list = QListWidget()
        self.message = QuietLabel(wraps=True)
        blank = QPixmap(SHEET_PX, SHEET_PX)
        blank.fill(LIGHT.panel)
        self._paper = QIcon(blank)  # holds the place of a page until its image has come
        self.confirm = QPushButton(default=True)
        self.cancel = QPushButton(_("Close"), autoDefault=False)
        self._build()
        self._thumbnails.arrived.connect(self._on_arrived)
        self.list.itemChanged.connect(self._on_ticked)
        self.list.itemActivated.connect(_toggle)
        self.confirm.clicked.connect(self._on_confirmed)
        self.cancel.clicked.connect(self.reject)

    def show_pages(self, blanks: Sequence[tuple[int, Print]], images: PageQueue) -> None:
        """Show these pages; ticks that were taken away stay away."""
        if images is not self._images:
            self._images = images
            self._thumbnails.begin(
                lambda page, side: images.image(page, fit=(side, side), priority=Priority.THUMBNAIL)
            )
            self.list.clear()
        there = {self._number(row): row for row in range(self.list.count())}
        wanted = dict(blanks)
        for number in sorted(set(there) - set(wanted), key=lambda each: -there[each]):
            self.list.takeItem(there[number])
        for number, seen in blanks:
            if number not in there:
                self.list.addItem(_item(number, seen, self._paper))
        self._thumbnails.want(list(wanted), size_px=round(SHEET_PX * self.devicePixelRatioF()))
        self._count()

    def show_progress(self, progress: tuple[int, int] | None) -> None:
        """How far the pages are looked at."""
        if progress is not None:
            words = _("{done} of {pages} pages looked at").format(
                done=progress[0], pages=progress[1]
            )
        elif self.list.count():
            words = _("Untick what is not blank. Space ticks and unticks, the arrows move.")
        else:
            words = _("No page without print was found that nobody has decided on.")
        self.message.show_text(words)

    @property
    def ticked(self) -> tuple[int, ...]:
        """The pages that will be called blank."""
        items = [self.list.item(row) for row in range(self.list.count())]
        on = Qt.CheckState.Checked
        return tuple(
            each.data(Qt.ItemDataRole.UserRole) for each in items if each.checkState() == on
        )

    def _build(self) -> None:
        self.setWindowTitle(_("Blank pages"))
        self.list.setAccessibleName(_("Pages without print"))
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setIconSize(QSize(SHEET_PX, SHEET_PX))
        words_px = 3 * self.fontMetrics().height()
        self.list.setGridSize(QSize(SHEET_PX + 3 * Space.XL, SHEET_PX + words_px))
        self.list.setWordWrap(True)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Pages on which no print was seen")))
        column.addWidget(self.message)
        column.addWidget(self.list, stretch=1)
        column.addLayout(foot(None, self.cancel, self.confirm))
        size_for(self, letters=110, lines=36)
        self.list.setFocus()

    def _number(self, row: int) -> int:
        return self.list.item(row).data(Qt.ItemDataRole.UserRole)

    def _count(self) -> None:
        count = len(self.ticked)
        self.confirm.setText(plural("{n} page is &blank", "{n} pages are &blank", count))
        self.confirm.setEnabled(count > 0)

    @Slot(int)
    def _on_arrived(self, page: int) -> None:
        pixmap = self._thumbnails.pixmap(page)
        for row in range(self.list.count()):
            if self._number(row) == page and pixmap is not None:
                self.list.item(row).setIcon(QIcon(pixmap))

    @Slot()
    def _on_ticked(self) -> None:
        self._count()

    @Slot()
    def _on_confirmed(self) -> None:
        self.blank_told.emit(self.ticked)


def _item(number: int, seen: Print, paper: QIcon) -> QListWidgetItem:
    words = str(number + 1)
    if seen is Print.SHOWS_THROUGH:
        words = _("{page} · the other side shows through").format(page=words)
    item = QListWidgetItem(paper, words)
    item.setData(Qt.ItemDataRole.UserRole, number)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked)
    return item


def _toggle(item: QListWidgetItem) -> None:
    is_on = item.checkState() == Qt.CheckState.Checked
    item.setCheckState(Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)
