"""A folder with one file a page and a METS file that binds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from app.export.layout import LaidPage, PagedBook
from app.export.mets import NAME, PageFile, mets_bytes, page_file

PageBytes = Callable[[PagedBook, LaidPage], bytes]

_UNSAFE = re.compile(r'[\x00-\x1f/\\:*?"<>|]')
_LONGEST = 150  # letters; a file system takes 255 bytes


def write(
    book: PagedBook, folder: Path, page_bytes: PageBytes, *, suffix: str, media_type: str
) -> None:
    """Write a book page by page.

    Args:
        book: its pages are gone through once.
        folder: is there, and empty.
        page_bytes: makes the file of one page.
        suffix: of those files, with its dot.
        media_type: of those files.
    """
    taken: Counter[str] = Counter()
    files: list[PageFile] = []
    for page in book.pages():
        data = page_bytes(book, page)
        name = _file_name(page, taken, suffix)
        (folder / name).write_bytes(data)
        files.append(page_file(page, name, data))
    (folder / NAME).write_bytes(mets_bytes(book, files, media_type=media_type))


def _file_name(page: LaidPage, taken: Counter[str], suffix: str) -> str:
    """The scan's own name, which other programs look for, or the number of the page."""
    stem = PurePosixPath(page.page.name).stem if page.page.name else ""
    plain = _UNSAFE.sub("_", stem).strip(". ")[:_LONGEST]
    name = plain or f"page_{page.page.number + 1:04d}"
    taken[name.casefold()] += 1
    if taken[name.casefold()] > 1 or name.casefold() == "mets":
        name = f"{name}_{page.page.number + 1:04d}"
        taken[name.casefold()] += 1
    return f"{name}{suffix}"
