"""Which way up a page stands: by the lines of its text, then by what sticks out of them.

Text lies in lines along one side of the page only, which leaves two ways. In Latin, Greek and
Cyrillic print more letters rise above the small ones than hang below them, which leaves one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.prepare.look import Look
from app.prepare.skew import find_skew, line_sharpness

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRIPS = 6  # a line is looked at in pieces: columns, bent lines
FEWEST_LINES = 6
SURE_RATIO = 0.5  # of the sharpness along the lines and across them
SURE_RISE = 0.22


class Turn(NamedTuple):
    """How to set a page upright."""

    quarters: int  # right angles clockwise, 0 to 3
    confidence: float  # 0..1


def find_turn(look: Look) -> Turn:
    """Find the right angles by which a page must be turned to be read."""
    across = look.turned(1)
    along_sharp, across_sharp = line_sharpness(look), line_sharpness(across)
    if not along_sharp and not across_sharp:
        return Turn(0, 0.0)
    lies = across_sharp > along_sharp
    surer, other = max(along_sharp, across_sharp), min(along_sharp, across_sharp)
    is_line = min(1.0, (surer / max(other, 1e-9) - 1) / SURE_RATIO)
    rise, lines = _rise(across if lies else look)
    if lines < FEWEST_LINES:
        return Turn(int(lies), 0.0 if lies else is_line * 0.5)
    is_over = rise < 0
    return Turn(int(lies) + 2 * is_over, min(is_line, abs(rise) / SURE_RISE, 1.0))


def _rise(look: Look) -> tuple[float, int]:
    """How much more sticks out above the lines than below, -1 to 1, and of how many pieces."""
    skew = find_skew(look)
    straight = look.rotated(-skew.degrees) if skew.confidence else look
    above = below = 0.0
    lines = 0
    for strip in np.array_split(straight.letters, STRIPS, axis=1):
        profile = strip.sum(axis=1).astype(np.float64)
        for top, bottom in _bands(profile):
            reach = max(2, round(0.7 * (bottom - top)))
            above += float(profile[max(0, top - reach) : top].sum())
            below += float(profile[bottom : bottom + reach].sum())
            lines += 1
    return (above - below) / max(above + below, 1.0), lines


def _bands(profile: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Rows of the small letters of each line: first and the one behind the last."""
    if profile.max(initial=0) == 0:
        return []
    level = 0.5 * float(np.percentile(profile[profile > 0], 90))
    inside = np.concatenate([[0], (profile > level).astype(np.int8), [0]])
    steps = np.diff(inside)
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True) if 3 <= b - a <= 40]
