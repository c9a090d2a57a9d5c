"""Every text a page has had, with its source and date; any of them can be made current again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.desk.part import part_of
from app.language import _, plural
from app.source_words import source_details, source_text
from ui import theme
from ui.compared_texts import ComparedTexts
from ui.dialogs import foot, heading, size_for, spaced
from ui.faces import reading_font
from ui.labels import QuietLabel
from ui.numbers import moment_text
from ui.theme import Space

if TYPE_CHECKING:
    from app.book import Reading


class HistoryDialog(QDialog):
    """Shows readings as they are handed in; taking one back is ordered, not done, here."""

    make_current_asked = Signal(int)  # id of a reading

    def __init__(
        self,
        page_name: str,
        readings: Sequence[Reading],
        *,
        current_id: int,
        can_change: bool = True,
        text_scale: float = 1.1,
        accepted: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Build the dialog.

        Args:
            page_name: what the page is called: 'page 13 (ix)'.
            readings: newest first.
            current_id: of the current reading; 0: none.
            can_change: False where the page is only shown, or is being read.
            text_scale: of the reading face.
            accepted: who has proofread the page, and when.
            parent: the window.
        """
        super().__init__(parent)
        self._readings: Sequence[Reading] = ()
        self._current_id = 0
        self._can_change = can_change
        self.list = QListWidget()
        self.preview = QPlainTextEdit(readOnly=True)
        self.preview.setFont(reading_font(self.font(), text_scale))
        self.other = QComboBox()
        self.sides = ComparedTexts(self.font(), text_scale)
        self.about = QuietLabel(wraps=True)
        self.make_current = QPushButton(_("Make it the current text"), autoDefault=False)
        self.close_button = QPushButton(_("Close"), default=True)
        self._build(page_name, accepted)
        self.list.currentRowChanged.connect(self._on_row)
        self.other.currentIndexChanged.connect(lambda _at: self._show_texts())
        self.make_current.clicked.connect(self._on_make_current)
        self.close_button.clicked.connect(self.accept)
        self.show_readings(readings, current_id=current_id)

    def show_readings(self, readings: Sequence[Reading], *, current_id: int) -> None:
        """Show the readings as they are now; the marked one stays marked."""
        marked = self._marked_id()
        self._readings, self._current_id = readings, current_id
        self._offer_others()
        self.list.clear()
        for reading in readings:
            QListWidgetItem(self._line(reading), self.list)
        ids = [reading.id for reading in readings]
        at = next((ids.index(each) for each in (marked, current_id) if each in ids), 0)
        self.list.setCurrentRow(at if ids else -1)
        self._on_row(self.list.currentRow())

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self, page_name: str, accepted: str) -> None:
        self.setWindowTitle(_("Earlier readings"))
        self.list.setAccessibleName(_("Readings, newest first"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setWordWrap(True)
        self.preview.setAccessibleName(_("Text of the reading"))
        self.preview.setFrameShape(QFrame.Shape.NoFrame)
        self.preview.setTabChangesFocus(True)
        theme.give_icon(self.make_current, "revert")
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.addWidget(self.list)
        panes.addWidget(self._text_pane())
        panes.setStretchFactor(0, 2)
        panes.setStretchFactor(1, 5)
        panes.setChildrenCollapsible(False)
        letters = self.fontMetrics().averageCharWidth()
        panes.setSizes([letters * 2, letters * 5])  # shares of the width
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Readings of {page}").format(page=page_name)))
        column.addWidget(
            QuietLabel(_("None is ever lost: taking one back keeps the others."), wraps=True)
        )
        if accepted:
            column.addWidget(QuietLabel(_("Proofread: {who}").format(who=accepted), wraps=True))
        column.addWidget(panes, 1)
        column.addWidget(self.about)
        column.addLayout(foot(self.make_current, None, self.close_button))
        size_for(self, letters=116, lines=34)

    def _text_pane(self) -> QWidget:
        pane = QWidget()
        column = QVBoxLayout(pane)
        column.setContentsMargins(Space.S, 0, 0, 0)
        column.setSpacing(Space.S)
        row = QHBoxLayout()
        label = QLabel(_("&Compare with"))
        label.setBuddy(self.other)
        self.other.setAccessibleName(_("Reading to compare with"))
        self.other.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        row.addWidget(label)
        row.addWidget(self.other, 1)
        column.addLayout(row)
        column.addWidget(self.preview, 1)
        column.addWidget(self.sides, 1)
        self.sides.hide()
        return pane

    def _offer_others(self) -> None:
        """Every reading can be compared with the marked one; the one chosen stays chosen."""
        chosen = self.other.currentData()
        self.other.blockSignals(True)
        self.other.clear()
        self.other.addItem(_("none"), 0)
        for reading in self._readings:
            self.other.addItem(" · ".join(self._line(reading).split("\n")), reading.id)
        self.other.setCurrentIndex(max(0, self.other.findData(chosen)))
        self.other.blockSignals(False)

    def _line(self, reading: Reading) -> str:
        lines = [source_text(reading.source), moment_text(reading.source.date)]
        if reading.id == self._current_id:
            lines[0] = _("Current: {source}").format(source=lines[0])
        return "\n".join(lines)

    # --- what is done ---------------------------------------------------------------------------

    def _marked_id(self) -> int:
        row = self.list.currentRow()
        return self._readings[row].id if 0 <= row < len(self._readings) else 0

    def _on_row(self, row: int) -> None:
        is_one = 0 <= row < len(self._readings)
        self._show_texts()
        is_other = is_one and self._readings[row].id != self._current_id
        is_whole = is_one and part_of(self._readings[row]) is None
        self.make_current.setEnabled(is_other and is_whole and self._can_change)
        self.about.show_text(
            self._about(self._readings[row]) if is_one else _("There is no text yet.")
        )

    def _show_texts(self) -> None:
        """The marked reading, alone or beside the one that it is compared with."""
        by_id = {reading.id: reading for reading in self._readings}
        marked, other = by_id.get(self._marked_id()), by_id.get(self.other.currentData())
        compares = marked is not None and other is not None
        self.preview.setVisible(not compares)
        self.sides.setVisible(compares)
        self.preview.setPlainText(marked.text if marked is not None else "")
        if marked is not None and other is not None:
            names = (self._line(other).split("\n")[0], self._line(marked).split("\n")[0])
            self.sides.show_texts(other.text, marked.text, names=names)

    def _about(self, reading: Reading) -> str:
        words = plural("{n} word", "{n} words", len(reading.text.split()))
        blocks = plural("{n} block", "{n} blocks", len(reading.regions))
        return ", ".join(part for part in (blocks, words, source_details(reading.source)) if part)

    def _on_make_current(self) -> None:
        self.make_current_asked.emit(self._marked_id())
