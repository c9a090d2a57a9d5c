"""Between letters of a block and places on the page, as well as the boxes allow. Pure.

Words are exact where the engine gave their boxes; else lines; else the block's box is divided by
its printed lines, which is enough to bring a line into sight and to put the cursor near a click.
"""

from __future__ import annotations

from app.book import Box, Region, Span
from ui.page_layout import Point


def words_at(region: Region, offset: int) -> tuple[Span, ...]:
    """The word that the cursor stands in or at; two boxes where the print breaks it, or none."""
    return tuple(word for word in region.words if word.start <= offset <= word.end)[:1]


def box_at(region: Region, offset: int) -> Box | None:
    """Where the letter of this offset is: its word, its line, or an estimate of the line."""
    for spans in (region.words, region.lines):
        for span in spans:
            if span.start <= offset <= span.end:
                return span.box
    return _line_box(region, region.text[:offset].count("\n"))


def offset_at(region: Region, point: Point) -> int:
    """The offset of the letter nearest to a place of the page."""
    spans = region.words or region.lines
    if spans:
        return _within(min(spans, key=lambda span: _distance(span.box, point)), point)
    if region.box is None:
        return 0
    lines = region.text.split("\n")
    number = min(
        len(lines) - 1, int(_share(point.y, region.box.top, region.box.bottom) * len(lines))
    )
    before = sum(len(line) + 1 for line in lines[:number])
    across = _share(point.x, region.box.left, region.box.right)
    return before + round(across * len(lines[number]))


def _within(span: Span, point: Point) -> int:
    """The letter of a span under a place; letters count as equally wide."""
    across = _share(point.x, span.box.left, span.box.right)
    return span.start + round(across * (span.end - span.start))


def _line_box(region: Region, line: int) -> Box | None:
    box = region.box
    if box is None:
        return None
    height = box.height / (region.text.count("\n") + 1)
    top = box.top + line * height
    return Box(box.left, top, box.right, top + height)


def _distance(box: Box, point: Point) -> float:
    """Square of the way from a place to a box; 0 within it."""
    across = max(box.left - point.x, 0.0, point.x - box.right)
    down = max(box.top - point.y, 0.0, point.y - box.bottom)
    return across * across + down * down


def _share(value: float, start: float, end: float) -> float:
    """How far a value lies between two others (0..1)."""
    return min(1.0, max(0.0, (value - start) / (end - start))) if end > start else 0.0
