"""How image and text are looked at: what the switches of the View menu do. UI thread only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ui.page_tint import Tint

if TYPE_CHECKING:
    from ui.main_window import MainWindow

TINTS = {"invert_image": Tint.INVERTED, "sepia_image": Tint.SEPIA}


class LooksOrders(QObject):
    """Carries the switches out, and keeps them as the panes stand. Belongs to `ui`."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.commands.switched.connect(self._on_switched)
        window.side.laid_out.connect(self._show)

    @Slot(str, bool)
    def _on_switched(self, command_id: str, is_on: bool) -> None:  # noqa: FBT001 - a Qt slot
        side = self._window.side
        match command_id:
            case "by_line":
                side.set_by_line(is_on=is_on)
            case "magnifier":
                side.image.magnifier.set_on(is_on=is_on)
            case "invert_image" | "sepia_image":
                side.set_tint(TINTS[command_id] if is_on else Tint.NONE)
            case "panel_blocks":
                side.show_block_list(is_shown=is_on)
        self._show()

    @Slot()
    def _show(self) -> None:
        """Check the menus as the panes stand: a book brings its own looks along."""
        side, commands = self._window.side, self._window.commands
        commands["by_line"].setChecked(side.is_by_line)
        commands["panel_blocks"].setChecked(side.blocks.isVisibleTo(side))
        for command_id, tint in TINTS.items():
            commands[command_id].setChecked(side.image.desk.tint is tint)
