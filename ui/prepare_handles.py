"""The lines that can be taken hold of on a page that is prepared. Pure arithmetic.

All in pixels of the master's size, on the upright and straight page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from app.book import Box
from app.language import N_
from app.prepare.treatment import Fold

LEAST_PX = 20.0  # between two opposite edges


class Handle(Enum):
    """One line, or one end of the fold; the value is its name."""

    CROP_LEFT = N_("Left edge of the paper")
    CROP_TOP = N_("Upper edge of the paper")
    CROP_RIGHT = N_("Right edge of the paper")
    CROP_BOTTOM = N_("Lower edge of the paper")
    CONTENT_LEFT = N_("Left edge of the print")
    CONTENT_TOP = N_("Upper edge of the print")
    CONTENT_RIGHT = N_("Right edge of the print")
    CONTENT_BOTTOM = N_("Lower edge of the print")
    FOLD_TOP = N_("Upper end of the fold")
    FOLD_BOTTOM = N_("Lower end of the fold")

    @property
    def is_fold(self) -> bool:
        """Whether it belongs to the fold."""
        return self in {Handle.FOLD_TOP, Handle.FOLD_BOTTOM}

    @property
    def is_content(self) -> bool:
        """Whether it belongs to the printed part."""
        return self.name.startswith("CONTENT")

    @property
    def is_upright(self) -> bool:
        """Whether it is moved to the left and right."""
        return self.is_fold or self.name.endswith(("LEFT", "RIGHT"))

    @property
    def edge(self) -> str:
        """The edge of its box: left, top, right or bottom."""
        return self.name.rsplit("_", 1)[1].lower()


@dataclass(frozen=True)
class Handles:
    """What is drawn over one page."""

    crop: Box | None = None
    content: Box | None = None
    fold: Fold | None = None
    height: float = 0.0  # of the page, along which the fold runs

    @property
    def there(self) -> tuple[Handle, ...]:
        """Those that can be moved, in the order of the Tab key."""
        shown = {"CROP": self.crop, "CONTENT": self.content, "FOLD": self.fold}
        return tuple(each for each in Handle if shown[each.name.split("_")[0]] is not None)

    def line(self, handle: Handle) -> tuple[tuple[float, float], tuple[float, float]]:
        """Both ends of its line."""
        if handle.is_fold:
            assert self.fold is not None
            return (self.fold.top, 0.0), (self.fold.bottom, self.height)
        box = self._box(handle)
        if handle.is_upright:
            x = float(getattr(box, handle.edge))
            return (x, box.top), (x, box.bottom)
        y = float(getattr(box, handle.edge))
        return (box.left, y), (box.right, y)

    def place(self, handle: Handle) -> tuple[float, float]:
        """Where it is taken hold of: the middle of an edge, an end of the fold."""
        (x1, y1), (x2, y2) = self.line(handle)
        if handle.is_fold:
            share = 0.1 if handle is Handle.FOLD_TOP else 0.9
            return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        return (x1 + x2) / 2, (y1 + y2) / 2

    def near(self, x: float, y: float, *, within: float) -> Handle | None:
        """The handle at a place, the nearest of several."""
        found = [(self._distance(each, x, y), each.name, each) for each in self.there]
        distance, _name, handle = min(found, default=(within + 1, "", None))
        return handle if distance <= within else None

    def moved(self, handle: Handle, dx: float, dy: float) -> Handles:
        """With one line moved, at most up to the one opposite."""
        if handle.is_fold:
            assert self.fold is not None
            end = "top" if handle is Handle.FOLD_TOP else "bottom"
            fold = self.fold._replace(**{end: getattr(self.fold, end) + dx})
            return replace(self, fold=fold)
        box, edge = self._box(handle), handle.edge
        place = getattr(box, edge) + (dx if handle.is_upright else dy)
        limit = {
            "left": min(place, box.right - LEAST_PX),
            "top": min(place, box.bottom - LEAST_PX),
            "right": max(place, box.left + LEAST_PX),
            "bottom": max(place, box.top + LEAST_PX),
        }
        moved = box._replace(**{edge: limit[edge]})
        return replace(self, **{"content" if handle.is_content else "crop": moved})

    def _box(self, handle: Handle) -> Box:
        box = self.content if handle.is_content else self.crop
        assert box is not None
        return box

    def _distance(self, handle: Handle, x: float, y: float) -> float:
        """Of a place to the line; to its own half of the fold."""
        (x1, y1), (x2, y2) = self.line(handle)
        if handle.is_fold:
            is_mine = (y < self.height / 2) == (handle is Handle.FOLD_TOP)
            share = y / max(self.height, 1.0)
            return abs(x - (x1 + (x2 - x1) * share)) if is_mine else float("inf")
        if handle.is_upright:
            return abs(x - x1) if y1 <= y <= y2 else float("inf")
        return abs(y - y1) if x1 <= x <= x2 else float("inf")
