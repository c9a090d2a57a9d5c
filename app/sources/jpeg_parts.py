"""A JPEG file as a PDF takes it over, byte for byte; runs in the decoding child.

Nothing is decoded. The EXIF orientation, which a PDF does not heed, becomes the image's place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.sources.decode import Header
from app.sources.scaling import size_pt
from app.sources.values import PageParts, PartPlace, PdfObject

if TYPE_CHECKING:
    from PIL import Image

_IMAGE, _PROFILE = 1, 2
_TURNED = {  # EXIF orientation to the place of the unit square in the unit square
    1: (1, 0, 0, 1, 0, 0),
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}


class Colours(NamedTuple):
    """How the pixels of a JPEG are meant."""

    space: str  # PDF's name
    channels: int
    mark: bytes  # of an ICC profile that fits


_COLOURS = {
    "L": Colours("/DeviceGray", 1, b"GRAY"),
    "RGB": Colours("/DeviceRGB", 3, b"RGB "),
    "CMYK": Colours("/DeviceCMYK", 4, b"CMYK"),
}


def jpeg_parts(header: Header, data: bytes, *, archival: bool) -> PageParts | None:
    """The page; None where its colours have no place in the PDF.

    Args:
        header: what was read of the file.
        data: the whole file.
        archival: only what PDF/A-2 allows beside an output intent of sRGB.
    """
    image = header.image
    colours = _COLOURS.get(image.mode)
    if colours is None or (archival and image.mode == "CMYK"):
        return None
    objects = [PdfObject(_IMAGE, _text(image, colours), data)]
    profile = _profile(image, colours)
    if profile:
        text = f"<</N {colours.channels}/Alternate{colours.space}>>"
        objects.append(PdfObject(_PROFILE, text, profile))
    width, height = size_pt(header.size)
    place = PartPlace(_IMAGE, _place(header.orientation, width, height))
    return PageParts(width, height, (place,), tuple(objects))


def _text(image: Image.Image, colours: Colours) -> str:
    space = f"[/ICCBased {_PROFILE} 0 R]" if _profile(image, colours) else colours.space
    inverted = image.mode == "CMYK" and "adobe" in image.info  # as Photoshop writes them
    decode = "/Decode[1 0 1 0 1 0 1 0]" if inverted else ""
    return (
        f"<</Type/XObject/Subtype/Image/Width {image.width}/Height {image.height}"
        f"/ColorSpace{space}/BitsPerComponent 8{decode}/Filter/DCTDecode>>"
    )


def _profile(image: Image.Image, colours: Colours) -> bytes:
    profile: bytes = image.info.get("icc_profile") or b""
    return profile if profile[16:20] == colours.mark and profile[36:40] == b"acsp" else b""


def _place(
    orientation: int, width: float, height: float
) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = _TURNED[orientation if orientation in _TURNED else 1]
    return a * width, b * height, c * width, d * height, e * width, f * height
