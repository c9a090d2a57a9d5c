"""Changed keys as a JSON file, to be taken to another machine. Small files, on the UI thread.

The file is `{"keys": {command id: [key, ...]}}`, keys in their portable names, an empty list for no
key; what it does not name has its default.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from app.language import _, plural
from ui import shortcuts
from ui.commands import COMMANDS

_TOLD = 4


class Taken(NamedTuple):
    """What came out of a file."""

    overrides: shortcuts.Overrides
    left_out: tuple[str, ...]  # a sentence for each key that could not be taken


def save(path: Path, overrides: shortcuts.Overrides) -> None:
    """Write the changed keys, in one step.

    Raises:
        OSError: what was there is as it was.
    """
    keys = {name: shortcuts.keys_of(COMMANDS[name], overrides) for name in _known(overrides)}
    new = path.with_name(f"{path.name}.new")
    new.write_text(f"{json.dumps({'keys': keys}, indent=2)}\n", encoding="utf-8")
    new.replace(path)


def take(path: Path) -> Taken:
    """Read keys; one that clashes is left out, as if it had been pressed in the list of keys.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no keys.
    """
    given = _read(path)
    left_out = [
        _("There is no command “{id}”.").format(id=name) for name in given if name not in COMMANDS
    ]
    given = {name: keys for name, keys in given.items() if name in COMMANDS}
    overrides: shortcuts.Overrides = ()
    for name in given:  # first all are let go, so that two commands may change their keys
        overrides = shortcuts.with_keys(overrides, name, ())
    for name, keys in given.items():
        for key in dict.fromkeys(keys):
            why_not = _why_not(key, name, overrides)
            if why_not:
                left_out.append(why_not)
            else:
                held = shortcuts.keys_of(COMMANDS[name], overrides)
                overrides = shortcuts.with_keys(overrides, name, (*held, key))
    return Taken(overrides, tuple(left_out))


def in_short(left_out: Sequence[str]) -> str:
    """The first few of what was left out, and how many more there are."""
    more = len(left_out) - _TOLD
    rest = [plural("And {n} more.", "And {n} more.", more)] if more > 0 else []
    return " ".join((*left_out[:_TOLD], *rest))


def _known(overrides: shortcuts.Overrides) -> list[str]:
    return [name for name, _keys in overrides if name in COMMANDS]


def _read(path: Path) -> dict[str, list[str]]:
    content: Any = json.loads(path.read_bytes())
    keys: Any = content.get("keys") if isinstance(content, dict) else None
    if not isinstance(keys, dict):
        raise ValueError(path)  # noqa: TRY004 - one kind of error for a file that is another's
    for held in cast("dict[str, Any]", keys).values():
        if not isinstance(held, list) or not all(isinstance(key, str) for key in held):
            raise ValueError(path)
    return cast("dict[str, list[str]]", keys)


def _why_not(key: str, command_id: str, overrides: shortcuts.Overrides) -> str:
    if not shortcuts.portable(key):
        return _("“{key}” is no key.").format(key=key)
    came_with_it = key in COMMANDS[command_id].keys  # as Page Down, which moves in texts too
    if came_with_it and shortcuts.holder_of(key, overrides) is None:
        return ""
    return shortcuts.why_not(key, command_id, overrides)
