"""Pages drawn for tests, with the place of every word known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from model.api import Box, PageImage
from resources import path

PAPER, INK = 245, 30
SIZE_PX = 40
LEADING_PX = 60


@dataclass(frozen=True)
class DrawnPage:
    """A page and the boxes of its words, line by line."""

    image: PageImage
    words: tuple[tuple[str, Box], ...]


class Sheet:
    """A sheet of paper to draw lines of text on."""

    def __init__(self, width: int = 900, height: int = 700) -> None:
        self._paper = Image.new("L", (width, height), PAPER)
        self._pen = ImageDraw.Draw(self._paper)
        self._words: list[tuple[str, Box]] = []

    def line(self, left: int, top: int, text: str, size: int = SIZE_PX) -> None:
        font = ImageFont.truetype(str(path("fonts/JunicodeTwoBeta-Regular.otf")), size)
        self._pen.text((left, top), text, font=font, fill=INK)
        x = float(left)
        for word in text.split():
            box = self._pen.textbbox((x, top), word, font=font)
            self._words.append((word, Box(*box)))
            x += self._pen.textlength(word + " ", font=font)

    def paragraph(self, left: int, top: int, *lines: str) -> None:
        for i, text in enumerate(lines):
            self.line(left, top + i * LEADING_PX, text)

    def page(self, *, degrees: float = 0.0) -> DrawnPage:
        """The page as it is now, turned clockwise by some degrees."""
        turned = self._paper.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=PAPER)
        pixels = np.array(turned.convert("RGB"))
        return DrawnPage(PageImage(pixels, dpi=300), tuple(self._words))


def page_of_prose(number: int = 0) -> DrawnPage:
    """A heading and two short paragraphs that differ by number."""
    sheet = Sheet()
    sheet.line(300, 50, "THE COPY")
    sheet.paragraph(
        60,
        160,
        "The printer set the words by hand,",
        "one letter after another, in the",
        "dark room.",
    )
    sheet.paragraph(100, 340, f"Of these {number + 12} copies were sold at")
    sheet.paragraph(60, 400, "once, and none came back to him.")
    return sheet.page()


def slip(number: int = 0) -> DrawnPage:
    """Two short lines in two blocks: quick to read."""
    sheet = Sheet(460, 300)
    sheet.line(40, 50, f"Leaf {number + 12} of the")
    sheet.line(40, 190, "old copy")
    return sheet.page()
