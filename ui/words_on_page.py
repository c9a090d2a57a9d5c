"""Between letters of a block and places on the page, as well as the boxes allow. Pure.

Words are exact where their boxes are known; else `app.desk.word_places` estimates them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from app.book import Box, Region, Span
from app.desk.word_places import place_of, word_at
from app.desk.words import is_right_to_left
from ui.page_layout import Point


def mark_at(region: Region, offset: int) -> Span | None:
    """The word that the cursor stands in or at, with where it is on the page or may be."""
    for word in _touching(region.words, offset, offset):
        return word
    start, end = word_around(region.text, offset)
    return place_of(region, start, end) if end > start else None


def word_around(text: str, offset: int) -> tuple[int, int]:
    """The letters between two spaces that an offset stands in or at; empty where there are none."""
    start = offset  # letter by letter: a page may be one block, and this is asked at every key
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    end = offset
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def letters_box(region: Region, start: int, end: int) -> Box | None:
    """Where some letters of one printed line are; None where nothing is known of their block."""
    inside = [word.box for word in _touching(region.words, start + 1, end - 1)]
    if inside:
        return around(inside)
    line = _line_at(region, start)
    return None if line is None else _share_of(line, region.text, start, end)


def _touching(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Those that hold a letter from `start` to `end`, or end or begin there; spans are in order."""
    first = bisect_left(spans, start, key=lambda span: span.end)
    return spans[first : bisect_right(spans, end, key=lambda span: span.start)]


def around(boxes: list[Box]) -> Box:
    """The least box around some."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def box_at(region: Region, offset: int) -> Box | None:
    """Where the letter of this offset is: its word, its line, or an estimate of the line."""
    for spans in (region.words, region.lines):
        for span in spans:
            if span.start <= offset <= span.end:
                return span.box
    line = _line_at(region, offset)
    return line and line.box


def offset_at(region: Region, point: Point) -> int:
    """The offset of the letter nearest to a place of the page."""
    found = word_at((region,), *point)
    span = place_of(region, found.start, found.end) if found is not None else None
    if span is None:
        known = [*region.words, *region.lines]
        span = min(known, key=lambda each: _distance(each.box, point), default=None)
    if span is None:
        return 0
    return span.start + round(_across(region.text, span, point) * _length(span))


def _across(text: str, span: Span, point: Point) -> float:
    """How far into a span a place is (0..1), as it is read; letters count as equally wide."""
    share = _share(point.x, span.box.left, span.box.right)
    return 1 - share if is_right_to_left(text[span.start : span.end]) else share


def _length(span: Span) -> int:
    return span.end - span.start


def _line_at(region: Region, offset: int) -> Span | None:
    """The printed line of a letter: as the engine gave it, or a share of the block's height."""
    for line in region.lines:
        if line.start <= offset <= line.end:
            return line
    box = region.box
    if box is None:
        return None
    number = region.text.count("\n", 0, offset)
    height = box.height / (region.text.count("\n") + 1)
    top = box.top + number * height
    start = region.text.rfind("\n", 0, offset) + 1
    stop = region.text.find("\n", offset)
    end = len(region.text) if stop < 0 else stop
    return Span(start, end, Box(box.left, top, box.right, top + height), origin="estimated")


def _share_of(line: Span, text: str, start: int, end: int) -> Box:
    """The part of a line's box that some of its letters take, all counted as equally wide."""
    letters = max(1, line.end - line.start)
    first = max(0, start - line.start) / letters
    last = min(letters, end - line.start) / letters
    if is_right_to_left(text[line.start : line.end]):
        first, last = 1 - last, 1 - first
    box = line.box
    return Box(box.left + first * box.width, box.top, box.left + last * box.width, box.bottom)


def _distance(box: Box, point: Point) -> float:
    """Square of the way from a place to a box; 0 within it."""
    across = max(box.left - point.x, 0.0, point.x - box.right)
    down = max(box.top - point.y, 0.0, point.y - box.bottom)
    return across * across + down * down


def _share(value: float, start: float, end: float) -> float:
    """How far a value lies between two others (0..1)."""
    return min(1.0, max(0.0, (value - start) / (end - start))) if end > start else 0.0
