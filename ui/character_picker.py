"""Signs that no key writes, to pick from: favourites, last used, groups, and search by name.

Enter puts the sign in and closes, Shift+Enter puts it in and stays, Ctrl+D makes it a favourite or
no longer. UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.characters import GROUPS, found, name_of, shown
from app.language import N_, _
from ui.dialogs import foot, size_for, spaced
from ui.faces import reading_font
from ui.labels import QuietLabel
from ui.theme import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

OWN = (N_("Favourites"), N_("Last used"))
SIGN = Qt.ItemDataRole.UserRole
SCALE = 1.5
_MOVES = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class CharacterPicker(QDialog):
    """Tells which sign is picked; what is done with it is decided elsewhere. Belongs to `ui`."""

    picked = Signal(str)
    favourite_asked = Signal(str)  # make it one, or no longer

    def __init__(self, favourites: str, recent: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own = (favourites, recent)
        self.line = QLineEdit(placeholderText=_("Name, number (U+017F) or the sign itself"))
        self.group = QComboBox()
        self.signs = QListWidget()
        self.name = QuietLabel(wraps=True)
        self.favourite = QPushButton(_("&Favourite"), autoDefault=False)
        self.insert = QPushButton(_("&Put in"), default=True)
        self.close_button = QPushButton(_("Close"), autoDefault=False)
        self._build()
        self.line.textChanged.connect(self._show)
        self.line.installEventFilter(self)
        self.group.currentIndexChanged.connect(self._show)
        self.signs.currentItemChanged.connect(lambda _now, _before: self._on_sign())
        self.signs.itemActivated.connect(lambda _item: self._pick())
        self.favourite.clicked.connect(self._on_favourite)
        self.insert.clicked.connect(self._pick)
        self.close_button.clicked.connect(self.reject)
        self._show()

    @property
    def sign(self) -> str:
        """The sign that is chosen; "" if none is."""
        item = self.signs.currentItem()
        return str(item.data(SIGN)) if item is not None else ""

    def set_own(self, favourites: str, recent: str) -> None:
        """Take other favourites and signs used last."""
        self._own = favourites, recent
        if not self.line.text() and self.group.currentIndex() < len(OWN):
            self._show()
        self._on_sign()

    def _build(self) -> None:
        self.setWindowTitle(_("Characters"))
        self.line.setAccessibleName(_("Search for a character"))
        self.group.setAccessibleName(_("Group"))
        self.signs.setAccessibleName(_("Characters"))
        for name in (*OWN, *(name for name, _signs in GROUPS)):
            self.group.addItem(_(name))
        self.group.setCurrentIndex(0 if self._own[0] else len(OWN))
        self.signs.setFrameShape(QFrame.Shape.NoFrame)
        self.signs.setViewMode(QListView.ViewMode.IconMode)
        self.signs.setResizeMode(QListView.ResizeMode.Adjust)
        self.signs.setMovement(QListView.Movement.Static)
        self.signs.setUniformItemSizes(True)
        self.signs.setFont(reading_font(self.font(), SCALE))
        side = round(self.signs.fontMetrics().height() * 1.35)
        self.signs.setGridSize(QSize(side, side))
        self.favourite.setCheckable(True)
        self.favourite.setToolTip("Ctrl+D")
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.line, 1)
        row.addWidget(self.group)
        column = QVBoxLayout(self)
        spaced(column)
        column.addLayout(row)
        column.addWidget(self.signs, 1)
        column.addWidget(self.name)
        column.addWidget(
            QuietLabel(_("Enter puts it in, Shift+Enter puts it in and stays here."), wraps=True)
        )
        column.addLayout(foot(self.favourite, None, self.close_button, self.insert))
        size_for(self, letters=96, lines=30)

    @Slot()
    def _show(self) -> None:
        """Show what was searched for, else the group."""
        self.group.setEnabled(not self.line.text().strip())
        self.signs.clear()
        for sign in self._wanted():
            item = QListWidgetItem(shown(sign), self.signs)
            item.setData(SIGN, sign)
            item.setSizeHint(self.signs.gridSize())
            item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            item.setToolTip(name_of(sign))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, name_of(sign))
        self.signs.setCurrentRow(0 if self.signs.count() else -1)
        self._on_sign()

    def _wanted(self) -> Sequence[str]:
        if self.line.text().strip():
            return found(self.line.text())
        at = self.group.currentIndex()
        return self._own[at] if at < len(OWN) else GROUPS[at - len(OWN)][1]

    def _on_sign(self) -> None:
        sign = self.sign
        number = " ".join(f"U+{ord(letter):04X}" for letter in sign)
        self.name.show_text(f"{name_of(sign)}, {number}" if sign else _("Nothing is called so"))
        for button in (self.insert, self.favourite):
            button.setEnabled(bool(sign))
        self.favourite.setChecked(bool(sign) and sign in self._own[0])

    @Slot()
    def _on_favourite(self) -> None:
        if self.sign:
            self.favourite_asked.emit(self.sign)

    def _pick(self) -> None:
        if not self.sign:
            return
        stays = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        self._pick_and(stays=bool(stays))

    def _pick_and(self, *, stays: bool) -> None:
        self.picked.emit(self.sign)
        if not stays:
            self.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Shift+Enter and Ctrl+D, wherever the focus is."""
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        has_ctrl = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if is_enter and self.sign:
            self._pick_and(stays=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_D and has_ctrl:
            self._on_favourite()
        else:
            super().keyPressEvent(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows up and down choose a sign while one types its name."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() not in _MOVES:
            return False
        self.signs.setFocus()
        QApplication.sendEvent(self.signs, event)
        return True
