"""What the keys that delete would delete, kept within the block of the cursor. No state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QTextCursor

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_Key = QKeySequence.StandardKey
_Move = QTextCursor.MoveOperation
_MOVES = {
    _Key.Delete: _Move.NextCharacter,
    _Key.DeleteStartOfWord: _Move.PreviousWord,
    _Key.DeleteEndOfWord: _Move.NextWord,
    _Key.DeleteEndOfLine: _Move.EndOfLine,
}
_PLACEHOLDERS = {0xFDD0, 0xFDD1, 0xFFFC, 0xFEFF}


def deleted_by(event: QKeyEvent, cursor: QTextCursor) -> tuple[int, int] | None:
    """The positions between which this key deletes, equal if nothing; None: it deletes nothing."""
    deletes = _stretch(event, cursor)
    if deletes is None or not cursor.hasSelection():
        return deletes
    return cursor.selectionStart(), cursor.selectionEnd()


def _stretch(event: QKeyEvent, cursor: QTextCursor) -> tuple[int, int] | None:
    if _is_backspace(event):
        return _before(cursor)
    if event.matches(_Key.DeleteCompleteLine):
        start, end = _moved(cursor, _Move.StartOfLine), _moved(cursor, _Move.EndOfLine)
        return start, end
    for key, move in _MOVES.items():
        if event.matches(key):
            there = _moved(cursor, move)
            return min(there, cursor.position()), max(there, cursor.position())
    return None


def _is_backspace(event: QKeyEvent) -> bool:
    """By its key: `StandardKey.Backspace` is bound to nothing on most systems."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Backspace and not modifiers


def _before(cursor: QTextCursor) -> tuple[int, int]:
    """One code point, so that a mark can be taken off its letter; none at a block's start."""
    position, block = cursor.position(), cursor.block()
    within = position - block.position()
    if within == 0:
        return position, position
    is_pair = "\udc00" <= _unit(block.text(), within - 1) <= "\udfff"
    return position - (2 if is_pair else 1), position


def _unit(text: str, place: int) -> str:
    """The UTF-16 unit at a place, as a lone code point."""
    pair = text.encode("utf-16-le", "surrogatepass")[2 * place : 2 * place + 2]
    return chr(int.from_bytes(pair, "little"))


def _moved(cursor: QTextCursor, move: QTextCursor.MoveOperation) -> int:
    """Where the cursor would get to, without leaving its block."""
    ahead = QTextCursor(cursor)
    ahead.movePosition(move)
    start = cursor.block().position()
    return max(start, min(ahead.position(), start + cursor.block().length() - 1))


def as_typed(text: str) -> str:
    """Pasted text as if it had been typed: letters, spaces and line ends, nothing else."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")
    lines = lines.replace("\u2028", "\n")
    return "".join(letter for letter in lines if _is_typed(letter)).strip("\n")


def _is_typed(letter: str) -> bool:
    return letter in "\n\t" or (ord(letter) >= 0x20 and not _is_control(ord(letter)))


def _is_control(code: int) -> bool:
    return 0x7F <= code <= 0x9F or code in _PLACEHOLDERS
