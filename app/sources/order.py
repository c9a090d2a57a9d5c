"""The order of pages that come as files: as a person sorts them, page 9 before page 10."""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"(\d+)")

Part = tuple[tuple[int, int, str], ...]
Key = tuple[tuple[tuple[int, Part], ...], str]


def natural_key(name: str) -> Key:
    """Sort key for a file name or a path with '/': numbers by value, letters without case.

    Files of a folder come before its sub-folders; the name itself breaks ties, so that the order
    never depends on the disk.
    """
    *folders, file = name.split("/")
    return (*((1, _part(folder)) for folder in folders), (0, _part(file))), name


def _part(name: str) -> Part:
    return tuple(
        (0, int(piece[:300]), "") if piece.isdecimal() else (1, 0, piece.casefold())
        for piece in _NUMBERS.split(name)
        if piece
    )
