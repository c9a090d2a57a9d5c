"""The printed lines of one column: slabs that stand side by side, joined in order of x."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from model.level import Slab, beside, em_of

LEVEL = 0.45  # middles this close, in heights of the lower slab, share a printed line
INITIAL_HEIGHT_EM = 1.7  # a letter this high that stands before several lines is a dropped initial
INITIAL_WIDTH = 2.5  # at most, in its own heights


class Row(NamedTuple):
    """One printed line."""

    slabs: tuple[Slab, ...]  # from left to right

    @property
    def left(self) -> float:
        """Where the line begins."""
        return min(slab.left for slab in self.slabs)

    @property
    def right(self) -> float:
        """Where the line ends."""
        return max(slab.right for slab in self.slabs)

    @property
    def width(self) -> float:
        """From the first letter to the last."""
        return self.right - self.left

    @property
    def widest(self) -> Slab:
        """The slab that stands for the line: not its initial, not its last fragment."""
        return max(self.slabs, key=lambda slab: (slab.width, slab.number))

    @property
    def height(self) -> float:
        """From top to bottom, an initial aside."""
        return self.widest.height

    @property
    def middle(self) -> float:
        """Half-way down, an initial aside."""
        return self.widest.middle

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its strips, from left to right."""
        return tuple(slab.number for slab in self.slabs)


def rows_of(slabs: Sequence[Slab]) -> list[Row]:
    """The printed lines of a column from top to bottom; every slab in one of them.

    A dropped initial goes to the first of the lines that it stands before.
    """
    em = em_of(slabs)
    initials = [slab for slab in slabs if _may_be_initial(slab, em)]
    rows = _joined([slab for slab in slabs if slab not in initials])
    for initial in initials:
        _attach(initial, rows)
    return sorted(rows, key=lambda row: (row.middle, row.left))


def _joined(slabs: Sequence[Slab]) -> list[Row]:
    line_of = {slab: [slab] for slab in slabs}
    for left, right in beside(slabs, LEVEL):
        line, other = line_of[left], line_of[right]
        if line is not other:
            line += other
            line_of.update((slab, line) for slab in other)
    lines = {id(line): line for line in line_of.values()}.values()
    return [_row(line) for line in lines]


def _row(slabs: Sequence[Slab]) -> Row:
    return Row(tuple(sorted(slabs, key=lambda slab: (slab.left, slab.number))))


def _may_be_initial(slab: Slab, em: float) -> bool:
    return slab.height > INITIAL_HEIGHT_EM * em and slab.width < INITIAL_WIDTH * slab.height


def _attach(initial: Slab, rows: list[Row]) -> None:
    """Put an initial before the first of the lines at its right, or on a line of its own."""
    beside_it = [
        row
        for row in rows
        if initial.top < row.middle < initial.bottom and row.left > initial.centre
    ]
    if len(beside_it) < 2:
        rows.append(Row((initial,)))
        return
    first = min(beside_it, key=lambda row: row.middle)
    rows[rows.index(first)] = _row([initial, *first.slabs])
