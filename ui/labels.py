"""Labels in the secondary colour: quiet sentences, and numbers that stand still as they change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from ui.faces import secondary_font, tabular
from ui.theme import colours

_DRESSED_ANEW = {QEvent.Type.StyleChange, QEvent.Type.PaletteChange}


class QuietLabel(QLabel):
    """Secondary text, one step smaller; in the look colour where it warns."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, wraps: bool = False
    ) -> None:
        super().__init__(text, parent)
        self._warns = False
        self.setWordWrap(wraps)
        self.setTextFormat(Qt.TextFormat.PlainText)  # names of files come in here as they are
        self.setFont(secondary_font(self.font()))
        self._colour()

    @property
    def warns(self) -> bool:
        """Whether it is in the look colour now."""
        return self._warns

    def show_text(self, text: str, *, warns: bool = False) -> None:
        """Show a text; in the look colour if it should be seen."""
        if warns != self._warns:
            self._warns = warns
            self._colour()
        if text != self.text():
            self.setText(text)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _DRESSED_ANEW:
            self._colour()

    def _colour(self) -> None:
        wanted = self._wanted_colour()
        if self.palette().color(QPalette.ColorRole.WindowText) != wanted:
            palette = QPalette(self.palette())
            palette.setColor(QPalette.ColorRole.WindowText, wanted)
            self.setPalette(palette)

    def _wanted_colour(self) -> QColor:
        column = colours(self.palette())
        return column.look if self._warns else column.secondary


class SteadyLabel(QuietLabel):
    """A number: figures of one width, and it keeps its widest size so that others stand still."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        self._widest_px = 0
        super().__init__(text, parent)
        self.setFont(tabular(self.font()))

    def forget_width(self) -> None:
        """Be as narrow as the text again."""
        self._widest_px = 0
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        self._widest_px = max(self._widest_px, hint.width())
        return QSize(self._widest_px, hint.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
