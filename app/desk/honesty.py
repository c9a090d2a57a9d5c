"""Whether the text of a page can be what is printed on it: text against ink, pure rules.

Four signs, each with its place: print that lies in no block and stands in a row as letters do (a
picture or dirt does not); a block with far fewer letters than marks; a block of text with nothing
dark below it; and words that come again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from app.book import Reason
from app.desk.concerns import Concern, Standing
from app.desk.ink import PagePrint
from app.desk.repeats import repeats
from model.api import Block, Box, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARGIN = 0.6  # of a letter's height, around a block: what is so near belongs to it
ROW = 5  # marks side by side that are taken for letters
ROWS_MARKS = 8  # of such marks a page has at least before they are called print
GAP = 1.2  # of a letter's height, between two letters of a row
ALIKE = 2.2  # how many times one letter of a row may be as high as its neighbour
MOST = 1000  # marks that are chained; from the top, and the rest says nothing new
EVEN = 0.5  # heights of a row deviate by no more than this share of their mean ...
UNLIKE = 0.12  # ... and widths by more: hatching, rules and dots are all alike
SLENDER = (0.25, 2.5)  # width of a row's letters in their heights
LETTER = (0.5, 5.0)  # heights of a row's letters, in those of the page's letters
CROWDED = 40  # marks of a block from which its letters are compared with them
FEW = 0.35  # letters a mark: fewer are too little text for the ink
SOME = 6  # letters that a block needs to be compared with the ink below it
EMPTY = 0.02  # share of a block's room that is dark: less is bare paper
INSIDE = 0.8  # share of a block that lies in the part that was looked at


def standing(blocks: Sequence[Block], seen: PagePrint) -> Standing:
    """Compare what an engine returned with the print of the image that it was given."""
    boxes = [block.box for block in blocks]
    owners = _owners(seen.marks, boxes)
    is_placed = any(blocks) and all(block.box or not block.text.strip() for block in blocks)
    concerns = (
        *(_missed(seen, owners) if is_placed else ()),
        *_too_little(blocks, owners),
        *_invented(blocks, seen),
        *_repeated(blocks),
    )
    return Standing(letters_in(blocks), len(seen.marks), concerns)


def letters_in(blocks: Sequence[Block]) -> int:
    """Letters and figures of a page."""
    return sum(_letters(block.text) for block in blocks)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _owners(marks: NDArray[np.float32], boxes: Sequence[Box | None]) -> NDArray[np.int32]:
    """The smallest block around each mark; -1 where there is none."""
    owners = np.full(len(marks), -1, np.int32)
    if not len(marks):
        return owners
    margin = MARGIN * float(np.median(marks[:, 3] - marks[:, 1]))
    x, y = (marks[:, 0] + marks[:, 2]) / 2, (marks[:, 1] + marks[:, 3]) / 2
    known = [(box.width * box.height, at, box) for at, box in enumerate(boxes) if box is not None]
    for _area, at, box in sorted(known, reverse=True):
        across = (x >= box.left - margin) & (x <= box.right + margin)
        owners[across & (y >= box.top - margin) & (y <= box.bottom + margin)] = at
    return owners


def _missed(seen: PagePrint, owners: NDArray[np.int32]) -> list[Concern]:
    """Rows of letters that no block has, if there are enough of them."""
    heights = seen.marks[:, 3] - seen.marks[:, 1]
    usual = float(np.median(heights)) if len(heights) else 0.0
    is_letter = (heights >= LETTER[0] * usual) & (heights <= LETTER[1] * usual)
    lone = seen.marks[(owners < 0) & seen.on_paper & is_letter][:MOST]
    rows = [row for row in _rows(lone) if len(row) >= ROW and _is_lettering(row)]
    if sum(map(len, rows)) < ROWS_MARKS:
        return []
    return [Concern(Reason.MISSING_INK, _around(row)) for row in rows]


def _rows(marks: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Marks chained from left to right with the nearest that is level with them and as high."""
    rows: list[list[NDArray[np.float32]]] = []
    ends = np.empty((0, 4), np.float32)  # the last mark of each row
    for mark in marks[np.argsort(marks[:, 0])]:
        at = _row_before(mark, ends)
        if at is None:
            rows.append([mark])
            ends = np.concatenate([ends, mark[None]])
        else:
            rows[at].append(mark)
            ends[at] = mark
    return [np.stack(row) for row in rows]


def _row_before(mark: NDArray[np.float32], ends: NDArray[np.float32]) -> int | None:
    height = mark[3] - mark[1]
    heights = ends[:, 3] - ends[:, 1]
    taller, lower = np.maximum(heights, height), np.minimum(heights, height)
    gaps = mark[0] - ends[:, 2]
    level = np.minimum(ends[:, 3], mark[3]) - np.maximum(ends[:, 1], mark[1]) > 0.5 * lower
    fits = level & (gaps < GAP * taller) & (gaps > -taller) & (taller < ALIKE * lower)
    candidates = np.flatnonzero(fits)
    return int(candidates[np.argmin(gaps[candidates])]) if len(candidates) else None


def _is_lettering(row: NDArray[np.float32]) -> bool:
    """Whether marks in a row are about as high, and not all of one shape."""
    heights, widths = row[:, 3] - row[:, 1], row[:, 2] - row[:, 0]
    slender = float(np.median(widths / heights))
    return (
        float(heights.std()) < EVEN * float(heights.mean())
        and float(widths.std()) > UNLIKE * float(widths.mean())
        and SLENDER[0] <= slender <= SLENDER[1]
    )


def _around(marks: NDArray[np.float32]) -> Box:
    left, top = marks[:, :2].min(axis=0)
    right, bottom = marks[:, 2:].max(axis=0)
    return Box(float(left), float(top), float(right), float(bottom))


def _too_little(blocks: Sequence[Block], owners: NDArray[np.int32]) -> list[Concern]:
    """Blocks with much more print in them than text."""
    counts = np.bincount(owners[owners >= 0], minlength=len(blocks))
    return [
        Concern(Reason.MISSING_INK, block.box, at)
        for at, block in enumerate(blocks)
        if block.kind not in {Kind.FIGURE, Kind.EQUATION, Kind.TABLE}
        and block.text.strip()
        and counts[at] >= CROWDED
        and _letters(block.text) < FEW * counts[at]
    ]


def _invented(blocks: Sequence[Block], seen: PagePrint) -> list[Concern]:
    """Blocks of text that stand on bare paper."""
    return [
        Concern(Reason.TEXT_WITHOUT_INK, block.box, at)
        for at, block in enumerate(blocks)
        if block.box is not None
        and block.kind is not Kind.FIGURE
        and _letters(block.text) >= SOME
        and _is_bare(block.box, seen)
    ]


def _is_bare(box: Box, seen: PagePrint) -> bool:
    """Whether there is nothing dark in a box; of what lies at the border nothing can be said."""
    left, top, right, bottom = seen.bounds
    inside = Box(
        max(left, box.left), max(top, box.top), min(right, box.right), min(bottom, box.bottom)
    )
    whole = box.width * box.height
    if inside.width <= 0 or inside.height <= 0 or whole <= 0:
        return False
    if inside.width * inside.height < INSIDE * whole:
        return False
    x, y, to_x, to_y = (round(edge * seen.scale) for edge in inside)
    room = seen.dark[y : to_y + 1, x : to_x + 1]
    return cv2.countNonZero(room) < EMPTY * room.size


def _repeated(blocks: Sequence[Block]) -> list[Concern]:
    """Where the text goes round in circles, whatever the engine said of it."""
    for at, block in enumerate(blocks):
        if block.kind is not Kind.TABLE and repeats(block.text):
            return [Concern(Reason.LOOP_CUT, block.box, at)]
    texts = [block.text for block in blocks if block.kind is not Kind.TABLE]
    return [Concern(Reason.LOOP_CUT)] if repeats("\n".join(texts)) else []
