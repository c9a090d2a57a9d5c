"""Page ranges as people write them, to page numbers and back. Pure functions, any thread.

Scan numbers stand as they are (`1-12, 15, 20-`). Printed numbers that are no plain number are found
by their label (`iv-xii`, `12a`); one that is a plain number is marked as printed with a `p`
(`p. 15-20`), because the twelfth scan and the page printed 12 are seldom the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from app.errors import UserFacing

_SEPARATORS = re.compile(r"[,;\n]")
_DASHES = re.compile(r"\s*[-‐-―−]\s*")  # hyphen, en dash, minus: whatever was pasted
_SCAN = re.compile(r"\d{1,9}", re.ASCII)
_PRINTED = re.compile(r"p+\.?\s*(?=\S)", re.IGNORECASE)


class _NotAPage(ValueError):
    """This piece of the order names no page; the whole order is then refused."""


def pages_of(given: str, count: int, labels: Sequence[str] = ()) -> tuple[int, ...]:
    """Turn a written range into page numbers, ascending, each once.

    Args:
        given: for example `1-12, 15, 20-`; `-5` begins at the first page, `20-` ends at the last.
        count: how many pages the book has.
        labels: the printed number of each page, "" where unknown; may be shorter than `count`.

    Returns:
        Page numbers counted from 0.

    Raises:
        UserFacing: `pages_unknown` when any part names no page of the book.
    """
    items = [item.strip() for item in _SEPARATORS.split(given) if item.strip()]
    try:
        if not items:
            raise _NotAPage(given)
        return tuple(sorted({page for item in items for page in _item(item, count, labels)}))
    except _NotAPage as odd:
        raise UserFacing("pages_unknown", given=given.strip(), count=count) from odd


def page_of(given: str, count: int, labels: Sequence[str] = ()) -> int:
    """Turn one written scan or printed number into a page number counted from 0.

    Raises:
        UserFacing: `pages_unknown` when it names no page of the book.
    """
    page = _find(given.strip(), count, labels)
    if page is None:
        raise UserFacing("pages_unknown", given=given.strip(), count=count)
    return page


def range_of(pages: Iterable[int]) -> str:
    """Write page numbers as the shortest range of scan numbers, the way `pages_of` reads it."""
    numbers = sorted(set(pages))
    if not numbers:
        return ""
    cuts = [0, *(at for at, (one, two) in enumerate(pairwise(numbers), 1) if two > one + 1)]
    runs = [numbers[start:end] for start, end in pairwise([*cuts, len(numbers)])]
    return ", ".join(_run_text(run[0] + 1, run[-1] + 1) for run in runs)


def _run_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _item(item: str, count: int, labels: Sequence[str]) -> range:
    """One part between commas: a page, or a stretch with an open or closed end."""
    page = _find(item, count, labels)  # first, since a label may hold a hyphen itself
    if page is not None:
        return range(page, page + 1)
    ends = _DASHES.split(item)
    if len(ends) != 2 or not any(ends):
        raise _NotAPage(item)
    return _stretch(ends[0], ends[1], count, labels)


def _stretch(left: str, right: str, count: int, labels: Sequence[str]) -> range:
    first = _find(left, count, labels) if left else 0
    if _PRINTED.match(left) and _SCAN.fullmatch(right):
        right = f"p{right}"  # 'p. 15-20' means printed 20 as well
    last = _find(right, count, labels, start=first or 0) if right else count - 1
    if first is None or last is None or last < first:
        raise _NotAPage(f"{left}-{right}")
    return range(first, last + 1)


def _find(given: str, count: int, labels: Sequence[str], *, start: int = 0) -> int | None:
    """One page; of several with the same printed number the first from `start` on."""
    if _SCAN.fullmatch(given):
        return int(given) - 1 if 1 <= int(given) <= count else None
    wanted = {given.casefold(), _PRINTED.sub("", given, count=1).casefold()} - {""}
    numbers = range(start, min(count, len(labels)))
    return next((page for page in numbers if labels[page].casefold() in wanted), None)
