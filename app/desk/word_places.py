"""Where a word stands on the page, and which word stands at a point. Pure; page coordinates.

A box is exact where the engine placed the word, or another reading of the page did (`with_places`
brings its boxes over). Else it is estimated: between the placed words of its line, or within the
line, or within the line's share of its block, by the widths of the letters. A word that is broken
at a line's end has a box on each line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from app.book import Region
from app.desk.alignment import Match, aligned
from app.desk.words import is_right_to_left
from app.export.letter_widths import text_width
from model.api import Box, Span

_WORD = re.compile(r"\S+")
_FULL = 0.8  # of the longest line: a line so long was set to the full measure


class Place(NamedTuple):
    """A word in the text of a page."""

    region: int
    start: int  # code points in the region's text
    end: int


def place_of(region: Region, start: int, end: int) -> Span | None:
    """The box of a word: of its first part where it is broken over two lines.

    Args:
        region: the block.
        start: code points in its text.
        end: exclusive.

    Returns:
        The box with its origin; None where the block has no box, or nothing stands there.
    """
    return next(places_of(region, start, end), None)


def places_of(region: Region, start: int, end: int) -> Iterator[Span]:
    """The boxes of a stretch of text, one on each printed line that it touches."""
    for match in re.compile(r"[^\n]*\S[^\n]*").finditer(region.text, start, end):
        first = match.start() + len(match[0]) - len(match[0].lstrip())
        place = _place(region, first, first + len(match[0].strip()))
        if place is not None:
            yield place


def word_at(regions: Sequence[Region], x: float, y: float) -> Place | None:
    """The word that stands at a point of the page, or next to it in the same line of its block.

    Args:
        regions: of the page.
        x: page pixels.
        y: page pixels.
    """
    holding = [
        number
        for number, region in enumerate(regions)
        if region.box and _holds(region.box, x, y) and region.text.strip()
    ]
    if not holding:
        return None
    number = min(holding, key=lambda i: _area(regions[i].box))
    found = _word_in(regions[number], x, y)
    return Place(number, *found) if found else None


def with_places(regions: Sequence[Region], others: Sequence[Region]) -> tuple[Region, ...]:
    """The regions with the word boxes of another reading of the page, where theirs are no better.

    Args:
        regions: some of whose words have no exact box.
        others: of a reading whose words have.
    """
    exact = [
        (other.text[word.start : word.end], word)
        for other in others
        for word in other.words
        if word.origin == "exact"
    ]
    return tuple(_with_words(region, exact) for region in regions) if exact else tuple(regions)


def is_placed(region: Region) -> bool:
    """Whether the engine, or another reading, placed a word of the block; or it has none."""
    return not region.text.strip() or any(word.origin == "exact" for word in region.words)


# --- one word -----------------------------------------------------------------------------------


def _place(region: Region, start: int, end: int, within: _Line | None = None) -> Span | None:
    """A word's box; `within` is its line, where that is known."""
    known = _exact_words(region, start, end)
    scores = [each.score for each in _words(region, start, end) if each.score is not None]
    score = min(scores, default=None)
    if known and (known[0].start, known[-1].end) == (start, end) and _is_whole(region, known):
        return Span(start, end, _around([word.box for word in known]), score)
    line = within or _line_of(region, start)
    if line is None:
        return None
    left, right = line.reach(region, start), line.reach(region, end)
    box = Box(min(left, right), line.box.top, max(left, right), line.box.bottom)
    return Span(start, end, box, score, "estimated")


def _is_whole(region: Region, words: Sequence[Span]) -> bool:
    """Whether nothing but space stands between these words."""
    text = region.text
    return all(not text[before.end : after.start].strip() for before, after in pairwise(words))


def _words(region: Region, start: int, end: int) -> Iterator[Span]:
    words = region.words
    at = bisect_right(words, start, key=lambda word: word.end)
    while at < len(words) and words[at].start < end:
        yield words[at]
        at += 1


def _exact_words(region: Region, start: int, end: int) -> list[Span]:
    return [word for word in _words(region, start, end) if word.origin == "exact"]


# --- one line -----------------------------------------------------------------------------------


class _Line(NamedTuple):
    """A printed line: its stretch of the block's text and its box, given or estimated."""

    start: int
    end: int
    box: Box
    is_right_to_left: bool

    def reach(self, region: Region, at: int) -> float:
        """How far to the right, in pixels, the place between two letters is."""
        before, after = self._rims()
        for word in _exact_words(region, self.start, self.end):
            first, last = self._turned(word.box)
            if word.end <= at:
                before = (word.end, last)
            elif word.start >= at:
                after = (word.start, first)
                break
            else:  # within a word that is placed
                before, after = (word.start, first), (word.end, last)
                break
        return self._between(region.text, before, after, at)

    def _rims(self) -> tuple[tuple[int, float], tuple[int, float]]:
        first, last = self._turned(self.box)
        return (self.start, first), (self.end, last)

    def _turned(self, box: Box) -> tuple[float, float]:
        return (box.right, box.left) if self.is_right_to_left else (box.left, box.right)

    def _between(
        self, text: str, before: tuple[int, float], after: tuple[int, float], at: int
    ) -> float:
        whole = text_width(text[before[0] : after[0]])
        share = text_width(text[before[0] : at]) / whole if at > before[0] else 0.0
        return before[1] + (after[1] - before[1]) * min(share, 1.0)


def _line_of(region: Region, at: int) -> _Line | None:
    """The printed line in which a letter stands; the others are gone through only if need be."""
    if region.box is None:
        return None
    text = region.text
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    end = len(text) if end < 0 else end
    box = _given_box(region, start, end) if at < end and text[start:end].strip() else None
    if box is not None:
        return _Line(start, end, box, is_right_to_left(text))
    return next((line for line in _lines(region) if line.start <= at < line.end), None)


def _lines(region: Region) -> Iterator[_Line]:
    """The printed lines of a block that hold something, from the top."""
    if region.box is None:
        return
    rows = [(row.start(), row.end()) for row in re.finditer(r"[^\n]*\S[^\n]*", region.text)]
    turned = is_right_to_left(region.text)
    widest = max((text_width(region.text[start:end]) for start, end in rows), default=1.0)
    for number, (start, end) in enumerate(rows):
        share = text_width(region.text[start:end]) / widest
        box = _given_box(region, start, end) or _share(
            region.box, number, len(rows), share=share, is_right_to_left=turned
        )
        yield _Line(start, end, box, turned)


def _given_box(region: Region, start: int, end: int) -> Box | None:
    """The box of a line as the engine gave it, or round its placed words where it gave none."""
    lines = region.lines
    at = bisect_right(lines, start, key=lambda line: line.end)
    boxes = [lines[at].box] if at < len(lines) and lines[at].start < end else []
    if boxes:
        return boxes[0]
    words = _exact_words(region, start, end)
    if not words or region.box is None:
        return None
    around = _around([word.box for word in words])
    return Box(
        around.left if words[0].start == start else min(around.left, region.box.left),
        around.top,
        around.right if words[-1].end == end else max(around.right, region.box.right),
        around.bottom,
    )


def _share(box: Box, number: int, count: int, *, share: float, is_right_to_left: bool) -> Box:
    """A line's part of its block: an equal part of the height; a short line is not as wide."""
    height = box.height / count
    width = box.width * (1.0 if share >= _FULL else share)
    left = box.right - width if is_right_to_left else box.left
    return Box(left, box.top + number * height, left + width, box.top + (number + 1) * height)


# --- a point ------------------------------------------------------------------------------------


def _word_in(region: Region, x: float, y: float) -> tuple[int, int] | None:
    for word in region.words:
        if word.origin == "exact" and _holds(word.box, x, y):
            return word.start, word.end
    lines = list(_lines(region))
    if not lines:
        return None
    line = min(lines, key=lambda each: _distance(each.box.top, each.box.bottom, y))
    places = [
        place
        for word in _WORD.finditer(region.text, line.start, line.end)
        if (place := _place(region, word.start(), word.end(), line)) is not None
    ]
    nearest = min(places, key=lambda each: _distance(each.box.left, each.box.right, x))
    return nearest.start, nearest.end


def _distance(low: float, high: float, at: float) -> float:
    return max(low - at, at - high, 0.0)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def _area(box: Box | None) -> float:
    return box.width * box.height if box else 0.0


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


# --- boxes of another reading -------------------------------------------------------------------


def _with_words(region: Region, exact: Sequence[tuple[str, Span]]) -> Region:
    if is_placed(region):
        return region
    within = [each for each in exact if region.box is None or _is_in(each[1].box, region.box)]
    spans = [(word.start(), word.end()) for word in _WORD.finditer(region.text)]
    matches = aligned(
        [region.text[start:end] for start, end in spans], [text for text, _span in within]
    )
    boxes = [word.box for _text, word in within]
    given = {(word.start, word.end): word for word in region.words}
    words = [
        _placed(given.get(span), span, match, boxes)
        for span, match in zip(spans, matches, strict=True)
    ]
    box = region.box or _around([each.box for each in words if each]) if any(words) else region.box
    return replace(region, box=box, words=tuple(word for word in words if word is not None))


def _placed(
    given: Span | None, span: tuple[int, int], match: Match | None, boxes: Sequence[Box]
) -> Span | None:
    """A word with the box of its counterpart; as it was where there is none of its own."""
    if match is None or match.is_empty or match.is_part:
        return given
    box = _around(boxes[match.first : match.last])
    return Span(*span, box, given.score if given else None)


def _is_in(box: Box, outer: Box) -> bool:
    """Whether a word's middle lies in a block, or just outside of it."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    margin = box.height / 2
    return (
        outer.left - margin <= x <= outer.right + margin
        and outer.top - margin <= y <= outer.bottom + margin
    )
