"""A page image as the proposals look at it: small, grey, paper and letters told apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    Floats = NDArray[np.float64]

LONGEST_SIDE_PX = 1800
"""Letters of a book are then 8 to 25 px high, and a page takes a few dozen milliseconds."""

DARKER_THAN_PAPER = 0.72  # ink is darker than this share of the paper around it
PAPER_OF_PAGE = 0.5  # what is darker than this share of the page's paper is the table under it
LETTER_PX = (5, 90)  # height of a letter
WIDEST_LETTER = 8  # heights; ligatures and letters that touch, but no rules


@dataclass(frozen=True)
class Look:
    """Made by `look_at`; coordinates are pixels of the small image."""

    grey: Pixels  # (H, W)
    scale: float  # small pixels for one pixel of the image, at most 1
    darker_than_paper: float = DARKER_THAN_PAPER  # share of the paper's tone

    @property
    def width_px(self) -> int:
        """Of the small image."""
        return self.grey.shape[1]

    @property
    def height_px(self) -> int:
        """Of the small image."""
        return self.grey.shape[0]

    @cached_property
    def paper(self) -> Pixels:
        """The tone of the paper at each place: print filled in, then smoothed; (H, W)."""
        return paper_under(self.grey)

    @cached_property
    def page(self) -> Pixels:
        """Where the lit page is and not the dark table around it, 0 or 1; (H, W)."""
        bright = float(np.percentile(self.paper[::8, ::8], 85))
        mask = (self.paper > PAPER_OF_PAGE * bright).astype(np.uint8)
        side = max(3, self.width_px // 150)
        return _bytes(cv2.erode(mask, np.ones((side, side), np.uint8), borderValue=1))

    @cached_property
    def ink(self) -> Pixels:
        """Every dark mark on the page, 0 or 1; (H, W)."""
        ground = cv2.convertScaleAbs(self.paper, alpha=self.darker_than_paper)
        return _bytes(cv2.compare(self.grey, ground, cv2.CMP_LT)) & self.page

    @cached_property
    def letters(self) -> Pixels:
        """The marks that may be letters by their size, 0 or 1; (H, W)."""
        labels, stats = self._marks
        return _is_letter(stats).astype(np.uint8)[labels]

    @cached_property
    def letter_boxes(self) -> NDArray[np.int32]:
        """Left, top, width, height and area of each letter; (N, 5)."""
        stats = self._marks[1]
        return stats[_is_letter(stats)]

    @cached_property
    def letter_px(self) -> float:
        """Median height of the letters; 0 where there are none."""
        heights = self.letter_boxes[:, cv2.CC_STAT_HEIGHT]
        return float(np.median(heights)) if len(heights) else 0.0

    @cached_property
    def _marks(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Which mark each pixel belongs to, and what OpenCV counted of each."""
        _, labels, stats, _ = cv2.connectedComponentsWithStats(self.ink, connectivity=8)
        return np.asarray(labels, np.int32), np.asarray(stats, np.int32)

    def turned(self, quarters: int) -> Look:
        """The same turned clockwise by so many right angles."""
        return Look(np.ascontiguousarray(np.rot90(self.grey, -quarters)), self.scale)

    def part(self, left: int, top: int, right: int, bottom: int) -> Look:
        """A part of it."""
        return Look(np.ascontiguousarray(self.grey[top:bottom, left:right]), self.scale)

    def rotated(self, degrees: float) -> Look:
        """Rotated clockwise about its centre, the corners filled with what is at the edge."""
        centre = (self.width_px / 2, self.height_px / 2)
        matrix = cv2.getRotationMatrix2D(centre, -degrees, 1.0)
        size = (self.width_px, self.height_px)
        edge = cv2.BORDER_REPLICATE
        turned = cv2.warpAffine(self.grey, matrix, size, flags=cv2.INTER_LINEAR, borderMode=edge)
        return Look(_bytes(turned), self.scale)


def look_at(pixels: Pixels, *, darker_than_paper: float = DARKER_THAN_PAPER) -> Look:
    """Make a page image small and grey.

    Args:
        pixels: (H, W) grey or (H, W, 3) RGB, uint8.
        darker_than_paper: marks darker than this share of the paper around them count as ink.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, LONGEST_SIDE_PX / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if pixels.ndim == 3 and pixels.strides[2] == 0:  # a grey page that is only shown as RGB
        pixels = pixels[:, :, 0]
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return Look(grey_of(_bytes(small)), scale, darker_than_paper)


def grey_of(pixels: Pixels) -> Pixels:
    """(H, W) of a grey or RGB image."""
    if pixels.ndim == 2:
        return np.ascontiguousarray(pixels)
    if pixels.strides[2] == 0:
        return np.ascontiguousarray(pixels[:, :, 0])
    return _bytes(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))


def paper_under(grey: Pixels) -> Pixels:
    """The tone of the paper at each place; it has nothing fine, so a quarter of the size does."""
    height, width = grey.shape
    size = (max(1, width // 4), max(1, height // 4))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    side = max(5, round(max(size) / 40)) | 1
    filled = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    return _bytes(cv2.resize(cv2.medianBlur(filled, min(side, 11)), (width, height)))


def _is_letter(stats: Any) -> NDArray[np.bool_]:  # noqa: ANN401 - as OpenCV counts marks
    """Which of the marks that OpenCV counted have the size of a letter; the ground never has."""
    height, width, area = stats[:, 3], stats[:, 2], stats[:, 4]
    low, high = LETTER_PX
    fits = (height >= low) & (height <= high) & (width <= WIDEST_LETTER * np.maximum(height, low))
    fits &= area >= 0.1 * height * np.minimum(width, 3 * height)
    fits[0] = False
    return fits


def _bytes(image: Any) -> Pixels:  # noqa: ANN401 - OpenCV has wide types
    return np.asarray(image, np.uint8)
