"""What all dialogs share: their size, their foot, their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QHBoxLayout, QLabel, QPushButton

from ui.faces import scaled_font
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QLayout

SCREEN_SHARE = 0.92


def size_for(dialog: QDialog, *, letters: int, lines: int) -> None:
    """Open a dialog so many letters wide and lines high, but never larger than the screen.

    Sentences that take more lines than was thought make it higher.
    """
    metrics = dialog.fontMetrics()
    room = dialog.screen().availableSize() * SCREEN_SHARE
    width = metrics.averageCharWidth() * letters
    width = min(max(width, dialog.minimumSizeHint().width()), room.width())
    layout = dialog.layout()
    needed = layout.totalMinimumHeightForWidth(width) if layout else 0
    dialog.resize(QSize(width, max(metrics.height() * lines, needed)).boundedTo(room))


def heighten(dialog: QDialog) -> None:
    """Make a dialog as high as its sentences have come to need, where the screen has the room."""
    layout = dialog.layout()
    if layout is None:
        return
    layout.activate()  # what was said just now is not measured before
    needed = layout.totalMinimumHeightForWidth(dialog.width())
    room = int(dialog.screen().availableSize().height() * SCREEN_SHARE)
    if dialog.height() < needed:
        dialog.resize(dialog.width(), min(needed, room))


def begin_like_a_line(box: QAbstractSpinBox) -> None:
    """Let the number begin where the text of other fields does; style sheets cannot."""
    box.lineEdit().setTextMargins(Space.S - 2, 0, 0, 0)  # 2: what Qt leaves free by itself


def spaced(layout: QLayout) -> None:
    """Give the outermost layout of a dialog its margins."""
    layout.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
    layout.setSpacing(Space.S)


def foot(*buttons: QPushButton | None) -> QHBoxLayout:
    """The last row: None is the gap between what stands left and right."""
    row = QHBoxLayout()
    row.setSpacing(Space.S)
    for button in buttons:
        if button is None:
            row.addStretch()
        else:
            row.addWidget(button)
    return row


def heading(text: str) -> QLabel:
    """The first line of a dialog, a step larger."""
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(scaled_font(label.font(), 1.2))
    return label
