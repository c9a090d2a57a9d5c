"""Where a page lies in its pane: fit, zoom and the ways between the page's pixels and the screen's.

Pure arithmetic. All lengths are device pixels, so that one pixel of the image can be one of the
screen at any scale factor; only the page's own size and boxes are pixels of its master.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from app.book import Box

SMALLEST_SCALE = 0.02
LARGEST_SCALE = 8.0
STEP = 1.2  # of one notch of the wheel, or one press of the key


class Fit(StrEnum):
    """What the zoom goes by."""

    PAGE = "page"  # the whole page is seen
    WIDTH = "width"
    FREE = "free"  # a scale that stays


class Zoom(NamedTuple):
    """How large pages are shown; kept from page to page."""

    fit: Fit = Fit.PAGE
    scale: float = 1.0  # device pixels for a pixel of the master; counts when the fit is free


class Point(NamedTuple):
    """A place, in pixels of the screen or of the master as said."""

    x: float
    y: float


class Pan(NamedTuple):
    """A whole number of device pixels in both directions."""

    x: int
    y: int


class Size(NamedTuple):
    """A width and a height, in pixels as said."""

    width: int
    height: int


@dataclass(frozen=True)
class Layout:
    """A page of this size at this scale in a room of this size."""

    page: Size  # pixels of the master
    room: Size
    scale: float
    margin: int  # around the paper

    @property
    def paper(self) -> Size:
        """The page as it is drawn."""
        return Size(
            max(1, round(self.page.width * self.scale)),
            max(1, round(self.page.height * self.scale)),
        )

    @property
    def reach(self) -> Pan:
        """How far the page can be scrolled; 0 where it fits."""
        return Pan(
            max(0, self.paper.width + 2 * self.margin - self.room.width),
            max(0, self.paper.height + 2 * self.margin - self.room.height),
        )

    def origin(self, pan: Pan) -> Pan:
        """The paper's upper left corner in the room when scrolled this far."""
        return Pan(
            _start(self.paper.width, self.room.width, self.margin, self.reach.x, pan.x),
            _start(self.paper.height, self.room.height, self.margin, self.reach.y, pan.y),
        )

    def to_page(self, place: Point, pan: Pan) -> Point:
        """From the room to pixels of the master."""
        origin = self.origin(pan)
        return Point((place.x - origin.x) / self.scale, (place.y - origin.y) / self.scale)

    def to_room(self, box: Box, pan: Pan) -> Box:
        """From pixels of the master to the room."""
        left, top = self.origin(pan)
        return Box(
            left + box.left * self.scale,
            top + box.top * self.scale,
            left + box.right * self.scale,
            top + box.bottom * self.scale,
        )

    def pan_to(self, point: Point, place: Point) -> Pan:
        """How far to scroll so that a point of the master comes to a place in the room."""
        return Pan(
            _within(self.margin + point.x * self.scale - place.x, self.reach.x),
            _within(self.margin + point.y * self.scale - place.y, self.reach.y),
        )

    def pan_to_show(self, box: Box, pan: Pan, *, air: int) -> Pan:
        """Scroll only as far as needed to see a box of the master, with some air around it."""
        shown = self.to_room(box, pan)
        right = _overlap(shown.left - air, shown.right + air, self.room.width)
        down = _overlap(shown.top - air, shown.bottom + air, self.room.height)
        return Pan(
            _within(pan.x + right, self.reach.x),
            _within(pan.y + down, self.reach.y),
        )


def fitting_scale(page: Size, room: Size, *, zoom: Zoom, margin: int, bar: int) -> float:
    """How large the page is drawn in the room, as the zoom says.

    Args:
        page: pixels of the master.
        room: the pane without scroll bars.
        zoom: by the page, by its width, or free.
        margin: around the paper.
        bar: width of a scroll bar; one stands beside a page that is fitted by its width.
    """
    if zoom.fit is Fit.FREE:
        return clamped(zoom.scale)
    wide = max(1, room.width - 2 * margin) / page.width
    high = max(1, room.height - 2 * margin) / page.height
    if zoom.fit is Fit.PAGE or wide <= high:
        return clamped(min(wide, high))
    return clamped(max(1, room.width - bar - 2 * margin) / page.width)


def clamped(scale: float) -> float:
    """A scale that can be shown."""
    return min(LARGEST_SCALE, max(SMALLEST_SCALE, scale))


def _start(paper: int, room: int, margin: int, reach: int, pan: int) -> int:
    return margin - min(pan, reach) if reach else (room - paper) // 2


def _within(pan: float, reach: int) -> int:
    return min(reach, max(0, round(pan)))


def _overlap(start: float, end: float, room: int) -> float:
    """How far a stretch must move to be in the room; its start counts where it is too long."""
    if end - start > room:
        return 0.0 if start <= 0 and end >= room else start
    return start if start < 0 else max(0.0, end - room)
