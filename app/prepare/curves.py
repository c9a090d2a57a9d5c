"""How the lines of a page bend, found from the feet of its letters.

Letters are joined to lines; each foot tells how low its line lies there. One smooth surface is
laid through all lines at once: a polynomial along the line whose bend may change from line to line.
Descenders, commas and stains lie off it and lose their weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from app.prepare.look import Look
from app.prepare.treatment import Curve
from model.api import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COLUMNS, ROWS = 33, 9  # of the grid
ALONG, ACROSS = 4, 2  # degrees of the polynomial
FEWEST_LETTERS, FEWEST_LINES = 12, 5
ROUNDS = 6
LEAST_BEND = 0.25  # of a letter's height; less is as good as level
SURE_BEND = 0.5


class Bend(NamedTuple):
    """How lines bend, in pixels of the look."""

    curve: Curve
    confidence: float  # 0..1


class _Feet(NamedTuple):
    """Where letters stand: x and y, and on which line."""

    x: Floats
    y: Floats
    line: NDArray[np.int64]


def find_bend(look: Look) -> Bend | None:
    """Find how the lines of an upright, straight page bend; None where they are level."""
    size = look.letter_px
    feet = _feet(look, size) if size else None
    if feet is None:
        return None
    surface = _Surface(feet, noise=0.12 * size)
    grid = surface.on_grid()
    bend = float(np.ptp(grid, axis=1).max())
    if bend < LEAST_BEND * size or _folds(grid, surface.box):
        return None
    curve = Curve(surface.box, COLUMNS, tuple(float(drop) for drop in grid.ravel()))
    clear = np.clip((bend / size - LEAST_BEND) / (SURE_BEND - LEAST_BEND), 0, 1)
    return Bend(curve, float(clear * np.clip(2 * surface.explained - 0.6, 0, 1)))


def _feet(look: Look, size: float) -> _Feet | None:
    """Feet of the letters of all lines that are long enough."""
    stats = look.letter_boxes
    height = stats[:, cv2.CC_STAT_HEIGHT]
    stats = stats[(height > 0.6 * size) & (height < 2.2 * size)]
    wide = max(3, round(2.2 * size)) | 1
    joined = cv2.dilate(_cores(look, stats, size), np.ones((1, wide), np.uint8))
    lines = cv2.connectedComponents(joined, connectivity=4)[1]
    x = stats[:, 0] + stats[:, 2] / 2
    y = (stats[:, 1] + stats[:, 3]).astype(np.float64)
    middle = np.clip(y - 0.5 * size, 0, look.height_px - 1).astype(np.int64)
    line = lines[middle, x.astype(np.int64)].astype(np.int64)
    counts = np.bincount(line)
    good = (line > 0) & (counts[line] >= FEWEST_LETTERS)
    if len(np.unique(line[good])) < FEWEST_LINES:
        return None
    return _Feet(x[good], y[good], np.unique(line[good], return_inverse=True)[1])


def _cores(look: Look, stats: NDArray[np.int32], size: float) -> NDArray[np.uint8]:
    """A flat bar in the middle of each letter: what is joined along it is one line."""
    cores = np.zeros_like(look.ink)
    half = max(1, round(0.2 * size))
    for left, top, width, height, _ in stats:
        middle = int(top + height - 0.5 * size)
        cores[max(0, middle - half) : middle + half, left : left + width] = 1
    return cores


class _Surface:
    """The surface through the feet: `y = line + drop(x, line)`."""

    def __init__(self, feet: _Feet, *, noise: float) -> None:
        self._x_range = float(feet.x.min()), float(feet.x.max())
        starts = _line_means(feet.y, feet.line, np.ones(len(feet.y)))
        self._y_range = float(starts.min()), float(starts.max())
        self._weights, self.explained = self._fit(feet, starts, noise)

    @property
    def box(self) -> Box:
        """Round all that was fitted."""
        return Box(self._x_range[0], self._y_range[0], self._x_range[1], self._y_range[1])

    def on_grid(self) -> Floats:
        """How far lines drop at the points of the grid, (ROWS, COLUMNS)."""
        ys, xs = np.meshgrid(
            np.linspace(*self._y_range, ROWS), np.linspace(*self._x_range, COLUMNS), indexing="ij"
        )
        drops = self._terms(xs.ravel(), ys.ravel()) @ self._weights
        return drops.reshape(ROWS, COLUMNS)

    def _terms(self, x: Floats, y: Floats) -> Floats:
        across = 2 * (x - self._x_range[0]) / max(np.ptp(self._x_range), 1.0) - 1
        down = 2 * (y - self._y_range[0]) / max(np.ptp(self._y_range), 1.0) - 1
        powers = [(p, q) for p in range(1, ALONG + 1) for q in range(ACROSS + 1)]
        return np.stack([across**p * down**q for p, q in powers], axis=1)

    def _fit(self, feet: _Feet, starts: Floats, noise: float) -> tuple[Floats, float]:
        """Least squares in rounds, each trusting less what lay off the surface before.

        Returns:
            The weights of the terms, and the share of what is not level that they explain.
        """
        trust, weights, explained = np.ones(len(feet.y)), np.zeros(ALONG * (ACROSS + 1)), 0.0
        for _round in range(ROUNDS):
            terms = self._terms(feet.x, starts[feet.line])
            means = np.stack([_line_means(t, feet.line, trust)[feet.line] for t in terms.T], 1)
            level = _line_means(feet.y, feet.line, trust)
            rest = feet.y - level[feet.line]
            off_means = terms - means
            weighted = off_means * trust[:, None]
            # a little of nothing keeps terms small that no line speaks for
            keep_small = 1e-6 * trust.sum() * np.eye(terms.shape[1])
            normal = off_means.T @ weighted + keep_small
            weights = np.asarray(np.linalg.solve(normal, weighted.T @ rest), np.float64)
            off = rest - off_means @ weights
            starts = level - _line_means(terms @ weights, feet.line, trust)
            trust = 1 / (1 + np.square(off / noise))
            before, after = np.median(np.abs(rest)), np.median(np.abs(off))
            explained = float(1 - after / max(before, 1e-9))
        return weights, explained


def _line_means(values: Floats, line: NDArray[np.int64], trust: Floats) -> Floats:
    return np.bincount(line, values * trust) / np.bincount(line, trust)


def _folds(grid: Floats, box: Box) -> bool:
    """Whether lines would come to lie over each other: no page bends so."""
    spacing = box.height / (ROWS - 1)
    return spacing <= 0 or float(np.abs(np.diff(grid, axis=0)).max()) > 0.5 * spacing
