"""From strips that were read to the blocks of a page: text, line and word places, table cells.

Offsets are code points of the block's text; boxes are upright, in pixels of the page image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from model.api import Block, Box, Cell, Kind, Span
from model.letters import Line
from model.strips import Strip


@dataclass(frozen=True)
class Reading:
    """A strip and what stands in it."""

    strip: Strip
    line: Line


@dataclass
class BlockInWork:
    """A block while its lines are read one after the other."""

    kind: Kind
    box: Box
    text: str = ""
    lines: list[Span] = field(default_factory=list[Span])
    words: list[Span] = field(default_factory=list[Span])
    rows: list[tuple[Cell, ...]] = field(default_factory=list[tuple[Cell, ...]])

    def add_line(self, parts: Sequence[Reading]) -> str:
        """Add a printed line, given as its strips from left to right; return the text added."""
        return self._add([parts], "")

    def add_row(self, cells: Sequence[Sequence[Reading]]) -> str:
        """Add a row of a table, given as the strips of each cell; return the text added."""
        added = self._add(cells, "\t")
        self.rows.append(tuple(Cell(" ".join(part.line.text for part in cell)) for cell in cells))
        return added

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
            rows=tuple(self.rows),
            score=weighted / letters if letters else None,
        )

    def _add(self, cells: Sequence[Sequence[Reading]], between: str) -> str:
        before = len(self.text)
        if self.lines:
            self.text += "\n"
        start = len(self.text)
        for i, cell in enumerate(cells):
            self.text += between if i else ""
            for j, part in enumerate(cell):
                self.text += " " if j else ""
                self._add_words(part)
        parts = [part for cell in cells for part in cell]
        box = around([part.strip.box for part in parts])
        self.lines.append(Span(start, len(self.text), box, _mean_score(parts)))
        return self.text[before:]

    def _add_words(self, part: Reading) -> None:
        start = len(self.text)
        self.text += part.line.text
        self.words += (
            Span(start + word.start, start + word.end, place, word.score)
            for word in part.line.words
            for place in [part.strip.part(word.left, word.right)]
        )


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all these; there is at least one."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _mean_score(parts: Sequence[Reading]) -> float:
    letters = sum(len(part.line.text) for part in parts)
    return sum(part.line.score * len(part.line.text) for part in parts) / max(1, letters)
