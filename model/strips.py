"""A strip: the slanted rectangle of one stretch of text, and cutting it out of the page.

Pure functions on pixels and corners; what stands in a strip is read by `model.letters`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from model.api import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray


UPRIGHT = 3.0  # a strip so much higher than long may hold text that runs up or down


class Point(NamedTuple):
    """A place on the page, in pixels."""

    x: float
    y: float


class Strip(NamedTuple):
    """Where a stretch of text stands: corners in page pixels, named as the reader of it sees them.

    For text that runs up or down the page the corners are turned, the methods hold all the same.
    """

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point
    score: float = 1.0  # 0..1, how sure the detector is

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The four corners, clockwise from the top left."""
        return self[:4]

    @property
    def length(self) -> float:
        """Pixels along the upper edge."""
        return math.dist(self.top_left, self.top_right)

    @property
    def height(self) -> float:
        """Pixels along the left edge."""
        return math.dist(self.top_left, self.bottom_left)

    @property
    def slope(self) -> float:
        """Angle of the upper edge against the horizontal, in radians, clockwise."""
        return math.atan2(self.top_right.y - self.top_left.y, self.top_right.x - self.top_left.x)

    @property
    def box(self) -> Box:
        """The upright rectangle around the corners."""
        xs, ys = [p.x for p in self.corners], [p.y for p in self.corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    @property
    def ways(self) -> tuple[Strip, ...]:
        """The directions in which its text may run: as it stands, and up and down if it is high."""
        if self.height <= UPRIGHT * self.length:
            return (self,)
        return (self, self.turned(1), self.turned(3))

    def turned(self, quarters: int) -> Strip:
        """The same rectangle for text turned clockwise by some quarter turns."""
        corners = self.corners
        shift = quarters % 4
        return Strip(*(corners[shift:] + corners[:shift]), score=self.score)

    def part(self, start: float, end: float) -> Box:
        """The upright rectangle around a stretch of the strip; 0 is its left end, 1 its right."""
        along = [
            Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
            for a, b in ((self.top_left, self.top_right), (self.bottom_left, self.bottom_right))
            for t in (start, end)
        ]
        xs, ys = [p.x for p in along], [p.y for p in along]
        return Box(min(xs), min(ys), max(xs), max(ys))


def strip_around(box: Box, score: float = 1.0) -> Strip:
    """The strip that stands straight."""
    return Strip(
        Point(box.left, box.top),
        Point(box.right, box.top),
        Point(box.right, box.bottom),
        Point(box.left, box.bottom),
        score,
    )


def cut_out(pixels: NDArray[np.uint8], strip: Strip, height: int) -> NDArray[np.uint8]:
    """The strip, straightened and scaled to a height.

    Args:
        pixels: the page, (H, W, 3) uint8.
        strip: where to cut.
        height: of what is returned, in pixels.

    Returns:
        (height, W', 3) uint8; W' keeps the strip's proportion and is at least 8.
    """
    width = max(8, math.ceil(height * strip.length / max(1.0, strip.height)))
    # A warp that shrinks to less than half would skip pixels: warp at twice the size, then average.
    factor = 2 if strip.height > 2 * height else 1
    cut = _warped(pixels, strip, width * factor, height * factor)
    if factor > 1:
        cut = cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA)
    return cut.astype(np.uint8, copy=False)


def _warped(pixels: NDArray[np.uint8], strip: Strip, width: int, height: int) -> NDArray[np.uint8]:
    corners = np.array(strip.corners, np.float32)  # (4, 2)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    cut = cv2.warpPerspective(
        pixels,
        cv2.getPerspectiveTransform(corners, target),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cut.astype(np.uint8, copy=False)
