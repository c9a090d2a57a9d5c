"""The picture of a page in a PDF: the scan's own image data, unchanged where that can be.

What the decoding child could take out of the file is copied stream by stream; anything else is
written without loss from the page's pixels. A page that cannot be shown at all is crossed out, so
that nobody takes it for a blank one.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from PIL import Image

from app.book import PageSize
from app.errors import SourceError
from app.export.images import PageImages
from app.export.pdf_file import PdfFile, real
from app.sources.scaling import size_pt
from app.sources.values import PageParts, PartPlace, PdfObject, Raster

_REFERENCE = re.compile(r"(\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>)|(\d+) \d+ R")
_KEPT = 400  # objects that later pages may share: profiles, palettes, both halves of a spread


class Picture(NamedTuple):
    """How a page looks."""

    width_pt: float
    height_pt: float
    orders: bytes  # draw it
    images: dict[str, int]  # objects by the names that the orders use


@dataclass
class Pictures:
    """Writes the pictures of one file; what several pages share is written once."""

    file: PdfFile
    images: PageImages
    archival: bool
    _written: dict[tuple[str, bytes], int] = field(default_factory=dict[tuple[str, bytes], int])

    def of(self, page: int, size: PageSize) -> Picture:
        """Write one page's image data.

        Raises:
            SourceError: the whole scan is not there; a page that is damaged is crossed out.
        """
        try:
            parts = self.images.parts(page, archival=self.archival)
            if parts is None:
                parts = _lossless(self.images.raster(page), self.images.size(page))
        except SourceError as error:
            if error.code.startswith("page_"):
                return _crossed_out(size)
            raise
        return self._picture(parts)

    def _picture(self, parts: PageParts) -> Picture:
        numbers = self._copied(parts.objects)
        orders = [
            f"q {place.paint} {' '.join(map(real, place.matrix))} cm /I{index} Do Q"
            for index, place in enumerate(parts.places)
        ]
        names = {f"I{index}": numbers[place.number] for index, place in enumerate(parts.places)}
        return Picture(parts.width_pt, parts.height_pt, "\n".join(orders).encode("ascii"), names)

    def _copied(self, objects: tuple[PdfObject, ...]) -> dict[int, int]:
        """Numbers in the file by numbers in the source."""
        numbers: dict[int, int] = {}
        for each in _needed_first(objects):
            text = _REFERENCE.sub(lambda match: _renumbered(match, numbers), each.text)
            numbers[each.number] = self._number_of(text, each.data)
        return numbers

    def _number_of(self, text: str, data: bytes | None) -> int:
        """The number of an object, which is written unless a page before has brought it."""
        key = (text, hashlib.sha256(data or b"").digest())
        number = self._written.pop(key, None)
        if number is None:
            number = self._add(text, data)
            while len(self._written) >= _KEPT:
                del self._written[next(iter(self._written))]
        self._written[key] = number  # the last one used is forgotten last
        return number

    def _add(self, text: str, data: bytes | None) -> int:
        return self.file.add(text) if data is None else self.file.add_stream(text, data)


def _needed_first(objects: tuple[PdfObject, ...]) -> Iterator[PdfObject]:
    """The objects, each after those that it refers to."""
    left = {each.number: each for each in objects}
    waiting = list(reversed(objects))
    opened: set[int] = set()
    while waiting:
        each = waiting[-1]
        needed = [left[n] for n in _needs(each) if n in left and n not in opened]
        opened.add(each.number)
        if needed:
            waiting += needed
        else:
            waiting.pop()
            if left.pop(each.number, None):
                yield each


def _needs(one: PdfObject) -> Iterator[int]:
    return (int(match[2]) for match in _REFERENCE.finditer(one.text) if match[2])


def _renumbered(match: re.Match[str], numbers: dict[int, int]) -> str:
    if not match[2]:
        return match[0]
    number = numbers.get(int(match[2]))
    return "null" if number is None else f"{number} 0 R"


def _lossless(raster: Raster, size: PageSize) -> PageParts:
    """The pixels as they are: one bit each where all are black or white."""
    width, height = size_pt(size)
    mode = "L" if raster.channels == 1 else "RGB"
    image = Image.frombuffer(mode, (raster.width_px, raster.height_px), raster.data)
    if mode == "L" and {value for _count, value in image.getcolors(2) or [(0, 1)]} <= {0, 255}:
        image = image.convert("1")
    bits = 1 if image.mode == "1" else 8
    text = (
        f"<</Type/XObject/Subtype/Image/Width {image.width}/Height {image.height}"
        f"/ColorSpace/{'DeviceRGB' if mode == 'RGB' else 'DeviceGray'}/BitsPerComponent {bits}"
        f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {raster.channels}"
        f"/BitsPerComponent {bits}/Columns {image.width}>>>>"
    )
    place = PartPlace(1, (width, 0, 0, height, 0, 0))
    return PageParts(width, height, (place,), (PdfObject(1, text, _packed(image)),))


def _packed(image: Image.Image) -> bytes:
    """The pixels as PNG packs them, which is what PDF's predictor 15 undoes."""
    written = io.BytesIO()
    image.save(written, "PNG")
    png, at = written.getvalue(), 8
    data: list[bytes] = []
    while at < len(png):
        length, name = struct.unpack_from(">I4s", png, at)
        if name == b"IDAT":
            data.append(png[at + 8 : at + 8 + length])
        at += 12 + length
    return b"".join(data)


def _crossed_out(size: PageSize) -> Picture:
    width, height = size_pt(size)
    right, top = real(width), real(height)
    orders = f"q 0.6 G 2 w 0 0 m {right} {top} l S 0 {top} m {right} 0 l S Q"
    return Picture(width, height, orders.encode("ascii"), {})
