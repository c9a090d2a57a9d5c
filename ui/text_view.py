"""The text of the page: streams in while the page is read, is typed into, and follows the book.

What is typed is told after a moment of rest, on leaving the block, the pane or the page: nothing is
ever lost. Undo is the book's, not the document's. UI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QActionGroup, QGuiApplication, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QMenu, QTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from app.book import Kind, Reading, Region
from app.events import Piece
from app.language import _
from ui.doubt_marks import Doubted
from ui.kind_names import KIND_NAMES
from ui.page_editor import PageEditor
from ui.page_text import LINE_END, Place
from ui.strip_painting import StripPainter
from ui.theme import colours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QHideEvent

REST_MS = 400  # after the last key, before what was typed is told
LIMIT_MS = 800  # it is told at the latest, so that it is on the disk within the second
END_PX = 8  # this near to the end counts as being there


class TextView(QWidget):
    """Shows and edits the text of one page. Belongs to `ui`."""

    edited = Signal(int, int, str)  # page, region, its new text
    cursor_moved = Signal(int, int)  # region, offset in code points
    undo_asked = Signal()  # what was typed has been told before
    redo_asked = Signal()
    kind_asked = Signal(int, int, object)  # page, region, `Kind`
    scale_asked = Signal(int)  # steps of the text size
    block_menu_made = Signal(object)  # `QMenu` of the block under the mouse, to be added to
    text_shown = Signal()  # the book's text is in the pane, or another of its pages

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = PageEditor(self)
        self._page: int | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._limit = QTimer(self, singleShot=True, interval=LIMIT_MS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        self.setFocusProxy(self.editor)
        self._place: Place | None = None
        self.is_typing = False  # the cursor moves since letters were typed before it
        self._listen()
        self._name()

    def _listen(self) -> None:
        self.editor.typed.connect(self._on_typed)
        self.editor.place_changed.connect(self._on_place_changed)
        self.editor.left.connect(self.flush)
        self.editor.undo_asked.connect(self._on_undo_asked)
        self.editor.redo_asked.connect(self._on_redo_asked)
        self.editor.menu_asked.connect(self._on_menu_asked)
        self.editor.scale_asked.connect(self.scale_asked)
        self._rest.timeout.connect(self.flush)
        self._limit.timeout.connect(self.flush)

    # what is shown

    def show_reading(self, page: int, reading: Reading | None, *, is_editable: bool) -> None:
        """Show the text of a page; on the same page the cursor and the view stay where they are.

        Args:
            page: from 0.
            reading: its current text; None where it has none.
            is_editable: whether a person may type now.
        """
        regions = reading.regions if reading is not None else ()
        self._show(page, regions)
        self.editor.set_editable(is_editable=is_editable and bool(regions))
        self.text_shown.emit()

    def show_stream(self, page: int, regions: Sequence[Region]) -> None:
        """Show what the engine has written of a page so far; nobody types meanwhile."""
        was_here = page == self._page
        with self._following(begins=not was_here):
            self._show(page, regions)
        self.editor.set_editable(is_editable=False)

    def add_pieces(self, pieces: Sequence[Piece]) -> None:
        """Append what the engine has just written; pieces of other pages are left out."""
        own = [piece for piece in pieces if piece.page == self._page]
        with self._following():
            self.editor.add(own)

    def show_nothing(self) -> None:
        """No book is open."""
        self.flush()
        self._page = None
        self.editor.show_page(())
        self.editor.set_editable(is_editable=False)

    def set_scale(self, scale: float) -> None:
        """Text size, times the interface's as it looks; 1.1 is the default."""
        self.editor.set_scale(scale)

    def set_direction(self, direction: str) -> None:
        """Writing direction of the book: "ltr", "rtl", or "" to go by the letters of each block."""
        layout = {"ltr": Qt.LayoutDirection.LeftToRight, "rtl": Qt.LayoutDirection.RightToLeft}
        option = QTextOption(self.editor.document().defaultTextOption())
        option.setTextDirection(layout.get(direction, Qt.LayoutDirection.LayoutDirectionAuto))
        self.editor.document().setDefaultTextOption(option)

    def show_by_line(self, painter: StripPainter | None) -> None:
        """Show a strip of the image above each line of the text; None: the text alone."""
        self.editor.show_by_line(painter)

    def show_doubts(self, doubts: Sequence[Doubted]) -> None:
        """Underline these words with dots; the current one has a soft ground."""
        self.editor.show_doubts(doubts)

    def show_hits(self, hits: Sequence[tuple[Place, Place]]) -> None:
        """Give a soft ground to what was found; none takes it away."""
        self.editor.setExtraSelections([self._hit(*hit) for hit in hits])

    @property
    def page(self) -> int | None:
        """The page that is shown."""
        return self._page

    @property
    def texts(self) -> list[str]:
        """What stands in each block, typing included."""
        return list(self.editor.text.texts)

    @property
    def regions(self) -> tuple[Region, ...]:
        """The blocks as the book last gave them."""
        return self.editor.text.regions

    @property
    def has_text(self) -> bool:
        """Whether the page has any block."""
        return bool(self.editor.text.texts)

    @property
    def is_being_typed(self) -> bool:
        """Whether a person is typing: something of it was not told yet."""
        return bool(self.editor.text.untold())

    # the cursor

    @property
    def selection_start(self) -> Place | None:
        """Where the selection starts, or the cursor is."""
        return self.editor.text.place_of(self.editor.textCursor().selectionStart())

    def selected_line(self) -> str:
        """What is selected, if that is within one line; else ""."""
        selected = self.editor.textCursor().selectedText()
        return "" if {LINE_END, "\u2029"} & set(selected) else selected

    @property
    def place(self) -> Place | None:
        """Where the cursor is; None where there is no text."""
        return self.editor.place

    def set_cursor(self, region: int, offset: int) -> None:
        """Put the cursor into a block, this many code points from its start."""
        self.editor.go_to(Place(region, offset))

    def select(self, start: Place, end: Place) -> None:
        """Select a stretch of text and bring it into sight."""
        self.editor.go_to(start, until=end)

    # what was typed

    @Slot()
    def flush(self) -> None:
        """Tell all that was typed; called before anything that must not lose it."""
        self._rest.stop()
        self._limit.stop()
        for region in self.editor.text.untold():
            assert self._page is not None
            self.edited.emit(self._page, region, self.editor.text.tell(region))

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.flush()

    def _show(self, page: int, regions: Sequence[Region]) -> None:
        if page == self._page:
            self.editor.show_regions(regions)
            return
        self.flush()
        self._page = page
        self._place = None
        self.editor.setExtraSelections([])
        self.editor.show_page(regions)
        self._name()

    def _name(self) -> None:
        named = _("Text") if self._page is None else _("Text of page {n}").format(n=self._page + 1)
        self.editor.setAccessibleName(named)

    @contextmanager
    def _following(self, *, begins: bool = False) -> Iterator[None]:
        """Keep the end in sight if it was, and nobody is selecting."""
        bar = self.editor.verticalScrollBar()
        is_at_end = bar.value() >= bar.maximum() - END_PX
        follows = begins or (is_at_end and not self.editor.textCursor().hasSelection())
        yield
        if follows:
            bar.setValue(bar.maximum())

    def _hit(self, start: Place, end: Place) -> QTextEdit.ExtraSelection:
        hit = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.editor.document())
        cursor.setPosition(self.editor.text.position_of(start))
        cursor.setPosition(self.editor.text.position_of(end), QTextCursor.MoveMode.KeepAnchor)
        hit.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue] - the stubs lack it
        form = QTextCharFormat()
        form.setBackground(colours(self.palette()).hairline)
        hit.format = form  # pyright: ignore[reportAttributeAccessIssue] - the stubs lack it
        return hit

    @Slot()
    def _on_typed(self) -> None:
        self.is_typing = True
        self._rest.start()
        if not self._limit.isActive():
            self._limit.start()

    @Slot(object)
    def _on_place_changed(self, place: Place | None) -> None:
        if place is None:
            return
        if self._place is not None and place.region != self._place.region:
            self.flush()
        self._place = place
        self.cursor_moved.emit(place.region, place.offset)
        self.is_typing = False

    @Slot()
    def _on_undo_asked(self) -> None:
        self.flush()
        self.undo_asked.emit()

    @Slot()
    def _on_redo_asked(self) -> None:
        self.flush()
        self.redo_asked.emit()

    @Slot(object, object)
    def _on_menu_asked(self, place: Place, at: QPoint) -> None:
        self._menu(place).popup(at)

    def _menu(self, place: Place) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        editor, may_type = self.editor, not self.editor.isReadOnly()
        has_selection = editor.textCursor().hasSelection()
        for text, order, is_possible in (
            (_("Cu&t"), editor.cut, may_type and has_selection),
            (_("&Copy"), editor.copy, has_selection),
            (_("&Paste"), editor.paste, may_type and editor.canPaste()),
            (_("Select &all"), editor.selectAll, True),
            (_("Copy the &block"), lambda: self._copy_block(place.region), True),
        ):
            menu.addAction(text, order).setEnabled(is_possible)
        menu.addSeparator()
        self._add_kinds(menu.addMenu(_("This block &is")), place.region, may_type=may_type)
        self.block_menu_made.emit(menu)
        return menu

    def _add_kinds(self, menu: QMenu, region: int, *, may_type: bool) -> None:
        menu.setEnabled(may_type)
        group = QActionGroup(menu)
        for kind, name in KIND_NAMES.items():
            action = group.addAction(_(name))
            action.setCheckable(True)
            action.setChecked(kind is self.editor.text.regions[region].kind)
            action.triggered.connect(lambda _on, kind=kind: self._ask_kind(region, kind))
        menu.addActions(group.actions())

    def _ask_kind(self, region: int, kind: Kind) -> None:
        self.flush()
        self.kind_asked.emit(self._page, region, kind)

    def _copy_block(self, region: int) -> None:
        QGuiApplication.clipboard().setText(self.editor.text.texts[region])
