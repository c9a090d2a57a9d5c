"""Whether the cursor of a text is seen, and scrolling so that it is. UI thread only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCursor
    from PySide6.QtWidgets import QTextEdit


def is_seen(edit: QTextEdit, cursor: QTextCursor) -> bool:
    """Whether the line of a cursor is in the pane as a whole."""
    line = edit.cursorRect(cursor)
    return line.top() >= 0 and line.bottom() <= edit.viewport().height()


def put_cursor_at(edit: QTextEdit, y_px: int) -> None:
    """Scroll so that the line of the cursor is seen here, as far as the text allows."""
    bar = edit.verticalScrollBar()
    bar.setValue(bar.value() + edit.cursorRect().top() - y_px)


def bring_cursor_into_sight(edit: QTextEdit) -> None:
    """If the cursor is out of sight, scroll until there is a line of air around it."""
    line, height = edit.cursorRect(), edit.viewport().height()
    bar = edit.verticalScrollBar()
    if line.top() < 0:
        bar.setValue(bar.value() + line.top() - line.height())
    elif line.bottom() > height:
        bar.setValue(bar.value() + line.bottom() + line.height() - height)
