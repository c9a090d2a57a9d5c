"""Where the text of a page is typed: a text edit whose blocks nothing can join or split.

It knows no page and no book; `ui.text_view` does. The document's rules are in `ui.page_text`.
UI thread only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QInputMethodEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget
from typing_extensions import override

from app.book import Region
from app.events import Piece
from ui.doubt_marks import Doubted, paint_ground, paint_underlines
from ui.faces import reading_font
from ui.page_margin import paint_margin
from ui.page_text import LINE_END, PageText, Place, moved
from ui.sight import bring_cursor_into_sight, is_seen, put_cursor_at
from ui.strip_painting import StripPainter
from ui.text_formats import Formats
from ui.text_keys import as_typed, deleted_by
from ui.text_marks import MarkTips, paint_marks
from ui.text_steps import next_place
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QContextMenuEvent,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QWheelEvent,
    )

CARET_PX = 2
_Key = QKeySequence.StandardKey


class PageEditor(QTextEdit):
    """Edits within blocks; tells of what a person does. Belongs to `ui`."""

    typed = Signal()  # a person changed letters
    place_changed = Signal(object)  # `Place` of the cursor, or None where there is no text
    left = Signal()  # the focus went elsewhere
    undo_asked = Signal()
    redo_asked = Signal()
    menu_asked = Signal(object, object)  # `Place`, global `QPoint`
    scale_asked = Signal(int)  # steps of the text size, from the wheel

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._scale = 1.1
        self._place: Place | None = None
        self._doubts: tuple[Doubted, ...] = ()
        self._strip_painter: StripPainter | None = None  # while the page is shown line by line
        self.text = PageText(self.document(), self._formats())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setCursorWidth(CARET_PX)
        self.setTabChangesFocus(True)
        self.set_editable(is_editable=False)
        self.document().setDocumentMargin(0)
        self.document().contentsChange.connect(self._on_contents_changed)
        self.cursorPositionChanged.connect(self._on_cursor_moved)
        MarkTips(self)
        self._lay_out()

    def set_editable(self, *, is_editable: bool) -> None:
        """Let a person type, or only select and copy."""
        flag = Qt.TextInteractionFlag
        select = flag.TextSelectableByMouse | flag.TextSelectableByKeyboard
        self.setTextInteractionFlags(flag.TextEditorInteraction if is_editable else select)

    # looks

    def set_scale(self, scale: float) -> None:
        """Set the text so many times as large as the interface, as it looks."""
        if scale != self._scale:
            self._scale = scale
            self._set_anew()

    def _formats(self) -> Formats:
        return Formats(reading_font(self.font(), self._scale), colours(self.palette()))

    def _set_anew(self) -> None:
        """In another face or other colours; the line of the cursor stays where it is seen."""
        y_px, was_seen = self.cursorRect().top(), is_seen(self, self.textCursor())
        place = self._place or Place(0, 0)
        self.text.set_anew(self._formats())
        self.go_to(place)
        self._lay_out()
        if was_seen:
            put_cursor_at(self, y_px)

    def _lay_out(self) -> None:
        """A column no wider than the measure, in the middle of the pane."""
        frame = self.document().rootFrame()
        form = frame.frameFormat()
        margin_px = (self.viewport().width() - self.column_px) / 2
        form.setLeftMargin(margin_px)
        form.setRightMargin(margin_px)
        form.setTopMargin(Space.L + self.text.strip_px)
        form.setBottomMargin(2 * Space.XL)
        with self.text.writing():
            frame.setFrameFormat(form)

    @property
    def column_px(self) -> float:
        """How wide the text is set."""
        width_px = self.viewport().width()
        return min(self.text.formats.measure_px, max(1.0, width_px - 2 * Space.XL))

    # line by line

    def show_by_line(self, painter: StripPainter | None) -> None:
        """Show a strip of the image above each line of the text; None: the text alone."""
        self._strip_painter = painter
        self._set_strips(self.text.regions)
        self._set_anew()

    def _set_strips(self, regions: Sequence[Region]) -> bool:
        """Lay the strips out for these blocks; whether the room between lines is another."""
        painter, before = self._strip_painter, self.text.strip_px
        self.text.strip_px = painter.lay_out(regions, self.column_px) if painter else 0
        return self.text.strip_px != before

    # what is shown

    def show_regions(self, regions: Sequence[Region]) -> None:
        """Show the blocks of the same page as they are now; the cursor stays on its letter."""
        is_new = self._set_strips(regions)
        with self._cursor_kept():
            self.text.show(regions)
        if is_new:
            self._set_anew()

    def show_page(self, regions: Sequence[Region]) -> None:
        """Show the blocks of another page, from its top."""
        if self._set_strips(regions):
            self._lay_out()
        self.text.show_page(regions)
        with self.text.writing():
            self.setTextCursor(QTextCursor(self.document()))
        self._place = self.place
        self.verticalScrollBar().setValue(0)

    def show_doubts(self, doubts: Sequence[Doubted]) -> None:
        """Underline these words with dots; the current one has a soft ground."""
        if tuple(doubts) != self._doubts:
            self._doubts = tuple(doubts)
            self.viewport().update()

    def add(self, pieces: Iterable[Piece]) -> None:
        """Append what the engine wrote."""
        with self._cursor_kept(), self.text.writing():
            for piece in pieces:
                self.text.add(piece.block, piece.text, piece.kind)

    @contextmanager
    def _cursor_kept(self) -> Iterator[None]:
        """Whatever is put in or taken out around it, and with its selection."""
        cursor = self.textCursor()
        ends = [self.text.place_of(at) for at in (cursor.anchor(), cursor.position())]
        before = list(self.text.texts)
        yield
        there = [
            self.text.position_of(moved(end or Place(0, 0), before, self.text.texts))
            for end in ends
        ]
        cursor = self.textCursor()
        if [cursor.anchor(), cursor.position()] == there:
            return
        cursor.setPosition(there[0])
        cursor.setPosition(there[1], QTextCursor.MoveMode.KeepAnchor)
        top_px = self.verticalScrollBar().value()
        with self.text.writing():
            self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(top_px)  # Qt would bring the cursor into sight

    # the cursor

    @property
    def place(self) -> Place | None:
        """Where the cursor is; None where there is no text."""
        return self.text.place_of(self.textCursor().position())

    def go_to(self, place: Place, *, until: Place | None = None) -> None:
        """Put the cursor there, or select from there up to another place, and bring it in sight."""
        cursor = self.textCursor()
        cursor.setPosition(self.text.position_of(place))
        if until is not None:
            cursor.setPosition(self.text.position_of(until), QTextCursor.MoveMode.KeepAnchor)
        now = self.textCursor()  # cursors are compared by hand: Qt leaves their anchors out
        if (cursor.anchor(), cursor.position()) != (now.anchor(), now.position()):
            was_seen = is_seen(self, cursor)
            self.setTextCursor(cursor)
            if not was_seen:
                put_cursor_at(self, self.viewport().height() // 3)
            bring_cursor_into_sight(self)

    @Slot()
    def _on_cursor_moved(self) -> None:
        if self.text.is_writing or self.place == self._place:
            return
        self._place = self.place
        self.viewport().update()
        self.place_changed.emit(self._place)

    @Slot(int, int, int)
    def _on_contents_changed(self, position: int, removed: int, added: int) -> None:
        if self.text.is_writing or not (removed or added):
            return
        self.text.take_in(position, added)
        self.typed.emit()

    # typing

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_Key.Undo):
            self.undo_asked.emit()
        elif event.matches(_Key.Redo):
            self.redo_asked.emit()
        elif self.isReadOnly() or not self._is_edited_by(event):
            super().keyPressEvent(event)

    def _is_edited_by(self, event: QKeyEvent) -> bool:
        """Do what this key does to the text, where Qt would do it across blocks."""
        deleted = deleted_by(event, self.textCursor())
        if deleted is not None:
            self._remove(*deleted)
        elif event.matches(_Key.Cut):
            self.cut()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return self._is_line_ended_by(event)
        else:
            if event.text().isprintable() and event.text():
                self._remove_across_blocks()
            return False
        return True

    def _is_line_ended_by(self, event: QKeyEvent) -> bool:
        """Enter ends a line; with Ctrl it is for the window."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            self.type_text("\n")
        return True

    def type_text(self, text: str) -> None:
        """Put letters in place of the selection, or at the cursor."""
        self._remove_selection()
        self.textCursor().insertText(text.replace("\n", LINE_END))
        bring_cursor_into_sight(self)

    @override
    def cut(self) -> None:
        """Take the selected letters out; the blocks stay."""
        self.copy()
        self._remove_selection()

    def _remove(self, start: int, end: int) -> None:
        self.text.remove(start, end)
        cursor = self.textCursor()
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        bring_cursor_into_sight(self)

    def _remove_selection(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection():
            self._remove(cursor.selectionStart(), cursor.selectionEnd())

    def _remove_across_blocks(self) -> None:
        """Before Qt replaces a selection: within one block it does that rightly by itself."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        if first != self.document().findBlock(cursor.selectionEnd()):
            self._remove_selection()

    @override
    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's name
        """Tab goes to the next block, and from the last one on to the next pane.

        Line by line it goes to the next printed line.
        """
        here, by_line = self.place, self._strip_painter is not None
        step = 1 if next else -1
        there = here and next_place(self.text.texts, here, step, by_line=by_line)
        if there is None:
            return super().focusNextPrevChild(next)
        self.go_to(there)
        return True

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if not self.isReadOnly() and (event.commitString() or event.preeditString()):
            self._remove_across_blocks()
        super().inputMethodEvent(event)

    @override
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        if not self.isReadOnly():
            self.type_text(as_typed(source.text()))

    # mouse, focus, looks

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A selection is not dragged about, which could join blocks; a press there ends it."""
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and self._strip_painter is not None:
            place = self._strip_painter.place_at(event.position().toPoint())
            if place is not None:
                self.go_to(place)
                return
        cursor = self.textCursor()
        there = self.cursorForPosition(event.position().toPoint()).position()
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        is_within = cursor.selectionStart() <= there <= cursor.selectionEnd()
        if is_left and is_within and not extends:
            cursor.clearSelection()
            self.setTextCursor(cursor)
        super().mousePressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scale_asked.emit(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textCursor().hasSelection():
            self.setTextCursor(self.cursorForPosition(event.pos()))
        if self.place is not None:
            self.menu_asked.emit(self.place, event.globalPos())

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._set_strips(self.text.regions):
            self._set_anew()
        self._lay_out()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            self._set_anew()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_ground(self, self.text, self._doubts)
        super().paintEvent(event)
        paint_margin(self, self.text)
        paint_underlines(self, self.text, self._doubts)
        paint_marks(self, self.text)
        if self._strip_painter is not None:
            self._strip_painter.paint(event.rect(), self._place)
