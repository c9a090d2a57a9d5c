"""What is drawn over a page's image: its blocks, the one that is lit, the word under the cursor."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.book import Box, Region, Span
from ui.page_layout import Layout, Pan, Point
from ui.page_tint import Tint
from ui.theme import DARK, LIGHT, Colours, faded

FADE_S = 0.25
_OUTLINE = 0.4
_HOVERED = 0.25
_LIT = 0.45


class Overlay:
    """Blocks of the page that is shown, as they are drawn. Belongs to `ui`."""

    def __init__(self) -> None:
        self.regions: tuple[Region, ...] = ()
        self.lit: int | None = None  # holds the text cursor
        self.hovered: int | None = None
        self.mark: Span | None = None  # the word of the cursor
        self.is_shown = True  # outlines of all; the lit one is drawn in any case
        self.tint = Tint.NONE  # of the image below
        self._appeared_s: dict[int, float] = {}  # blocks that fade in

    def show(self, regions: Sequence[Region], *, fades: bool) -> None:
        """Take these blocks; those that are new fade in if asked."""
        new = range(len(self.regions), len(regions)) if fades else ()
        now_s = time.monotonic()
        self._appeared_s = {
            each: begun_s for each, begun_s in self._appeared_s.items() if each < len(regions)
        } | dict.fromkeys(new, now_s)
        self.regions = tuple(regions)
        self.lit = _kept(self.lit, len(regions))
        self.hovered = _kept(self.hovered, len(regions))

    def clear(self) -> None:
        """Another page: nothing is known of it yet."""
        self._appeared_s.clear()
        self.regions, self.mark = (), None
        self.lit = self.hovered = None

    def light(self, region: int | None, mark: Span | None) -> bool:
        """Light a block and mark a word of it; whether that is another picture."""
        lit = _kept(region, len(self.regions))
        is_new = (lit, mark) != (self.lit, self.mark)
        self.lit, self.mark = lit, mark
        return is_new

    @property
    def is_fading(self) -> bool:
        """Whether a block is still on its way in; forgets those that are there."""
        now_s = time.monotonic()
        for each in [e for e, begun_s in self._appeared_s.items() if now_s - begun_s > FADE_S]:
            del self._appeared_s[each]
        return bool(self._appeared_s)

    def at(self, place: Point) -> int | None:
        """The smallest block around a place of the master."""
        around = [
            (box.width * box.height, index)
            for index, box in self._boxes()
            if box.left <= place.x <= box.right and box.top <= place.y <= box.bottom
        ]
        return min(around)[1] if around else None

    def box(self, index: int | None) -> Box | None:
        """Where a block is, if that is known."""
        return self.regions[index].box if index is not None else None

    def next_with_box(self, step: int) -> int | None:
        """The block after (1) or before (-1) the lit one that stands on the page."""
        known = [index for index, _box in self._boxes()]
        if step > 0:
            return next((each for each in known if self.lit is None or each > self.lit), None)
        return next((each for each in reversed(known) if self.lit and each < self.lit), None)

    def paint(self, painter: QPainter, layout: Layout, pan: Pan, *, pen_px: int) -> None:
        """Draw in device pixels over the image."""
        for index, box in self._boxes():
            self._paint_box(painter, index, _rect(layout.to_room(box, pan)), pen_px)
        if self.mark is not None:
            rect = _rect(layout.to_room(self.mark.box, pan))
            paint_mark(painter, rect, origin=self.mark.origin, tint=self.tint, pen_px=pen_px)

    def _boxes(self) -> list[tuple[int, Box]]:
        return [(i, region.box) for i, region in enumerate(self.regions) if region.box is not None]

    def _paint_box(self, painter: QPainter, index: int, rect: QRectF, pen_px: int) -> None:
        is_lit, is_hovered = index == self.lit, index == self.hovered
        if is_lit or is_hovered:
            _highlight(painter, rect, _LIT if is_lit else _HOVERED, self.tint)
        if not is_lit and not self.is_shown:
            return
        share = self._share_in(index) * (1.0 if is_lit else _OUTLINE)
        painter.setPen(QPen(faded(_paper(self.tint).accent, share), pen_px))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect)

    def _share_in(self, index: int) -> float:
        """How far a block has faded in."""
        begun_s = self._appeared_s.get(index)
        return 1.0 if begun_s is None else min(1.0, (time.monotonic() - begun_s) / FADE_S)


def paint_mark(painter: QPainter, rect: QRectF, *, origin: str, tint: Tint, pen_px: int) -> None:
    """Mark a word: framed firmly where its place is known, with dashes where it is estimated."""
    is_exact, around = origin == "exact", rect.adjusted(-2, -1, 2, 1)
    _highlight(painter, around, 1.0 if is_exact else _LIT, tint)
    style = Qt.PenStyle.SolidLine if is_exact else Qt.PenStyle.DashLine
    painter.setPen(QPen(_paper(tint).accent, 2 * pen_px if is_exact else pen_px, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(around)


def _highlight(painter: QPainter, rect: QRectF, share: float, tint: Tint) -> None:
    """As a highlighter does: the ground takes the colour, the ink stays as it is."""
    mode = QPainter.CompositionMode
    is_dark = tint is Tint.INVERTED
    painter.setCompositionMode(
        mode.CompositionMode_Screen if is_dark else mode.CompositionMode_Multiply
    )
    painter.fillRect(rect, faded(_paper(tint).accent_soft, share))
    painter.setCompositionMode(mode.CompositionMode_SourceOver)


def _paper(tint: Tint) -> Colours:
    """A page is light in the dark looks too, unless it is shown inverted."""
    return DARK if tint is Tint.INVERTED else LIGHT


def _rect(box: Box) -> QRectF:
    """On whole pixels, so that thin lines are sharp."""
    left, top = round(box.left) + 0.5, round(box.top) + 0.5
    return QRectF(left, top, round(box.width), round(box.height))


def _kept(index: int | None, count: int) -> int | None:
    return index if index is not None and index < count else None
