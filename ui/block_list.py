"""The blocks of the page as a plain list: order, kind, first words. For keys and screen readers.

The image shows the same as boxes, which not everybody can see. UI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QListWidget, QSizePolicy, QWidget
from typing_extensions import override

from app.book import Region
from app.language import _
from ui.kind_names import KIND_NAMES
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

WORDS = 60  # letters of a block that are told
ROWS = 6  # seen at once


class BlockList(QListWidget):
    """Shows the blocks that it is told of and tells which one is chosen. Belongs to `ui`."""

    block_chosen = Signal(int)  # the cursor is to go there
    block_opened = Signal(int)  # and it is to be typed into

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._told: list[str] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setViewportMargins(Space.L, Space.XS, Space.S, Space.XS)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(_("Blocks of the page"))
        self.currentRowChanged.connect(self._on_row_changed)
        self.itemDoubleClicked.connect(self._open_current)
        self.hide()

    def show_blocks(self, regions: Sequence[Region]) -> None:
        """List these blocks; the one that was chosen stays so, if it is still there."""
        told = [block_words(number, region) for number, region in enumerate(regions)]
        if told == self._told:
            return
        row = self.currentRow()
        self._told = told
        self.blockSignals(True)
        self.clear()
        self.addItems(told)
        self.setCurrentRow(min(row, len(told) - 1))
        self.blockSignals(False)
        self.updateGeometry()

    def show_current(self, number: int | None) -> None:
        """Mark the block of the cursor; nothing is told back."""
        self.blockSignals(True)
        self.setCurrentRow(-1 if number is None else number)
        self.blockSignals(False)

    @Slot(int)
    def _on_row_changed(self, row: int) -> None:
        if row >= 0:
            self.block_chosen.emit(row)

    @Slot()
    def _open_current(self) -> None:
        if self.currentRow() >= 0:
            self.block_opened.emit(self.currentRow())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter lets one type into the block."""
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._open_current()
        else:
            super().keyPressEvent(event)

    @override
    def sizeHint(self) -> QSize:
        row = max(self.sizeHintForRow(0), self.fontMetrics().height())
        rows = max(1, min(ROWS, self.count()))
        return QSize(super().sizeHint().width(), rows * row + 2 * Space.XS + Space.XS)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 2 * self.fontMetrics().height())


def block_words(number: int, region: Region) -> str:
    """A block in one line: "3. Note: *) Siehe S. 516."; the text is cut."""
    text = " ".join(region.text.split())
    shown = text if len(text) <= WORDS else f"{text[:WORDS]}…"
    kind = _(KIND_NAMES[region.kind])
    return _("{n}. {kind}: {words}").format(n=number + 1, kind=kind, words=shown or _("no text"))
