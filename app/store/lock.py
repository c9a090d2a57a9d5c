"""A lock between processes, held by the operating system and gone with the process that held it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Self

from app.errors import StoreError

if sys.platform == "win32":
    import msvcrt

    def _hold(file: int, *, wait: bool) -> None:
        msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _hold(file: int, *, wait: bool) -> None:
        # flock and not lockf: the latter is let go of when any handle of the process is closed
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


HELD = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
"""How the systems say that another has the lock."""


class FileLock:
    """Held until `release`. The file itself stays: to remove it would be a race."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Take the lock, or return None when another process or another part of this one has it.

        Raises:
            OSError: the file cannot be made, or the disk knows no locks.
        """
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _hold(file, wait=False)
        except OSError as error:
            os.close(file)
            if error.errno in HELD:
                return None
            raise
        return cls(file)

    @classmethod
    def wait(cls, path: Path) -> Self:
        """Take the lock as soon as whoever has it lets go; for what is held for moments only.

        Raises:
            OSError: the file cannot be made, or the disk knows no locks.
        """
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _hold(file, wait=True)
        except OSError:
            os.close(file)
            raise
        return cls(file)

    def release(self) -> None:
        """Let go; calling it again does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def lock_path(path: Path) -> Path:
    """The file beside a database that its lock is taken on."""
    return path.with_name(f"{path.name}.lock")


def lock_for_writing(path: Path) -> tuple[FileLock, None] | tuple[None, StoreError]:
    """The lock of a database, or why nothing can be written to it."""
    try:
        lock = FileLock.take(lock_path(path))
    except OSError as error:
        detail = error.strerror or str(error)
        return None, StoreError("store_unwritable", detail=detail, folder=str(path.parent))
    return (lock, None) if lock else (None, StoreError("store_locked"))
