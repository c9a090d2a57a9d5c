"""One page being set: ink, the letter under each place, and the lines that were written.

What is drawn and what is to be read are written by the same call, so they cannot differ: a line for
which the target has no room is not drawn either.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from model.training.alphabet import LETTER_NUMBERS
from model.training.faces import PHASES, Cut, Grey, Word
from model.training.manner import Manner

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

LineKind = Literal["title", "text", "header", "footer", "page_number", "footnote"]

LABEL_PX = 4  # a label stands for a square of so many pixels
HEADER_TOKENS = 7  # <|det|> kind x y x y ]<|/det|>
SMALL_CAPITALS = 0.78  # of the height of capitals


class Line(NamedTuple):
    """A printed line as it is to be read."""

    kind: LineKind
    text: str
    ids: tuple[int, ...]
    left: float
    right: float
    baseline: float
    em: float


class Initial(NamedTuple):
    """A large letter in front of a line, part of its first word."""

    letter: str
    cut: Cut
    x: float
    baseline: float


@dataclass
class Setting:
    """How the words of one line are set."""

    space: float = 0.0  # added to the space between words, px
    tracking: float = 0.0  # added between letters, px
    stress: float = 0.0  # share of words where a run of italics, or of spaced letters, begins
    capitals: int = 0  # so many words, written in capitals, are set in small ones
    initial: Initial | None = None


class Sheet:
    """A square of paper."""

    def __init__(self, side_px: int, manner: Manner, vocabulary: Tokenizer, room: int) -> None:
        self.side = side_px
        self.manner = manner
        self.ink: Grey = np.zeros((side_px, side_px), np.uint8)
        self.labels: Grey = np.zeros((side_px // LABEL_PX, side_px // LABEL_PX), np.uint8)
        self.lines: list[Line] = []
        self.room = room  # tokens left
        self._vocabulary = vocabulary

    def width(self, text: str, cut: Cut, tracking: float = 0.0) -> float:
        """How wide a text is, px."""
        words = [self.manner.spell(word) for word in text.split(" ") if word]
        spaces = (len(words) - 1) * self.space(cut, tracking)
        return sum(cut.word(word, tracking).width for word in words) + spaces

    def space(self, cut: Cut, tracking: float = 0.0) -> float:
        """Space between words, px."""
        return cut.space * self.manner.word_space + 1.5 * tracking

    def write(
        self,
        text: str,
        x: float,
        baseline: float,
        cut: Cut,
        kind: LineKind,
        *,
        setting: Setting | None = None,
        rng: random.Random | None = None,
    ) -> bool:
        """Draw a line from `x` on; False, and nothing drawn, where the target has no room."""
        setting = setting or Setting()
        words = [self.manner.spell(word) for word in text.split(" ") if word]
        if not words:
            return True
        line = self._entered(words, kind, baseline, cut, setting)
        if line is None:
            return False
        end = self._set(words, x, baseline, cut, setting, rng)
        left = setting.initial.x if setting.initial else x
        self.lines.append(line._replace(left=left, right=end))
        self.room -= len(line.ids) + HEADER_TOKENS
        return True

    def write_cells(
        self, cells: list[tuple[str, float]], left: float, width: float, baseline: float, cut: Cut
    ) -> bool:
        """Draw a row of a table: each cell ends at its share of `width`, the first begins at 0.

        Cells that would touch move to the right; what runs over the edge is left out of the row.
        """
        end, placed = left, list[tuple[str, float]]()
        for text, at in cells:
            wide = self.width(text, cut)
            x = max(left + at * width - wide, end)
            if x + wide <= left + width + 1:
                placed.append((text, x))
                end = x + wide + self.space(cut)
        words = [self.manner.spell(word) for text, _ in placed for word in text.split(" ") if word]
        line = self._entered(words, "text", baseline, cut, Setting()) if words else None
        if line is None:
            return not words
        for text, x in placed:
            shown = [self.manner.spell(word) for word in text.split(" ") if word]
            end = self._set(shown, x, baseline, cut, Setting(), None)
        self.lines.append(line._replace(left=placed[0][1], right=end))
        self.room -= len(line.ids) + HEADER_TOKENS
        return True

    def write_leader(
        self,
        entry: str,
        end: str,
        left: float,
        width: float,
        baseline: float,
        cut: Cut,
        pitch: float,
    ) -> bool:
        """Draw an entry, dots `pitch` px apart, and what they lead to at the right edge.

        The dots stand below each other on all lines of a page. However far apart they are, they are
        read as one run of dots without spaces, so that none of them is a word.
        """
        space = self.space(cut)
        start, last = left + self.width(entry, cut), left + width - self.width(end, cut) - space
        count = max(int((last - start - 0.4 * space) / pitch), 0)
        words = [self.manner.spell(word) for word in entry.split(" ") if word]
        is_apart = last - count * pitch - start > 1.2 * space
        dots = "." * count
        told = [*words, dots] if is_apart or not words else [*words[:-1], words[-1] + dots]
        line = self._entered(
            [word for word in (*told, end) if word], "text", baseline, cut, Setting()
        )
        if line is None:
            return False
        self._set(words, left, baseline, cut, Setting(), None)
        for number in range(count):
            self._letters(cut.word("."), last - (number + 1) * pitch, baseline, cut, ".")
        right = self._set([end], last + space, baseline, cut, Setting(), None)
        self.lines.append(line._replace(left=left, right=right))
        self.room -= len(line.ids) + HEADER_TOKENS
        return True

    def blot(self, word: str, x: float, baseline: float, cut: Cut, share: float) -> None:
        """Print what is not to be read: a stamp, a pencil note; `share` of full ink."""
        before = self.ink
        self.ink = np.zeros_like(before)
        self._letters(cut.word(word), x, baseline, cut, label=None)
        self.ink = np.maximum(before, (self.ink * share).astype(np.uint8))

    def rule(self, left: float, right: float, y: float, thick: int, share: float = 0.9) -> None:
        """Draw a level line."""
        x0, x1 = (min(max(int(x), 0), self.side) for x in (left, right))
        self.ink[max(int(y), 0) : max(int(y) + thick, 0), x0:x1] = int(255 * share)

    def bar(self, x: float, top: float, bottom: float, thick: int, share: float = 0.9) -> None:
        """Draw an upright line."""
        y0, y1 = (min(max(int(y), 0), self.side) for y in (top, bottom))
        self.ink[y0:y1, max(int(x), 0) : max(int(x) + thick, 0)] = int(255 * share)

    def _entered(
        self, words: list[str], kind: LineKind, baseline: float, cut: Cut, setting: Setting
    ) -> Line | None:
        text = (setting.initial.letter if setting.initial else "") + " ".join(words)
        ids = tuple(self._vocabulary.encode(text, add_special_tokens=False).ids)
        if len(ids) + HEADER_TOKENS > self.room:
            return None
        return Line(kind, text, ids, 0.0, 0.0, baseline, cut.em)

    def _set(
        self,
        words: list[str],
        x: float,
        baseline: float,
        cut: Cut,
        setting: Setting,
        rng: random.Random | None,
    ) -> float:
        if setting.initial is not None:
            first = setting.initial
            self._letters(first.cut.word(first.letter), first.x, first.baseline, first.cut, None)
        stressed = 0
        space = self.space(cut, setting.tracking) + setting.space
        for number, word in enumerate(words):
            if number < setting.capitals:
                x += self._small_capitals(word, x, baseline, cut) + space
                continue
            if rng is not None and not stressed and rng.random() < setting.stress:
                stressed = rng.randint(1, 5)
            chosen = self._stressed(cut) if stressed else cut
            shaped = chosen.word(word, setting.tracking)
            plain = cut.word(word, setting.tracking).width
            self._letters(shaped, x + (plain - shaped.width) / 2, baseline, chosen, word)
            stressed -= stressed > 0
            x += plain + space
        return x - space

    def _small_capitals(self, word: str, x: float, baseline: float, cut: Cut) -> float:
        """Draw a word in capitals, its first letter large; gives its width."""
        small = self.manner.cut("regular", SMALL_CAPITALS * cut.em / self.manner.em)
        first = cut.word(word[0])
        self._letters(first, x, baseline, cut, word[0])
        if len(word) == 1:
            return first.width
        rest = small.word(word[1:])
        self._letters(rest, x + first.width, baseline, small, word[1:])
        return first.width + rest.width

    def _stressed(self, cut: Cut) -> Cut:
        return self.manner.cut(self.manner.stress, cut.em / self.manner.em)

    def _letters(self, word: Word, x: float, baseline: float, cut: Cut, label: str | None) -> None:
        """Put the glyphs of a word on the sheet; what would lie over its edge is left out."""
        row = round(baseline)
        for glyph, place, height in zip(word.glyphs, word.places, word.heights, strict=True):
            drawn = cut.drawn(glyph)
            if drawn is None:
                continue
            at = x + place
            whole = int(at // 1)
            picture = drawn.phases[int((at - whole) * PHASES)]
            top, left = row + drawn.top - round(height), whole + drawn.left
            bottom, right = top + picture.shape[0], left + picture.shape[1]
            if top < 0 or left < 0 or bottom > self.side or right > self.side:
                continue
            under = self.ink[top:bottom, left:right]
            np.maximum(under, picture, out=under)
        if label is not None:
            self._label(label, word, x, row, cut.x_height)

    def _label(self, text: str, word: Word, x: float, row: int, x_height: float) -> None:
        first = max(int((row - 0.92 * x_height) // LABEL_PX), 0)
        last = max(int((row - 1) // LABEL_PX), first) + 1
        for letter, start, end in zip(text, word.starts, word.ends, strict=True):
            number = LETTER_NUMBERS.get(letter, 0)
            if number:
                left = max(int((x + start + 1) // LABEL_PX), 0)
                right = max(int((x + end - 1) // LABEL_PX) + 1, left + 1)
                self.labels[first:last, left:right] = number


def paste(sheet: Grey, picture: NDArray[np.uint8], left: int, top: int) -> None:
    """Lay a picture on the ink; what lies over the edge is cut off."""
    height, width = sheet.shape
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + picture.shape[0], height), min(left + picture.shape[1], width)
    if y1 > y0 and x1 > x0:
        under = sheet[y0:y1, x0:x1]
        np.maximum(under, picture[y0 - top : y1 - top, x0 - left : x1 - left], out=under)
