"""How wide letters are in print, roughly: enough to share a line's width among its words."""

from __future__ import annotations

import unicodedata
from functools import cache

NARROWEST, WIDEST = 0.0, 1.0  # ems
_CLASSES = (
    (0.25, "iljſ'’‘.,:;!|ıíìîï"),
    (0.35, 'ftrI()[]{}-‐⸗¬·"“”„/\\'),
    (0.85, "mwMWÆŒæœ—…%@"),
    (0.7, "ABCDEFGHKLNOPQRTUVXYZÄÖÜ&"),
)
_OTHERS = 0.5
_WIDTHS = {letter: width for width, letters in _CLASSES for letter in letters}
SPACE = 0.3


@cache
def letter_width(letter: str) -> float:
    """The width of one character in ems, 0 for what stands on or in another."""
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return NARROWEST
    if letter.isspace():
        return SPACE
    return WIDEST if unicodedata.east_asian_width(letter) in "WF" else _OTHERS


def text_width(text: str) -> float:
    """The width of some letters in ems; above 0."""
    return sum(map(letter_width, text)) or _OTHERS
