"""All keys in one list, and where they are changed; a clash is said before it is taken over."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.language import _
from ui import key_file, shortcuts
from ui.command import Command, Menu
from ui.commands import COMMANDS, MENUS, SUBMENUS
from ui.dialogs import foot, size_for, spaced
from ui.fuzzy import ranked
from ui.labels import QuietLabel
from ui.theme import Space

_ID = Qt.ItemDataRole.UserRole


class ShortcutsDialog(QDialog):
    """Every change holds at once and is told by `changed`."""

    changed = Signal(object)  # shortcuts.Overrides

    def __init__(self, overrides: shortcuts.Overrides, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overrides = overrides
        self._chosen = next(iter(COMMANDS))
        self._groups: list[tuple[QTreeWidgetItem, tuple[str, ...]]] = []
        self._rows: dict[str, QTreeWidgetItem] = {}
        self.search = QLineEdit(clearButtonEnabled=True)
        self.tree = QTreeWidget()
        self.title = QLabel()
        self.key = QKeySequenceEdit()
        self.take_over = QPushButton(_("Take it over"))
        self.no_key = QPushButton(_("No key"))
        self.default = QPushButton(_("Default"))
        self.all_defaults = QPushButton(_("All defaults"), autoDefault=False)
        self.save = QPushButton(_("Save to a file…"), autoDefault=False)
        self.load = QPushButton(_("Take from a file…"), autoDefault=False)
        self.message = QuietLabel(wraps=True)
        self._build()
        self._fill()
        self._connect()
        self._choose(self._chosen)

    def choose(self, command_id: str) -> None:
        """Mark a command and wait for its new key."""
        self._choose(command_id)
        self.key.setFocus()

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_("Keys"))
        self.search.setPlaceholderText(_("Search commands and keys"))
        self.search.setAccessibleName(_("Search commands and keys"))
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName(_("Commands and their keys"))
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        self.tree.setUniformRowHeights(True)
        self.key.setMaximumSequenceLength(1)
        self.key.setAccessibleName(_("New key"))
        self.title.setWordWrap(True)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        column.addWidget(self.title)
        column.addLayout(self._row(self.key, self.take_over, self.no_key, self.default))
        column.addWidget(self.message)
        close = QPushButton(_("Close"), default=True)
        close.clicked.connect(self.accept)
        column.addLayout(foot(self.all_defaults, self.load, self.save, None, close))
        size_for(self, letters=80, lines=34)

    def _row(self, field: QWidget, *buttons: QPushButton) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(field, 1)
        for button in buttons:
            button.setAutoDefault(False)
            row.addWidget(button)
        return row

    def _fill(self) -> None:
        for menu in (*MENUS, *SUBMENUS.values()):
            top = QTreeWidgetItem(self.tree, [_(menu.text).replace("&", "")])
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            top.setExpanded(True)
            self._groups.append((top, tuple(command.id for command in _commands_of(menu))))
            for command in _commands_of(menu):
                row = QTreeWidgetItem(top, [shortcuts.plain_text(command), ""])
                row.setData(0, _ID, command.id)
                row.setToolTip(0, _(command.says))
                self._rows[command.id] = row
        self._show_keys()

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search)
        self.tree.currentItemChanged.connect(lambda *_items: self._on_row())
        self.tree.itemActivated.connect(lambda *_item: self.key.setFocus())
        self.key.keySequenceChanged.connect(self._on_key)
        self.take_over.clicked.connect(self._on_take_over)
        self.no_key.clicked.connect(self._on_no_key)
        self.default.clicked.connect(self._on_default)
        self.all_defaults.clicked.connect(self._on_all_defaults)
        self.save.clicked.connect(self._on_save)
        self.load.clicked.connect(self._on_load)

    # --- what is done ---------------------------------------------------------------------------

    def _command(self) -> Command:
        return COMMANDS[self._chosen]

    def _choose(self, command_id: str) -> None:
        self.tree.setCurrentItem(self._rows[command_id])

    def _on_search(self, query: str) -> None:
        names = list(self._rows)
        lines = [f"{row.text(0)} {row.text(1)}" for row in self._rows.values()]
        found = {names[at] for at in ranked(query, lines)}
        for name, row in self._rows.items():
            row.setHidden(name not in found)
        for top, inside in self._groups:
            top.setHidden(found.isdisjoint(inside))
        first = next((name for name in names if name in found), None)
        if first and self._chosen not in found:
            self._choose(first)

    def _on_row(self) -> None:
        row = self.tree.currentItem()
        if row is None or row.data(0, _ID) is None:
            return
        self._chosen = row.data(0, _ID)
        name = shortcuts.plain_text(self._command())
        self.title.setText(_("New key for “{command}”: press it here").format(command=name))
        self._await_key()

    def _await_key(self, said: str = "") -> None:
        self.key.blockSignals(True)
        self.key.clear()
        self.key.blockSignals(False)
        self.take_over.setVisible(False)
        self.message.show_text(said or _(self._command().says))

    def _on_key(self, sequence: QKeySequence) -> None:
        key = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        if not key:
            return
        why_not = shortcuts.why_not(key, self._command().id, self._overrides)
        if why_not:
            self.message.show_text(why_not, warns=True)
            self.take_over.setVisible(not shortcuts.is_for_typing(key))
        else:
            self._take(key)

    def _on_take_over(self) -> None:
        self._take(self.key.keySequence().toString(QKeySequence.SequenceFormat.PortableText))
        self.tree.setFocus()  # the button goes away

    def _take(self, key: str) -> None:
        command = self._command()
        self._set(shortcuts.taken_over(self._overrides, command.id, key))
        said = _("{key} is now the key of “{command}”.")
        self._await_key(
            said.format(key=shortcuts.shown(key), command=shortcuts.plain_text(command))
        )

    def _on_no_key(self) -> None:
        self._set(shortcuts.with_keys(self._overrides, self._command().id, ()))
        self._await_key()

    def _on_default(self) -> None:
        self._set(shortcuts.as_default(self._overrides, self._command().id))
        self._await_key()

    def _on_all_defaults(self) -> None:
        self._set(())
        self._await_key(_("All commands have their own keys again."))

    def _on_save(self) -> None:
        name, _kind = QFileDialog.getSaveFileName(
            self, _("Save the changed keys"), str(Path.home() / "keys.json"), "JSON (*.json)"
        )
        if not name:
            return
        try:
            key_file.save(Path(name), self._overrides)
        except OSError as error:
            said = _("{name} cannot be written: {detail}.")
            detail = error.strerror or str(error)
            self.message.show_text(said.format(name=Path(name).name, detail=detail), warns=True)
        else:
            self.message.show_text(_("The changed keys are in {name}.").format(name=name))

    def _on_load(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(
            self, _("Take keys from a file"), str(Path.home()), "JSON (*.json)"
        )
        if not name:
            return
        try:
            taken = key_file.take(Path(name))
        except (OSError, ValueError, RecursionError):
            said = _("{name} holds no keys that can be read; nothing was changed.")
            self.message.show_text(said.format(name=Path(name).name), warns=True)
            return
        self._set(taken.overrides)
        self._await_key()
        said = _("The keys are as {name} has them.").format(name=Path(name).name)
        if taken.left_out:
            said = _("Taken from {name}, but for this: {reasons}").format(
                name=Path(name).name, reasons=key_file.in_short(taken.left_out)
            )
        self.message.show_text(said, warns=bool(taken.left_out))

    def _set(self, overrides: shortcuts.Overrides) -> None:
        if overrides == self._overrides:
            return
        self._overrides = overrides
        self._show_keys()
        self.changed.emit(overrides)

    def _show_keys(self) -> None:
        for name, row in self._rows.items():
            keys = shortcuts.keys_of(COMMANDS[name], self._overrides)
            row.setText(1, "   ".join(shortcuts.shown(key) for key in keys))
            font = row.font(1)
            font.setBold(name in dict(self._overrides))  # changed by hand
            row.setFont(1, font)
        self.all_defaults.setEnabled(bool(self._overrides))


def _commands_of(menu: Menu) -> list[Command]:
    return [command for group in menu.groups for command in group]
