"""The line at the foot of a pane: what there is to say, and a button for what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from ui import shortcuts
from ui.commands import COMMANDS
from ui.faces import secondary_font
from ui.foot_words import Foot
from ui.labels import QuietLabel
from ui.shortcuts import Overrides
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class FootLine(QWidget):
    """Always as high, so that nothing jumps; a long text is cut and told whole by its tip."""

    ordered = Signal(str)  # id of a command

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._overrides: Overrides = ()
        self._foot = Foot()
        self._label = QuietLabel(parent=self)
        self._button = QToolButton(self)
        self._build()
        self._button.clicked.connect(self._on_clicked)

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, Space.XS, Space.S, Space.XS)
        row.setSpacing(Space.S)
        row.addWidget(self._label, stretch=1)
        row.addWidget(self._button)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._button.setFont(secondary_font(self.font()))
        policy = self._button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._button.setSizePolicy(policy)
        self._button.setText(" ")
        self._button.hide()

    @property
    def text(self) -> str:
        """What it says, whole."""
        return self._foot.text

    def show_foot(self, foot: Foot) -> None:
        """Say something else, or nothing."""
        if foot == self._foot:
            return
        self._foot = foot
        self._draw()

    def set_shortcuts(self, overrides: Overrides) -> None:
        """Name the keys as the user has changed them."""
        self._overrides = overrides
        self._draw()

    def _draw(self) -> None:
        foot = self._foot
        self._button.setText(self._order() or " ")
        self._button.setVisible(bool(foot.command))
        self._button.setAccessibleName(foot.order)
        self._label.setAccessibleName(foot.text)
        self._label.setToolTip(foot.text)
        self._fit()

    def _order(self) -> str:
        """The words on the button, with the first of the command's keys."""
        if not self._foot.command:
            return ""
        keys = shortcuts.keys_of(COMMANDS[self._foot.command], self._overrides)
        return f"{self._foot.order} ({shortcuts.shown(keys[0])})" if keys else self._foot.order

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room_px = self._label.width()
        shown = self._label.fontMetrics().elidedText(
            self._foot.text, Qt.TextElideMode.ElideRight, room_px
        )
        self._label.show_text(shown, warns=self._foot.warns)

    @Slot()
    def _on_clicked(self) -> None:
        self.ordered.emit(self._foot.command)
