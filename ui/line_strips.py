"""How large the strips of the page's image are that stand above the lines of its text. Pure.

All strips of a page are equally high, so that the eye finds its line; a block is shown as large as
its width and its lines allow. A strip shows the letters of one line of the pane: where a printed
line is wrapped, each part stands under its own part of the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from app.book import Box, Region
from ui.words_on_page import box_at, letters_box

LEAST_PX, MOST_PX = 22.0, 96.0
AIR = 0.12  # of the line's height, around it in the strip
LARGEST_SCALE = 3.0


class Strips(NamedTuple):
    """The strips of one page."""

    height_px: float = 0.0  # logical; 0: there are none
    scales: tuple[float, ...] = ()  # of each block: pixels of the pane for one of the master


def strips_of(regions: Sequence[Region], column_px: float) -> Strips:
    """Lay strips out for a column of text.

    Args:
        regions: the blocks; those without a box have no strip.
        column_px: its width, logical.
    """
    widest = [_widest_scale(region, column_px) for region in regions]
    heights = [
        scale * line_height(region) * (1 + 2 * AIR)
        for scale, region in zip(widest, regions, strict=True)
        if scale
        for _line in range(region.text.count("\n") + 1)  # what most lines want
    ]
    if not heights:
        return Strips()
    height_px = min(MOST_PX, max(LEAST_PX, median(heights)))
    scales = tuple(
        min(scale, height_px / (line_height(region) * (1 + 2 * AIR))) if scale else 0.0
        for scale, region in zip(widest, regions, strict=True)
    )
    return Strips(height_px, scales)


def line_height(region: Region) -> float:
    """How high a printed line of a block is, in pixels of the master; over 0."""
    heights = [line.box.height for line in region.lines or region.words if line.box.height > 0]
    if heights:
        return median(heights)
    height = region.box.height if region.box is not None else 1.0
    return max(1.0, height / (region.text.count("\n") + 1))


def strip_box(region: Region, start: int, end: int) -> Box | None:
    """What a strip shows: the letters from `start` to `end` with some air around them."""
    box = letters_box(region, start, end) if end > start else box_at(region, start)
    if box is None:
        return None
    air = AIR * line_height(region)
    return Box(box.left - air, box.top - air, box.right + air, box.bottom + air)


def _widest_scale(region: Region, column_px: float) -> float:
    """So large that the block fills the column; 0 where it has no place on the page."""
    box = region.box
    if box is None or box.width <= 0 or box.height <= 0:
        return 0.0
    return min(LARGEST_SCALE, column_px / box.width)
