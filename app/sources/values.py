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
    METS = "mets"  # images that a METS file lists


@dataclass(frozen=True)
class SourceInfo:
    """What is known of a source once it is open; nothing of it needed a page to be decoded."""

    kind: SourceKind
    paths: tuple[Path, ...]  # absolute, in the order of the pages
    page_count: int
    names: tuple[str, ...]  # member or file name of each page; "" for pages of a PDF or TIFF
    labels: tuple[str, ...]  # page labels of a PDF or METS file; "" where there is none
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


class Place(NamedTuple):
    """Where the image of a page lies."""

    image: int  # number in its source, from 0; -1: nowhere
    path: Path | None = None  # of another file than the book's own


class Word(NamedTuple):
    """One word of an old text layer, in pixels of the master."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    block: int  # words of one block follow each other
    line: int  # within the block


class PdfObject(NamedTuple):
    """An object of a PDF: an image, or what one needs."""

    number: int  # others refer to it as "7 0 R"
    text: str  # as PDF writes it, without /Length
    data: bytes | None  # its stream as it lies in the file; None: it has none


class PartPlace(NamedTuple):
    """An image on a page."""

    number: int  # of its `PdfObject`
    matrix: tuple[float, float, float, float, float, float]
    """Maps the unit square to points from the upright page's lower left corner, y up."""
    paint: str = ""  # how a PDF sets the colour of a stencil: "0 g"


@dataclass(frozen=True)
class PageParts:
    """A page that is images and nothing else, so that a PDF may take them over unchanged."""

    width_pt: float
    height_pt: float
    places: tuple[PartPlace, ...]  # in the order of drawing
    objects: tuple[PdfObject, ...]


class PlainPage(NamedTuple):
    """What a page says in plain text."""

    anchors: tuple[str, ...] = ()  # names by which it is linked to
    words: tuple[str, ...] = ()  # in the order of the file


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

    def plain_page(self, page: int) -> PlainPage:
        """Its text in the order of the file; nothing where there is none."""
        ...

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """The page's image data as they lie in the file; None where that cannot be taken over."""
        ...
