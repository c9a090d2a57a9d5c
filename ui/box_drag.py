"""Boxes as a hand on the page image changes them: moved, stretched by their edges, drawn. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.book import Box
from ui.page_layout import Point

SMALLEST = 4.0  # pixels of the master

Edge = Literal["left", "top", "right", "bottom"]


@dataclass(frozen=True)
class Drag:
    """What the mouse has hold of."""

    kind: Literal["edges", "box", "number", "new"]
    start: Point  # of the master, these two
    now: Point
    block: int = -1
    edges: tuple[Edge, ...] = ()
    is_begun: bool = False  # moved far enough to be no click

    def box(self, old: Box | None) -> Box:
        """The box as it would be if the mouse were let go now."""
        across, down = self.now.x - self.start.x, self.now.y - self.start.y
        match self.kind:
            case "box" if old is not None:
                return shifted(old, across, down)
            case "edges" if old is not None:
                return stretched(old, self.edges, across, down)
            case _:
                return spanned(self.start, self.now)


def shifted(box: Box, across: float, down: float) -> Box:
    """A box put elsewhere."""
    return Box(box.left + across, box.top + down, box.right + across, box.bottom + down)


def stretched(box: Box, edges: Sequence[Edge], across: float, down: float) -> Box:
    """A box with some of its edges put elsewhere; it never turns inside out."""
    ways = {"left": across, "right": across, "top": down, "bottom": down}
    moved = {edge: getattr(box, edge) + ways[edge] for edge in edges}
    wide = box._replace(**moved)
    left = min(wide.left, box.right - SMALLEST) if "left" in edges else wide.left
    top = min(wide.top, box.bottom - SMALLEST) if "top" in edges else wide.top
    right, bottom = max(wide.right, left + SMALLEST), max(wide.bottom, top + SMALLEST)
    return Box(left, top, right, bottom)


def within(box: Box, size: tuple[float, float] | None) -> Box:
    """A box as far as it is on the page, at least a few pixels of it."""
    if size is None:
        return box
    left = min(max(0.0, box.left), size[0] - SMALLEST)
    top = min(max(0.0, box.top), size[1] - SMALLEST)
    right, bottom = min(max(box.right, left + SMALLEST), size[0]), min(box.bottom, size[1])
    return Box(left, top, right, max(bottom, top + SMALLEST))


def spanned(one: Point, other: Point) -> Box:
    """The box between two corners."""
    return Box(min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y))
