"""Keys of commands: the defaults, what the user changed, and what clashes. Pure functions.

Overrides are `Settings.shortcuts`: pairs of command id and keys, several keys joined by `; `, ""
for none. Only what differs from the default is kept. The keys of the system are known to the
QGuiApplication, which must be there.
"""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from app.language import _
from ui.command import Command
from ui.commands import COMMANDS

Overrides = tuple[tuple[str, str], ...]

_Standard = QKeySequence.StandardKey
# Keys that move in text or change it: on them no command may lie that does another thing.
EDITING_KEYS = (
    *(_Standard.Cut, _Standard.Copy, _Standard.Paste, _Standard.SelectAll, _Standard.Delete),
    *(_Standard.MoveToNextChar, _Standard.MoveToPreviousChar),
    *(_Standard.MoveToNextWord, _Standard.MoveToPreviousWord),
    *(_Standard.MoveToNextLine, _Standard.MoveToPreviousLine),
    *(_Standard.MoveToNextPage, _Standard.MoveToPreviousPage),
    *(_Standard.MoveToStartOfLine, _Standard.MoveToEndOfLine),
    *(_Standard.MoveToStartOfDocument, _Standard.MoveToEndOfDocument),
    *(_Standard.SelectNextChar, _Standard.SelectPreviousChar),
    *(_Standard.SelectNextWord, _Standard.SelectPreviousWord),
    *(_Standard.SelectNextLine, _Standard.SelectPreviousLine),
    *(_Standard.SelectNextPage, _Standard.SelectPreviousPage),
    *(_Standard.SelectStartOfLine, _Standard.SelectEndOfLine),
    *(_Standard.SelectStartOfDocument, _Standard.SelectEndOfDocument),
    *(_Standard.Backspace, _Standard.DeleteStartOfWord, _Standard.DeleteEndOfWord),
    *(_Standard.DeleteEndOfLine, _Standard.DeleteCompleteLine),
    *(_Standard.InsertParagraphSeparator, _Standard.InsertLineSeparator),
    *(_Standard.Undo, _Standard.Redo),
)
_COMMAND_KEYS = {"Ctrl", "Alt", "Meta"}
_WRITING_KEYS = {
    "",
    "+",
    "Space",
    "Tab",
    "Backtab",
    "Backspace",
    "Return",
    "Enter",
}  # "" is what is left of a plus sign


def keys_of(command: Command, overrides: Overrides = ()) -> tuple[str, ...]:
    """The keys of a command now, in portable names; the first is the one shown."""
    changed = dict(overrides).get(command.id)
    return command.keys if changed is None else _split(changed)


def with_keys(overrides: Overrides, command_id: str, keys: tuple[str, ...]) -> Overrides:
    """The overrides after a command got these keys; its defaults leave no trace."""
    changed = {name: value for name, value in overrides if name != command_id}
    keys = tuple(portable(key) for key in keys)
    if keys != tuple(portable(key) for key in COMMANDS[command_id].keys):
        changed[command_id] = "; ".join(keys)
    return tuple(sorted(changed.items()))


def taken_over(overrides: Overrides, command_id: str, key: str) -> Overrides:
    """The overrides after a command got a key as its first, and whoever had it lost it."""
    overrides = _without(key, overrides, besides=command_id)
    others = keys_of(COMMANDS[command_id], overrides)[1:]
    kept = tuple(each for each in others if not _is_same(each, key))
    return with_keys(overrides, command_id, (key, *kept))


def as_default(overrides: Overrides, command_id: str) -> Overrides:
    """The overrides after a command got its default keys back, from whoever has them now."""
    for key in COMMANDS[command_id].keys:
        overrides = _without(key, overrides, besides=command_id)
    return with_keys(overrides, command_id, COMMANDS[command_id].keys)


def _without(key: str, overrides: Overrides, *, besides: str) -> Overrides:
    """Take a key from whoever has it."""
    holder = holder_of(key, overrides)
    if holder is None or holder.id == besides:
        return overrides
    left = tuple(each for each in keys_of(holder, overrides) if not _is_same(each, key))
    return with_keys(overrides, holder.id, left)


def holder_of(key: str, overrides: Overrides = ()) -> Command | None:
    """The command that has this key now."""
    for command in COMMANDS.values():
        if any(_is_same(key, each) for each in keys_of(command, overrides)):
            return command
    return None


def why_not(key: str, command_id: str, overrides: Overrides = ()) -> str:
    """Why a key should not be given to a command, in one sentence; "" if it may.

    Keys for typing are refused; a key that another command has can be taken over.
    """
    if is_for_typing(key):
        return _("{key} is needed for typing.").format(key=shown(key))
    holder = holder_of(key, overrides)
    if holder is not None and holder.id != command_id:
        return _("{key} is the key of “{command}” now.").format(
            key=shown(key), command=plain_text(holder)
        )
    return ""


def is_for_typing(key: str) -> bool:
    """Whether a key writes, moves or deletes in a text."""
    sequence = QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText)
    if any(sequence in QKeySequence.keyBindings(standard) for standard in EDITING_KEYS):
        return True
    *held, struck = portable(key).partition(", ")[0].split("+")
    writes = len(struck) == 1 or struck in _WRITING_KEYS
    return writes and not _COMMAND_KEYS.intersection(held)


def portable(key: str) -> str:
    """A key in the one spelling that is saved."""
    return QKeySequence.fromString(key).toString(QKeySequence.SequenceFormat.PortableText)


def shown(key: str) -> str:
    """A key as the system spells it, for people."""
    return QKeySequence.fromString(key).toString(QKeySequence.SequenceFormat.NativeText)


def plain_text(command: Command) -> str:
    """The name of a command without mnemonic and dots."""
    return _(command.text).replace("&", "").removesuffix("…")


def _split(keys: str) -> tuple[str, ...]:
    return tuple(key.strip() for key in keys.split("; ") if key.strip())


def _is_same(one: str, two: str) -> bool:
    return portable(one) == portable(two)
