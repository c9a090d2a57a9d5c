"""A doubt: a word that may be wrong, where it stands, how likely that is, and why. Values only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Why(StrEnum):
    """What speaks against a word; the strongest first in `Doubt.why`."""

    UNLIKELY = "unlikely"  # the engine was unsure of its letters
    UNKNOWN = "unknown"  # in no word list, and rare in this book
    DISAGREES = "disagrees"  # another reading of the page has something else here
    ALIKE = "alike"  # it looks like a misreading of a commoner word
    SHAPE = "shape"  # letters and digits mixed, a capital within, a mark standing alone
    DOUBLED = "doubled"  # its line stands a few words before as well
    SPLIT = "split"  # oddly broken at a line's end, or two halves of one word


class Doubt(NamedTuple):
    """A word that may be wrong."""

    page: int
    region: int
    start: int  # code points in the region's text
    end: int
    word: str  # as it reads; the parts of a word broken at a line's end are joined
    chance: float  # 0..1 that it is wrong
    why: tuple[Why, ...] = ()
    other: str = ""  # what another reading has here, as printed; "" if it has the same, or nothing
    listed: str = ""  # what the word lists make of the word; "" where nothing is likelier


class Key(NamedTuple):
    """What a word is known by when its text around it changes."""

    page: int
    word: str
    nth: int  # from 0, among the same words of the page


class Entry(NamedTuple):
    """A doubt and what it is known by."""

    key: Key
    doubt: Doubt


class Leaf(NamedTuple):
    """What is doubted on one page."""

    page: int
    texts: tuple[str, ...]  # of its regions, as they were judged
    entries: tuple[Entry, ...]  # in the order of the text


def with_other(text: str, doubt: Doubt) -> str:
    """A block's text with what the other reading has; the printed line still ends at this word."""
    return _with(text, doubt, doubt.other)


def with_listed(text: str, doubt: Doubt) -> str:
    """A block's text with what the word lists have, broken where the word is broken in print."""
    printed, taken = text[doubt.start : doubt.end], doubt.listed
    first, line_end, _second = printed.partition("\n")
    at, gap = len(first.rstrip()) - 1, len(printed) - len(doubt.word)
    if line_end and len(taken) == len(doubt.word):
        taken = taken[:at] + printed[at : at + gap] + taken[at:]
    return _with(text, doubt, taken)


def _with(text: str, doubt: Doubt, taken: str) -> str:
    behind = text[doubt.end :]
    if "\n" in text[doubt.start : doubt.end] and "\n" not in taken:
        taken, behind = f"{taken}\n", behind.lstrip(" \n")
    return text[: doubt.start] + taken + behind
