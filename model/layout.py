"""Puts the strips of a page into printed lines, blocks and reading order, by geometry alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from model.api import Kind
from model.strips import Strip

Line = tuple[int, ...]
"""The strips of one printed line, as indices, from left to right."""


@dataclass(frozen=True)
class Plan:
    """A block of the page before it is read."""

    kind: Kind
    lines: tuple[Line, ...]  # of a table: its rows
    rows: tuple[tuple[Line, ...], ...] = ()  # tables only: the strips of each cell


def lay_out(strips: Sequence[Strip]) -> tuple[Plan, ...]:
    """Every strip once, in blocks in reading order."""
    if not strips:
        return ()
    angle = skew(strips)
    middles = {i: _level(strip, angle) for i, strip in enumerate(strips)}
    step = median(strip.height for strip in strips) / 2
    rows: list[list[int]] = []
    for i in sorted(middles, key=lambda i: middles[i][1]):
        if not rows or middles[i][1] - middles[rows[-1][-1]][1] > step:
            rows.append([])
        rows[-1].append(i)
    lines = tuple(tuple(sorted(row, key=lambda i: middles[i][0])) for row in rows)
    return (Plan(Kind.TEXT, lines),)


def skew(strips: Sequence[Strip]) -> float:
    """The angle of the page's lines in radians, clockwise; 0 if no line is long enough."""
    angles = [strip.slope for strip in strips if strip.length > 5 * strip.height]
    return median(angles) if angles else 0.0


def _level(strip: Strip, angle: float) -> tuple[float, float]:
    x = sum(corner.x for corner in strip.corners) / 4
    y = sum(corner.y for corner in strip.corners) / 4
    return (
        x * math.cos(angle) + y * math.sin(angle),
        y * math.cos(angle) - x * math.sin(angle),
    )
