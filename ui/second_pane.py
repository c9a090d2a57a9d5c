"""What another reading has otherwise: one row a difference, settled by keys. Below the text.

Colour never stands alone: what the text has is struck out, what the other reading has underlined.
UI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.desk.differences import Choice, Difference
from app.language import _, plural
from ui.faces import reading_font, secondary_font
from ui.flow import Flow
from ui.labels import QuietLabel
from ui.theme import Space, colours, give_icon

NOTHING = "—"
ROWS = 5  # that are seen at least
SCOPES = ("word", "block", "page")


class SecondPane(QWidget):
    """Shows differences and tells what is to become of them. Belongs to `ui`."""

    chosen = Signal(object)  # the `Difference` that is looked at
    settled = Signal(str, str)  # "left", "right" or "both"; "word", "block" or "page"
    close_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[Difference, ...] = ()
        self.title = QLabel(self)
        self.says = QuietLabel(_keys(), self)
        self.table = QTableWidget(0, 2, self)
        self.buttons: dict[Choice, QToolButton] = {}
        self._close = QToolButton(self)
        self._build()
        self.table.installEventFilter(self)
        self.table.currentCellChanged.connect(self._on_row)
        self._close.clicked.connect(self.close_asked)
        self.setFocusProxy(self.table)
        self.hide()

    @property
    def at(self) -> Difference | None:
        """The difference that is looked at."""
        row = self.table.currentRow()
        return self._found[row] if 0 <= row < len(self._found) else None

    def show_found(self, found: Sequence[Difference], *, name: str, font_scale: float) -> None:
        """Show what is left to settle; the row stays where it was."""
        row = max(0, self.table.currentRow())
        self._found = tuple(found)
        count = len(self._found)
        told = plural("{n} difference", "{n} differences", count) if count else _("no difference")
        self.title.setText(f"{name} · {told}")
        self._fill(name, reading_font(self.font(), font_scale))
        for button in self.buttons.values():
            button.setEnabled(count > 0)
        if count:
            self.table.setCurrentCell(min(row, count - 1), 1)
            self.chosen.emit(self.at)

    def show_waiting(self) -> None:
        """Say that a reading is on its way; there is nothing to settle yet."""
        self._found = ()
        self.table.setRowCount(0)
        self.title.setText(_("An engine reads once more…"))
        for button in self.buttons.values():
            button.setEnabled(False)

    def _fill(self, name: str, face: QFont) -> None:
        column = colours(self.palette())
        struck, underlined = QFont(face), QFont(face)
        struck.setStrikeOut(True)
        underlined.setUnderline(True)
        self.table.blockSignals(True)
        self.table.setHorizontalHeaderLabels([_("The text"), _("The other reading")])
        self.table.setRowCount(len(self._found))
        for row, each in enumerate(self._found):
            left = _item(each.left, struck if each.left else face, _("The text: {words}"))
            right = _item(each.right, underlined if each.right else face, f"{name}: {{words}}")
            left.setForeground(column.failed if each.left else column.secondary)
            right.setForeground(column.proofread if each.right else column.secondary)
            self.table.setItem(row, 0, left)
            self.table.setItem(row, 1, right)
        self.table.blockSignals(False)
        self.table.resizeRowsToContents()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.XS, Space.S, Space.XS)
        column.setSpacing(Space.XS)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self._close)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        row = Flow(across_px=Space.S, down_px=Space.XS)
        words: dict[Choice, str] = {
            "left": _("Keep (Left)"),
            "right": _("Take (Right)"),
            "both": _("Both (B)"),
        }
        for choice, word in words.items():
            row.addWidget(self._button(choice, word))
        row.addWidget(self.says)
        column.addLayout(row)
        self._set_up()

    def _set_up(self) -> None:
        face = self.title.font()
        face.setBold(True)
        self.title.setFont(face)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setMinimumWidth(1)
        give_icon(self._close, "close")
        self._close.setAutoRaise(True)
        self._close.setToolTip(_("Compare no more (Esc)"))
        self._close.setAccessibleName(_("Compare no more"))
        self.table.setAccessibleName(_("Differences from the other reading"))
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.horizontalHeader().setFont(secondary_font(self.font()))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.setMinimumHeight(self.fontMetrics().height() * ROWS)

    def _button(self, choice: Choice, word: str) -> QToolButton:
        button = self.buttons[choice] = QToolButton(self)
        button.setText(word)
        button.setFont(secondary_font(self.font()))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.settled.emit(choice, "word"))
        return button

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys on a row settle it; with Shift its block, with Ctrl and Shift the page."""
        if watched is self.table and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._choice(event) is not None:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._on_key(event)
        return super().eventFilter(watched, event)

    def _choice(self, event: QKeyEvent) -> Choice | None:
        keys: dict[Qt.Key, Choice] = {
            Qt.Key.Key_Left: "left",
            Qt.Key.Key_Right: "right",
            Qt.Key.Key_B: "both",
        }
        return keys.get(Qt.Key(event.key()))

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.close_asked.emit()
            return True
        choice = self._choice(event)
        if choice is None:
            return False
        held = event.modifiers()
        has_shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        has_ctrl = bool(held & Qt.KeyboardModifier.ControlModifier)
        self.settled.emit(choice, SCOPES[has_shift + (has_shift and has_ctrl)])
        return True

    @Slot(int, int, int, int)
    def _on_row(self, row: int, _column: int, before: int, _column_before: int) -> None:
        if row != before and self.at is not None:
            self.chosen.emit(self.at)


def _item(words: str, face: QFont, told: str) -> QTableWidgetItem:
    item = QTableWidgetItem(" ".join(words.split()) or NOTHING)
    item.setFont(face)
    item.setToolTip(words)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, told.format(words=words or _("nothing")))
    return item


def _keys() -> str:
    return _("With Shift the whole block, with Ctrl+Shift the page.")
