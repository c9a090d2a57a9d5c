"""Cuts the printed lines of a column into paragraphs, headings and notes.

A block ends where the distance to the next line grows and where the size of type changes. Within a
justified column it also ends where a paragraph begins by its own habit: with an indented line, with
a line that hangs out, or only after one that stops short. Verse and lists are cut at gaps alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from model.api import Kind
from model.rows import Row

GAP = 1.35  # distance of lines, against the usual one, that parts blocks
SIZE = 1.3  # ratio of heights that parts blocks
INDENT_EM = 0.4
MARGIN_EM = 0.7  # a line that ends so near the margin reaches it
SHORT_EM = 2.0  # a line that ends so far before the margin has stopped short
JUSTIFIED = 0.5  # share of lines that reach the margin in a justified column
INITIAL = 1.5  # height of an initial, at least, against its line
LEAN_ROWS = 6  # fewer lines do not tell how a margin leans
LARGE = 1.25  # against the usual height: a heading
SMALL = 0.88  # against the usual distance of lines, or height of one: notes
NOTE_BODY_ROWS = 3  # full lines above notes, at least
FULL = 0.9  # of the column is what a full line fills
NOTE_INDENT_EM = 3.0  # of the first note's first line, at most
NOTE_GAPS = 20  # looked at, from the foot up
NOTE_GAP = 1.15  # distance of lines, against the usual one, above notes
CENTRED_EM = 2.0
HEADING_ROWS = 3


class Measure(NamedTuple):
    """What is usual on a page or in a column."""

    left: float
    right: float
    em: float  # height of a line
    pitch: float  # distance of two lines


class Group(NamedTuple):
    """Consecutive rows that make one block."""

    kind: Kind
    rows: tuple[Row, ...]


class Habit(Enum):
    """How paragraphs begin in a column."""

    INDENTED = auto()
    HANGING = auto()
    FLUSH = auto()  # only the line before, which stops short, tells
    UNKNOWN = auto()  # the lines are not justified


def measure(rows: Sequence[Row]) -> Measure:
    """Measure at least one row; the full lines say where the margins are."""
    widest = max(row.width for row in rows)
    full = [row for row in rows if row.width > 0.7 * widest]
    em = median(row.height for row in rows)
    return Measure(
        left=median(row.left for row in full),
        right=median(row.right for row in full),
        em=em,
        pitch=max(_pitch(rows), em / 4) if len(rows) > 1 else em,
    )


def groups_of(rows: Sequence[Row], page: Measure) -> list[Group]:
    """The blocks of a column, in order; every row in one of them.

    Args:
        rows: of the column, from top to bottom.
        page: what is usual on the whole page.
    """
    if not rows:
        return []
    body, notes = _without_notes(rows)
    groups = [Group(_kind(group, body, page), tuple(group)) for group in _cut(body)]
    return groups + [Group(Kind.NOTE, tuple(group)) for group in _cut(notes)]


def _without_notes(rows: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """Part the rows at the foot that are set smaller and apart from those above them."""
    if len(rows) <= NOTE_BODY_ROWS:
        return rows, ()
    apart = NOTE_GAP * _pitch(rows)
    gaps = [
        i
        for i in range(max(NOTE_BODY_ROWS, len(rows) // 3), len(rows))
        if rows[i].middle - rows[i - 1].middle > apart
    ]
    smallness = {i: _smallness(rows[:i], rows[i:]) for i in gaps[-NOTE_GAPS:]}
    start = min(smallness, key=lambda i: smallness[i], default=len(rows))
    if smallness.get(start, 1.0) >= 1.0:
        return rows, ()
    return rows[:start], rows[start:]


def _smallness(above: Sequence[Row], foot: Sequence[Row]) -> float:
    """Size of type at the foot against that above; 1 where the foot is no notes.

    The heights of lines tell a little, their distance more; a single line has but its height.
    """
    usual = measure(above)
    begins_left = foot[0].left < usual.left + NOTE_INDENT_EM * usual.em
    if not (begins_left and _is_prose(above, usual)):
        return 1.0
    height = median(row.height for row in foot) / usual.em
    if len(foot) == 1:
        return height if height < SMALL else 1.0
    pitch = _pitch(foot) / usual.pitch
    return height * pitch if height < 1 and pitch < SMALL else 1.0


def _is_prose(rows: Sequence[Row], usual: Measure) -> bool:
    """Whether there are some full lines, and most lines begin at the margin."""
    full = sum(row.width > FULL * (usual.right - usual.left) for row in rows)
    at_margin = sum(abs(row.left - usual.left) < MARGIN_EM * usual.em for row in rows)
    return full >= NOTE_BODY_ROWS and 2 * at_margin > len(rows)


def _pitch(rows: Sequence[Row]) -> float:
    """The usual distance of two lines, even where many are further apart."""
    steps = sorted(b.middle - a.middle for a, b in pairwise(rows))
    return steps[(len(steps) - 1) * 2 // 5]


def _cut(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows of each block."""
    if not rows:
        return
    usual = measure(rows)
    begins = _begins(rows, usual)
    block = [rows[0]]
    for i in range(1, len(rows)):
        if begins[i] or _are_apart(rows[i - 1], rows[i], usual):
            yield block
            block = []
        block.append(rows[i])
    yield block


def _are_apart(above: Row, row: Row, usual: Measure) -> bool:
    sizes = sorted((above.height, row.height))
    if sizes[1] > SIZE * sizes[0] and len(above.slabs) == len(row.slabs) == 1:
        return True
    return row.middle - above.middle > GAP * usual.pitch


def _begins(rows: Sequence[Row], usual: Measure) -> list[bool]:
    """For each row, whether a block begins with it by the habit of the column."""
    centred = [_is_centred([row], usual) for row in rows]
    by_habit = _begins_by_habit(rows, usual)
    return [
        (by_habit[i] and not centred[i]) or (i > 0 and centred[i] != centred[i - 1])
        for i in range(len(rows))
    ]


def _begins_by_habit(rows: Sequence[Row], usual: Measure) -> list[bool]:
    lefts = _uprighted([row.left for row in rows], rows)
    rights = _uprighted([row.right for row in rows], rows)
    margin, end = _tenth(lefts), -_tenth([-right for right in rights])
    beside_initial = _beside_initials(rows)
    is_in = [
        left > margin + INDENT_EM * usual.em and not beside
        for left, beside in zip(lefts, beside_initial, strict=True)
    ]
    stops = [right < end - SHORT_EM * usual.em for right in rights]
    reach = sum(right > end - MARGIN_EM * usual.em for right in rights) / len(rows)
    match _habit(is_in, stops) if reach >= JUSTIFIED else Habit.UNKNOWN:
        case Habit.INDENTED:
            # In a quotation full lines stand in one after another.
            runs_on = [False, *(a and not s for a, s in zip(is_in, stops, strict=True))]
            return [indented and not on for indented, on in zip(is_in, runs_on, strict=False)]
        case Habit.HANGING:
            return [not indented for indented in is_in]
        case Habit.FLUSH:
            return [False, *stops[:-1]]
        case Habit.UNKNOWN:
            return [False] * len(rows)


def _beside_initials(rows: Sequence[Row]) -> list[bool]:
    """For each row, whether it stands beside the dropped initial of it or of a row above."""
    beside: list[bool] = []
    ends = float("-inf")
    for row in rows:
        if row.slabs[0].height > INITIAL * row.height:
            ends = row.slabs[0].bottom
        beside.append(row.middle < ends)
    return beside


def _habit(is_in: Sequence[bool], stops: Sequence[bool]) -> Habit:
    """Told by what follows a line that stops short, and what follows a full one."""
    after_short = [indented for stopped, indented in zip(stops, is_in[1:], strict=False) if stopped]
    after_full = [
        indented for stopped, indented in zip(stops, is_in[1:], strict=False) if not stopped
    ]
    if 2 * sum(after_full) > len(after_full):
        return Habit.HANGING
    if 2 * sum(after_short) >= len(after_short):
        return Habit.INDENTED
    return Habit.FLUSH


def _uprighted(edges: Sequence[float], rows: Sequence[Row]) -> list[float]:
    """Edges of lines as if their margin stood upright: pages are sheared as well as turned.

    The lean is the median over pairs of distant lines, most of which begin at one margin.
    """
    count = len(rows)
    leans = [
        (edges[i + step] - edges[i]) / (rows[i + step].middle - rows[i].middle)
        for step in {count // 3, count // 2, 2 * count // 3} - {0}
        for i in range(count - step)
        if rows[i + step].middle > rows[i].middle
    ]
    lean = median(leans) if count >= LEAN_ROWS else 0.0
    return [edge - lean * row.middle for edge, row in zip(edges, rows, strict=True)]


def _tenth(values: Sequence[float]) -> float:
    """A low value that is no outlier: one in ten lies below."""
    return sorted(values)[len(values) // 10]


def _kind(block: Sequence[Row], column: Sequence[Row], page: Measure) -> Kind:
    if len(block) > HEADING_ROWS:
        return Kind.TEXT
    is_large = median(row.height for row in block) > LARGE * page.em
    frame = measure(column) if len(column) > HEADING_ROWS else page
    return Kind.HEADING if is_large or _is_centred(block, frame) else Kind.TEXT


def _is_centred(rows: Sequence[Row], frame: Measure) -> bool:
    """Whether every row stands as far from the left margin as from the right."""
    slack = CENTRED_EM * frame.em
    return all(
        row.left - frame.left > slack
        and frame.right - row.right > slack
        and abs((row.left - frame.left) - (frame.right - row.right)) < slack
        for row in rows
    )
