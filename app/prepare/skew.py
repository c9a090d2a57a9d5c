"""How far the lines of a page lean.

The edges under the letters are projected along many angles; where the profile is sharpest the lines
lie straight. First coarsely over all angles that happen, then finely, then between two steps.

Source: Postl 1986 (sharpness of the projection profile), on edges of letters instead of all ink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from app.prepare.look import Look

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DEGREES = 12.0
MOST_POINTS = 40_000
FEWEST_POINTS = 250
COARSE, FINE = 0.25, 0.02  # degrees
SURE_SHARPNESS = 2.0  # of the best angle over the usual one, from which a page is sure


class Skew(NamedTuple):
    """How far lines lean: positive when they fall to the right."""

    degrees: float
    confidence: float  # 0..1


def find_skew(look: Look, *, most_degrees: float = MOST_DEGREES) -> Skew:
    """Find the lean of the text lines of an upright page."""
    xs, ys = _under_letters(look)
    if len(xs) < FEWEST_POINTS:
        return Skew(0.0, 0.0)
    coarse = np.arange(-most_degrees, most_degrees + COARSE / 2, COARSE)
    rough = _sharpness(xs, ys, coarse, bin_px=3.0)
    best = float(coarse[int(np.argmax(rough))])
    fine = np.arange(best - 2 * COARSE, best + 2 * COARSE + FINE / 2, FINE)
    sharp = _sharpness(xs, ys, fine, bin_px=1.0)
    degrees = _peak(fine, _smooth(sharp))
    ratio = float(rough.max() / max(np.median(rough), 1e-9))
    return Skew(degrees, float(np.clip((ratio - 1) / (SURE_SHARPNESS - 1), 0, 1)))


def line_sharpness(look: Look) -> float:
    """How clearly marks lie in lines at the best angle: 0 without marks, about 1 without lines."""
    xs, ys = _under_letters(look)
    if len(xs) < FEWEST_POINTS:
        return 0.0
    angles = np.arange(-6.0, 6.1, 0.5)
    sharp = _sharpness(xs, ys, angles, bin_px=3.0)
    even = len(xs) * 3.0 / max(float(np.ptp(ys)), 1.0)
    return float(sharp.max() / even)


def _under_letters(look: Look) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places where a letter ends and paper begins below it: most of them lie on the baselines."""
    letters = look.letters
    ends = letters[:-1] & (1 - letters[1:])
    if not ends.any():
        return np.empty(0), np.empty(0)
    points = cv2.findNonZero(ends).reshape(-1, 2)  # another shape in OpenCV 4 than in 5
    xs, ys = points[:: max(1, len(points) // MOST_POINTS)].T
    # whole numbers fall into whole rows, and no angle would look as sharp as none at all
    within = np.random.default_rng(0).uniform(-0.5, 0.5, (2, len(xs)))
    return xs - look.width_px / 2 + within[0], ys - look.height_px / 2 + within[1]


def _sharpness(
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    degrees: NDArray[np.float64],
    *,
    bin_px: float,
) -> NDArray[np.float64]:
    """Sum of squares of the profile along each angle, over what even ink would have."""
    reach = float(np.hypot(np.abs(xs).max(), np.abs(ys).max())) + bin_px
    bins = int(2 * reach / bin_px) + 2
    found = np.empty(len(degrees))
    for index, angle in enumerate(np.radians(degrees)):
        places = (ys * np.cos(angle) - xs * np.sin(angle) + reach) / bin_px
        counts = np.bincount(places.astype(np.int64), minlength=bins).astype(np.float64)
        found[index] = np.square(counts).sum() / len(xs)
    return found


def _smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.convolve(np.pad(values, 3, mode="edge"), np.ones(7) / 7, mode="valid")


def _peak(angles: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The angle of the highest value, as a parabola through it and its neighbours has it."""
    at = int(np.argmax(values))
    low, high = max(0, at - 5), min(len(values), at + 6)
    near = angles[low:high] - angles[at]
    fitted = np.asarray(np.polyfit(near, values[low:high], 2), np.float64)
    a, b = float(fitted[0]), float(fitted[1])
    shift = -b / (2 * a) if a < 0 else 0.0
    return float(angles[at] + np.clip(shift, -5 * FINE, 5 * FINE))
