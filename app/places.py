"""The folders of this installation: data, cache, settings, log. Any thread."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from platformdirs import PlatformDirs

from app.errors import StoreError


class Places(NamedTuple):
    """Where things lie; all of them exist."""

    data: Path
    cache: Path
    config: Path
    log: Path
    books: Path  # the databases of the books, within `data`


def places() -> Places:
    """Find the folders, and make those that are missing.

    `INCUNABLE_HOME` puts all of them below one folder (a portable installation, a test).

    Raises:
        StoreError: `places_unwritable`, a folder cannot be made.
    """
    home = os.environ.get("INCUNABLE_HOME")
    found = _below(Path(home).absolute()) if home else _of_the_platform()
    for folder in found:
        _make(folder)
    return found


def _below(home: Path) -> Places:
    data = home / "data"
    return Places(data, home / "cache", home / "config", home / "log", data / "books")


def _of_the_platform() -> Places:
    dirs = PlatformDirs("incunable", appauthor=False)
    data = dirs.user_data_path
    return Places(
        data, dirs.user_cache_path, dirs.user_config_path, dirs.user_log_path, data / "books"
    )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        detail = error.strerror or str(error)
        raise StoreError("places_unwritable", detail=detail, folder=str(folder)) from error
