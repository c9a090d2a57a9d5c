"""A lock between processes, held by the operating system and gone with the process that held it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Self

if sys.platform == "win32":
    import msvcrt

    def _hold(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _hold(file: int) -> None:
        # flock and not lockf: the latter is let go of when any handle of the process is closed
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Held from `take` to `release`. The file itself stays: to remove it would be a race."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Take the lock, or return None when another process or another part of this one has it.

        Raises:
            OSError: the file cannot be made or opened.
        """
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _hold(file)
        except OSError:
            os.close(file)
            return None
        return cls(file)

    def release(self) -> None:
        """Let go; calling it again does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
