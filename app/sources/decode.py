"""One image file to pixels, with Pillow; runs in the decoding child only.

The header alone is read first: its size is checked against the limit before anything is decoded.
Then as little as possible is decoded (JPEG and JPEG 2000 at a reduced size), scaled sharply,
brought into sRGB and turned upright. An image that ends too early is refused as a whole: a page
whose lower half is missing must not pass for a finished one.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable
from typing import Any, BinaryIO, Literal, NamedTuple, TypeVar

from PIL import (
    BmpImagePlugin,
    Image,
    ImageFile,
    Jpeg2KImagePlugin,
    JpegImagePlugin,
    MpoImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from app.book import PageSize
from app.errors import SourceError
from app.sources.causes import Undecodable
from app.sources.colours import on_screen, plain
from app.sources.empty import HEAD_BYTES, has_no_area
from app.sources.limits import Limits, check_pixels
from app.sources.scaling import Target, likely_dpi
from app.sources.values import Raster

warnings.simplefilter("ignore")  # Pillow's hints on odd files; what matters is raised
Image.MAX_IMAGE_PIXELS = None  # `check_pixels` decides, with the limit of the settings
ImageFile.LOAD_TRUNCATED_IMAGES = False

FORMATS = ("JPEG", "PNG", "TIFF", "JPEG2000", "WEBP", "BMP", "DIB")
PLUGINS = (  # importing them registers the formats; Pillow's other parsers are never loaded
    JpegImagePlugin, MpoImagePlugin, PngImagePlugin, TiffImagePlugin, Jpeg2KImagePlugin,
    WebPImagePlugin, BmpImagePlugin,
)  # fmt: skip
_ORIENTATION_TAG = 0x0112
_MOST_REDUCTIONS = 3  # JPEG 2000 files with fewer resolutions are rare
_UPRIGHT = {  # EXIF orientation to what undoes it
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_LYING = (5, 6, 7, 8)  # orientations in which width and height change places

# What Pillow's decoders raise on files that are not as they should be.
_DECODER_ERRORS = (
    OSError, SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError,
    EOFError, RuntimeError, AssertionError, struct.error,
)  # fmt: skip

_T = TypeVar("_T")


class Header(NamedTuple):
    """What the head of an image file says."""

    file: BinaryIO
    image: Image.Image  # nothing decoded yet
    orientation: int  # EXIF, 1 to 8
    size: PageSize  # of the master: upright


def read_header(file: BinaryIO, limits: Limits) -> Header:
    """Read what the file says of itself.

    Raises:
        Undecodable: no image of a known kind.
        SourceError: `page_zero_size`, `page_too_large`.
    """
    image = _opened(file)
    check_pixels(*image.size, limits)
    orientation = _orientation(image)
    width, height, dpi = *image.size, _dpi(image)
    if orientation in _LYING:
        width, height = height, width
    return Header(file, image, orientation, PageSize(width, height, dpi))


def decode(header: Header, target: Target, *, profile: bytes | None = None) -> Image.Image:
    """The whole image at the target's size, upright, grey or sRGB.

    Args:
        header: what `read_header` returned; it can be decoded once.
        target: upright.
        profile: an ICC profile that holds instead of the image's own.

    Raises:
        Undecodable: the file ends too early, or is no image inside.
    """
    size = (target.width_px, target.height_px)
    if header.orientation in _LYING:
        size = (target.height_px, target.width_px)
    image = _answering(lambda: _scaled(plain(_loaded(header, size)), size))
    shown = on_screen(image, profile or header.image.info.get("icc_profile"))
    turn = _UPRIGHT.get(header.orientation)
    return shown.transpose(turn) if turn is not None else shown


def to_raster(image: Image.Image, scale: float) -> Raster:
    """The pixels of a grey or RGB image."""
    assert image.mode in ("L", "RGB")
    channels: Literal[1, 3] = 1 if image.mode == "L" else 3
    return Raster(image.width, image.height, channels, image.tobytes(), scale)


def _opened(file: BinaryIO) -> Image.Image:
    try:
        return _answering(lambda: Image.open(file, formats=FORMATS))
    except Undecodable:
        file.seek(0)
        if has_no_area(file.read(HEAD_BYTES)):
            raise SourceError("page_zero_size") from None
        raise


def _loaded(header: Header, size: tuple[int, int]) -> Image.Image:
    """Decoded, at a size no smaller than the one asked for and as near to it as is cheap."""
    image = header.image
    if image.format in ("JPEG", "MPO"):
        image.draft(image.mode, size)
    elif image.format == "JPEG2000":
        return _loaded_jpeg2000(header, size)
    image.load()
    return image


def _loaded_jpeg2000(header: Header, size: tuple[int, int]) -> Image.Image:
    image: Any = header.image
    fold = min(image.width // size[0], image.height // size[1])
    image.reduce = min(_MOST_REDUCTIONS, fold.bit_length() - 1)
    try:
        image.load()
    except OSError:
        if not image.reduce:
            raise
        image = Image.open(header.file, formats=FORMATS)  # it has fewer resolutions than that
        image.load()
    return image


def _scaled(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    return image.resize(size, Image.Resampling.HAMMING, reducing_gap=2.0)


def _orientation(image: Image.Image) -> int:
    if image.format == "TIFF":  # Pillow turns a TIFF while it loads it
        return 1
    if image.format == "PNG" and "exif" not in image.info:  # else Pillow would decode it all
        return 1
    try:
        return int(image.getexif().get(_ORIENTATION_TAG, 1))
    except _DECODER_ERRORS:
        return 1


def _dpi(image: Image.Image) -> float | None:
    try:
        return likely_dpi(float(image.info["dpi"][0]))
    except _DECODER_ERRORS:
        return None


def _answering(work: Callable[[], _T]) -> _T:
    """Do decoder work; what a bad file makes it raise becomes `Undecodable`, disk errors stay."""
    try:
        return work()
    except UnidentifiedImageError as error:
        raise Undecodable("not_an_image") from error
    except _DECODER_ERRORS as error:
        if isinstance(error, OSError) and error.errno:
            raise
        is_cut = "truncated" in str(error).lower() or isinstance(error, EOFError)
        raise Undecodable("truncated" if is_cut else "damaged_image") from error
