"""What is said of stretches of a table's text, shared out to the cells that they stand in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.book import Mark, Region
from app.export.inlines import Ref, Spans
from model.api import Style

CellPlace = tuple[int, int]
"""Row, and place in the row."""


def cell_spans(region: Region, refs: Mapping[CellPlace, tuple[Ref, ...]]) -> dict[CellPlace, Spans]:
    """Styles, marks and note references by cell.

    Args:
        region: a table with its rows; styles and marks count in its text.
        refs: note references, by cell; they count in the cell's text already.
    """
    found = {place: Spans(refs=own) for place, own in refs.items()}
    if not (region.styles or region.marks):
        return found
    for place, start, end in _cells(region):
        styles, marks = _styles(region, start, end), _marks(region, start, end)
        if styles or marks:
            found[place] = Spans(styles, marks, refs=refs.get(place, ()))
    return found


def _cells(region: Region) -> Iterator[tuple[CellPlace, int, int]]:
    """Each cell and where it stands in the text: tabs part cells, line ends part rows."""
    at = 0
    for row, cells in enumerate(region.rows):
        for column, cell in enumerate(cells):
            yield (row, column), at, at + len(cell.text)
            at += len(cell.text) + 1


def _styles(region: Region, start: int, end: int) -> tuple[Style, ...]:
    return tuple(
        style._replace(start=max(style.start, start) - start, end=min(style.end, end) - start)
        for style in region.styles
        if style.start < end and start < style.end
    )


def _marks(region: Region, start: int, end: int) -> tuple[Mark, ...]:
    """A mark that goes over several cells is told in the one that it ends in."""
    own = (mark for mark in region.marks if mark.kind != "link" and start <= mark.end <= end)
    return tuple(
        mark._replace(start=max(mark.start, start) - start, end=mark.end - start) for mark in own
    )
