"""Reads the letters of one strip: one call of the recognition network, then CTC decoding.

The network (PP-OCRv6 recognition) cuts a strip into some columns and gives each the probability of
every letter it knows and of 'no new letter'. A run of columns with the same letter is one letter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.bundled import Network
from model.strips import Strip, cut_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEIGHT_PX = 48  # of the strips that the network was trained on
MIXED = re.compile(r"[IVXLCDM]+[a-zè]{1,3}|(Mc|Mac|De|Di|La|Le|Van|Von)[A-Z]+")  # XIXe, McADAM
LETTERS = re.compile(r"[^\W\d_]+")
NOTHING = 0  # class of 'no new letter'


class Letter(NamedTuple):
    """One letter and where its middle lies along the strip."""

    text: str
    at: float  # 0 at the strip's left end, 1 at its right
    score: float  # 0..1


class Word(NamedTuple):
    """Letters between two blanks."""

    start: int  # code points in the line's text
    end: int
    left: float  # 0..1 along the strip
    right: float
    score: float


@dataclass(frozen=True)
class Line:
    """What stands in a strip."""

    text: str  # NFC, single blanks, none at the ends
    score: float  # 0..1, mean of the letters; 0 if there is none
    words: tuple[Word, ...]


NO_LINE = Line("", 0.0, ())
"""Nothing, or nothing yet."""


class LetterReader:
    """Reads strips. Belongs to the thread that made it."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._classes = ("", *network.alphabet, " ")
        self._is_wide = np.array([_is_wide(letter) for letter in self._classes])  # (classes,)

    def read(self, pixels: NDArray[np.uint8], strip: Strip) -> Line:
        """Read one strip of a page, (H, W, 3) uint8 RGB."""
        cut = cut_out(pixels, strip, HEIGHT_PX)[..., ::-1]  # (48, W', 3), BGR
        wave = cut.astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1  # (1, 3, 48, W')
        return line_of(self._letters(self._network.answer(wave)[0]))

    def _letters(self, columns: NDArray[np.float32]) -> list[Letter]:
        best = self._best(columns)  # (columns,)
        is_new = np.ones(len(best), bool)
        is_new[1:] = best[1:] != best[:-1]
        places = np.flatnonzero(is_new & (best != NOTHING))
        return [
            Letter(self._classes[best[i]], (i + 0.5) / len(best), float(columns[i, best[i]]))
            for i in places
        ]

    def _best(self, columns: NDArray[np.float32]) -> NDArray[np.intp]:
        """The likeliest class of each column, of one script.

        The network knows some 16,000 ideographs and takes a dash for one of them now and then.
        Where others outnumber them on a line, the column's best other class is taken.
        """
        best = columns.argmax(1)
        wide = np.flatnonzero(self._is_wide[best])
        if 0 < 2 * len(wide) < np.count_nonzero(best != NOTHING):
            best[wide] = np.where(self._is_wide, 0, columns[wide]).argmax(1)
        return best


def line_of(letters: list[Letter]) -> Line:
    """Join letters into the words of a line."""
    groups = _words_of(letters)
    half = _half_letter(groups)
    words: list[Word] = []
    text = ""
    for group in groups:
        start = len(text) + bool(text)
        written = unicodedata.normalize("NFC", "".join(letter.text for letter in group))
        written = LETTERS.sub(_in_capitals, written)
        text = f"{text} {written}" if text else written
        left, right = max(0.0, group[0].at - half), min(1.0, group[-1].at + half)
        score = sum(letter.score for letter in group) / len(group)
        words.append(Word(start, len(text), left, right, score))
    seen = [letter.score for letter in letters if not letter.text.isspace()]
    return Line(text, sum(seen) / len(seen) if seen else 0.0, tuple(_apart(words)))


def _is_wide(letter: str) -> bool:
    """Whether it is an ideograph or another sign as wide as one."""
    return len(letter) == 1 and unicodedata.east_asian_width(letter) in {"W", "F"}


def _in_capitals(run: re.Match[str]) -> str:
    """A run of letters, in capitals if it is set in small ones.

    The network writes those that only their size tells from lower case as such: FRANcis, WELLEsLEY.
    """
    word = run.group()
    capitals = sum(letter.isupper() for letter in word)
    is_plural = word.endswith("s") and capitals == len(word) - 1 < 5
    if capitals < 3 or is_plural or MIXED.fullmatch(word):
        return word
    return word.upper() if len(word.upper()) == len(word) else word


def _words_of(letters: list[Letter]) -> list[list[Letter]]:
    groups: list[list[Letter]] = [[]]
    for letter in letters:
        if letter.text.isspace():
            groups.append([])
        else:
            groups[-1].append(letter)
    return [group for group in groups if group]


def _half_letter(groups: list[list[Letter]]) -> float:
    """Half the mean distance of neighbours inside words."""
    gaps = [b.at - a.at for group in groups for a, b in pairwise(group)]
    return sum(gaps) / len(gaps) / 2 if gaps else 0.02


def _apart(words: list[Word]) -> list[Word]:
    """The words with overlaps shared between neighbours."""
    apart = list(words)
    for i in range(1, len(apart)):
        before, after = apart[i - 1], apart[i]
        if before.right > after.left:
            middle = (before.right + after.left) / 2
            apart[i - 1] = before._replace(right=middle)
            apart[i] = after._replace(left=middle)
    return apart
