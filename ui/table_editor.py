"""A table edited cell by cell, below the text: a grid with keys for rows, columns and merged cells.

It shows the rows that it was given and tells of other ones; the book knows undo. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app import table_edits
from app.language import N_, _
from app.table_edits import Grid, Spot
from ui.flow import Flow
from ui.shortcuts import shown
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.book import Rows


NARROWEST, WIDEST = 9, 40  # letters of a column


class _Act(NamedTuple):
    text: str
    key: str  # within the grid
    do: Callable[[TableEditor, Grid, Spot], Grid]
    goes: Spot = Spot(0, 0)  # where the cursor is afterwards, counted from where it was


_ACTS = (
    _Act(N_("Row above"), "Alt+Shift+Up", lambda _e, g, s: table_edits.with_row(g, s.row)),
    _Act(
        N_("Row below"),
        "Alt+Shift+Down",
        lambda _e, g, s: table_edits.with_row(g, g.at(s).bottom),
        Spot(1, 0),
    ),
    _Act(N_("Row out"), "Alt+Shift+Del", lambda _e, g, s: table_edits.without_row(g, s.row)),
    _Act(N_("Column before"), "Alt+Shift+Left", lambda _e, g, s: table_edits.with_column(g, s[1])),
    _Act(
        N_("Column behind"),
        "Alt+Shift+Right",
        lambda _e, g, s: table_edits.with_column(g, g.at(s).right),
        Spot(0, 1),
    ),
    _Act(
        N_("Column out"),
        "Alt+Shift+Backspace",
        lambda _e, g, s: table_edits.without_column(g, s.column),
    ),
    _Act(N_("Merge"), "Alt+Shift+M", lambda editor, g, s: editor.merged(g, s)),
    _Act(N_("Split"), "Alt+Shift+S", lambda _e, g, s: table_edits.split(g, s)),
    _Act(
        N_("Heading"),
        "Alt+Shift+H",
        lambda _e, g, s: table_edits.with_heading(g, s, is_heading=not g.at(s).is_heading),
    ),
)


class TableEditor(QFrame):
    """Belongs to `ui`; hidden until a table is opened."""

    rows_changed = Signal(object)  # `Rows`
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._grid = Grid(0, 0, ())
        self._is_filling = False
        self.cells = _Cells(self)
        self.buttons = [self._button(act) for act in _ACTS]
        self.done = QToolButton(self)
        self._build()
        self.cells.itemChanged.connect(self._on_item_changed)
        self.cells.left.connect(self.close_table)
        self.done.clicked.connect(self.close_table)
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether a table is being edited."""
        return not self.isHidden()

    def open_table(self, rows: Rows) -> None:
        """Edit these cells, from the first on."""
        self.show_rows(rows)
        self.show()
        self.cells.setCurrentCell(0, 0)
        self.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_rows(self, rows: Rows) -> None:
        """Show the cells as the book has them now; the cursor stays in its place."""
        self._grid = table_edits.grid(rows or ((),))
        if self._grid.width == 0:
            self._grid = table_edits.with_column(self._grid, 0)
        self._fill()

    @Slot()
    def close_table(self) -> None:
        """Put the grid away."""
        if self.is_open:
            self.hide()
            self.closed.emit()

    def merged(self, grid: Grid, spot: Spot) -> Grid:
        """All that is selected as one cell."""
        chosen = self.cells.selectedIndexes()
        corners = [Spot(index.row(), index.column()) for index in chosen] or [spot]
        first = Spot(min(c.row for c in corners), min(c.column for c in corners))
        last = Spot(max(c.row for c in corners), max(c.column for c in corners))
        return table_edits.merged(grid, first, last)

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.done.setText(_("Done"))
        self.done.setToolTip(_("Back to the text ({key})").format(key=shown("Esc")))
        row = Flow(across_px=Space.XS, down_px=Space.XS)
        for button in (*self.buttons, self.done):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.XS, Space.S, Space.XS)
        column.setSpacing(Space.XS)
        column.addLayout(row)
        column.addWidget(self.cells, 1)

    def _button(self, act: _Act) -> QToolButton:
        button = QToolButton(self)
        button.setText(_(act.text))
        button.setToolTip(f"{_(act.text)} ({shown(act.key)})")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its key is nearer than any button
        button.clicked.connect(lambda: self._act(act))
        key = QShortcut(QKeySequence(act.key), self.cells)
        key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        key.activated.connect(lambda: self._act(act))
        return button

    def _fill(self) -> None:
        self._is_filling = True
        spot = self._spot()
        cells, grid = self.cells, self._grid
        cells.clearSpans()
        cells.clear()
        cells.setRowCount(grid.height)
        cells.setColumnCount(grid.width)
        for slot in grid.slots:
            self._put(slot)
        self._set_widths()
        cells.setCurrentCell(min(spot.row, grid.height - 1), min(spot.column, grid.width - 1))
        self._is_filling = False

    def _set_widths(self) -> None:
        """Each column as wide as the widest cell that lies in it alone, within measure."""
        metrics = self.cells.fontMetrics()
        letter = metrics.averageCharWidth()
        widths = [NARROWEST * letter] * self._grid.width
        for slot in self._grid.slots:
            if slot.right - slot.left == 1:
                width = min(metrics.horizontalAdvance(slot.text) + 3 * letter, WIDEST * letter)
                widths[slot.left] = max(widths[slot.left], width)
        for column, width in enumerate(widths):
            self.cells.setColumnWidth(column, width)

    def _put(self, slot: table_edits.Slot) -> None:
        item = QTableWidgetItem(slot.text)
        if slot.is_heading:
            font = QFont(self.cells.font())
            font.setBold(True)
            item.setFont(font)
        said = _("heading: {text}") if slot.is_heading else "{text}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said.format(text=slot.text or _("empty")))
        self.cells.setItem(slot.top, slot.left, item)
        height, width = slot.bottom - slot.top, slot.right - slot.left
        if height * width > 1:
            self.cells.setSpan(slot.top, slot.left, height, width)

    # --- what is done ---------------------------------------------------------------------------

    def _spot(self) -> Spot:
        return Spot(max(0, self.cells.currentRow()), max(0, self.cells.currentColumn()))

    def _act(self, act: _Act) -> None:
        spot = self._spot()
        goal = Spot(spot.row + act.goes.row, spot.column + act.goes.column)
        self._change(act.do(self, self._grid, spot))
        self.cells.setCurrentCell(*goal)

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        if not self._is_filling:
            spot = Spot(item.row(), item.column())
            self._change(table_edits.with_text(self._grid, spot, item.text()))

    def _change(self, grid: Grid) -> None:
        if grid == self._grid:
            return
        self._grid = grid
        self._fill()
        self.rows_changed.emit(table_edits.rows_of(grid))


class _Cells(QTableWidget):
    """The grid: Tab goes from cell to cell, Enter types into one and goes on below."""

    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Cells of the table"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(True)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumHeight(4 * self.fontMetrics().height())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the grid; Enter opens the cell; Delete empties what is selected."""
        match event.key():
            case Qt.Key.Key_Escape:
                self.left.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if not event.modifiers():
                self.editItem(self.currentItem())
            case Qt.Key.Key_Delete if not event.modifiers():
                self._empty()
            case _:
                super().keyPressEvent(event)

    def _empty(self) -> None:
        for item in self.selectedItems():
            item.setText("")
