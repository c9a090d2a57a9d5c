"""What was found in a page file, before it is known which page it is of. Values only."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.book import Region
from model.api import Box, Kind, Span, Style

StyleName = Literal["italic", "bold", "small_caps", "superscript", "subscript", "letter_spaced"]

_STYLES: dict[str, StyleName] = {
    "italic": "italic",
    "bold": "bold",
    "small_caps": "small_caps",
    "superscript": "superscript",
    "subscript": "subscript",
    "letter_spaced": "letter_spaced",
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class FoundWord(NamedTuple):
    """One word of a line."""

    text: str
    box: Box | None
    score: float | None = None  # 0..1
    styles: tuple[str, ...] = ()  # names of `model.api.Style`
    is_estimated: bool = False


class FoundLine(NamedTuple):
    """One line; its text is its own, or that of its words."""

    text: str
    box: Box | None
    words: tuple[FoundWord, ...] = ()
    is_estimated: bool = False


@dataclass(frozen=True)
class FoundPage:
    """One page of a file. Boxes are in the units of that file."""

    images: tuple[str, ...]  # names of the scan that the file gives
    number: int | None  # of the page, from 0, as the file says
    size: tuple[float, float] | None  # in the file's units, width and height
    texts: tuple[tuple[Region, ...], ...]  # the readings, the first the one that counts
    note: str = ""  # on the page as a whole


def region_of(kind: Kind, lines: Iterable[FoundLine], box: Box | None) -> Region:
    """Lines put together: the text with its line ends, and where its lines and words stand."""
    text = ""
    placed: list[Span] = []
    words: list[Span] = []
    styles: list[Style] = []
    for line in lines:
        printed = _clean(line.text) or " ".join(_clean(word.text) for word in line.words)
        if not printed.strip():
            continue
        text += "\n" if text else ""
        start = len(text)
        text += printed
        if line.box is not None:
            placed.append(_span(start, len(text), line.box, None, line.is_estimated))
        _place_words(line, printed, start, words, styles)
    return Region(
        kind, text, box, lines=tuple(placed), words=tuple(words), styles=tuple(_joined(styles))
    )


def box_of(left: float, top: float, right: float, bottom: float) -> Box | None:
    """A box, its sides in order; None where it has no area or no number."""
    sides = (left, top, right, bottom)
    if not all(map(math.isfinite, sides)):
        return None
    box = Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    return box if box.width > 0 and box.height > 0 else None


def number_of(text: str | None) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def score_of(text: str | None, *, whole: float = 1.0) -> float | None:
    """A score as a share of the whole; None where there is none."""
    value = number_of(text)
    return None if value is None else min(1.0, max(0.0, value / whole))


def kind_of(name: str | None) -> Kind | None:
    """The kind of that name, as our own exports write it."""
    return Kind(name) if name in set(Kind) else None


def _clean(text: str) -> str:
    """One line in NFC, without line ends of its own."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _place_words(
    line: FoundLine, printed: str, start: int, words: list[Span], styles: list[Style]
) -> None:
    """Find the words one after another in their line; those that it does not have are left out."""
    at = 0
    for word in line.words:
        text = _clean(word.text)
        found = printed.find(text, at) if text else -1
        if found < 0:
            continue
        at = found + len(text)
        first, last = start + found, start + at
        if word.box is not None:
            words.append(_span(first, last, word.box, word.score, word.is_estimated))
        styles += (Style(first, last, _STYLES[name]) for name in word.styles if name in _STYLES)


def _joined(styles: list[Style]) -> list[Style]:
    """Neighbouring words in one manner as one stretch."""
    joined: dict[str, list[Style]] = {}
    for style in styles:
        same = joined.setdefault(style.name, [])
        if same and style.start - same[-1].end <= 1:
            same[-1] = same[-1]._replace(end=style.end)
        else:
            same.append(style)
    return sorted(style for same in joined.values() for style in same)


def _span(start: int, end: int, box: Box, score: float | None, is_estimated: bool) -> Span:
    return Span(start, end, box, score, "estimated" if is_estimated else "exact")


def style_of(name: str) -> str:
    """A style's name as we write it, from `smallCaps`, `smallcaps`, `italics` and the like."""
    plain = _CAMEL.sub("_", name).lower()
    others = {"italics": "italic", "smallcaps": "small_caps", "em": "italic", "i": "italic"}
    others |= {"strong": "bold", "b": "bold", "sup": "superscript", "sub": "subscript"}
    return others.get(plain, plain)
