"""Fingerprints: a quick one of a whole source, an exact one of each page's own image data.

A source is known again by sizes and the first and last MiB, which takes milliseconds for a book of
a gigabyte; a folder by the names and sizes of its images. Hashes are SHA-256, shortened to 32 hex
digits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

MEBIBYTE = 1 << 20
HEX_DIGITS = 32


def of_file(path: Path) -> str:
    """The quick fingerprint of one file: its size, its first and its last MiB."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(MEBIBYTE)
        file.seek(max(0, size - MEBIBYTE))
        return of_parts([b"%d" % size, head, file.read(MEBIBYTE)])


def of_files(paths: Iterable[Path]) -> str:
    """The quick fingerprint of several files: their names and sizes, whatever their folder."""
    entries = sorted((path.name, path.stat().st_size) for path in paths)
    return of_parts(f"{name}\0{size}".encode(errors="surrogateescape") for name, size in entries)


def of_parts(parts: Iterable[bytes]) -> str:
    """The fingerprint of some pieces of data; where they are cut apart matters."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()[:HEX_DIGITS]


def of_content(file: BinaryIO) -> str:
    """The fingerprint of everything in a file, a MiB at a time."""
    file.seek(0)
    digest = hashlib.sha256()
    while block := file.read(MEBIBYTE):
        digest.update(block)
    return digest.hexdigest()[:HEX_DIGITS]
