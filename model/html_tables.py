"""An HTML table as it streams: its cells, and the text that stands for it meanwhile.

Forgiving, for tables are cut off and broken: text outside any cell opens one, a cell or row that is
never closed ends where the next begins, and no text is lost. In the text tabs part the cells and a
line end parts the rows; white space within a cell is one blank.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.api import Cell, Rows
from model.lexer import Tag

CELLS = frozenset({"td", "th", "caption"})
BOUNDARIES = frozenset({"table", "thead", "tbody", "tfoot", "tr", "caption"})
OPENERS = CELLS | BOUNDARIES  # tags with which a table begins
MOST_SPAN = 1000  # as HTML allows for columns
BLANKS = re.compile(r"\s+")


@dataclass
class _Cell:
    """A cell while it is written."""

    row_span: int = 1
    column_span: int = 1
    is_heading: bool = False
    text: str = ""


class TableReader:
    """Takes a table's tags and text, gives the text that each adds."""

    def __init__(self) -> None:
        self._rows: list[list[_Cell]] = []
        self._is_in_row = False
        self._is_in_cell = False
        self._blank = False  # white space seen, worth a blank if more of the cell follows

    @property
    def rows(self) -> Rows:
        """The cells so far."""
        return tuple(
            tuple(Cell(each.text, each.row_span, each.column_span, each.is_heading) for each in row)
            for row in self._rows
        )

    def tag(self, tag: Tag) -> str:
        """Take a tag; gives the tab or line end that a new cell brings."""
        if tag.name in BOUNDARIES:
            self._is_in_row = self._is_in_cell = False
        if tag.name in CELLS:
            self._is_in_cell = False
            return "" if tag.is_close else self._open(_cell(tag))
        self._blank = self._blank or tag.name == "br"
        return ""

    def text(self, text: str) -> str:
        """Take text; gives what of it is seen."""
        added = ""
        for at, word in enumerate(BLANKS.split(text)):
            self._blank = self._blank or at > 0
            added += self._word(word) if word else ""
        return added

    def _word(self, word: str) -> str:
        parting = "" if self._is_in_cell else self._open(_Cell())
        cell = self._rows[-1][-1]
        seen = " " + word if self._blank and cell.text else word
        self._blank = False
        cell.text += seen
        return parting + seen

    def _open(self, cell: _Cell) -> str:
        self._is_in_cell, self._blank = True, False
        if self._is_in_row:
            self._rows[-1].append(cell)
            return "\t"
        self._is_in_row = True
        self._rows.append([cell])
        return "\n" if len(self._rows) > 1 else ""


def _cell(tag: Tag) -> _Cell:
    said = dict(tag.attributes)
    row_span, column_span = _span(said.get("rowspan")), _span(said.get("colspan"))
    return _Cell(row_span, column_span, is_heading=tag.name == "th")


def _span(said: str | None) -> int:
    is_number = said is not None and said.isascii() and said.isdecimal()
    return max(1, min(int(said), MOST_SPAN)) if said and is_number else 1
