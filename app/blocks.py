"""What is done to the blocks of a page: kind, order, split, merge, box. Pure.

Drop capitals and notes stay with the text that they belong to when that is put elsewhere. Spans,
styles and marks of a text that is cut or joined go with their letters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from app.book import Mark, Region
from app.proofing import split_rows
from model.api import Box, Kind, Span, Style

Regions = tuple[Region, ...]
NotesOf = Mapping[int, Collection[int]]
"""Index of a text to those of the notes that it refers to."""

CAPITAL_LETTERS = 2  # a drop capital has no more; 'Æ' may be read as two


class Placed(NamedTuple):
    """Blocks in another order, and where the one that was moved stands now."""

    regions: Regions
    at: int  # index of the moved block


def of_kind(region: Region, kind: Kind) -> Region:
    """The same block as another kind; only a table has cells."""
    if kind is region.kind:
        return region
    rows = split_rows(region.text, region.rows) if kind is Kind.TABLE else ()
    return replace(region, kind=kind, rows=rows, by_hand=True)


def with_box(region: Region, box: Box) -> Region:
    """The same block elsewhere on the page."""
    return replace(region, box=box, by_hand=True)


def is_drop_capital(region: Region, following: Region) -> bool:
    """Whether a block is the large first letter of the text that follows."""
    letters = region.text.strip()
    if not 1 <= len(letters) <= CAPITAL_LETTERS or not letters.isalpha():
        return False
    if region.kind in {Kind.PAGE_NUMBER, Kind.NOTE} or following.kind is not Kind.TEXT:
        return False
    if region.box is None or following.box is None:
        return letters.isupper()
    beside = region.box.top < following.box.bottom and region.box.bottom > following.box.top
    return beside and region.box.right <= following.box.left + following.box.width / 2


def groups(regions: Sequence[Region], notes: NotesOf) -> list[range]:
    """What is ordered together: a text, the drop capital before it, its notes right behind it."""
    found: list[range] = []
    at = 0
    while at < len(regions):
        end = at + 1
        if end < len(regions) and is_drop_capital(regions[at], regions[end]):
            end += 1
        own = {note for text in range(at, end) for note in notes.get(text, ())}
        while end < len(regions) and end in own and regions[end].kind is Kind.NOTE:
            end += 1
        found.append(range(at, end))
        at = end
    return found


def moved(regions: Regions, index: int, step: int, notes: NotesOf) -> Placed:
    """Put a block one place earlier (-1) or later (1) in reading order, with its company.

    A note that is moved itself leaves its text.
    """
    parts = groups(regions, notes)
    if regions[index].kind is Kind.NOTE:
        parts = [range(at, at + 1) for at in range(len(regions))]
    here = next(at for at, part in enumerate(parts) if index in part)
    there = here + step
    if not 0 <= there < len(parts):
        return Placed(regions, index)
    before = parts[there].start if step < 0 else parts[there].stop
    return _put_before(regions, parts[here], before, index)


def placed(regions: Regions, index: int, target: int, notes: NotesOf) -> Placed:
    """Put a block where another stands: before it, or behind it if it comes from the front."""
    parts = groups(regions, notes)
    if regions[index].kind is Kind.NOTE:
        parts = [range(at, at + 1) for at in range(len(regions))]
    here = next(part for part in parts if index in part)
    there = next(part for part in parts if target in part)
    if here == there:
        return Placed(regions, index)
    before = there.start if there.start < here.start else there.stop
    return _put_before(regions, here, before, index)


def _put_before(regions: Regions, part: range, before: int, index: int) -> Placed:
    taken = regions[part.start : part.stop]
    rest = (*regions[: part.start], *regions[part.stop :])
    at = before if before <= part.start else before - len(part)
    return Placed((*rest[:at], *taken, *rest[at:]), at + index - part.start)


def split(region: Region, offset: int) -> tuple[Region, Region] | None:
    """Cut a block in two before a letter; a table before the row that the letter stands in.

    Returns:
        Both parts; None where one of them would be empty.
    """
    if region.kind is Kind.TABLE:
        offset = region.text.rfind("\n", 0, offset) + 1
    head_end = len(region.text[:offset].rstrip())
    tail_at = len(region.text) - len(region.text[offset:].lstrip())
    if region.kind is Kind.TABLE:  # an empty cell is white space
        head_end, tail_at = max(0, offset - 1), offset
    if head_end == 0 or tail_at >= len(region.text):
        return None
    upper, lower = _cut_box(region, offset)
    before = [mark for mark in region.marks if mark.start < tail_at]
    behind = [mark for mark in region.marks if mark.end > tail_at or mark.start >= tail_at]
    return (
        _part(region, 0, head_end, upper, before),
        _part(region, tail_at, len(region.text), lower, behind),
    )


def _part(region: Region, start: int, end: int, box: Box | None, marks: Sequence[Mark]) -> Region:
    text = region.text[start:end]
    rows = region.rows
    if rows:
        first = region.text.count("\n", 0, start)
        rows = split_rows(text, rows[first : first + text.count("\n") + 1])
    return replace(
        region,
        text=text,
        box=box,
        lines=_within(region.lines, start, end),
        words=_within((w for w in region.words if start <= w.start and w.end <= end), start, end),
        styles=_within(region.styles, start, end),
        marks=_marks_between(marks, start, end),
        rows=rows,
        score=None,
        by_hand=True,
    )


S = TypeVar("S", Span, Style)


def _within(spans: Iterable[S], start: int, end: int) -> tuple[S, ...]:
    """What of the spans stands between two offsets, counted from the first of them."""
    cut = ((max(span.start, start), min(span.end, end), span) for span in spans)
    return tuple(
        span._replace(start=first - start, end=last - start)
        for first, last, span in cut
        if first < last
    )


def _marks_between(marks: Iterable[Mark], start: int, end: int) -> tuple[Mark, ...]:
    """Marks as far as they stand between two offsets, counted from the first of them."""
    cut = ((min(max(m.start, start), end), min(max(m.end, start), end), m) for m in marks)
    return tuple(mark._replace(start=a - start, end=b - start) for a, b, mark in cut)


def _cut_box(region: Region, offset: int) -> tuple[Box | None, Box | None]:
    """The boxes of both parts: by the lines where they are known, else by the count of lines."""
    if region.box is None:
        return None, None
    upper = _around(line.box for line in region.lines if line.start < offset)
    lower = _around(line.box for line in region.lines if line.end > offset)
    if upper is not None and lower is not None:
        return upper, lower
    share = region.text.count("\n", 0, offset) / (region.text.count("\n") + 1)
    if share == 0:
        share = offset / len(region.text)
    middle = region.box.top + share * region.box.height
    return region.box._replace(bottom=middle), region.box._replace(top=middle)


def merged(first: Region, second: Region) -> Region:
    """Two blocks as one, of the kind of the first; a drop capital is joined to its word."""
    parting = "" if is_drop_capital(first, second) else "\n"
    head = first.text.rstrip("\n")
    if not head or not second.text:
        parting = ""
    shift = len(head) + len(parting)
    text = head + parting + second.text
    if parting == "" and first.kind is not Kind.TABLE and head:
        first = replace(first, kind=second.kind)  # a drop capital may be taken for another kind
    boxes = [region.box for region in (first, second) if region.box is not None]
    return replace(
        first,
        text=text,
        box=_around(boxes),
        lines=(*first.lines, *_shifted(second.lines, shift)),
        words=(*first.words, *_shifted(second.words, shift)),
        styles=(*first.styles, *_shifted(second.styles, shift)),
        marks=(*first.marks, *_shifted(second.marks, shift)),
        rows=split_rows(text, (*first.rows, *second.rows)) if first.kind is Kind.TABLE else (),
        score=None,
        by_hand=True,
    )


T = TypeVar("T", Span, Style, Mark)


def _shifted(spans: Iterable[T], shift: int) -> tuple[T, ...]:
    return tuple(span._replace(start=span.start + shift, end=span.end + shift) for span in spans)


def _around(boxes: Iterable[Box]) -> Box | None:
    """The smallest box around these; None around none."""
    known = list(boxes)
    if not known:
        return None
    return Box(
        min(box.left for box in known),
        min(box.top for box in known),
        max(box.right for box in known),
        max(box.bottom for box in known),
    )
