"""Two texts side by side: what only one has is struck out or underlined, and coloured.

Colour never stands alone: what only the left text has is struck out, what only the right one has is
underlined. F8 and Shift+F8 go from one difference to the next in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.desk.compare import Stretch, changes, compare
from app.language import _, plural
from ui.faces import reading_font
from ui.labels import QuietLabel
from ui.theme import Space, colours, give_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QFont


class ComparedTexts(QWidget):
    """Belongs to `ui`."""

    def __init__(self, font: QFont, text_scale: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left, self.right = QPlainTextEdit(readOnly=True), QPlainTextEdit(readOnly=True)
        self._names = QLabel(), QLabel()
        self.says = QuietLabel()
        self._places: list[tuple[tuple[int, int], tuple[int, int]]] = []  # of the differences
        self._at = -1
        self._build(reading_font(font, text_scale))
        bars = self.left.verticalScrollBar(), self.right.verticalScrollBar()
        bars[0].valueChanged.connect(bars[1].setValue)
        bars[1].valueChanged.connect(bars[0].setValue)

    def show_texts(self, left: str, right: str, *, names: tuple[str, str]) -> None:
        """Compare two texts; the left one is struck out where it differs, the right underlined."""
        stretches = compare(left, right)
        for label, name in zip(self._names, names, strict=True):
            label.setText(name)
            label.setToolTip(name)
        self._fill(self.left, [(each, each.left) for each in stretches], strikes=True)
        self._fill(self.right, [(each, each.right) for each in stretches], strikes=False)
        self._places = _places(stretches)
        self._at = -1
        count = changes(stretches)
        self.says.show_text(
            plural("{n} difference", "{n} differences", count) if count else _("The same text.")
        )

    def go(self, step: int) -> None:
        """To the next difference (1) or the one before (-1), around the ends."""
        if not self._places:
            return
        start = self._at if self._at >= 0 else (-1 if step > 0 else 0)
        self._at = (start + step) % len(self._places)
        for pane, (begin, end) in zip((self.left, self.right), self._places[self._at], strict=True):
            cursor = pane.textCursor()
            cursor.setPosition(begin)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            pane.setTextCursor(cursor)
            pane.ensureCursorVisible()
        at = _("difference {n} of {total}").format(n=self._at + 1, total=len(self._places))
        self.says.show_text(at)

    def _fill(
        self, pane: QPlainTextEdit, parts: list[tuple[Stretch, str]], *, strikes: bool
    ) -> None:
        column = colours(self.palette())
        marked = QTextCharFormat()
        marked.setForeground(column.failed if strikes else column.proofread)
        marked.setFontStrikeOut(strikes)
        marked.setFontUnderline(not strikes)
        pane.clear()
        cursor = pane.textCursor()
        for stretch, text in parts:
            cursor.insertText(text, marked if stretch.kind == "changed" else QTextCharFormat())
        pane.moveCursor(QTextCursor.MoveOperation.Start)

    def _build(self, face: QFont) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        panes = QHBoxLayout()
        panes.setSpacing(Space.S)
        sides = (self.left, _("Left text")), (self.right, _("Right text"))
        for (pane, name), label in zip(sides, self._names, strict=True):
            pane.setAccessibleName(name)
            pane.setFrameShape(QFrame.Shape.NoFrame)
            pane.setFont(face)
            pane.setTabChangesFocus(True)
            pane.setMinimumWidth(1)
            label.setMinimumWidth(1)
            side = QVBoxLayout()
            side.addWidget(label)
            side.addWidget(pane, 1)
            panes.addLayout(side, 1)
        column.addLayout(panes, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.says, 1)
        foot.addWidget(self._button("previous", _("Difference before (Shift+F8)"), -1))
        foot.addWidget(self._button("next", _("Next difference (F8)"), 1))
        column.addLayout(foot)
        for key, order in (("F8", self._on_next), ("Shift+F8", self._on_previous)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(order)

    def _button(self, icon: str, name: str, step: int) -> QToolButton:
        button = QToolButton(self)
        give_icon(button, icon)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: self.go(step))
        return button

    @Slot()
    def _on_next(self) -> None:
        self.go(1)

    @Slot()
    def _on_previous(self) -> None:
        self.go(-1)


def _places(
    stretches: tuple[Stretch, ...],
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the differences stand in both texts, in the units of Qt (UTF-16)."""
    places: list[tuple[tuple[int, int], tuple[int, int]]] = []
    left = right = 0
    for each in stretches:
        ends = left + _units(each.left), right + _units(each.right)
        if each.kind == "changed":
            places.append(((left, ends[0]), (right, ends[1])))
        left, right = ends
    return places


def _units(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)
