"""The line at the foot of a pane: what there is to say, and a button for what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from ui import shortcuts
from ui.commands import COMMANDS
from ui.faces import secondary_font
from ui.foot_words import Foot
from ui.labels import QuietLabel
from ui.shortcuts import Overrides
from ui.theme import Space, give_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


ICON_PX = 20


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
        row.setContentsMargins(Space.L, 0, Space.S, 0)
        row.setSpacing(Space.S)
        row.addWidget(self._label, stretch=1)
        row.addWidget(self._button)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._button.setFont(secondary_font(self.font()))
        self._button.hide()
        self._keep_height()

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
        self._button.setVisible(bool(foot.command))
        self._button.setToolTip(self._order())
        if foot.command and COMMANDS[foot.command].icon:
            give_icon(self._button, COMMANDS[foot.command].icon)
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

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_height()

    def _keep_height(self) -> None:
        self.setFixedHeight(max(self.fontMetrics().height(), ICON_PX) + 2 * Space.S)

    def _fit(self) -> None:
        """The sentence has the first claim on the room, then the order, then its keys."""
        metrics, text = self._label.fontMetrics(), self._foot.text
        room_px = 0
        for words in (self._order(), self._foot.order, ""):
            self._dress(words)
            room_px = self.width() - self._button.sizeHint().width() - 3 * Space.L
            if metrics.horizontalAdvance(text) <= room_px:
                break
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room_px)
        self._label.show_text(shown, warns=self._foot.warns)

    def _dress(self, words: str) -> None:
        """The button with these words; with its command's icon alone where there is no room."""
        style = Qt.ToolButtonStyle
        has_icon = bool(self._foot.command and COMMANDS[self._foot.command].icon)
        self._button.setText(words or self._foot.order or " ")
        if not has_icon:
            self._button.setToolButtonStyle(style.ToolButtonTextOnly)
        elif words:
            self._button.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        else:
            self._button.setToolButtonStyle(style.ToolButtonIconOnly)

    @Slot()
    def _on_clicked(self) -> None:
        self.ordered.emit(self._foot.command)
