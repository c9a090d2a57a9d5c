"""The commands as QActions: built from the table, enabled by facts, in menus and in the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from app.language import _
from ui import shortcuts, theme
from ui.command import Command, Menu, Need
from ui.commands import COMMANDS, MENUS, SUBMENUS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QMenuBar, QWidget


class Actions(QObject):
    """One QAction for each command of `ui.commands`; belongs to the window."""

    ordered = Signal(str)  # id of a command
    switched = Signal(str, bool)  # id of a switch, and whether it is on now

    def __init__(self, window: QWidget, overrides: shortcuts.Overrides = ()) -> None:
        super().__init__(window)
        self._overrides: shortcuts.Overrides = ()
        self._actions = {command.id: self._action(command) for command in COMMANDS.values()}
        window.addActions(list(self._actions.values()))
        self.set_shortcuts(overrides)
        self.set_facts(Need.NOTHING)

    def __getitem__(self, command_id: str) -> QAction:
        return self._actions[command_id]

    @property
    def overrides(self) -> shortcuts.Overrides:
        """The keys that the user changed."""
        return self._overrides

    def set_facts(self, facts: Need) -> None:
        """Enable what is possible now and nothing else."""
        for command_id, action in self._actions.items():
            action.setEnabled(COMMANDS[command_id].needs in facts)

    def set_shortcuts(self, overrides: shortcuts.Overrides) -> None:
        """Give every command its keys."""
        self._overrides = overrides
        for command_id, action in self._actions.items():
            keys = shortcuts.keys_of(COMMANDS[command_id], overrides)
            action.setShortcuts([QKeySequence.fromString(key) for key in keys])
            action.setToolTip(_tip(COMMANDS[command_id], keys))

    def set_paused(self, *, is_paused: bool) -> None:
        """Let one command pause and go on."""
        self["pause"].setText(_("&Go on") if is_paused else _(COMMANDS["pause"].text))

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Put every command into its menu.

        Returns:
            The menus by their id, for what is not a command: the recent books.
        """
        menus = {menu.id: self._fill(bar.addMenu(_(menu.text)), menu) for menu in MENUS}
        for above, menu in SUBMENUS.items():
            menus[above].addSeparator()
            menus[menu.id] = self._fill(menus[above].addMenu(_(menu.text)), menu)
        return menus

    def _fill(self, shown: QMenu, menu: Menu) -> QMenu:
        for at, group in enumerate(menu.groups):
            if at:
                shown.addSeparator()
            shown.addActions([self._actions[command.id] for command in group])
        return shown

    def _action(self, command: Command) -> QAction:
        action = QAction(_(command.text), self)
        action.setObjectName(command.id)
        if command.icon:
            theme.give_icon(action, command.icon)
        action.setStatusTip(_(command.says))
        action.setCheckable(command.is_switch)
        action.triggered.connect(lambda is_on: self._on_triggered(command, is_on=is_on))
        return action

    def _on_triggered(self, command: Command, *, is_on: bool) -> None:
        if command.is_switch:
            self.switched.emit(command.id, is_on)
        else:
            self.ordered.emit(command.id)


def _tip(command: Command, keys: tuple[str, ...]) -> str:
    name = shortcuts.plain_text(command)
    return f"{name} ({shortcuts.shown(keys[0])})" if keys else name
