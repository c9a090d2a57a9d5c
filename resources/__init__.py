"""Files that come with the application; every layer may ask where one lies."""

from __future__ import annotations

from pathlib import Path

_ROOM = Path(__file__).parent


def path(name: str) -> Path:
    """Where a file or folder of `resources` lies, e.g. `path("sample/book.pdf")`."""
    return _ROOM / name
