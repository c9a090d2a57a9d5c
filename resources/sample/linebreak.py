"""Lines of a paragraph by total fit: the breaks that are best for the whole, as Knuth and Plass do.

A paragraph is a row of pieces that are never broken; after each stands a joint that says what a
break there costs. Every line has a ratio: how far its spaces are stretched or shrunk, as a share of
what they allow. Badness grows with its cube; the sum over the paragraph is made smallest.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import accumulate
from math import inf
from typing import NamedTuple


class Joint(Enum):
    """What stands between a piece and the next one."""

    SPACE = "space"
    HYPHEN = "hyphen"  # nothing, or a hyphen where the line ends
    TIGHT = "tight"  # nothing; the line may end after a printed hyphen or dash


class Piece(NamedTuple):
    """Letters that stay together."""

    width_pt: float
    after: Joint


class Spaces(NamedTuple):
    """The space between words of one type size."""

    width_pt: float
    stretch_pt: float
    shrink_pt: float


class _Way(NamedTuple):
    """The best way found to begin a line at some piece."""

    cost: float
    breaks: tuple[int, ...]  # one past the last piece of each line so far
    ends_in_hyphen: bool


HYPHEN_COST = 5.0
TWO_HYPHENS_COST = 4_000.0
SHORT_LAST_LINE_COST = 40_000.0  # nothing but the end of one word
LOOSEST = 8.0  # a looser line is taken only when there is no other way


def break_lines(
    pieces: Sequence[Piece],
    *,
    measures_pt: Sequence[float],
    spaces: Spaces,
    hyphen_pt: float,
) -> list[tuple[int, int]]:
    """Choose the lines of a paragraph.

    Args:
        pieces: The paragraph; the joint of its last piece is not looked at.
        measures_pt: Widths of the first lines; the last of them holds for all others.
        spaces: Space between words, and how far it gives.
        hyphen_pt: Width of a hyphen.

    Returns:
        First and one past last piece of each line.

    Source:
        Knuth and Plass, "Breaking Paragraphs into Lines", 1981; without their fitness classes.
    """
    paragraph = _Paragraph(pieces, spaces, hyphen_pt)
    strict = _best_way(paragraph, measures_pt, may_be_loose=False)
    best = strict or _best_way(paragraph, measures_pt, may_be_loose=True)
    assert best, "with any looseness allowed there is always a way"
    return list(zip((0, *best.breaks[:-1]), best.breaks, strict=True))


def _best_way(
    paragraph: _Paragraph, measures_pt: Sequence[float], *, may_be_loose: bool
) -> _Way | None:
    """The cheapest way to the end of the paragraph, None if a line had to be too loose."""
    open_ways = {(0, 0): _Way(0.0, (), ends_in_hyphen=False)}  # by first piece, number of the line
    found: dict[tuple[int, int], _Way] = {}
    for end in range(1, paragraph.count + 1):
        found = {}
        for (start, line), way in list(open_ways.items()):
            measure_pt = measures_pt[line]
            if paragraph.least_pt(start, end) > measure_pt and end > start + 1:
                del open_ways[start, line]  # too full now, and fuller with every further piece
                continue
            if not may_be_loose and paragraph.most_pt(start, end) < measure_pt:
                continue
            cost = way.cost + paragraph.cost(start, end, measure_pt, way)
            after = (end, min(line + 1, len(measures_pt) - 1))
            if after not in found or cost < found[after].cost:
                found[after] = _Way(cost, (*way.breaks, end), paragraph.hyphen_at(end))
        open_ways |= found
    return min(found.values(), key=lambda way: way.cost, default=None)


class _Paragraph:
    """Widths of all stretches of a paragraph, from running sums."""

    def __init__(self, pieces: Sequence[Piece], spaces: Spaces, hyphen_pt: float) -> None:
        self._pieces = pieces
        self._spaces = spaces
        self._hyphen_pt = hyphen_pt
        self._letters = list(accumulate((piece.width_pt for piece in pieces), initial=0.0))
        self._gaps = list(accumulate((p.after is Joint.SPACE for p in pieces), initial=0))

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return len(self._pieces)

    def hyphen_at(self, end: int) -> bool:
        """Whether a line that ends here is given a hyphen."""
        return end < len(self._pieces) and self._pieces[end - 1].after is Joint.HYPHEN

    def least_pt(self, start: int, end: int) -> float:
        """Width with every space at its narrowest."""
        narrowest = self._spaces.width_pt - self._spaces.shrink_pt
        return self._letters_pt(start, end) + self._gaps_in(start, end) * narrowest - 0.01

    def most_pt(self, start: int, end: int) -> float:
        """Width with every space at its widest; the last line may be filled up with white."""
        if end == self.count:
            return inf
        widest = self._spaces.width_pt + LOOSEST * self._spaces.stretch_pt
        return self._letters_pt(start, end) + self._gaps_in(start, end) * widest

    def cost(self, start: int, end: int, measure_pt: float, way: _Way) -> float:
        """What this line adds to the cost of the paragraph."""
        gaps = self._gaps_in(start, end)
        spare = measure_pt - self._letters_pt(start, end) - gaps * self._spaces.width_pt
        if end == len(self._pieces) and spare >= 0:
            return SHORT_LAST_LINE_COST if spare > 0.88 * measure_pt else 0.0
        give = gaps * (self._spaces.stretch_pt if spare > 0 else self._spaces.shrink_pt)
        ratio = abs(spare) / give if give else 3 * LOOSEST
        cost = (1 + 100 * ratio**3) ** 2
        hyphens = HYPHEN_COST + way.ends_in_hyphen * TWO_HYPHENS_COST
        return cost + self.hyphen_at(end) * hyphens

    def _letters_pt(self, start: int, end: int) -> float:
        letters = self._letters[end] - self._letters[start]
        return letters + self.hyphen_at(end) * self._hyphen_pt

    def _gaps_in(self, start: int, end: int) -> int:
        return self._gaps[end - 1] - self._gaps[start]
