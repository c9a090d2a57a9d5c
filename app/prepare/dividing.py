"""What was read of a spread, given to its two pages. Pure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.book import PageSize, Reading, Region
from app.prepare.page_map import PageMap
from app.prepare.treatment import Treatment


def divided(reading: Reading, size: PageSize, first: Treatment) -> tuple[Reading, Reading] | None:
    """The blocks on each page of a spread, as two readings of the same source.

    Args:
        reading: of the whole spread.
        size: of its master.
        first: the treatment of the page that is read first.

    Returns:
        The first page's and the second's; None where a block has no place, or lies over the fold,
        or one page would be left without any: then both are to be read.
    """
    page = PageMap(size, first)
    sides = [_is_on(region, page) for region in reading.regions]
    if None in sides or len(set(sides)) != 2:
        return None
    mine, others = (
        tuple(r for r, side in zip(reading.regions, sides, strict=True) if side is wanted)
        for wanted in (True, False)
    )
    return replace(reading, regions=mine, id=0), replace(reading, regions=others, id=0)


def _is_on(region: Region, page: PageMap) -> bool | None:
    """Whether a block is on this page of the spread; None where that cannot be said."""
    if region.box is None:
        return None
    box = region.box
    middle = (box.top + box.bottom) / 2
    ends = np.array([[box.left, middle], [box.right, middle], [(box.left + box.right) / 2, middle]])
    inside = page.is_this_side(ends)
    return bool(inside[2]) if inside[0] == inside[1] else None
