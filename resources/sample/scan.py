"""What a scanner makes of a printed page: paper, ink, light, lens and JPEG.

Nothing is harsher than what a careful library's camera gives; see `SCANS` for what each page gets.
"""

from __future__ import annotations

import io
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image

from resources.sample.geometry import DPI, SIZE_PX, Lie

PAPER = np.array([240, 230, 209], np.float32)  # red, green, blue of old rag paper
INK = np.array([43, 37, 34], np.float32)
JPEG_QUALITY = 55
SHOW_THROUGH = 0.035  # how much of the other side's ink is seen


class Manner(NamedTuple):
    """How one page was scanned."""

    skew_degrees: float
    light_degrees: float  # where the lamp stands
    ink_spread: float  # -1 starved to 1 blotted
    blur_px: float
    foxing: int  # brown spots


SCANS = (
    Manner(0.4, 30, 0.2, 0.7, 5),
    Manner(-0.3, 200, 0.0, 0.7, 7),
    Manner(-1.2, 120, 0.1, 0.75, 3),
    Manner(0.6, 250, 0.3, 0.7, 2),
    Manner(1.1, 60, -0.2, 0.7, 4),
    Manner(-0.5, 310, 0.0, 0.85, 3),
    Manner(0.2, 160, 0.2, 0.75, 2),
    Manner(1.4, 20, 0.4, 0.8, 5),
    Manner(-0.8, 90, -0.1, 0.7, 3),
    Manner(-1.1, 280, 0.1, 0.8, 6),
)
"""One for each page of the book."""


def lie_of(number: int, *, is_recto: bool) -> Lie:
    """How page `number` (from 0) lies on the glass."""
    random = np.random.default_rng([1455, number])
    shift_x, shift_y = random.uniform(-7, 7, 2)
    return Lie(
        SCANS[number].skew_degrees,
        (float(shift_x), float(shift_y)),
        bend_px=float(random.uniform(12, 20)),
        spine=-1 if is_recto else 1,
    )


def scanned(ink: np.ndarray, behind: np.ndarray, number: int, *, is_recto: bool) -> bytes:
    """Scan a page.

    Args:
        ink: Share of each pixel under ink, (height, width), 0..1.
        behind: The same of the other side of the leaf, as that side is printed.
        number: Page, from 0.
        is_recto: The spine lies at the left.

    Returns:
        A JPEG of 300 ppi.
    """
    manner = SCANS[number]
    random = np.random.default_rng([1468, number])
    page = _paper(random, manner) * (1 - SHOW_THROUGH * _blurred(behind[:, ::-1], 2.5))[..., None]
    density = _printed(ink, random, manner)[..., None]
    page = page * (1 - density) + INK * density
    page *= _light(manner, is_recto=is_recto)[..., None]
    page = _blurred(page, manner.blur_px)
    page += 2.6 * random.standard_normal((*page.shape[:2], 1), np.float32)
    page += 1.1 * random.standard_normal(page.shape, np.float32)
    return _jpeg(np.clip(page, 0, 255).astype(np.uint8))


def _paper(random: np.random.Generator, manner: Manner) -> np.ndarray:
    """Paper with fibres, clouds and brown spots, (height, width, 3)."""
    cloud = _noise(random, 160) * 0.007 + _noise(random, 24) * 0.006 + _noise(random, 2.2) * 0.012
    page = PAPER * (1 + cloud[..., None])
    width, height = SIZE_PX
    for _ in range(manner.foxing):
        spot = np.zeros((height, width), np.float32)
        middle = (int(random.uniform(0, width)), int(random.uniform(0, height)))
        cv2.circle(spot, middle, int(random.uniform(3, 11)), random.uniform(0.15, 0.5), -1)
        page *= 1 - _blurred(spot, 5.0)[..., None] * np.array([0.18, 0.3, 0.45], np.float32)
    return page


def _printed(ink: np.ndarray, random: np.random.Generator, manner: Manner) -> np.ndarray:
    """Ink as letterpress leaves it: edges a little rough, black a little uneven, 0..1."""
    rough = _blurred(ink, 0.8) + _noise(random, 1.3) * 0.055 + 0.05 * manner.ink_spread
    body = np.clip((rough - 0.5) * 1.9 + 0.5, 0, 1)
    body *= _blurred(ink, 2.0) > 0.004  # no ink where there are no letters
    return body * np.clip(0.9 + _noise(random, 90) * 0.05 + _noise(random, 3.0) * 0.04, 0, 1)


def _light(manner: Manner, *, is_recto: bool) -> np.ndarray:
    """How bright the page is lit: the lamp's side, the corners, the shadow at the spine."""
    width, height = SIZE_PX
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    angle = np.radians(manner.light_degrees)
    lamp = 1 + 0.07 * (np.cos(angle) * x + np.sin(angle) * y) - 0.05 * (x**2 + y**2)
    depth = (1 + x if is_recto else 1 - x) * width / 2  # px from the spine
    shadow = 1 - 0.55 * np.exp(-depth / 45) - 0.10 * np.exp(-depth / 170)
    return (lamp * shadow).astype(np.float32)


def _noise(random: np.random.Generator, grain_px: float) -> np.ndarray:
    """Noise of one grain size with a deviation of one, (height, width)."""
    width, height = SIZE_PX
    coarse = (int(height / grain_px) + 2, int(width / grain_px) + 2)
    grains = random.standard_normal(coarse).astype(np.float32)
    return cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC)


def _blurred(image: np.ndarray, sigma_px: float) -> np.ndarray:
    return cv2.GaussianBlur(np.ascontiguousarray(image, np.float32), (0, 0), sigma_px)


def _jpeg(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=JPEG_QUALITY, dpi=(DPI, DPI))
    return file.getvalue()
