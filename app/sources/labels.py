"""Page labels of a PDF: the printed numbers that its rules spell out (ISO 32000-1, 12.4.2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LONGEST = 40
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST_ROMAN = 4999


class LabelRule(NamedTuple):
    """Holds from its first page up to the next rule's."""

    first_page: int  # from 0
    prefix: str = ""
    style: str = ""  # "D", "r", "R", "a", "A"; "": the prefix alone
    first_number: int = 1


def labels(rules: Iterable[LabelRule], page_count: int) -> tuple[str, ...]:
    """The label of every page; "" before the first rule."""
    spelt = [""] * page_count
    ordered = sorted(rules)
    ends = [*(rule.first_page for rule in ordered[1:]), page_count][: len(ordered)]
    for rule, end in zip(ordered, ends, strict=True):
        for page in range(max(0, rule.first_page), min(end, page_count)):
            number = rule.first_number + page - rule.first_page
            spelt[page] = (rule.prefix[:LONGEST] + spell(number, rule.style))[:LONGEST]
    return tuple(spelt)


def spell(number: int, style: str) -> str:
    """A number in one of the styles; numbers that a style cannot spell are written in digits."""
    if not style:
        return ""
    if style in ("r", "R") and 1 <= number <= _LARGEST_ROMAN:
        return _in_case(_roman(number), style)
    if style in ("a", "A") and 1 <= number <= 26 * LONGEST:
        return _in_case(
            "abcdefghijklmnopqrstuvwxyz"[(number - 1) % 26] * (1 + (number - 1) // 26), style
        )
    return str(number)


def _in_case(text: str, style: str) -> str:
    return text.upper() if style.isupper() else text


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text
