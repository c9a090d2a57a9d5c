"""What print there is on a page image, told from pixels alone, before and beside the engine.

Print means several marks of the size of letters, clearly darker than the paper around them. Noise
is smaller, show-through paler, the dark edges of a scan lie at the border and are larger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORKING_HEIGHT_PX = 1400
"""Pages are looked at in this height: letters of a book are then 8 to 40 px high."""

BORDER = 0.05  # of width and height, left out on each side: scan edges, gutter, fingers
DARKER_THAN_PAPER = 0.68  # a mark is darker than this share of the paper around it
DARK_AT_ALL = 0.8  # of the paper around: pale print is, show-through may be
LETTER_PX = (7, 120)  # height of a mark that may be a letter
GROUND = 0.6  # of the usual tone below marks: what is darker is no paper
MARKS_OF_A_WORD = 3  # fewer letters than this are not print


class PagePrint(NamedTuple):
    """What is dark on a page, in pixels of the image that was given unless said otherwise."""

    marks: NDArray[np.float32]  # (N, 4): left, top, right, bottom of marks like letters
    on_paper: NDArray[np.bool_]  # (N,): whether the ground around a mark is the page's paper
    dark: NDArray[np.uint8]  # (H', W'), 1 where it is darker than paper, in working pixels
    scale: float  # working pixels per pixel of the image

    @property
    def is_print(self) -> bool:
        """Whether these are letters of a word at least."""
        return len(self.marks) >= MARKS_OF_A_WORD

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the part of the image that was looked at."""
        height, width = self.dark.shape
        x, y = round(width * BORDER), round(height * BORDER)
        inner = (x, y, width - x, height - y)
        left, top, right, bottom = (edge / self.scale for edge in inner)
        return left, top, right, bottom


def has_ink(pixels: NDArray[np.uint8]) -> bool:
    """Tell whether a page image holds print.

    Args:
        pixels: (H, W, 3) RGB or (H, W) grey, uint8.
    """
    return print_on(pixels).is_print


def print_on(pixels: NDArray[np.uint8]) -> PagePrint:
    """Find the print of a page image.

    Args:
        pixels: (H, W, 3) RGB or (H, W) grey, uint8.
    """
    grey = _working_grey(pixels)
    paper = _paper_under(grey)
    scale = WORKING_HEIGHT_PX / pixels.shape[0]
    shapes = _letters(_without_border((grey < paper * DARKER_THAN_PAPER).astype(np.uint8)))
    height, width = grey.shape
    shapes[:, 0] += round(width * BORDER)
    shapes[:, 1] += round(height * BORDER)
    return PagePrint(
        _edges(shapes) / np.float32(scale),
        _is_on_paper(shapes, paper),
        (grey < paper * DARK_AT_ALL).astype(np.uint8),
        scale,
    )


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


def _letters(marks: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The connected marks that have the size and fill of a letter: (N, 4) x, y, width, height."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    height, width, area = stats[1:, 3], stats[1:, 2], stats[1:, 4]
    low, high = LETTER_PX
    like_a_letter = (height >= low) & (height <= high) & (width <= 6 * high)
    like_a_letter &= area >= 0.12 * height * np.minimum(width, 3 * height)
    return np.asarray(stats[1:][like_a_letter][:, :4], np.int32)


def _edges(shapes: NDArray[np.int32]) -> NDArray[np.float32]:
    corners = np.concatenate([shapes[:, :2], shapes[:, :2] + shapes[:, 2:]], axis=1)
    return corners.astype(np.float32)


def _is_on_paper(shapes: NDArray[np.int32], paper: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether the ground of each mark is about as light as that of most: no cloth, no table."""
    ground = paper[shapes[:, 1] + shapes[:, 3] // 2, shapes[:, 0] + shapes[:, 2] // 2]
    return ground > GROUND * np.median(ground) if len(ground) else np.empty(0, np.bool_)
