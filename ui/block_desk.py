"""Blocks in the window: keys, image and grid become orders, and the cursor stays with its block.

UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.book import Box, Region
from app.language import _
from app.numbering import jump_text
from ui.block_arranger import BlockArranger
from ui.box_drag import within
from ui.labels import QuietLabel
from ui.of_book import OfBook
from ui.page_facts_dialog import PageFactsDialog
from ui.questions import page_name
from ui.table_editor import TableEditor
from ui.theme import Space

if TYPE_CHECKING:
    from app.book import Rows
    from app.change import Change
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals

ADDED_SHARE = 0.06  # of the page's height that a block added by key has


class BlockDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._text = window.text
        self._session = session
        self._signals = signals
        self._carry_out = orders.carry_out
        self._table: tuple[int, int] | None = None  # page and block that the grid shows
        self.table = TableEditor(window.side)
        window.side.put_below_text(self.table)
        self.hint = QuietLabel(_hint(), window.image, wraps=True)
        self.hint.setContentsMargins(Space.M, Space.XS, Space.M, Space.XS)
        self.hint.hide()
        window.image.put_below(self.hint)
        self.arranger = BlockArranger(
            window.image, blocks=lambda: self._text.regions, lit=self._here, size=self._size
        )
        self._listen(orders)

    def _listen(self, orders: Orders) -> None:
        blocks = self._session.blocks
        orders.add(
            {
                "block_earlier": lambda: self._go(lambda page, at: blocks.move(page, at, -1)),
                "block_later": lambda: self._go(lambda page, at: blocks.move(page, at, 1)),
                "block_merge": lambda: self._go(blocks.merge),
                "block_delete": lambda: self._go(blocks.delete),
                "block_split": self._split,
                "block_add": lambda: self._add(self._box_below()),
                "edit_table": self._open_table,
                "page_facts": self._ask_facts,
            }
        )
        arranger = self.arranger
        arranger.block_chosen.connect(lambda number: self._text.set_cursor(number, 0))
        arranger.box_changed.connect(self._on_box_changed)
        arranger.box_drawn.connect(self._add)
        arranger.number_dropped.connect(
            lambda number, target: self._go(lambda page, _at: blocks.place(page, number, target))
        )
        arranger.ordered.connect(self._carry_out)
        arranger.left.connect(lambda: self._window.commands["arrange"].trigger())
        self._window.commands.switched.connect(self._on_switched)
        self.table.rows_changed.connect(self._on_rows_changed)
        self.table.closed.connect(self._on_table_closed)
        self._signals.changed.connect(self._on_changed)

    # --- blocks ---------------------------------------------------------------------------------

    def _here(self) -> int | None:
        """The block of the cursor."""
        place = self._text.place
        return None if place is None else place.region

    def _on_master(self, box: Box | None) -> Box | None:
        """A box of the image that is shown, as it is kept."""
        if box is None:
            return None
        return self._session.preparing.box_on_master(self._session.page, box)

    def _size(self) -> tuple[float, float] | None:
        """Of the image that is shown: as it is known, else as it has come."""
        if self._session.book is None:
            return None
        page = self._session.page_at(self._session.page)
        size = self._session.preparing.shown_page(page).size
        if size is not None:
            return size.width_px, size.height_px
        picture = self._window.image.desk.picture
        return None if picture is None else (picture.master.width, picture.master.height)

    def _go(self, order: Callable[[int, int], Change]) -> None:
        """Carry an order on the block of the cursor out, and go where that stands then."""
        place = self._text.place
        if place is None:
            return
        self.arranger.flush()
        blocks = self._session.blocks
        blocks.went_to = None
        self._tell(order(self._session.page, place.region))
        if blocks.went_to is not None:
            self._text.set_cursor(blocks.went_to, place.offset)

    def _split(self) -> None:
        place = self._text.place
        if place is None:
            return
        self._go(lambda page, at: self._session.blocks.split(page, at, place.offset))
        if self._session.blocks.went_to is not None:
            self._text.set_cursor(self._session.blocks.went_to, 0)

    @Slot(object)
    def _add(self, box: Box | None) -> None:
        """An empty block behind that of the cursor, to be typed into at once."""
        blocks = self._session.blocks
        blocks.went_to = None
        self._tell(blocks.add(self._session.page, self._here(), self._on_master(box)))
        if blocks.went_to is not None:
            self._text.set_cursor(blocks.went_to, 0)
            if not self.arranger.is_on:
                self._text.setFocus()

    def _box_below(self) -> Box | None:
        """Where a block added by key stands until it is moved: below that of the cursor."""
        here, size = self._here(), self._size()
        above = self._text.regions[here].box if here is not None else None
        if above is not None:
            height = size[1] * ADDED_SHARE if size is not None else above.height
            return within(Box(above.left, above.bottom, above.right, above.bottom + height), size)
        if size is None:
            return None
        return Box(size[0] * 0.1, size[1] * 0.1, size[0] * 0.9, size[1] * (0.1 + ADDED_SHARE))

    @Slot(int, object)
    def _on_box_changed(self, number: int, box: Box) -> None:
        kept = self._on_master(box)
        if number < len(self._text.regions) and kept is not None:
            self._tell(self._session.blocks.set_box(self._session.page, number, kept))

    @Slot(str, bool)
    def _on_switched(self, command_id: str, is_on: bool) -> None:  # noqa: FBT001 - a Qt slot
        if command_id != "arrange":
            return
        self.arranger.set_on(is_on=is_on)
        self.hint.setVisible(is_on)
        (self._window.image if is_on else self._text).setFocus()

    # --- tables ---------------------------------------------------------------------------------

    def _open_table(self) -> None:
        here, page = self._here(), self._session.page
        if here is None:
            return
        self._tell(self._session.blocks.see_table(page, here))
        if self._session.blocks.went_to is not None:
            self._table = page, here
            self.table.open_table(self._text.regions[here].rows)

    @Slot(object)
    def _on_rows_changed(self, rows: Rows) -> None:
        if self._table is not None:
            self._tell(self._session.blocks.set_rows(*self._table, rows))

    @Slot()
    def _on_table_closed(self) -> None:
        self._table = None
        self._text.setFocus()

    def _shown_table(self) -> Region | None:
        """The table of the grid, if it is still there."""
        if self._table is None or self._table[0] != self._session.page:
            return None
        reading = self._session.reading(self._table[0])
        regions = reading.regions if reading is not None else ()
        table = regions[self._table[1]] if self._table[1] < len(regions) else None
        is_table = table is not None and any(table.rows)
        return table if is_table and self._session.is_editable(self._table[0]) else None

    # --- the page -------------------------------------------------------------------------------

    def _ask_facts(self) -> None:
        """The printed number and the note of the page that is shown."""
        page = self._session.page_at(self._session.page)
        jump = self._session.numbering.jumps().get(page.number)
        warning = jump_text(jump).capitalize() if jump is not None else ""
        dialog = PageFactsDialog(
            page_name(page).capitalize(),
            page.label,
            page.note,
            warning=warning,
            parent=self._window,
        )
        correct = self._session.blocks.correct_page
        dialog.label_changed.connect(lambda text: self._tell(correct(page.number, "label", text)))
        dialog.note_changed.connect(lambda text: self._tell(correct(page.number, "note", text)))
        OfBook(dialog, self._signals)
        dialog.open()

    # --- inside ---------------------------------------------------------------------------------

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if self._table is not None:
            table = self._shown_table()
            if table is None:
                self.table.close_table()
            elif self._session.page in change.readings:
                self.table.show_rows(table.rows)
        if self.arranger.is_on and (change.book or not self._can_arrange()):
            self._window.commands["arrange"].trigger()

    def _can_arrange(self) -> bool:
        return self._session.book is not None and not self._session.read_only

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)


def _hint() -> str:
    return _(
        "Arrows move the box, with Shift its right and lower edge, with Ctrl+Shift its left and "
        "upper one. Alt+Up and Alt+Down change the order. Ins adds a block, Del takes one off, "
        "Esc ends."
    )
