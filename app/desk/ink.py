"""Whether there is print on a page image, decided from pixels alone, before and beside the engine.

Print means several marks of the size of letters, clearly darker than the paper around them. Noise
is smaller, show-through paler, the dark edges of a scan lie at the border and are larger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORKING_HEIGHT_PX = 1400
"""Pages are looked at in this height: letters of a book are then 8 to 40 px high."""

BORDER = 0.05  # of width and height, left out on each side: scan edges, gutter, fingers
DARKER_THAN_PAPER = 0.68  # a mark is darker than this share of the paper around it
LETTER_PX = (7, 120)  # height of a mark that may be a letter
MARKS_OF_A_WORD = 3  # fewer letters than this are not print


def has_ink(pixels: NDArray[np.uint8]) -> bool:
    """Tell whether a page image holds print.

    Args:
        pixels: (H, W, 3) RGB or (H, W) grey, uint8.
    """
    grey = _working_grey(pixels)
    paper = _paper_under(grey)
    marks = (grey < paper * DARKER_THAN_PAPER).astype(np.uint8)
    return _letters(_without_border(marks)) >= MARKS_OF_A_WORD


def _working_grey(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grey = _grey(pixels)
    height, width = grey.shape
    scale = WORKING_HEIGHT_PX / height
    size = (max(1, round(width * scale)), WORKING_HEIGHT_PX)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _grey(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if pixels.ndim == 2:
        return pixels
    if pixels.strides[2] == 0:  # a grey page that is only shown as RGB
        return pixels[:, :, 0]
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)


def _paper_under(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The tone of the paper at each place: print filled in, then smoothed.

    It has nothing fine, so half the size does: a stop waits for this.
    """
    height, width = grey.shape
    half = cv2.resize(grey, (max(1, width // 2), height // 2), interpolation=cv2.INTER_AREA)
    filled = cv2.morphologyEx(half, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    return np.asarray(cv2.resize(cv2.medianBlur(filled, 11), (width, height)), np.uint8)


def _without_border(marks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = marks.shape
    y, x = round(height * BORDER), round(width * BORDER)
    return np.ascontiguousarray(marks[y : height - y, x : width - x])


def _letters(marks: NDArray[np.uint8]) -> int:
    """Count the connected marks that have the size and fill of a letter."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    height, width, area = stats[1:, 3], stats[1:, 2], stats[1:, 4]
    low, high = LETTER_PX
    like_a_letter = (height >= low) & (height <= high) & (width <= 6 * high)
    like_a_letter &= area >= 0.12 * height * np.minimum(width, 3 * height)
    return int(np.count_nonzero(like_a_letter))
