"""The palette: any command by a few letters of its name, with its keys; other lists as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget
from typing_extensions import override

from app.language import _
from ui import shortcuts
from ui.commands import COMMANDS
from ui.entry_list import Entry, EntryDelegate, EntryModel
from ui.labels import QuietLabel
from ui.theme import CARD_RADIUS, Space, colours

if TYPE_CHECKING:
    from ui.actions import Actions

ROWS = 12
WIDTH_LETTERS = 90
_MOVES = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


def command_entries(actions: Actions) -> list[Entry]:
    """All commands as entries, in the order of the menus."""
    return [
        Entry(
            command.id,
            shortcuts.plain_text(command),
            _(command.says),
            _shown_key(command.id, actions),
            command.icon,
            actions[command.id].isEnabled(),
        )
        for command in COMMANDS.values()
        if command.id != "palette"
    ]


def _shown_key(command_id: str, actions: Actions) -> str:
    keys = shortcuts.keys_of(COMMANDS[command_id], actions.overrides)
    return shortcuts.shown(keys[0]) if keys else ""


class CommandPalette(QFrame):
    """A card over the top of the window. Enter chooses, Esc closes, F2 asks for another key."""

    chosen = Signal(str)  # id of the entry
    key_change_asked = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._focus_before: QWidget | None = None
        self._can_change_keys = False
        self._model = EntryModel(self)
        self.line = QLineEdit()
        self.list = QListView()
        self.nothing = QuietLabel(_("Nothing is called so"))
        self.hint = QuietLabel()
        self._build()
        self.line.textChanged.connect(self._on_text)
        self.line.installEventFilter(self)
        window.installEventFilter(self)
        self.list.clicked.connect(lambda _index: self._choose())
        self.hide()

    def open(
        self, entries: Sequence[Entry], *, prompt: str = "", can_change_keys: bool = False
    ) -> None:
        """Show a list to choose from.

        Args:
            entries: in the order in which they stand before anything is typed.
            prompt: what is to be typed; left out, the name of a command.
            can_change_keys: whether F2 asks for another key.
        """
        self._focus_before = QApplication.focusWidget()
        self._can_change_keys = can_change_keys
        self._model.set_entries(entries)
        prompt = prompt or _("Name of a command")
        self.line.setPlaceholderText(prompt)
        self.line.setAccessibleName(prompt)
        keys = [
            _("Enter: choose"),
            _("F2: change its key") if can_change_keys else "",
            _("Esc: close"),
        ]
        self.hint.setText("    ".join(key for key in keys if key))
        self.line.clear()
        self._on_text("")
        self.show()
        self._place()
        self.raise_()
        self.line.setFocus()

    def close_quietly(self) -> None:
        """Go away, and give the focus back to where it was."""
        self.hide()
        if self._focus_before is not None:
            self._focus_before.setFocus()

    def current(self) -> Entry | None:
        """The marked entry."""
        index = self.list.currentIndex()
        return self._model.entry(index) if index.isValid() else None

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setAccessibleName(_("Commands"))
        self.list.setModel(self._model)
        self.list.setItemDelegate(EntryDelegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the line keeps it and moves the mark
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(_("What answers to it"))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        for widget in (self.line, self.list, self.nothing, self.hint):
            column.addWidget(widget)

    def _place(self) -> None:
        """As wide as its lines need, as high as what was found, 12 rows at most."""
        room = self._window.contentsRect()
        letters = self.fontMetrics().averageCharWidth() * WIDTH_LETTERS
        width = min(letters, room.width() - 2 * Space.L)
        row_px = max(self.list.sizeHintForRow(0), 1)
        left_px = room.height() - 2 * Space.L - self._height_without_list()
        rows = max(1, min(self._model.rowCount(), ROWS, left_px // row_px))
        self.list.setFixedHeight(rows * row_px)
        self.resize(width, self._height_without_list() + self.list.height())
        self.move(room.left() + (room.width() - width) // 2, room.top() + Space.XL)

    def _height_without_list(self) -> int:
        foot = self.nothing if self.nothing.isVisible() else self.hint
        return self.line.sizeHint().height() + foot.sizeHint().height() + 4 * Space.S

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        column = colours(self.palette())
        painter.setPen(QPen(column.blank, 1))  # stronger than a hairline: it lies on other text
        painter.setBrush(column.window)
        edge = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, CARD_RADIUS, CARD_RADIUS)

    # --- what is typed --------------------------------------------------------------------------

    def _on_text(self, text: str) -> None:
        self._model.look_for(text)
        found = self._model.rowCount() > 0
        self.list.setVisible(found)
        self.hint.setVisible(found)
        self.nothing.setVisible(not found)
        if found:
            self._mark(0)
        if self.isVisible():
            self._place()

    def _mark(self, row: int) -> None:
        """Mark a row; the mark stays among those that can be chosen."""
        last = self._model.possible_count - 1
        self.list.setCurrentIndex(self._model.index(max(0, min(row, last))))
        entry = self.current()
        said = (entry.text, entry.keys) if entry else ()
        self.line.setAccessibleDescription(", ".join(part for part in said if part))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and isinstance(event, QKeyEvent):
            is_pressed = event.type() == QEvent.Type.KeyPress
            return is_pressed and self._on_key(Qt.Key(event.key()))
        if watched is self.line and event.type() == QEvent.Type.FocusOut:
            self.hide()
        if watched is self._window and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _on_key(self, key: Qt.Key) -> bool:
        """Keys that mean something here; the others are typed."""
        match key:
            case Qt.Key.Key_Escape:
                self.close_quietly()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose()
            case Qt.Key.Key_F2 if self._can_change_keys:
                self._leave_for(self.key_change_asked)
            case _ if key in _MOVES:
                self._move(key)
            case _:
                return False
        return True

    def _move(self, key: Qt.Key) -> None:
        step = ROWS if key in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown} else 1
        down = key in {Qt.Key.Key_Down, Qt.Key.Key_PageDown}
        self._mark(self.list.currentIndex().row() + (step if down else -step))

    def _choose(self) -> None:
        entry = self.current()
        if entry is not None and entry.is_possible:
            self._leave_for(self.chosen)

    def _leave_for(self, signal: SignalInstance) -> None:
        entry = self.current()
        self.close_quietly()  # first: what is chosen may want the focus
        if entry is not None:
            signal.emit(entry.id)
