"""What taking a word at every place of the book would do, and has done: a row of the doubt bar.

It shows what it is told and asks by signals. UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from app.language import _, plural
from ui import shortcuts
from ui.announce import announce
from ui.commands import COMMANDS
from ui.faces import secondary_font
from ui.flow import Flow
from ui.labels import QuietLabel
from ui.shortcuts import Overrides
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.everywhere import Preview


class EverywhereRow(QWidget):
    """Belongs to `ui`."""

    ordered = Signal(str)  # id of a command
    proofread_chosen = Signal(bool)
    left = Signal()  # nothing is to be done

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overrides: Overrides = ()
        self.says = QuietLabel(parent=self, wraps=True)
        self.proofread_too = QCheckBox(self)
        self.take = self._button("take_everywhere")
        self.take_back = self._button("take_back_replacement")
        self.leave = QToolButton(self)
        self._build()
        self.proofread_too.toggled.connect(self.proofread_chosen)
        self.leave.clicked.connect(self.left)
        self.hide()

    def _button(self, order: str) -> QToolButton:
        button = QToolButton(self)
        button.clicked.connect(lambda: self.ordered.emit(order))
        return button

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.XS)
        column.setSpacing(0)
        column.addWidget(self.says)
        row = Flow(across_px=Space.S, down_px=Space.XS)
        face = secondary_font(self.font())
        for widget in (self.take, self.take_back, self.leave, self.proofread_too):
            widget.setFont(face)
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(widget)
        column.addLayout(row)
        self.take_back.setText(_("Take it back"))
        self.leave.setText(_("Leave it"))
        self.setAccessibleName(_("The word at every place"))

    def show_preview(self, preview: Preview | None) -> None:
        """Say what would be changed; None: that is still looked for."""
        self.take.setVisible(preview is not None and bool(preview.places))
        self.take_back.hide()
        self.leave.setText(_("Leave it"))
        proofread = preview.proofread if preview is not None else 0
        self.proofread_too.setVisible(bool(proofread))
        self.proofread_too.setText(
            _("Proofread pages too: {places}").format(
                places=plural("{n} place", "{n} places", proofread)
            )
        )
        self._show(preview_text(preview))

    def show_ended(self, says: str, *, warns: bool, can_take_back: bool) -> None:
        """Say what was done."""
        for widget in (self.take, self.proofread_too):
            widget.hide()
        self.take_back.setVisible(can_take_back)
        self.leave.setText(_("Close"))
        self._show(says, warns=warns)

    def set_shortcuts(self, overrides: Overrides) -> None:
        """Name the key as the user has changed it."""
        keys = shortcuts.keys_of(COMMANDS["take_everywhere"], overrides)
        key = f" ({shortcuts.shown(keys[0])})" if keys else ""
        self.take.setText(_("Take it there") + key)

    def _show(self, says: str, *, warns: bool = False) -> None:
        is_new = self.isHidden() or says != self.says.text()
        self.says.show_text(says, warns=warns)
        self.setAccessibleDescription(says)
        self.show()
        if is_new:
            announce(self, says)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def preview_text(preview: Preview | None) -> str:
    """What would be changed, in one plain line."""
    if preview is None:
        return _("Looking for the word in the book…")
    what = {"sought": preview.sought, "instead": preview.instead}
    if not preview.places:
        says = _("“{sought}” stands nowhere where it would be changed.").format(**what)
    else:
        says = _("“{instead}” will stand instead of “{sought}” at {places} on {pages}.").format(
            places=plural("{n} place", "{n} places", len(preview.places)),
            pages=plural("{n} page", "{n} pages", preview.pages),
            **what,
        )
    if preview.stay:
        stays = plural("{n} place stays", "{n} places stay", preview.stay)
        says += " " + _("{places}: called right, or broken at a line end.").format(places=stays)
    return says
