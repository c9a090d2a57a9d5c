"""Any Pillow image to what travels: 8 bits, grey or sRGB, on white.

Three steps, so that the dear one comes after scaling: `plain` makes of every mode one of L, RGB,
CMYK or LAB; then the image is scaled; then `on_screen` applies the profile and finds out whether
the page is grey.
"""

from __future__ import annotations

import functools
import io
from typing import Any, Literal

from PIL import Image, ImageChops, ImageCms

from app.sources.causes import Undecodable

SCALABLE_MODES = ("L", "RGB", "CMYK", "LAB")
_ALPHA_MODES = ("RGBA", "LA", "PA", "La", "RGBa")


def plain(image: Image.Image) -> Image.Image:
    """The image in one of the modes that can be scaled, transparent parts on white.

    Raises:
        Undecodable: pixels that are no picture, such as floating-point numbers.
    """
    if image.mode in _ALPHA_MODES or "transparency" in image.info:
        return _on_white(image)
    if image.mode in SCALABLE_MODES:
        return image
    if image.mode.startswith("I"):
        return _from_deep_grey(image)
    if image.mode == "1":
        return image.convert("L")
    if image.mode in ("P", "YCbCr", "HSV", "RGBX"):
        return image.convert("RGB")
    raise Undecodable("pixel_form")


def on_screen(image: Image.Image, profile: bytes | None) -> Image.Image:
    """The image in sRGB, or grey where it holds no colour.

    Args:
        image: in a mode that `plain` returns.
        profile: the ICC profile that came with it; one that is damaged or of another kind of colour
            is not used.
    """
    if image.mode == "L":
        return image
    return _grey_if_grey(_in_srgb(image, profile))


def _on_white(image: Image.Image) -> Image.Image:
    layered = image.convert("RGBA")
    white = Image.new("RGB", image.size, "white")
    white.paste(layered, mask=layered.getchannel("A"))
    return white


def _from_deep_grey(image: Image.Image) -> Image.Image:
    """16 bits to 8: Pillow's own conversion would cut at 255 instead of dividing."""
    if image.mode == "I":
        return image.point(lambda value: value * (1 / 256)).convert("L")
    high_byte = 0 if image.mode == "I;16B" else 1
    return Image.frombytes("L", image.size, image.tobytes()[high_byte::2])


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    transform = _transform(profile, image.mode) if profile or image.mode == "LAB" else None
    if transform:
        converted = ImageCms.applyTransform(image, transform)
        assert converted is not None
        return converted
    return image.convert("RGB")


@functools.lru_cache(maxsize=8)
def _transform(profile: bytes | None, mode: str) -> ImageCms.ImageCmsTransform | None:
    """None where the profile says sRGB, does not fit the mode, or cannot be read."""
    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile)) if profile else _made("LAB")
        if "sRGB" in ImageCms.getProfileDescription(given):
            return None
        return ImageCms.buildTransform(given, _made("sRGB"), mode, "RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None


def _made(name: Literal["LAB", "sRGB"]) -> ImageCms.ImageCmsProfile:
    cms: Any = ImageCms  # its `createProfile` has no return type
    return ImageCms.ImageCmsProfile(cms.createProfile(name))


def _grey_if_grey(image: Image.Image) -> Image.Image:
    """One channel if all three are equal; a few pixels are asked first, most colours show there."""
    sample = image.resize((32, 32), Image.Resampling.NEAREST)
    return image.getchannel(0) if _has_no_colour(sample) and _has_no_colour(image) else image


def _has_no_colour(image: Image.Image) -> bool:
    red, green, blue = image.split()
    return not (
        ImageChops.difference(red, green).getbbox() or ImageChops.difference(green, blue).getbbox()
    )
