"""Messages that do not block: one line at the foot of the pane concerned, and all earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.language import _, plural
from app.sentences import sentence
from ui import icons, theme
from ui.dialogs import foot, heading, size_for, spaced
from ui.numbers import moment_text
from ui.theme import Space, colours

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtGui import QPaintEvent

    from app.errors import UserFacing
    from app.notices import Notice

ICON_PX = 16


class NoticeLine(QWidget):
    """The newest notice of a pane: what happened and what to do. Hidden while there is none."""

    dismissed = Signal(int)  # number of the notice
    all_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices: tuple[Notice, ...] = ()
        self.text = QLabel(wordWrap=True)
        self.more = QPushButton(autoDefault=False)
        self.close_button = QToolButton()
        self._build()
        self.more.clicked.connect(self.all_asked)
        self.close_button.clicked.connect(self._on_close)
        self.hide()

    def show_notices(self, notices: Sequence[Notice]) -> None:
        """Show the notices of this pane, oldest first; the others wait behind the newest."""
        notices = tuple(notices)
        if notices == self._notices:
            return
        self._notices = notices
        self.setVisible(bool(notices))
        if notices:
            self._show(notices[-1].error)
        others = len(notices) - 1
        self.more.setVisible(others > 0)
        self.more.setText(plural("{n} more", "{n} more", others))

    def _show(self, error: UserFacing) -> None:
        said = sentence(error)
        self.text.setText(f"{said.happened} {said.next}")
        whole = " ".join(said)
        self.setToolTip(f"<p>{escape(whole)}</p>")
        self.text.setAccessibleName(_("Notice"))
        self.text.setAccessibleDescription(whole)
        self.update()

    def _build(self) -> None:
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        theme.give_icon(self.close_button, "close")
        self.close_button.setAccessibleName(_("Dismiss this notice"))
        self.close_button.setToolTip(_("Dismiss this notice"))
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.S + ICON_PX + Space.S, Space.XS, Space.XS, Space.XS)
        row.setSpacing(Space.S)
        row.addWidget(self.text, 1)
        row.addWidget(self.more)
        row.addWidget(self.close_button)

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        column = colours(self.palette())
        painter.fillRect(self.rect(), column.panel)
        painter.setPen(QPen(column.hairline, 1))
        painter.drawLine(0, 0, self.width(), 0)
        sign = icons.pixmap("warning", ICON_PX, column.look.name(), self.devicePixelRatioF())
        painter.drawPixmap(Space.S, (self.height() - ICON_PX) // 2, sign)

    def _on_close(self) -> None:
        if self._notices:
            self.dismissed.emit(self._notices[-1].number)


class NoticesDialog(QDialog):
    """All that was told since the window was opened, newest first, whole."""

    def __init__(
        self, told: Sequence[tuple[datetime, UserFacing]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Earlier notices"))
        self.list = QTextBrowser()
        self.list.setAccessibleName(_("Notices, newest first"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setPlainText("\n\n".join(_told_text(*each) for each in reversed(told)))
        self.list.setPlaceholderText(_("Nothing has been told."))
        close = QPushButton(_("Close"), default=True)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Earlier notices")))
        column.addWidget(self.list, 1)
        column.addLayout(foot(None, close))
        size_for(self, letters=84, lines=26)


def _told_text(at: datetime, error: UserFacing) -> str:
    said = sentence(error)
    return f"{moment_text(at)}\n{said.happened}\n{said.means}\n{said.next}"
