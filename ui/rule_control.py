"""The compose rules as a row of the settings: how many, and the dialog that shows them."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QPushButton

from app.characters import Rules
from app.language import _, plural
from ui.commands import COMMANDS
from ui.compose_dialog import ComposeDialog
from ui.labels import QuietLabel
from ui.setting_controls import Control
from ui.shortcuts import shown


class RuleControl(Control):
    """Tells of other rules when they are kept in the dialog."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rules: Rules = ()
        self.change = QPushButton(_("Change…"), autoDefault=False)
        self.count = QuietLabel()
        self._put(self.change)
        self._row.addWidget(self.count)
        self._row.addStretch()
        self.change.clicked.connect(self._on_change)

    def show_value(self, value: object) -> None:
        """How many rules there are."""
        self._rules = cast("Rules", value)
        self.count.show_text(plural("{n} rule", "{n} rules", len(self._rules)))

    def _on_change(self) -> None:
        dialog = ComposeDialog(self._rules, shown(COMMANDS["compose"].keys[0]), self)
        dialog.changed.connect(self.changed)
        dialog.open()
