"""A folder of page files: what each is, by what stands in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from app.importing import alto_file, hocr_file, page_file
from app.importing.found import FoundLine, FoundPage, region_of
from app.importing.tree import Unreadable, bytes_of, html_tree, xml_tree
from model.api import Kind

_XML = frozenset({".xml", ".page", ".alto"})
_HTML = frozenset({".hocr", ".html", ".htm", ".xhtml"})
_TEXT = frozenset({".txt"})
_BREAK = re.compile(r"\n[ \t]*\n\s*")
MOST_FILES = 50_000


class FoundFile(NamedTuple):
    """A file and its pages, or why it has none."""

    path: Path
    format: str  # "ALTO", "PAGE", "hOCR", "text"
    pages: tuple[FoundPage, ...]
    trouble: str = ""


def files_in(folder: Path) -> list[Path]:
    """The files of a folder that may be pages, in the order of their names; folders stay closed."""
    known = _XML | _HTML | _TEXT
    found = (each for each in folder.iterdir() if each.suffix.lower() in known)
    return sorted(found, key=_natural)[:MOST_FILES]


def read_file(path: Path) -> FoundFile | None:
    """The pages of one file; None for a file that is about others, such as METS."""
    try:
        return _read(path)
    except Unreadable as error:
        return FoundFile(path, "", (), str(error))


def _read(path: Path) -> FoundFile | None:
    data = bytes_of(path)
    suffix = path.suffix.lower()
    if suffix in _TEXT:
        return FoundFile(path, "text", (_plain(data),))
    root = html_tree(data) if suffix in _HTML else xml_tree(data)
    match root.tag:
        case "PcGts":
            return FoundFile(path, "PAGE", tuple(page_file.pages_of(root)))
        case "alto":
            return FoundFile(path, "ALTO", tuple(alto_file.pages_of(root)))
        case "mets":
            return None
        case _ if hocr_file.is_hocr(root):
            return FoundFile(path, "hOCR", tuple(hocr_file.pages_of(root)))
        case name:
            raise Unreadable(f"<{name}>")


def _plain(data: bytes) -> FoundPage:
    """A page of plain text: empty lines part its regions."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(str(error)) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\f\n ")
    parts = [part for part in _BREAK.split(text) if part.strip()]
    regions = (
        region_of(Kind.TEXT, [FoundLine(line, None) for line in part.split("\n")], None)
        for part in parts
    )
    return FoundPage((), None, None, (tuple(regions),))


def _natural(path: Path) -> list[tuple[int, int, str]]:
    """Names with their numbers by value: page 2 before page 10."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return [(0, int(part[:18]), "") if part.isdecimal() else (1, 0, part) for part in parts]
