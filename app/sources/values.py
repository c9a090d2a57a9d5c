"""What crosses between the decoding child and the rest, as frozen values. No decoding here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from app.book import Details, PageSize


class SourceKind(StrEnum):
    """What was opened."""

    PDF = "pdf"
    FOLDER = "folder"  # a folder of images, or several image files
    TIFF = "tiff"  # one TIFF of several pages
    CBZ = "cbz"
    DJVU = "djvu"
    IMAGE = "image"  # one image


@dataclass(frozen=True)
class SourceInfo:
    """What is known of a source once it is open; nothing of it needed a page to be decoded."""

    kind: SourceKind
    paths: tuple[Path, ...]  # absolute, in the order of the pages
    page_count: int
    names: tuple[str, ...]  # member or file name of each page; "" for pages of a PDF or TIFF
    labels: tuple[str, ...]  # page labels of a PDF; "" where there is none
    fingerprint: str  # quick, see `app.sources.fingerprints`
    details: Details
    has_text_layer: bool  # some of the pages looked at carry text


@dataclass(frozen=True)
class PageInfo:
    """A page's master, and what tells its image from every other."""

    size: PageSize
    fingerprint: str  # of the page's own image data, as it lies in the file


@dataclass(frozen=True)
class Raster:
    """Pixels of one page, upright, on white."""

    width_px: int
    height_px: int
    channels: Literal[1, 3]  # grey, or RGB in sRGB
    data: bytes  # row-major, no padding, 8 bits a channel
    scale: float  # pixels of the raster for one pixel of the master, at most 1


class Word(NamedTuple):
    """One word of an old text layer, in pixels of the master."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    block: int  # words of one block follow each other
    line: int  # within the block


class Pages(Protocol):
    """What the child can do with one open source; page numbers start at 0."""

    info: SourceInfo

    def page_info(self, page: int) -> PageInfo:
        """Size and fingerprint of a page."""
        ...

    def render(self, page: int, *, fit: tuple[int, int] | None, scale: float) -> Raster:
        """The page at the largest scale up to `scale` that fits into the box."""
        ...

    def words(self, page: int) -> list[Word]:
        """The old text layer, [] where there is none."""
        ...
