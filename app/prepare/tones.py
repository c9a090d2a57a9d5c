"""The tones of a page: even light, specks, what shines through from the other side, black on white.

Each takes and returns pixels of one size, (H, W) grey or (H, W, 3) RGB, uint8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from app.prepare.look import grey_of, paper_under

if TYPE_CHECKING:
    from cv2.typing import MatLike
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

PAPER_TONE = 238  # of evened paper: white would hide where the page is
MOST_GAIN = 3.0  # in the dark of the fold noise would become marks
SPECK_PX = 3.2  # side of the largest speck at 300 ppi; a full stop is twice as wide
NEAR_PX = 9  # specks so near to letters may be their dots
SURE_PAPER = 0.82  # share of the paper's tone from which nothing is a mark
INK_REACH = 0.45  # of the way from the darkest ink to the paper


def evened(pixels: Pixels) -> Pixels:
    """Give the paper the same tone everywhere; print keeps its contrast."""
    gain = _gain(grey_of(pixels))
    if pixels.ndim == 3:
        gain = cv2.merge([gain, gain, gain])
    return np.asarray(cv2.multiply(pixels, gain, dtype=cv2.CV_8U), np.uint8)


def despeckled(pixels: Pixels, *, dpi: float) -> Pixels:
    """Take out specks smaller than any full stop that lie alone."""
    grey = grey_of(pixels)
    marks = _marks(grey)
    most = max(2.0, (SPECK_PX * dpi / 300) ** 2)
    _, marked, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    labels = np.asarray(marked, np.int32)
    small = np.asarray(stats)[:, cv2.CC_STAT_AREA] <= most
    small[0] = False
    if not small.any():
        return pixels
    is_speck = small.astype(np.uint8)
    is_large = 1 - is_speck
    is_large[0] = 0
    reach = 2 * max(1, round(NEAR_PX * dpi / 300)) + 1
    near = cv2.dilate(is_large[labels], np.ones((reach, reach), np.uint8))
    lone = is_speck[labels] & (1 - near)
    hole = cv2.dilate(lone, np.ones((3, 3), np.uint8)) & (1 - near)
    return _painted(pixels, np.asarray(hole, bool))


def without_show_through(pixels: Pixels) -> Pixels:
    """Give marks that are paler than the page's ink and touch none the tone of the paper."""
    grey = grey_of(pixels)
    paper = paper_under(grey)
    ratio = cv2.divide(grey, paper, scale=255.0)
    ink = (ratio < _ink_level(ratio)).astype(np.uint8)
    near_ink = cv2.dilate(ink, np.ones((5, 5), np.uint8))
    pale = (ratio < SURE_PAPER * 255).astype(np.uint8) & (1 - near_ink)
    pale = cv2.dilate(pale, np.ones((5, 5), np.uint8)) & (1 - near_ink)
    return _painted(pixels, np.asarray(pale, bool), paper)


def _ink_level(ratio: MatLike) -> float:
    """Marks darker than this are the page's own: nearer to its darkest ink than to its paper."""
    marks = ratio[ratio < SURE_PAPER * 255]
    darkest = float(np.percentile(marks, 5)) if marks.size else 0.0
    return darkest + INK_REACH * (255 - darkest)


def binarised(pixels: Pixels, *, dpi: float) -> Pixels:
    """Black on white, grey (H, W).

    Source: Sauvola & Pietikainen 2000, k = 0.2, R = 128, over a window of a twelfth of an inch.
    """
    grey = grey_of(pixels)
    side = max(15, round(dpi / 12)) | 1
    mean, square = (
        cv2.boxFilter(grey, cv2.CV_32F, (side, side)),
        cv2.sqrBoxFilter(grey, cv2.CV_32F, (side, side)),
    )
    deviation = np.sqrt(np.maximum(square - mean * mean, 0))
    level = mean * (1 + 0.2 * (deviation / 128 - 1))
    return np.where(grey > level, np.uint8(255), np.uint8(0))


def _gain(grey: Pixels) -> NDArray[np.float32]:
    height, width = grey.shape
    paper = cv2.GaussianBlur(paper_under(_quarter(grey)), (0, 0), 6).astype(np.float32)
    gain = np.clip(PAPER_TONE / np.maximum(paper, 1), 0.5, MOST_GAIN)
    return np.asarray(cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _quarter(grey: Pixels) -> Pixels:
    height, width = grey.shape
    size = (max(1, width // 4), max(1, height // 4))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _marks(grey: Pixels) -> Pixels:
    """What is darker than the paper around it, 0 or 1."""
    ratio = cv2.divide(grey, paper_under(grey), scale=255.0)
    return (ratio < SURE_PAPER * 255).astype(np.uint8)


def _painted(pixels: Pixels, where: NDArray[np.bool_], paper: Pixels | None = None) -> Pixels:
    """The image with paper in some places."""
    painted = pixels.copy()
    if pixels.ndim == 2:
        tone = paper_under(pixels) if paper is None else paper
        painted[where] = tone[where]
        return painted
    for channel in range(3):
        tone = paper_under(np.ascontiguousarray(pixels[:, :, channel]))
        painted[:, :, channel][where] = tone[where]
    return painted
