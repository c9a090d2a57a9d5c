"""The invisible text of a page: every word over its image, in reading order.

A word's length on the page is its box's; its height is its line's, so that a line is selected as
one. The words of a line that runs to the left stand from left to right, letters likewise, as every
program expects them on a page. Source: ISO 32000-1, 9.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.book import PageSize
from app.export.layout import LaidLine, LaidWord
from app.export.letter_widths import SPACE
from app.export.pdf_file import fine, real
from app.export.pdf_font import DESCENT, GlyphlessFont, clusters
from app.export.pdf_view import View
from app.export.placing import direction_of

FONT = "F"
_MIRRORED = dict(zip("()[]{}<>«»", ")(][}{><»«", strict=True))
_NARROWEST = 0.25  # of the natural width; in less, equal letters look like one set bold
_FILLED = 0.75  # of a line's height; boxes that touch would make one line of two


def text_layer(view: View, font: GlyphlessFont) -> bytes:
    """The orders that write a page's text, b"" where it has none; the font learns its letters."""
    page = view.upright()
    lines = [order for line in page.lines() for order in _line(line, font, page.size)]
    if not lines:
        return b""
    return "\n".join([f"q {' '.join(map(fine, view.matrix()))} cm BT 3 Tr", *lines, "ET Q"]).encode(
        "ascii"
    )


class _Shown(NamedTuple):
    """A word as it is written."""

    codes: str
    whole: float  # pixels, unstretched
    left: float
    width: float
    space: float  # behind it


def _line(line: LaidLine, font: GlyphlessFont, page: PageSize) -> Iterator[str]:
    size = line.box.height * _FILLED
    base = page.height_px - line.box.bottom + DESCENT * size
    words = sorted(line.words, key=lambda w: w.box.left) if line.direction == "rtl" else line.words
    yield f"/{FONT} {real(size)} Tf"
    for word in _side_by_side([_shown(word, font, size) for word in words], page.width_px):
        place = f"1 0 0 1 {real(word.left)} {real(base)} Tm"
        yield f"{place} {real(100 * word.width / word.whole)} Tz<{word.codes}>Tj"


def _shown(word: LaidWord, font: GlyphlessFont, size: float) -> _Shown:
    """The letters over the whole box, and in the same breath the space behind them.

    PDFium passes over a letter that is shown alone. A word that goes on in the next line has no
    space behind its hyphen, so that programs may join it.
    """
    codes, natural = font.encode(_as_drawn(word.text))
    whole = natural * size / 1000
    is_open = word.broken is not None and word.broken.part == 1
    space = "" if is_open else font.encode(" ")[0]
    width = max(word.box.width, _NARROWEST * whole)
    space_width = SPACE * size * width / whole if space else 0.0
    return _Shown(f"{codes}{space}", whole, word.box.left, width, space_width)


def _side_by_side(words: list[_Shown], page_width: float) -> list[_Shown]:
    """Each word behind the one before it and on the page, whatever the boxes say.

    Programs drop what lies outside the page, and take letters that lie on each other for one.
    """
    edge = 0.0
    for number, word in enumerate(words):
        words[number] = word._replace(left=max(word.left, edge))
        edge = words[number].left + word.width
    edge = page_width - words[-1].space
    for number, word in reversed(list(enumerate(words))):
        words[number] = word._replace(left=max(0.0, min(word.left, edge - word.width)))
        edge = words[number].left
    return words


def _as_drawn(text: str) -> str:
    """The letters from left to right, as every program expects them on a page."""
    if direction_of(text) == "ltr":
        return text
    return "".join(_MIRRORED.get(letter, letter) for letter in reversed(clusters(text)))
