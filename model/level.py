"""The page set straight: strips as level rectangles, and who stands beside whom.

Pure functions. A slab is a strip turned by the page's skew, so that what belongs to one printed
line has one height on the page again.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from model.strips import Strip

STEEPEST = math.radians(20)  # more is not skew but text set at an angle
LONG = 5.0  # length to height from which a strip's slope can be trusted


class Slab(NamedTuple):
    """A strip in the level page. The detector's margin is in it: about a fifth above and below."""

    number: int  # of the strip
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Half-way down."""
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        """Half-way across."""
        return (self.left + self.right) / 2


def skew(strips: Iterable[Strip]) -> float:
    """The angle of the page's lines in radians, clockwise; 0 if no line is long enough.

    The median by length: half of all printed length runs steeper, half less steep.
    """
    sloped = sorted(
        (strip.slope, strip.length)
        for strip in strips
        if strip.length > LONG * strip.height and abs(strip.slope) < STEEPEST
    )
    half = sum(length for _, length in sloped) / 2
    for slope, length in sloped:
        half -= length
        if half <= 0:
            return slope
    return 0.0


def level(strips: Mapping[int, Strip]) -> list[Slab]:
    """Numbered strips as slabs, from top to bottom; ties from left to right."""
    angle = skew(strips.values())
    cosine, sine = math.cos(angle), math.sin(angle)
    slabs = [_slab(number, strip, cosine, sine) for number, strip in strips.items()]
    return sorted(slabs, key=lambda slab: (slab.middle, slab.left, slab.right, slab.number))


def em_of(slabs: Sequence[Slab]) -> float:
    """The usual height of a slab: the unit in which the rules of layout are told."""
    return median(slab.height for slab in slabs) if slabs else 1.0


def beside(slabs: Sequence[Slab], closeness: float) -> Iterator[tuple[Slab, Slab]]:
    """Pairs of a slab and the nearest one to its right at the same height.

    Args:
        slabs: sorted by `middle`.
        closeness: how far apart two middles may lie, in heights of the lower of the two slabs.
    """
    middles = [slab.middle for slab in slabs]
    for slab in slabs:
        reach = closeness * slab.height
        first = bisect_left(middles, slab.middle - reach)
        last = bisect_right(middles, slab.middle + reach)
        to_right = [
            other
            for other in slabs[first:last]
            if other.centre > slab.centre
            and other.left > slab.centre
            and abs(other.middle - slab.middle) <= closeness * min(slab.height, other.height)
        ]
        if to_right:
            yield slab, min(to_right, key=lambda other: (other.left, other.number))


def _slab(number: int, strip: Strip, cosine: float, sine: float) -> Slab:
    xs = [corner.x * cosine + corner.y * sine for corner in strip.corners]
    ys = [corner.y * cosine - corner.x * sine for corner in strip.corners]
    return Slab(
        number,
        left=(xs[0] + xs[3]) / 2,
        top=(ys[0] + ys[1]) / 2,
        right=(xs[1] + xs[2]) / 2,
        bottom=(ys[2] + ys[3]) / 2,
    )
