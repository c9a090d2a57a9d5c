"""How large a page is drawn: pure arithmetic, the same for every kind of source."""

from __future__ import annotations

from typing import NamedTuple

from app.book import PageSize

ASSUMED_DPI = 300.0
LONGEST_PT = 14400.0  # ISO 32000-1, annex C


class Target(NamedTuple):
    """The size to draw, in whole pixels, at least 1 by 1."""

    width_px: int
    height_px: int
    scale: float  # of the master, at most 1


def target_of(master: PageSize, *, fit: tuple[int, int] | None, scale: float) -> Target:
    """The largest size up to `scale` that fits into the box; nothing is ever enlarged."""
    within = min(1.0, scale)
    if fit:
        within = min(within, fit[0] / master.width_px, fit[1] / master.height_px)
    return Target(
        max(1, round(master.width_px * within)), max(1, round(master.height_px * within)), within
    )


def size_pt(size: PageSize) -> tuple[float, float]:
    """Width and height of a master in points, where nothing but its resolution says so.

    A scan without a resolution counts as one of 300 dpi; none is larger than a PDF may be.
    """
    points = 72 / (size.dpi or ASSUMED_DPI)
    points = min(points, LONGEST_PT / max(size.width_px, size.height_px))
    return size.width_px * points, size.height_px * points


def likely_dpi(value: float | None) -> float | None:
    """A resolution that a scan can have, else None: files often say 1 or 0."""
    return float(value) if value and 30 <= value <= 4800 else None
