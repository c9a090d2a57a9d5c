"""Manners in which letters are set: given to a stretch of a block and taken from it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from app.book import Region
from model.api import Style

StyleName = Literal["italic", "bold", "small_caps", "superscript", "subscript", "letter_spaced"]

_EXCLUDES: dict[str, str] = {"superscript": "subscript", "subscript": "superscript"}


def is_styled(region: Region, start: int, end: int, name: StyleName) -> bool:
    """Whether all letters of a stretch are set so; white space at its ends does not count."""
    start, end = _inked(region.text, start, end)
    covered = start
    for style in sorted(style for style in region.styles if style.name == name):
        if style.start <= covered:
            covered = max(covered, style.end)
    return start < end <= covered


def styled(region: Region, start: int, end: int, name: StyleName, *, is_on: bool) -> Region:
    """The region with a stretch set so, or no longer so.

    Args:
        region: the block.
        start: code points; white space at the ends of the stretch is left as it is.
        end: exclusive.
        name: what letters are set in.
        is_on: whether they are to be.
    """
    start, end = _inked(region.text, start, end)
    if start >= end:
        return region
    left_out = {name, _EXCLUDES.get(name, "")} if is_on else {name}
    kept = [style for style in region.styles if style.name not in left_out]
    for other in sorted(left_out):
        kept += _without((s for s in region.styles if s.name == other), start, end)
    if is_on:
        kept.append(Style(start, end, name))
    styles = tuple(sorted(_joined(kept)))
    return region if styles == region.styles else replace(region, styles=styles, by_hand=True)


def _inked(text: str, start: int, end: int) -> tuple[int, int]:
    stretch = text[start:end]
    lead = len(stretch) - len(stretch.lstrip())
    return start + lead, max(start + lead, end - (len(stretch) - len(stretch.rstrip())))


def _without(styles: Iterable[Style], start: int, end: int) -> Iterator[Style]:
    for style in styles:
        if style.start < min(style.end, start):
            yield style._replace(end=min(style.end, start))
        if max(style.start, end) < style.end:
            yield style._replace(start=max(style.start, end))


def _joined(styles: Iterable[Style]) -> list[Style]:
    """Stretches of one name that touch as one."""
    joined: list[Style] = []
    for style in sorted(styles, key=lambda style: (style.name, style.start)):
        last = joined[-1] if joined else None
        if last is not None and last.name == style.name and style.start <= last.end:
            joined[-1] = last._replace(end=max(last.end, style.end))
        else:
            joined.append(style)
    return joined
