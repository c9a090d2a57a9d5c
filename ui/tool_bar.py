"""The one thin bar of buttons: open, read, turn pages, zoom, find, export, palette."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QToolBar, QWidget

from app.errors import UserFacing
from app.language import _
from app.page_range import page_of
from ui.actions import Actions
from ui.faces import tabular

GROUPS = (
    ("open", "start", "pause", "stop"),
    ("zoom_out", "zoom_in", "fit_width", "fit_page"),
    ("undo", "redo", "accept", "next_unfinished"),
    ("find_book", "export", "palette"),
)
ICON_PX = 20


class ToolBar(QToolBar):
    """Buttons of commands, and the number of the page. Belongs to `ui`."""

    page_asked = Signal(int)

    def __init__(self, actions: Actions) -> None:
        super().__init__(_("Tools"))
        self.setObjectName("tools")
        self.setMovable(False)
        self.setIconSize(QSize(ICON_PX, ICON_PX))
        self._labels: Sequence[str] = ()
        self.number = QLineEdit()
        self.total = QLabel()
        self._fill(actions)
        self.number.returnPressed.connect(self._on_number)

    def show_page(self, page: int | None, labels: Sequence[str]) -> None:
        """Show which page of how many; None: no book is open."""
        self._labels = labels
        self.number.setEnabled(page is not None)
        self.number.setText("" if page is None else str(page + 1))
        printed = labels[page] if page is not None and labels[page] else ""
        of = "" if page is None else _("of {pages}").format(pages=len(labels))
        self.total.setText(
            f"{of} ({printed})" if printed and printed != str((page or 0) + 1) else of
        )

    def _fill(self, actions: Actions) -> None:
        for at, group in enumerate(GROUPS):
            if at:
                self.addSeparator()
            for command_id in group:
                self.addAction(actions[command_id])
            if not at:
                self._add_pager(actions)
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.insertWidget(actions[GROUPS[-1][0]], gap)

    def _add_pager(self, actions: Actions) -> None:
        self.addSeparator()
        self.addAction(actions["previous_page"])
        self.number.setAccessibleName(_("Page, by the number of the scan or the printed one"))
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setFont(tabular(self.number.font()))
        self.number.setFixedWidth(self.number.fontMetrics().horizontalAdvance("0" * 9))
        self.total.setFont(tabular(self.total.font()))
        self.addWidget(self.number)
        self.addWidget(self.total)
        self.addAction(actions["next_page"])

    def _on_number(self) -> None:
        try:
            page = page_of(self.number.text(), len(self._labels), self._labels)
        except UserFacing:
            self.number.selectAll()  # stays to be mended
            return
        self.page_asked.emit(page)
