"""Pages of a PDF that are one JPEG and nothing else; runs in the decoding child.

Their data go straight to the JPEG decoder, which is several times as quick as drawing and gives the
scanner's own pixels. That a page is so is proved first: by the plain form of its drawing orders, or
where these are not plain by comparing with a small drawing of the page.
"""

from __future__ import annotations

import io
import re
from typing import NamedTuple

from PIL import Image, ImageChops, ImageStat

from app.book import PageSize
from app.sources.causes import Undecodable
from app.sources.decode import Header, decode, read_header
from app.sources.limits import Limits
from app.sources.mupdf import Document, Page, raw_stream
from app.sources.pdf_page import PlacedImage, covers_exactly, draw
from app.sources.scaling import Target, target_of

ALIKE = 6.0  # mean difference in levels under which two small drawings are the same
SMALL = (48, 48)

_ONE_IMAGE = re.compile(rb"\s*(q\s+)?[-+.\d]+(\s+[-+.\d]+){5}\s+cm\s+/\S+\s+Do(\s+Q)?\s*")
_PROFILE = re.compile(r"/ICCBased\s+(\d+)\s+0\s+R")
_TURNS = {
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


class Jpeg(NamedTuple):
    """The image that is the page."""

    xref: int
    rotation: int  # /Rotate: 0, 90, 180 or 270, clockwise
    profile: bytes | None  # where its colours are not sRGB


def only_jpeg(page: Page, images: list[PlacedImage], kinds: list[str]) -> Jpeg | None:
    """The JPEG that is all one sees of the page, or None."""
    if not _is_one_image(images, kinds) or not covers_exactly(images[0], page):
        return None
    jpeg = _jpeg(page, images[0])
    if jpeg is None or not _is_as_told(page, jpeg, images[0]):
        return None
    return jpeg if _has_plain_form(page, jpeg) or _looks_the_same(page, jpeg, images[0]) else None


def decode_jpeg(document: Document, jpeg: Jpeg, target: Target) -> Image.Image:
    """The page at the target's size.

    Raises:
        Undecodable: the JPEG ends too early or is damaged.
    """
    lying = jpeg.rotation in (90, 270)
    size = (target.height_px, target.width_px) if lying else target[:2]
    image = decode(_header(document, jpeg.xref), Target(*size, target.scale), profile=jpeg.profile)
    turn = _TURNS.get(jpeg.rotation)
    return image if turn is None else image.transpose(turn)


def _is_one_image(images: list[PlacedImage], kinds: list[str]) -> bool:
    """One opaque image; before it anything, for it is hidden, after it nothing that is seen."""
    if len(images) != 1 or images[0].has_mask or images[0].bits != 8:
        return False
    if kinds.count("fill-image") != 1:
        return False
    after = kinds[kinds.index("fill-image") + 1 :]
    return set(after) <= {"ignore-text"}


def _jpeg(page: Page, image: PlacedImage) -> Jpeg | None:
    """The image's object, if it is a JPEG whose colours we can bring into sRGB."""
    objects = [found for found in page.get_images(full=True) if found[2:4] == image[:2]]
    if len(objects) != 1 or objects[0][8] != "DCTDecode" or objects[0][1]:
        return None
    xref = objects[0][0]
    if image.is_grey or image.colours == "DeviceRGB" or "sRGB" in image.colours:
        return Jpeg(xref, page.rotation, None)
    profile = _profile(page.parent, xref) if image.colours.startswith("ICCBased(RGB") else None
    return Jpeg(xref, page.rotation, profile) if profile else None


def _profile(document: Document, xref: int) -> bytes | None:
    kind, value = document.xref_get_key(xref, "ColorSpace")
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]))
    found = _PROFILE.search(value)
    return document.xref_stream(int(found.group(1))) if found else None


def _is_as_told(page: Page, jpeg: Jpeg, image: PlacedImage) -> bool:
    """Whether the JPEG's own header agrees with what the PDF says of it."""
    try:
        header = _header(page.parent, jpeg.xref)
    except Undecodable:
        return False
    mode = "L" if image.is_grey else "RGB"
    return header.image.format in ("JPEG", "MPO") and (
        (header.image.mode, header.image.size) == (mode, image[:2])
    )


def _has_plain_form(page: Page, jpeg: Jpeg) -> bool:
    """Whether the page's only order is to draw the image, and the image is drawn as it is."""
    odd = ("Decode", "DecodeParms", "Mask", "SMask", "ImageMask")
    return _ONE_IMAGE.fullmatch(page.read_contents()) is not None and all(
        page.parent.xref_get_key(jpeg.xref, key)[0] == "null" for key in odd
    )


def _looks_the_same(page: Page, jpeg: Jpeg, image: PlacedImage) -> bool:
    width, height = round(page.rect.width), round(page.rect.height)
    target = target_of(PageSize(max(1, width), max(1, height)), fit=SMALL, scale=1.0)
    try:
        drawn = draw(page, target, is_grey=image.is_grey)
        decoded = decode_jpeg(page.parent, jpeg, target)
    except Undecodable:
        return False
    difference = ImageChops.difference(drawn.convert("RGB"), decoded.convert("RGB"))
    return max(ImageStat.Stat(difference).mean) < ALIKE


def _header(document: Document, xref: int) -> Header:
    """The JPEG's header without what a PDF does not heed: EXIF orientation, its own profile."""
    header = read_header(io.BytesIO(raw_stream(document, xref)), Limits(page_pixels=1 << 62))
    header.image.info.pop("icc_profile", None)
    return header._replace(orientation=1)
