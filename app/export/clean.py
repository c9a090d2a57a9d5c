"""Characters that no export may hold: what XML forbids, other controls, byte order marks.

Text without them, the offsets of everything said of it moved along.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import fields, replace

from app.book import Details, Mark, Region
from model.api import Cell, Span, Style

_ILLEGAL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)


def legal(text: str) -> str:
    """Leave out every character that XML 1.0 or a text file must not hold."""
    return _ILLEGAL.sub("", text)


def legal_line(text: str) -> str:
    """The same for a name or a number: one line, single spaces."""
    return " ".join(legal(text).split())


def legal_details(details: Details) -> Details:
    """What a catalogue says of the book, each part in one line of legal text."""
    said = {each.name: getattr(details, each.name) for each in fields(details)}
    texts = {name: legal_line(value) for name, value in said.items() if isinstance(value, str)}
    return replace(details, **texts)


def legal_region(region: Region) -> Region:
    """The region with legal text; most are returned as they are."""
    if region.rows:
        region = replace(region, rows=tuple(tuple(map(_legal_cell, row)) for row in region.rows))
    if region.marks:
        region = replace(region, marks=tuple(map(_legal_mark, region.marks)))
    gone = [match.start() for match in _ILLEGAL.finditer(region.text)]
    if not gone:
        return region
    return replace(
        region,
        text=legal(region.text),
        styles=tuple(Style(_at(s.start, gone), _at(s.end, gone), s.name) for s in region.styles),
        marks=tuple(_moved_mark(mark, gone) for mark in region.marks),
        words=tuple(_moved_span(span, gone) for span in region.words),
        lines=tuple(_moved_span(span, gone) for span in region.lines),
    )


def _legal_cell(cell: Cell) -> Cell:
    return cell._replace(text=legal(cell.text)) if _ILLEGAL.search(cell.text) else cell


def _legal_mark(mark: Mark) -> Mark:
    return mark._replace(text=legal_line(mark.text))


def _at(offset: int, gone: list[int]) -> int:
    return offset - bisect_left(gone, offset)


def _moved_mark(mark: Mark, gone: list[int]) -> Mark:
    return mark._replace(start=_at(mark.start, gone), end=_at(mark.end, gone))


def _moved_span(span: Span, gone: list[int]) -> Span:
    return span._replace(start=_at(span.start, gone), end=_at(span.end, gone))
