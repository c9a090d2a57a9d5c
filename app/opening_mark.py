"""A mark on the disk while a book is opened: who finds it at the next start knows of a crash.

It is set when the opening begins and taken away once the book has stood open for a moment, when the
opening is refused, and when the program ends in order. So a book that takes the program with it is
not opened a second time without asking.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from app.settings import Settings
from model.api import Engine

log = logging.getLogger(__name__)

MARK_NAME = "opening.json"
"""In the folder `Places.data`."""


class OpeningMark:
    """The mark of this installation. Any thread; a few bytes, never waited for."""

    def __init__(self, data: Path) -> None:
        self._path = data / MARK_NAME

    def left_behind(self) -> tuple[Path, ...]:
        """What was being opened when the program ended without a word; () after a good end."""
        try:
            said: Any = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            return (self._path,)  # nobody can say what it was
        paths = cast("list[object]", said) if isinstance(said, list) else []
        return tuple(Path(str(path)) for path in paths)

    def set(self, paths: Sequence[Path]) -> None:
        """The opening of a book begins."""
        said = json.dumps([str(path) for path in paths])
        new = self._path.with_suffix(".new")
        try:
            new.write_text(said, encoding="utf-8", errors="surrogatepass")
            new.replace(self._path)
        except OSError:
            log.info("the mark of an opening cannot be set", exc_info=True)

    def remove(self) -> None:
        """The opening went well, or was refused in words."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def safe(settings: Settings) -> Settings:
    """Settings under which the least can go wrong: no card, no weights, nothing reads but lines."""
    return replace(settings, engine=Engine.LINE_READER, device="cpu", checkpoint=None)
