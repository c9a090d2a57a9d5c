"""Finds the strips of text on a page: one call of the detection network, then geometry.

The network (PP-OCRv6 detection) gives each pixel the probability that it lies in the core of a line
of text; a component of such pixels, its rectangle grown to the letters' full height, is a strip.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from model.bundled import Network
from model.strips import Point, Strip

if TYPE_CHECKING:
    from cv2.typing import MatLike
    from numpy.typing import NDArray

SIDE_PX = 1280  # longer side of what the network sees; 960 to 2000 measured the same on book pages
FINEST_SIDE_PX = 2560
SMALL_LINE_PX = 14.0  # median height or distance, in what the network sees: a finer look pays
GOOD_LINE_PX = 22.0
BELOW = 24  # strips among which the next one below is sought: those of one row, and some
STRIDE = 32  # the network wants sides that are multiples of this
CORE = 0.3  # probability from which a pixel belongs to a line's core
LEAST_SCORE = 0.5  # mean probability inside a strip
LEAST_CORE_PX = 3  # cores thinner than this are specks
GROWTH = 1.8  # area to perimeter: how far a core's rectangle grows on each side


class LineFinder:
    """Finds strips. Belongs to the thread that made it."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def find(self, pixels: NDArray[np.uint8], side_px: int = SIDE_PX) -> tuple[Strip, ...]:
        """All strips of a page, in no order.

        Args:
            pixels: (H, W, 3) uint8, RGB.
            side_px: longer side at which the network looks; a smaller page is not enlarged.
        """
        scale = min(1.0, side_px / max(pixels.shape[:2]))
        return _strips(self._probabilities(pixels, scale), pixels.shape[:2])

    def _probabilities(self, pixels: NDArray[np.uint8], scale: float) -> NDArray[np.float32]:
        height, width = (_to_stride(side * scale) for side in pixels.shape[:2])
        seen = cv2.resize(pixels[..., ::-1], (width, height), interpolation=cv2.INTER_AREA)
        wave = seen.astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1  # (1, 3, H, W), BGR
        return self._network.answer(wave)[0, 0]  # (H, W)


def finer_side(strips: Sequence[Strip], shape: tuple[int, int]) -> int | None:
    """The side at which to look again because the lines were tiny; None if they were not.

    Where lines run into one another strips are higher than they should be: distance counts too.
    """
    scale = min(1.0, SIDE_PX / max(shape))
    if scale == 1.0 or not strips:
        return None
    line_px = min(_median([strip.height for strip in strips]), _pitch(strips)) * scale
    if line_px >= SMALL_LINE_PX:
        return None
    return min(FINEST_SIDE_PX, max(shape), round(SIDE_PX * GOOD_LINE_PX / line_px))


def _pitch(strips: Sequence[Strip]) -> float:
    """The usual distance from a strip to the next one below it; infinite where none is below."""
    boxes = sorted((strip.box for strip in strips), key=lambda box: box.top)
    steps: list[float] = []
    for i, box in enumerate(boxes):
        middle = (box.left + box.right) / 2
        below = (other for other in boxes[i + 1 : i + BELOW] if other.left < middle < other.right)
        steps += [other.top - box.top for other in below][:1]
    return _median(steps) if steps else float("inf")


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


def _to_stride(side: float) -> int:
    return max(STRIDE, round(side / STRIDE) * STRIDE)


def _strips(cores: NDArray[np.float32], shape: tuple[int, int]) -> tuple[Strip, ...]:
    """The strips of a probability map, (H', W') float32, in pixels of a page of this shape."""
    mask = cv2.dilate((cores > CORE).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    scale = np.array([shape[1] / cores.shape[1], shape[0] / cores.shape[0]])
    found = (_strip(cores, contour, scale, shape) for contour in contours)
    return tuple(strip for strip in found if strip is not None)


def _strip(
    cores: NDArray[np.float32],
    contour: MatLike,
    scale: NDArray[np.float64],
    shape: tuple[int, int],
) -> Strip | None:
    (x, y), (width, height), angle = cv2.minAreaRect(contour)
    if min(width, height) < LEAST_CORE_PX:
        return None
    score = _mean_inside(cores, cv2.boxPoints(((x, y), (width, height), angle)))
    if score < LEAST_SCORE:
        return None
    growth = width * height * GROWTH / (2 * (width + height))
    grown = cv2.boxPoints(((x, y), (width + 2 * growth, height + 2 * growth), angle))
    corners = np.clip(grown * scale, 0, (shape[1] - 1, shape[0] - 1))  # (4, 2)
    return Strip(*_clockwise(corners), score=score)


def _mean_inside(cores: NDArray[np.float32], corners: MatLike) -> float:
    low = np.clip(np.floor(corners.min(0)), 0, None).astype(int)
    high = np.ceil(corners.max(0)).astype(int) + 1
    window = cores[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(window.shape, np.uint8)
    cv2.fillPoly(mask, [(corners - low).astype(np.int32)], (1,))
    return float(cv2.mean(window, mask)[0])


def _clockwise(corners: NDArray[np.float64]) -> tuple[Point, Point, Point, Point]:
    """Corners from the top left on, for a rectangle tilted by less than 45 degrees."""
    by_x = sorted((Point(float(x), float(y)) for x, y in corners), key=lambda point: point.x)
    top_left, bottom_left = sorted(by_x[:2], key=lambda point: point.y)
    top_right, bottom_right = sorted(by_x[2:], key=lambda point: point.y)
    return top_left, top_right, bottom_right, bottom_left
