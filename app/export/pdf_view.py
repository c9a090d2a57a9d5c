"""What of a scan a PDF shows: turned upright, and only the part that is the page.

The image itself stays whole and unturned in the file; the page's window on it is set (ISO 32000-1,
14.11.2: /CropBox, /Rotate). A page that was straightened or made level is shown as it was scanned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.export.layout import LaidLine, LaidPage
from app.export.pdf_file import real
from app.export.placing import whole_pixels
from app.prepare.page_map import PageMap
from app.prepare.treatment import Treatment
from model.api import Box

if TYPE_CHECKING:
    from app.prepare.page_map import Points


@dataclass(frozen=True)
class View:
    """One page of the book on one page of the file."""

    page: LaidPage
    width_pt: float  # of the whole scan, unturned
    height_pt: float

    @property
    def entries(self) -> str:
        """What the page's object says of it."""
        quarters = self.page.page.treatment.quarters % 4
        turned = f"/Rotate {90 * quarters}" if quarters else ""
        part = self._part()
        return turned if part is None else f"{turned}/CropBox[{' '.join(map(real, part))}]"

    def upright(self) -> LaidPage:
        """The page with its places on the upright scan."""
        if not self.page.page.treatment.quarters % 4:
            return self.page
        regions = tuple(
            replace(region, lines=tuple(map(self._upright_line, region.lines)))
            for region in self.page.regions
        )
        return replace(self.page, size=self._upright_map().size, regions=regions)

    def matrix(self) -> tuple[float, ...]:
        """From pixels of the upright scan, counted from its lower left corner, to points."""
        there = self._upright_map()
        height = there.size.height_px
        corners = np.array([[0.0, height], [1.0, height], [0.0, height - 1.0]])
        (x, y), (x_right, y_right), (x_up, y_up) = self._points(there.to_master(corners))
        return x_right - x, y_right - y, x_up - x, y_up - y, x, y

    def _upright_map(self) -> PageMap:
        return PageMap(self.page.size, Treatment(quarters=self.page.page.treatment.quarters))

    def _upright_line(self, line: LaidLine) -> LaidLine:
        words = tuple(replace(word, box=self._turned(word.box)) for word in line.words)
        return replace(line, box=self._turned(line.box), words=words)

    def _turned(self, box: Box) -> Box:
        there = self._upright_map()
        within = Box(0, 0, there.size.width_px, there.size.height_px)
        corners = np.array([[box.left, box.top], [box.right, box.bottom]], np.float64)
        (x, y), (to_x, to_y) = there.to_prepared(corners)
        return whole_pixels(Box(min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)), within)

    def _points(self, places: Points) -> Points:
        """Pixels of the master as points from the lower left corner of the unturned page."""
        size = self.page.size
        scale = np.array([self.width_pt / size.width_px, -self.height_pt / size.height_px])
        return places * scale + np.array([0.0, self.height_pt])

    def _part(self) -> tuple[float, float, float, float] | None:
        """Left, lower, right and upper edge of what is shown; None: all."""
        treatment = self.page.page.treatment
        if treatment.fold is None and treatment.frame is None:
            return None
        there = PageMap(self.page.size, treatment)
        parts = [there.turned_to_master(there.page_corners())]
        if treatment.frame is not None:
            left, top, right, bottom = treatment.frame
            edges = [[left, top], [right, top], [right, bottom], [left, bottom]]
            parts.append(there.straight_to_master(np.array(edges, np.float64)))
        lows, highs = np.zeros(2), np.array([self.width_pt, self.height_pt])
        for part in parts:
            lows = np.maximum(lows, self._points(part).min(axis=0))
            highs = np.minimum(highs, self._points(part).max(axis=0))
        if (highs - lows).min() < 1:
            return None  # a window that shows nothing
        return float(lows[0]), float(lows[1]), float(highs[0]), float(highs[1])
