"""Offsets in code points, as the book counts, and in UTF-16 units, as Qt counts. Pure."""

from __future__ import annotations

from functools import lru_cache


def to_units(text: str, offset: int) -> int:
    """Where the code point of this offset stands, in UTF-16 units."""
    return offset + sum(letter > "\uffff" for letter in text[:offset]) if _is_wide(text) else offset


def to_code_points(text: str, units: int) -> int:
    """The offset in code points of a place counted in UTF-16 units; within a pair: before it."""
    if not _is_wide(text):
        return units
    passed = 0
    for offset, letter in enumerate(text):
        passed += 2 if letter > "\uffff" else 1
        if passed > units:
            return offset
    return len(text)


@lru_cache(maxsize=64)
def _is_wide(text: str) -> bool:
    """Whether any letter takes two units; asked of the same text for each word that is drawn."""
    return not text.isascii() and max(text) > "\uffff"
