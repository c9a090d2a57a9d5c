"""The printed lines of a region with their words, each in its place on the page."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from app.book import Region
from app.desk.word_places import place_of, places_of
from app.export.layout import Direction, LaidLine, LaidWord, Origin
from model.api import Box, Span, Style

_WORD = re.compile(r"\S+")


def lines_of(region: Region, box: Box, within: Box) -> tuple[LaidLine, ...]:
    """The printed lines of a region with their words.

    Args:
        region: with legal text.
        box: the region's, known or estimated.
        within: the page; nothing lies outside of it.
    """
    placed = replace(
        region, box=box, words=tuple(sorted(region.words)), lines=tuple(sorted(region.lines))
    )
    ends = [word.end for word in placed.words]
    return tuple(
        _line(placed, line, ends, within) for line in places_of(placed, 0, len(region.text))
    )


def share(box: Box, number: int, parts: int) -> Box:
    """One of several equal parts of a box, from the top."""
    height = box.height / parts
    return Box(box.left, box.top + number * height, box.right, box.top + (number + 1) * height)


def whole_pixels(box: Box, within: Box) -> Box:
    """The box in whole pixels, within another and at least one pixel wide and high."""
    left = min(max(round(box.left), round(within.left)), round(within.right) - 1)
    top = min(max(round(box.top), round(within.top)), round(within.bottom) - 1)
    right = min(max(round(box.right), left + 1), round(within.right))
    bottom = min(max(round(box.bottom), top + 1), round(within.bottom))
    return Box(left, top, right, bottom)


def around(boxes: Sequence[Box]) -> Box:
    """The least box around some."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def direction_of(text: str) -> Direction:
    """Where the first letter runs that has a direction."""
    for letter in text:
        match unicodedata.bidirectional(letter):
            case "R" | "AL":
                return "rtl"
            case "L":
                return "ltr"
            case _:
                pass
    return "ltr"


def _line(region: Region, line: Span, ends: Sequence[int], within: Box) -> LaidLine:
    """One line, taken out of its region so that its words need not look at the others."""
    alone = Region(
        region.kind,
        region.text[line.start : line.end],
        line.box,
        words=_words_within(region, line, ends),
    )
    words = tuple(
        _word(alone, match.start(), match.end(), _styles(region, line.start, match), within)
        for match in _WORD.finditer(alone.text)
    )
    outline = around([line.box, *(word.box for word in words)])
    return LaidLine(
        words, whole_pixels(outline, within), _origin(region, line), direction_of(alone.text)
    )


def _word(line: Region, start: int, end: int, styles: frozenset[str], within: Box) -> LaidWord:
    place = place_of(line, start, end)
    assert place is not None, "a line has a box"
    text = line.text[start:end]
    return LaidWord(text, whole_pixels(place.box, within), place.origin, place.score, styles)


def _words_within(region: Region, line: Span, ends: Sequence[int]) -> tuple[Span, ...]:
    """The engine's words of one line, counted from its start."""
    found: list[Span] = []
    for number in range(bisect_right(ends, line.start), len(ends)):
        word = region.words[number]
        if word.start >= line.end:
            break
        found.append(word._replace(start=word.start - line.start, end=word.end - line.start))
    return tuple(found)


def _styles(region: Region, line_start: int, word: re.Match[str]) -> frozenset[str]:
    start, end = line_start + word.start(), line_start + word.end()
    return frozenset(style.name for style in region.styles if _meets(style, start, end))


def _origin(region: Region, line: Span) -> Origin:
    """A line is in its place where the engine gave it or all of its words."""
    given = [span for span in region.lines if _meets(span, line.start, line.end)]
    return given[0].origin if len(given) == 1 else line.origin


def _meets(span: Span | Style, start: int, end: int) -> bool:
    return span.start < end and span.end > start
