"""Corrections: what one is, how it is made and undone, and where spans stand after it. Pure.

A correction replaces one region of a reading by another, a rearrangement several in a row by
others; the undo of either is the way back. What a region
knows of its text besides the letters (boxes of lines and words, styles, marks, cells) is kept
through an edit as far as it still holds:

- What an edit does not touch keeps its place or shifts.
- A word keeps its box while it stays one word, whatever letters are changed in it; the engine's
  score was for other letters and goes. A word that is split loses its box.
- Words, lines and styles are clipped to what is left of them, and go when nothing is left.
- A mark is a person's and never goes; with nothing left to stand on it has no length.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Literal, TypeVar

from app.book import Mark, Reading, Region
from app.edits import Edit, edits, paired
from model.api import Cell, Kind, Rows, Span, Style


@dataclass(frozen=True)
class Correction:
    """One region of a reading before and after a person changed it."""

    region: int  # index into `Reading.regions`
    before: Region
    after: Region


@dataclass(frozen=True)
class Rearrangement:
    """Neighbouring regions of a reading before and after: put in order, added, split, deleted."""

    region: int  # index of the first
    before: tuple[Region, ...]
    after: tuple[Region, ...]


@dataclass(frozen=True)
class PageCorrection:
    """What is said of a page as a whole, before and after; the text is not touched."""

    field: Literal["note", "label"]
    before: str
    after: str
    was_by: str = ""  # who had given the label before, as its row says


AnyCorrection = Correction | Rearrangement | PageCorrection
TextCorrection = Correction | Rearrangement


def change_between(before: Sequence[Region], after: Sequence[Region]) -> TextCorrection | None:
    """What made these regions of those, as small as it can be told; None where nothing did."""
    start = _common_start(before, after)
    tail = _common_start(before[start:][::-1], after[start:][::-1])
    was, now = tuple(before[start : len(before) - tail]), tuple(after[start : len(after) - tail])
    if not was and not now:
        return None
    if len(was) == len(now) == 1:
        return Correction(start, was[0], now[0])
    return Rearrangement(start, was, now)


def _common_start(one: Sequence[Region], other: Sequence[Region]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def apply(reading: Reading, correction: TextCorrection) -> Reading:
    """The reading with a correction made; source and id stay."""
    return _put(reading, correction.region, _row(correction.before), _row(correction.after))


def undo(reading: Reading, correction: TextCorrection) -> Reading:
    """The reading with a correction taken back; source and id stay."""
    return _put(reading, correction.region, _row(correction.after), _row(correction.before))


def stands(reading: Reading, correction: TextCorrection, *, is_done: bool) -> bool:
    """Whether the reading is as the correction left it, or if not done, as it found it."""
    there = _row(correction.after if is_done else correction.before)
    here = reading.regions[correction.region : correction.region + len(there)]
    return len(here) == len(there) and all(map(says_same, here, there))


def says_same(one: Region, other: Region) -> bool:
    """Whether two blocks are the same to a person: boxes may have come to one since (`placed`)."""
    is_same_box = one.box == other.box or None in {one.box, other.box}
    return is_same_box and _unplaced(one) == _unplaced(other)


def _unplaced(region: Region) -> Region:
    return replace(region, box=None, lines=(), words=(), score=None)


def _row(regions: Region | tuple[Region, ...]) -> tuple[Region, ...]:
    return (regions,) if isinstance(regions, Region) else regions


def _put(
    reading: Reading, at: int, before: tuple[Region, ...], after: tuple[Region, ...]
) -> Reading:
    regions = reading.regions
    return replace(reading, regions=(*regions[:at], *after, *regions[at + len(before) :]))


def corrected(region: Region, text: str) -> Region:
    """The region with a text typed by a person.

    Args:
        region: what is corrected.
        text: the new text; line ends of any system. For a table tabs part cells and line ends rows.

    Returns:
        The region with its text in NFC, or the region itself where the text is the same.
    """
    new = tidy(text)
    return region if new == region.text else edited(region, new, edits(region.text, new))


def edited(region: Region, new: str, changes: Sequence[Edit]) -> Region:
    """The region with another text, when it is known by which edits; see `corrected`.

    Args:
        region: what is corrected.
        new: its text afterwards, tidy.
        changes: in order, none touching another.
    """
    return replace(
        region,
        text=new,
        lines=_moved(region.lines, changes, partial(_line, region.text)),
        words=_moved(region.words, changes, partial(_word, region.text)),
        styles=_moved(region.styles, changes, _style),
        marks=_moved(region.marks, changes, _mark),
        rows=split_rows(new, region.rows) if region.kind is Kind.TABLE else region.rows,
        score=None,
        by_hand=True,
    )


def tidy(text: str) -> str:
    """Text as it is kept: NFC, lines ended by a line feed alone."""
    one_end = text.replace("\r\n", "\n").translate({0x0D: "\n", 0x2028: "\n", 0x2029: "\n"})
    return unicodedata.normalize("NFC", one_end)


S = TypeVar("S", Span, Style, Mark)


def _moved(
    stretches: Iterable[S], changes: Sequence[Edit], follow: Callable[[S, Edit], S | None]
) -> tuple[S, ...]:
    """Stretches where they stand after the edits; nearly all only shift, on a page of many words.

    Args:
        stretches: of the old text.
        changes: in order.
        follow: what becomes of a stretch by an edit that touches it.
    """
    starts, ends = [edit.start for edit in changes], [edit.end for edit in changes]
    shifts = [0, *accumulate(edit.shift for edit in changes)]
    kept: list[S] = []
    for each in stretches:
        first, behind = bisect_left(ends, each.start), bisect_right(starts, each.end)
        moved = _followed_through(each, changes[first:behind], follow)
        if moved is not None:
            kept.append(_shifted(moved, shifts[first]))
    return tuple(kept)


def _followed_through(
    stretch: S, touching: Sequence[Edit], follow: Callable[[S, Edit], S | None]
) -> S | None:
    """The last edit first, so that the offsets of those before it stay true."""
    moved: S | None = stretch
    for edit in reversed(touching):
        moved = moved and follow(moved, edit)
    return moved


def _shifted(stretch: S, shift: int) -> S:
    if shift == 0:
        return stretch
    start, end, *rest = stretch
    return type(stretch)._make((start + shift, end + shift, *rest))  # _replace is slow


def place(start: int, end: int, edit: Edit) -> tuple[int, int]:
    """Where a stretch of text stands after an edit; what is typed at its rim is outside.

    Args:
        start: code points.
        end: exclusive.
        edit: text replaced within the stretch belongs to it; where the edit goes over an end of the
            stretch, the new text is outside.
    """
    if end <= edit.start:
        return start, end
    if start >= edit.end:
        return start + edit.shift, end + edit.shift
    if _is_within(edit, start, end):
        return start, end + edit.shift
    if start < edit.start:
        return start, edit.start
    new_end = edit.end + edit.shift
    return new_end, max(end + edit.shift, new_end)


def _is_within(edit: Edit, start: int, end: int) -> bool:
    """Whether an edit lies inside a stretch, or covers just it; typing at a rim does not."""
    is_typed_at_rim = edit.start == edit.end and edit.start in {start, end}
    return start <= edit.start and edit.end <= end and not is_typed_at_rim


def _line(old: str, line: Span, edit: Edit) -> Span | None:
    """A line takes in what is typed at its ends; a line end typed within it ends it there."""
    start, end = _grown(old, line, edit, separators="\n")
    if _is_within(edit, line.start, line.end) and "\n" in edit.text:
        end = edit.start + edit.text.index("\n")
    return _followed(line, start, end, edit)


def _word(old: str, word: Span, edit: Edit) -> Span | None:
    """A word takes in letters typed at its ends; one that is split has no box any more."""
    is_split = any(letter.isspace() for letter in edit.text)
    if _is_within(edit, word.start, word.end) and is_split:
        return None
    return _followed(word, *_grown(old, word, edit, separators=" \t\n"), edit)


def _grown(old: str, span: Span, edit: Edit, *, separators: str) -> tuple[int, int]:
    """Where a span stands, with what was typed at its rim as far as the next separator."""
    start, end = place(span.start, span.end, edit)
    parts = re.split(f"[{separators}]", edit.text)
    if edit.start == span.end:
        return start, end + len(parts[0])
    if edit.end == span.start and old[: edit.start][-1:] in separators:
        return start - len(parts[-1]), end
    return start, end


def _followed(span: Span, start: int, end: int, edit: Edit) -> Span | None:
    """The span at its new place; its score was for its old letters."""
    if start >= end:
        return None
    shifted = {(span.start, span.end), (span.start + edit.shift, span.end + edit.shift)}
    is_same = (start, end) in shifted and not _is_within(edit, span.start, span.end)
    return span._replace(start=start, end=end, score=span.score if is_same else None)


def _style(style: Style, edit: Edit) -> Style | None:
    start, end = place(style.start, style.end, edit)
    return style._replace(start=start, end=end) if start < end else None


def _mark(mark: Mark, edit: Edit) -> Mark:
    start, end = place(mark.start, mark.end, edit)
    return mark._replace(start=start, end=end)


def split_rows(text: str, old: Rows = ()) -> Rows:
    """Rows of a table from its text; cells keep their spans in rows that still have as many cells.

    Args:
        text: tabs between cells, a line end after each row (after the last it may be missing).
        old: the rows before the edit.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    before = ["\t".join(cell.text for cell in row) for row in old]
    rows = [tuple(Cell(part) for part in line.split("\t")) for line in lines]
    for was, now in paired(before, lines):
        if len(old[was]) == len(rows[now]):
            rows[now] = tuple(
                cell._replace(text=new.text) for cell, new in zip(old[was], rows[now], strict=True)
            )
    return tuple(_within(row, len(rows) - index) for index, row in enumerate(rows))


def _within(row: tuple[Cell, ...], rows_left: int) -> tuple[Cell, ...]:
    """Cells that reach no further down than the table does."""
    return tuple(cell._replace(row_span=min(cell.row_span, rows_left)) for cell in row)
