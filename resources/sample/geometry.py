"""Where a point of the printed page comes to lie in its scan.

The page is laid on the glass a little askew and a little off, and bends up towards the spine, which
lifts the ends of its lines. Points in, pixels of the scan out; both x to the right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from resources.sample.paper import HEIGHT_PT, WIDTH_PT

DPI = 300
SIZE_PX = (round(WIDTH_PT * DPI / 72), round(HEIGHT_PT * DPI / 72))  # width, height
BEND_REACH_PX = 110.0  # how quickly the bend dies away from the spine


@dataclass(frozen=True)
class Lie:
    """How one page lies on the glass."""

    skew_degrees: float  # clockwise
    shift_px: tuple[float, float]
    bend_px: float  # at the spine, for the uppermost line
    spine: int  # -1: at the left edge, 1: at the right

    def place(self, points_pt: np.ndarray) -> np.ndarray:
        """Points of the page, (N, 2), to pixels of the scan, (N, 2)."""
        middle = np.array(SIZE_PX) / 2
        points = points_pt * (DPI / 72) - middle
        depth = middle[0] - self.spine * points[:, 0]  # px from the spine
        points[:, 1] += self.bend_px * np.exp(-depth / BEND_REACH_PX) * points[:, 1] / middle[1]
        angle = np.radians(self.skew_degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return points @ turn + middle + self.shift_px
