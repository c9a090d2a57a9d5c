"""Printed page numbers: what a block says, and where their sequence jumps. Pure.

Arabic and roman numbers are counted each for itself. A page without a number may be a plate, which
is not counted, or a page that is counted and bears none: both are tolerated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from app.book import Region
from app.sources.labels import spell
from model.api import Kind

_AROUND = " \t\n.,:;*·•|~_=+()[]{}<>«»-–—―"  # noqa: RUF001 - dashes are printed around numbers
_BEFORE = re.compile(r"(?:pag\w*|pp?|seite|s|fol|bl)[.\s]+(?=\S)", re.IGNORECASE)
_ARABIC = re.compile(r"[0-9]{1,4}")
_ROMAN = re.compile(r"(?=[mdclxvi])m{0,3}(cm|cd|d?c{0,4})(xc|xl|l?x{0,4})(ix|iv|v?i{0,4})j?")
_VALUES = {"m": 1000, "d": 500, "c": 100, "l": 50, "x": 10, "v": 5, "i": 1, "j": 1}
_ALONE = frozenset("ivx")  # other single letters are hardly ever a number


class Number(NamedTuple):
    """A printed number."""

    system: Literal["arabic", "roman"]
    value: int
    text: str  # as printed, without what stands around it


class Jump(NamedTuple):
    """A page whose printed number does not follow."""

    page: int
    found: str
    expected: str  # the number that would follow at once
    after: int  # the page with the number before


@lru_cache(maxsize=20_000)
def number_of(text: str) -> Number | None:
    """The number that a text is, whatever dashes and brackets stand around it; None: it is none."""
    core = _BEFORE.sub("", text.strip(_AROUND), count=1).strip(_AROUND)
    if _ARABIC.fullmatch(core):
        return Number("arabic", int(core), core) if int(core) else None
    small = core.lower()
    if core not in {small, core.upper()} or not _ROMAN.fullmatch(small):
        return None
    if len(small) == 1 and small not in _ALONE:
        return None
    return Number("roman", _roman(small), core)


def _roman(small: str) -> int:
    values = [_VALUES[letter] for letter in small]
    following = [*values[1:], 0]
    return sum(v if v >= after else -v for v, after in zip(values, following, strict=True))


def printed_number(regions: Iterable[Region]) -> Number | None:
    """What the block of the page number says; None where there is none, or several disagree."""
    found = {number_of(region.text) for region in regions if region.kind is Kind.PAGE_NUMBER}
    numbers = found - {None}
    return numbers.pop() if len(numbers) == 1 else None


def follows(before: Number, after: Number, pages: int) -> bool:
    """Whether one number may stand so many pages behind another."""
    if before.system != after.system or after.value == 1:
        return True  # another part of the book begins
    return before.value < after.value <= before.value + pages


def jumps(labels: Sequence[str]) -> dict[int, Jump]:
    """The pages whose printed number does not follow from the one before.

    A single number out of line, between two that follow each other, is a jump alone; else what
    comes after is measured by it.

    Args:
        labels: the printed number of each page, "" where there is none or it is not known.
    """
    known = list(_known(labels))
    found: dict[int, Jump] = {}
    last: tuple[int, Number] | None = None
    for place, (page, number) in enumerate(known):
        if last is None or follows(last[1], number, page - last[0]):
            last = page, number
            continue
        found[page] = Jump(page, number.text, _next(last[1]), last[0])
        if not _goes_on(last, known[place + 1 :], number, page):
            last = page, number
    return found


def _goes_on(
    last: tuple[int, Number], rest: Sequence[tuple[int, Number]], odd: Number, at: int
) -> bool:
    """Whether the next number follows the one before the odd one, and not the odd one."""
    if not rest:
        return False
    page, number = rest[0]
    if number.system != last[1].system or follows(odd, number, page - at):
        return False
    return follows(last[1], number, page - last[0])


def _known(labels: Sequence[str]) -> Iterator[tuple[int, Number]]:
    for page, label in enumerate(labels):
        number = number_of(label) if label else None
        if number is not None:
            yield page, number


def _next(number: Number) -> str:
    style = "D" if number.system == "arabic" else "R" if number.text.isupper() else "r"
    return spell(number.value + 1, style)
