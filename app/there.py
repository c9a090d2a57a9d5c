"""Whether something is there, also where the system refuses to say.

A disk that is no longer connected, a folder that is somebody else's and a name that is too long are
answered with errors; for what is asked here they mean that it is not there.
"""

from __future__ import annotations

from pathlib import Path


def is_there(path: Path) -> bool:
    """Whether there is a file or a folder at this path, as far as anybody can tell."""
    try:
        return path.exists()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder at this path, as far as anybody can tell."""
    try:
        return path.is_dir()
    except OSError:
        return False
