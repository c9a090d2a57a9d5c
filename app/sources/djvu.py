"""Books that are DjVu files, drawn by DjVuLibre's `ddjvu` where it is installed.

Runs in the decoding child, whose limits the program inherits. Where the pages lie and how large
they are is read here (DjVu3 reference, 'DIRM' and 'INFO'), so that opening starts no program at
all. Old text layers are not read.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from PIL import Image

from app.book import Details, PageSize
from app.errors import SourceError
from app.sources import fingerprints
from app.sources.causes import Undecodable
from app.sources.colours import on_screen
from app.sources.decode import to_raster
from app.sources.limits import Limits, check_page
from app.sources.scaling import Target, likely_dpi, target_of
from app.sources.values import PageInfo, PageParts, PlainPage, Raster, SourceInfo, SourceKind, Word

MARK = b"AT&TFORM"
_FORM_AT = 4  # offset of the outermost FORM
_LYING = (5, 6)  # values of the INFO flags for a quarter turn
_COLOUR_CHUNKS = (b"BG44", b"FG44", b"FGbz", b"BGjp", b"FGjp")
_PNM = re.compile(rb"P([56])\s(\d+)\s(\d+)\s255\s")


class PagePlace(NamedTuple):
    """Where a page's own chunk lies."""

    at: int
    length: int


class DjvuPages:
    """One open DjVu file."""

    def __init__(self, path: Path, program: str, places: list[PagePlace], limits: Limits) -> None:
        self._path = path
        self._program = program
        self._places = places
        self._limits = limits
        self.info = SourceInfo(
            kind=SourceKind.DJVU,
            paths=(path,),
            page_count=len(places),
            names=("",) * len(places),
            labels=("",) * len(places),
            fingerprint=fingerprints.of_file(path),
            details=Details(),
            has_text_layer=False,
        )

    def page_info(self, page: int) -> PageInfo:
        """See `Pages`."""
        chunk = self._chunk(page)
        return PageInfo(self._size(chunk), fingerprints.of_parts([chunk]))

    def render(self, page: int, *, fit: tuple[int, int] | None, scale: float) -> Raster:
        """See `Pages`."""
        chunk = self._chunk(page)
        target = target_of(self._size(chunk), fit=fit, scale=scale)
        is_grey = not any(mark in chunk for mark in _COLOUR_CHUNKS)
        image = self._drawn(page, target, is_grey=is_grey)
        return to_raster(on_screen(image, None), target.scale)

    def words(self, page: int) -> list[Word]:
        """Not read."""
        del page
        return []

    def plain_page(self, page: int) -> PlainPage:
        """Not read."""
        del page
        return PlainPage()

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """No PDF knows its kinds of compression."""
        del page, archival

    def _chunk(self, page: int) -> bytes:
        place = self._places[page]
        with self._path.open("rb") as file:
            file.seek(place.at)
            chunk = file.read(place.length)
        if len(chunk) < place.length:
            raise Undecodable("truncated")
        return chunk

    def _size(self, chunk: bytes) -> PageSize:
        size = _size_in(chunk)
        check_page(size, self._limits)
        return size

    def _drawn(self, page: int, target: Target, *, is_grey: bool) -> Image.Image:
        form = "pgm" if is_grey else "ppm"
        order = [
            self._program, f"-format={form}", f"-page={page + 1}", "-aspect=no",
            f"-size={target.width_px}x{target.height_px}", str(self._path),
        ]  # fmt: skip
        done = subprocess.run(order, check=False, capture_output=True, stdin=subprocess.DEVNULL)
        header = _PNM.match(done.stdout)
        if done.returncode or not header:
            raise Undecodable("damaged_image")
        mode, size = "L" if header[1] == b"5" else "RGB", (int(header[2]), int(header[3]))
        if len(done.stdout) - header.end() != size[0] * size[1] * len(mode):
            raise Undecodable("truncated")
        return Image.frombytes(mode, size, done.stdout[header.end() :])


def open_djvu(path: Path, limits: Limits) -> DjvuPages:
    """Open a DjVu file.

    Raises:
        SourceError: `source_unsupported`, where ddjvu is not there or the pages are other files.
        Undecodable: it is damaged.
    """
    program = shutil.which("ddjvu")
    if program is None:
        raise SourceError("source_unsupported", cause="no_ddjvu")
    with path.open("rb") as file:
        places = list(_places(file))
    if not places:
        raise SourceError("source_empty")
    return DjvuPages(path, program, places, limits)


def _places(file: BinaryIO) -> Iterator[PagePlace]:
    """The chunks of the pages, in order; chunks that pages share are no pages."""
    for at in _components(file):
        mark, length, kind = _read(file, at, ">4sI4s")
        if mark == b"FORM" and kind == b"DJVU":
            yield PagePlace(at, length + 8)


def _components(file: BinaryIO) -> tuple[int, ...]:
    _, _, kind = _read(file, _FORM_AT, ">4sI4s")
    if kind != b"DJVM":
        return (_FORM_AT,)
    _, _, flags, count = _read(file, _FORM_AT + 12, ">4sIBH")
    if not flags & 0x80:
        raise SourceError("source_unsupported", cause="djvu_parts")
    return _read(file, _FORM_AT + 12 + 11, f">{count}I")


def _size_in(chunk: bytes) -> PageSize:
    """What the INFO of a page's chunk says, the page turned upright."""
    try:
        mark, width, height = struct.unpack_from(">12x4s4xHH", chunk)
        (dpi,) = struct.unpack_from("<H", chunk, 26)
        flags = chunk[29] & 0b111
    except (struct.error, IndexError) as error:
        raise Undecodable("truncated") from error
    if mark != b"INFO":
        raise Undecodable("damaged_page")
    if flags in _LYING:
        width, height = height, width
    return PageSize(width, height, likely_dpi(dpi))


def _read(file: BinaryIO, at: int, form: str) -> tuple[Any, ...]:
    file.seek(at)
    try:
        return struct.unpack(form, file.read(struct.calcsize(form)))
    except struct.error as error:
        raise Undecodable("truncated") from error
