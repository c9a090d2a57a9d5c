"""From strips that were read to the blocks of a page: text, line and word places, table cells.

Offsets are code points of the block's text; boxes are upright, in pixels of the page image.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from model.api import Block, Box, Cell, Kind, PageEnd, PageRead, Piece, Rows, Span
from model.furniture import settled
from model.letters import NO_LINE, Line
from model.strips import Strip

LEAST_SCORE = 0.5  # strips read with less are pictures, stains and edges, not text
INITIAL = 1.7  # height of a dropped initial, at least, against its line
NOTE_MARK = re.compile(r"(\(?\d{1,3}[).\s]|\(?[a-z]\)|[*†‡§¶]+\)?)\s*\S")


class Reading(NamedTuple):
    """A strip and what stands in it."""

    strip: Strip
    line: Line = NO_LINE

    @property
    def certainty(self) -> float:
        """Grows with the score and with the first few letters: one alone may be anything."""
        return self.line.score * min(len(self.line.text), 4)


class PageInWork:
    """The blocks of one page while its lines are read one after the other.

    Args:
        page: its number among the images given.
    """

    def __init__(self, page: int) -> None:
        self._page = page
        self._kind = Kind.TEXT
        self._is_new = True
        self._blocks: list[_BlockInWork] = []
        self._steps = 0

    def begin_block(self, kind: Kind) -> None:
        """The lines to come belong to another block. A block of no text leaves no trace."""
        self._kind = kind
        self._is_new = True

    def add(self, cells: Sequence[Sequence[Reading]]) -> Iterator[Piece]:
        """Add a printed line, or a row of a table, given as the strips of each cell.

        Yields:
            The text that it adds; nothing if none of the strips holds text.
        """
        kept = [[part for part in cell if part.line.score >= LEAST_SCORE] for cell in cells]
        if not any(kept):
            return
        self._begin_where_told(kept)
        block = self._blocks[-1]
        is_first = not block.text
        added = block.add(kept)
        self._steps += 1
        yield Piece(
            self._page,
            len(self._blocks) - 1,
            added,
            block.kind,
            block.box if is_first else None,
            block.lines[-1].score,
        )

    def finished(self, end: PageEnd) -> PageRead:
        """The page as it stands."""
        blocks = tuple(block.finished() for block in self._blocks)
        return PageRead(self._page, blocks, end, self._steps)

    def _begin_where_told(self, cells: Sequence[Sequence[Reading]]) -> None:
        """Open a block if one is due; among footnotes every mark opens one."""
        text = " ".join(part.line.text for cell in cells for part in cell)
        if self._is_new or (self._kind is Kind.NOTE and NOTE_MARK.match(text)):
            self._blocks.append(_BlockInWork(settled(self._kind, text)))
            self._is_new = False


@dataclass
class _BlockInWork:
    """One block so far."""

    kind: Kind
    text: str = ""
    lines: list[Span] = field(default_factory=list[Span])
    words: list[Span] = field(default_factory=list[Span])
    rows: list[list[str]] = field(default_factory=list[list[str]])

    @property
    def box(self) -> Box:
        """Around the lines so far."""
        return around([line.box for line in self.lines])

    def add(self, cells: Sequence[Sequence[Reading]]) -> str:
        """Add a line; return the text added."""
        before = len(self.text)
        self.text += "\n" if self.lines else ""
        start = len(self.text)
        for i, cell in enumerate(cells):
            self.text += "\t" if i else ""
            for j, part in enumerate(cell):
                self.text += " " if j and not _is_initial(cell[j - 1], part) else ""
                self._add_words(part)
        parts = [part for cell in cells for part in cell]
        box = around([part.strip.box for part in parts])
        self.lines.append(Span(start, len(self.text), box, _mean_score(parts)))
        if self.kind is Kind.TABLE:
            self.rows.append([" ".join(part.line.text for part in cell) for cell in cells])
        return self.text[before:]

    def finished(self) -> Block:
        """The block as it stands."""
        letters = sum(span.end - span.start for span in self.lines)
        weighted = sum((span.score or 0.0) * (span.end - span.start) for span in self.lines)
        return Block(
            self.kind,
            self.text,
            self.box,
            tuple(self.lines),
            tuple(self.words),
            rows=_cells(self.rows),
            score=weighted / letters,
        )

    def _add_words(self, part: Reading) -> None:
        start = len(self.text)
        self.text += part.line.text
        self.words += (
            Span(
                start + word.start,
                start + word.end,
                part.strip.part(word.left, word.right),
                word.score,
            )
            for word in part.line.words
        )


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all these; there is at least one."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _is_initial(before: Reading, part: Reading) -> bool:
    """Whether a single large letter begins the word that goes on in the next strip."""
    return len(before.line.text) == 1 and before.strip.height > INITIAL * part.strip.height


def _cells(rows: Sequence[Sequence[str]]) -> Rows:
    """The cells of a table; a first row in capitals above others that are not is its heading."""
    has_heading = len(rows) > 1 and _is_capitals(rows[0]) and not all(map(_is_capitals, rows[1:]))
    return tuple(
        tuple(Cell(text, is_heading=has_heading and i == 0) for text in row)
        for i, row in enumerate(rows)
    )


def _is_capitals(row: Sequence[str]) -> bool:
    return "".join(row).isupper()


def _mean_score(parts: Sequence[Reading]) -> float:
    letters = sum(len(part.line.text) for part in parts)
    return sum(part.line.score * len(part.line.text) for part in parts) / letters
