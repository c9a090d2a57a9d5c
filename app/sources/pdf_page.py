"""One page of a PDF: how large its master is, and how it is drawn; runs in the decoding child.

The master of a page is what the scanner made: where images cover the page it is drawn at their
resolution (72 to 600 dpi), where one image is the whole page at that image's own size, else at
300 dpi; sheets that would pass 100 megapixels are drawn less finely.

MuPDF draws what it can of a damaged image and only murmurs; `draw` listens and refuses the page.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from PIL import Image

from app.book import PageSize
from app.errors import SourceError
from app.sources.causes import Undecodable
from app.sources.colours import on_screen
from app.sources.mupdf import Page, answering, mupdf
from app.sources.scaling import Target

LEAST_DPI, DRAWN_DPI, MOST_DPI = 72.0, 300.0, 600.0
MOST_DRAWN_PIXELS = 100e6
SCAN_COVERS = 0.8  # share of the page that images cover together, to call it a scan
PART_COVERS = 0.05  # share of the page from which an image counts for the resolution

_MAYBE_LOST = "page may not be correct"
_LOST_PIXELS = re.compile(
    r"padding truncated image|premature end of file in jpeg|Failed to (read|decode) JPX"
    r"|Ignoring error during interpretation|cannot find XObject|jbig2dec error|jpeg error"
)


class Matrix(NamedTuple):
    """Maps the unit square: x' = a x + c y + e, y' = b x + d y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float


class PlacedImage(NamedTuple):
    """An image on the page, before /Rotate."""

    width_px: int
    height_px: int
    matrix: Matrix  # unit square to points from the page's top left corner
    colours: str  # MuPDF's name of the colour space
    bits: int
    has_mask: bool

    @property
    def width_pt(self) -> float:
        """Length of the image's upper edge."""
        return math.hypot(self.matrix.a, self.matrix.b)

    @property
    def height_pt(self) -> float:
        """Length of the image's left edge."""
        return math.hypot(self.matrix.c, self.matrix.d)

    @property
    def area(self) -> float:
        """Square points that it covers."""
        return self.width_pt * self.height_pt

    @property
    def dpi(self) -> float:
        """The finer one of its two resolutions."""
        across = self.width_px * 72 / max(self.width_pt, 1e-3)
        return max(across, self.height_px * 72 / max(self.height_pt, 1e-3))

    @property
    def is_upright(self) -> bool:
        """Neither turned nor mirrored."""
        matrix = self.matrix
        return abs(matrix.b) < 1e-3 > abs(matrix.c) and matrix.a > 0 < matrix.d

    @property
    def is_grey(self) -> bool:
        """Whether its colour space knows no colour."""
        return self.colours.startswith(("DeviceGray", "CalGray", "ICCBased(Gray"))


def images_on(page: Page) -> list[PlacedImage]:
    """The images that the page draws, in the order of drawing; none is decoded."""
    found: list[dict[str, Any]] = answering(page.get_image_info)
    return [
        PlacedImage(
            image["width"],
            image["height"],
            Matrix(*image["transform"]),
            image["cs-name"],
            image["bpc"],
            image["has-mask"],
        )
        for image in found
    ]


def kinds_drawn(page: Page) -> list[str]:
    """What the page draws, such as "fill-image" or "ignore-text", in the order of drawing."""
    return [entry[0] for entry in answering(page.get_bboxlog)]


def master_of(page: Page, images: list[PlacedImage]) -> PageSize:
    """The size of the page's master, /Rotate applied."""
    width_pt, height_pt = page.rect.width, page.rect.height
    if width_pt <= 0 or height_pt <= 0:
        raise SourceError("page_zero_size")
    if len(images) == 1 and covers_exactly(images[0], page) and images[0].dpi <= MOST_DPI + 1:
        return _size_of_image(images[0], page)
    dpi = _scan_dpi(images, width_pt * height_pt) or _drawn_dpi(width_pt, height_pt)
    return PageSize(
        max(1, round(width_pt * dpi / 72)), max(1, round(height_pt * dpi / 72)), round(dpi, 2)
    )


def covers_exactly(image: PlacedImage, page: Page) -> bool:
    """Whether the image is the whole page, upright, its edges within half a pixel of the page's."""
    if not image.is_upright:
        return False
    half_x, half_y = image.width_pt / image.width_px / 2, image.height_pt / image.height_px / 2
    box = page.cropbox
    return (
        abs(image.matrix.e) <= half_x
        and abs(image.matrix.f) <= half_y
        and abs(image.matrix.e + image.width_pt - box.width * _unit(page)) <= half_x
        and abs(image.matrix.f + image.height_pt - box.height * _unit(page)) <= half_y
    )


def is_all_grey(images: list[PlacedImage], kinds: list[str]) -> bool:
    """Whether nothing on the page can have a colour."""
    return set(kinds) <= {"fill-image", "ignore-text"} and all(image.is_grey for image in images)


def draw(page: Page, target: Target, *, is_grey: bool) -> Image.Image:
    """Draw a page with MuPDF, upright, grey or sRGB.

    Raises:
        Undecodable: an image of the page is damaged, or memory was not enough.
    """
    mupdf.TOOLS.reset_mupdf_warnings()
    zoom = mupdf.Matrix(target.width_px / page.rect.width, target.height_px / page.rect.height)
    colours = mupdf.csGRAY if is_grey else mupdf.csRGB
    pixels = answering(lambda: page.get_pixmap(matrix=zoom, colorspace=colours, alpha=False))
    if _is_incomplete(page, mupdf.TOOLS.mupdf_warnings()):
        raise Undecodable("damaged_image")
    image = Image.frombuffer(
        "L" if is_grey else "RGB", (pixels.width, pixels.height), pixels.samples
    )
    size = (target.width_px, target.height_px)
    return on_screen(image if image.size == size else image.resize(size), None)


def _is_incomplete(page: Page, murmurs: str) -> bool:
    """Whether pixels were lost: said so, or passed over with an image that is not drawn at all."""
    if _LOST_PIXELS.search(murmurs):
        return True
    return _MAYBE_LOST in murmurs and len(page.get_images()) > len(images_on(page))


def _size_of_image(image: PlacedImage, page: Page) -> PageSize:
    dpi = round(image.dpi, 2)
    if page.rotation in (90, 270):
        return PageSize(image.height_px, image.width_px, dpi)
    return PageSize(image.width_px, image.height_px, dpi)


def _scan_dpi(images: list[PlacedImage], page_area: float) -> float | None:
    """The finest resolution of the images that make up a scanned page; None: it is no scan."""
    parts = [image for image in images if image.area >= page_area * PART_COVERS]
    if sum(image.area for image in parts) < page_area * SCAN_COVERS:
        return None
    return min(MOST_DPI, max(LEAST_DPI, *(image.dpi for image in parts)))


def _drawn_dpi(width_pt: float, height_pt: float) -> float:
    return min(DRAWN_DPI, math.sqrt(MOST_DRAWN_PIXELS / (width_pt * height_pt)) * 72)


def _unit(page: Page) -> float:
    """/UserUnit: `cropbox` does not know of it, all else does."""
    turned = page.rotation in (90, 270)
    return (page.rect.height if turned else page.rect.width) / page.cropbox.width
