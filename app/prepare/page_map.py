"""Coordinates of a prepared page and of its master, exactly there and back.

A point goes master -> turned -> straight -> level -> prepared. Each step has its inverse in closed
form: right angles and the rotation are matrices, the frame is a shift, and a curve moves points up
or down only, by an amount that is linear between the rows of its grid, so that the way back is
linear between them too.

A box keeps its size and is moved by its centre: drawn round the corners of a leaning box it would
grow each time it is taken there and back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from app.book import PageSize
from app.prepare.treatment import Curve, Side, Treatment
from model.api import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]  # (N, 2), x and y


class PageMap:
    """How one page's prepared image lies on its master.

    Args:
        master: size of the untouched scan.
        treatment: what is done to it.
    """

    def __init__(self, master: PageSize, treatment: Treatment) -> None:
        self._treatment = treatment
        self._quarters = treatment.quarters % 4
        self.master = master
        is_upright = self._quarters % 2 == 0
        size = (master.width_px, master.height_px)
        self.turned_size = size if is_upright else (size[1], size[0])
        self._centre = np.array(self.turned_size, np.float64) / 2
        angle = math.radians(treatment.skew_degrees)
        self._lean = np.array(
            [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        )
        self.frame = treatment.frame or self._whole_frame()

    @property
    def size(self) -> PageSize:
        """Of the prepared page, in pixels of the master's size."""
        width, height = self.frame.width, self.frame.height
        return PageSize(max(1, round(width)), max(1, round(height)), self.master.dpi)

    def to_master(self, points: Points) -> Points:
        """Points of the prepared page on the master."""
        level = points + self._corner
        straight = _bent(level, self._treatment.curve)
        turned = (straight - self._centre) @ self._lean.T + self._centre
        return self._turned_back(turned)

    def to_prepared(self, points: Points) -> Points:
        """Points of the master on the prepared page."""
        straight = self.to_straight(points)
        return _levelled(straight, self._treatment.curve) - self._corner

    def to_straight(self, points: Points) -> Points:
        """Points of the master in the straight frame."""
        return (self._turned(points) - self._centre) @ self._lean + self._centre

    def straight_to_master(self, points: Points) -> Points:
        """Points of the straight frame on the master."""
        return self._turned_back((points - self._centre) @ self._lean.T + self._centre)

    def turned_to_master(self, points: Points) -> Points:
        """Points of the turned image on the master."""
        return self._turned_back(points)

    def box_to_master(self, box: Box) -> Box:
        """A box of the prepared page, of the same size round the same place of the master."""
        return self._moved(box, self.to_master)

    def box_to_prepared(self, box: Box) -> Box:
        """A box of the master, of the same size round the same place of the prepared page."""
        return self._moved(box, self.to_prepared)

    def is_this_side(self, points: Points) -> NDArray[np.bool_]:
        """Whether points of the master lie on this side of the fold."""
        fold, side = self._treatment.fold, self._treatment.side
        turned = self._turned(points)
        if fold is None or side is Side.WHOLE:
            return np.ones(len(turned), bool)
        share = turned[:, 1] / max(self.turned_size[1], 1)
        x = fold.top + (fold.bottom - fold.top) * share
        return turned[:, 0] < x if side is Side.LEFT else turned[:, 0] >= x

    def has_on_it(self, box: Box) -> bool:
        """Whether the middle of a box of the master lies on this side of the fold."""
        middle = np.array([[(box.left + box.right) / 2, (box.top + box.bottom) / 2]])
        return bool(self.is_this_side(middle)[0])

    @property
    def _corner(self) -> Points:
        return np.array([self.frame.left, self.frame.top])

    def _moved(self, box: Box, move: Callable[[Points], Points]) -> Box:
        centre = np.array([[(box.left + box.right) / 2, (box.top + box.bottom) / 2]])
        x, y = (float(each) for each in move(centre)[0])
        width, height = box.width, box.height
        if self._quarters % 2:
            width, height = height, width
        return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def _turned(self, points: Points) -> Points:
        x, y = points[:, 0], points[:, 1]
        width, height = self.master.width_px, self.master.height_px
        match self._quarters:
            case 0:
                return points
            case 1:
                return np.stack([height - y, x], axis=1)
            case 2:
                return np.stack([width - x, height - y], axis=1)
            case _:
                return np.stack([y, width - x], axis=1)

    def _turned_back(self, points: Points) -> Points:
        x, y = points[:, 0], points[:, 1]
        width, height = self.master.width_px, self.master.height_px
        match self._quarters:
            case 0:
                return points
            case 1:
                return np.stack([y, height - x], axis=1)
            case 2:
                return np.stack([width - x, height - y], axis=1)
            case _:
                return np.stack([width - y, x], axis=1)

    def _whole_frame(self) -> Box:
        """Where nothing is cropped: round all that the page shows of the scan."""
        corners = (self.page_corners() - self._centre) @ self._lean + self._centre
        left, top = corners.min(axis=0)
        right, bottom = corners.max(axis=0)
        return Box(float(left), float(top), float(right), float(bottom))

    def page_corners(self) -> Points:
        """The four corners of the page on the turned image, beyond its fold cut off; clockwise."""
        width, height = self.turned_size
        fold, side = self._treatment.fold, self._treatment.side
        left = right = (0.0, 0.0)
        right = (float(width), float(width))
        if fold is not None and side is Side.LEFT:
            right = (fold.top, fold.bottom)
        elif fold is not None and side is Side.RIGHT:
            left = (fold.top, fold.bottom)
        return np.array([[left[0], 0], [right[0], 0], [right[1], height], [left[1], height]])


def _bent(points: Points, curve: Curve | None) -> Points:
    """Points of the level page where they lie on the scan."""
    if curve is None:
        return points
    bent = points.copy()
    for at, (x, y) in enumerate(points):
        rows, drops = _column(curve, float(x))
        bent[at, 1] = y + np.interp(y, rows, drops)
    return bent


def _levelled(points: Points, curve: Curve | None) -> Points:
    """Points of the scan where they lie on the level page."""
    if curve is None:
        return points
    level = points.copy()
    for at, (x, y) in enumerate(points):
        rows, drops = _column(curve, float(x))
        lowered = rows + drops
        if y <= lowered[0]:
            level[at, 1] = y - drops[0]
        elif y >= lowered[-1]:
            level[at, 1] = y - drops[-1]
        else:
            level[at, 1] = np.interp(y, lowered, rows)
    return level


def _column(curve: Curve, x: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rows of a curve's grid and how far lines drop there at one x."""
    grid = np.array(curve.drops).reshape(-1, curve.columns)
    rows = np.linspace(curve.box.top, curve.box.bottom, len(grid))
    place = (x - curve.box.left) / max(curve.box.width, 1e-9) * (curve.columns - 1)
    place = min(max(place, 0.0), curve.columns - 1.0)
    left = min(int(place), curve.columns - 2)
    share = place - left
    return rows, grid[:, left] * (1 - share) + grid[:, left + 1] * share
