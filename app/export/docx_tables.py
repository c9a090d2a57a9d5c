"""A table of the neutral document as WordprocessingML, spans included.

Source:
    ECMA-376 part 1, 17.4: a cell over several rows is continued by an empty one in each row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from app.export.blocks import Inlines, Table, TableCell
from app.export.docx_look import TEXT_WIDTH
from app.export.docx_xml import Element, add, new, run

MOST_COLUMNS = 63
"""Word opens no table with more."""

MakeParagraph = Callable[[str, Inlines], Element]


class _Place(NamedTuple):
    cell: TableCell
    is_continued: bool  # the cell began in a row above


def as_table(table: Table, make_paragraph: MakeParagraph, *, is_rtl: bool) -> Element:
    """The table as an element.

    Args:
        table: at most `MOST_COLUMNS` wide.
        make_paragraph: style and inlines to a paragraph.
        is_rtl: columns run from right to left.
    """
    found = new("tbl")
    properties = add(found, "tblPr")
    add(properties, "tblStyle", val="TableGrid")
    if is_rtl:
        add(properties, "bidiVisual")
    add(properties, "tblW", w="0", type="auto")
    width = TEXT_WIDTH // table.columns
    grid = add(found, "tblGrid")
    for _column in range(table.columns):
        add(grid, "gridCol", w=str(width))
    is_head = True
    for cells, places in zip(table.rows, _places(table), strict=True):
        is_head = is_head and bool(cells) and all(cell.is_heading for cell in cells)
        _add_row(found, places, make_paragraph, width, is_head=is_head)
    return found


def as_lines(table: Table, make_paragraph: MakeParagraph) -> list[Element]:
    """A table too wide for Word: a paragraph a row, tabs between the cells."""
    lines: list[Element] = []
    for row in table.rows:
        line = make_paragraph("TableText", ())
        for cell in row:
            if cell is not row[0]:
                add(run(line, ""), "tab")
            line.extend(list(make_paragraph("TableText", cell.inlines))[1:])
        lines.append(line)
    return lines


def _places(table: Table) -> Iterator[list[_Place]]:
    """All that stands in each row, from left to right, cells from above included."""
    hanging: list[tuple[int, TableCell]] = []  # rows left to cover, and the cell
    for row in table.rows:
        places = [_Place(cell, is_continued=True) for _left, cell in hanging]
        places += [_Place(cell, is_continued=False) for cell in row]
        yield sorted(places, key=lambda place: place.cell.column)
        hanging = [(left - 1, cell) for left, cell in hanging if left > 1]
        hanging += [(cell.row_span - 1, cell) for cell in row if cell.row_span > 1]


def _add_row(
    table: Element,
    places: list[_Place],
    make_paragraph: MakeParagraph,
    width: int,
    *,
    is_head: bool,
) -> None:
    row = add(table, "tr")
    if is_head:
        add(add(row, "trPr"), "tblHeader")
    for cell, is_continued in places:
        found = add(row, "tc")
        properties = add(found, "tcPr")
        add(properties, "tcW", w=str(width * cell.column_span), type="dxa")
        if cell.column_span > 1:
            add(properties, "gridSpan", val=str(cell.column_span))
        if cell.row_span > 1:
            add(properties, "vMerge", **({} if is_continued else {"val": "restart"}))
        style = "TableHeading" if cell.is_heading else "TableText"
        found.append(make_paragraph(style, () if is_continued else cell.inlines))
