"""Finds letters that the detection network passed over: lone figures, page numbers, initials.

The network is sure of lines and unsure of single letters: in a column of figures it leaves out
some, and a large initial it takes for a picture. So dark shapes of a letter's size outside all
strips are proposed as strips of their own, where print may be expected: level with a line, just
above or below the text, or large before several lines. Reading them tells whether they are letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from model.api import Box
from model.level import Slab, level
from model.strips import Strip, strip_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE_PX = 2000  # longer side of what is looked at
CONTRAST = 18  # grey levels that ink is darker than its surroundings
LETTER_EM = (0.3, 1.1)  # height of a letter, in heights of a strip (which has margins)
INITIAL_EM = (1.4, 6.0)  # height of a dropped initial
WIDEST = 2.0  # of one letter, in its own heights
GAP_EM = 0.4  # between the letters of one word, at most
WORD_EM = 4.0  # width of a word, at most
LEVEL_EM = 0.3  # between the middles of a word and of the line that it is level with
BEYOND_EM = 4.0  # above the first and below the last line
BESIDE_EM = 0.5  # outside the margins
BEHIND_EM = 2.0  # between an initial and the lines that it stands before
MARGIN_EM = 0.18  # around the ink
SOLID = 0.12  # share of its box that a letter's ink fills, at least
OVERLAP = 0.1  # share of a shape's ink that may lie inside a strip
MOST = 40  # more words than these are a picture or dirt
SURE = 0.9  # score from which what was read is a letter
STROKES = frozenset("1Iil|!/\\")  # a scratch or a rule is read as one of these
SURE_STROKE = 0.985


def stray_ink(pixels: NDArray[np.uint8], strips: Sequence[Strip]) -> tuple[Strip, ...]:
    """Strips around what may be letters outside the given strips.

    Args:
        pixels: the page, (H, W, 3) uint8.
        strips: what the detector found; without any there is nothing to compare with.
    """
    if not strips:
        return ()
    em = float(np.median([strip.height for strip in strips]))
    words = _words(_shapes(pixels, strips, em), em)
    height, width = pixels.shape[:2]
    frame = Box(0, 0, width - 1, height - 1)
    found = [strip_around(_with_margin(word, em, frame)) for word in words]
    numbered = dict(enumerate((*strips, *found)))
    slabs = level(numbered)
    known = [slab for slab in slabs if slab.number < len(strips)]
    expected = [
        numbered[slab.number]
        for slab in slabs
        if slab.number >= len(strips) and _is_expected(slab, known, em)
    ]
    return tuple(expected) if len(expected) <= MOST else ()


def is_letter(text: str, score: float) -> bool:
    """Whether what was read in a stray strip is print indeed."""
    least = SURE_STROKE if STROKES.issuperset(text) else SURE
    return score >= least and any(letter.isalnum() for letter in text)


def _shapes(pixels: NDArray[np.uint8], strips: Sequence[Strip], em: float) -> Iterator[Box]:
    """Connected ink of a letter's size outside all strips, in pixels of the page."""
    scale = min(1.0, SIDE_PX / max(pixels.shape[:2]))
    ink = _ink(pixels, scale, em)
    taken = np.zeros_like(ink)
    for strip in strips:
        cv2.fillConvexPoly(taken, np.round(np.array(strip.corners) * scale).astype(np.int32), (1,))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink)
    inside = np.bincount(labels[taken > 0], minlength=count)  # ink pixels inside strips
    for number in range(1, count):  # 0 is the paper
        left, top, width, height, area = (int(value) for value in stats[number])
        if inside[number] > OVERLAP * area or area < SOLID * width * height:
            continue
        if width > WIDEST * height or not _is_letter_high(height / (scale * em)):
            continue
        yield Box(left / scale, top / scale, (left + width) / scale, (top + height) / scale)


def _ink(pixels: NDArray[np.uint8], scale: float, em: float) -> NDArray[np.uint8]:
    """1 where the page is darker than its surroundings, (H', W') uint8."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    window = 2 * round(max(3.0, 1.5 * em * scale)) + 1
    ink = cv2.adaptiveThreshold(
        small, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, CONTRAST
    )
    return ink.astype(np.uint8, copy=False)


def _is_letter_high(ems: float) -> bool:
    return LETTER_EM[0] < ems < LETTER_EM[1] or INITIAL_EM[0] < ems < INITIAL_EM[1]


def _words(shapes: Iterator[Box], em: float) -> list[Box]:
    """Shapes joined with their neighbours on the right; words as wide as a line are left out."""
    words: list[Box] = []
    for shape in sorted(shapes):
        neighbour = next(
            (
                i
                for i in range(len(words) - 1, -1, -1)
                if shape.left - words[i].right < GAP_EM * em and _share_line(words[i], shape)
            ),
            None,
        )
        if neighbour is None:
            words.append(shape)
        else:
            words[neighbour] = _joined(words[neighbour], shape)
    return [word for word in words if word.width < WORD_EM * em]


def _share_line(a: Box, b: Box) -> bool:
    overlap = min(a.bottom, b.bottom) - max(a.top, b.top)
    return 2 * overlap > min(a.height, b.height)


def _joined(a: Box, b: Box) -> Box:
    return Box(
        min(a.left, b.left), min(a.top, b.top), max(a.right, b.right), max(a.bottom, b.bottom)
    )


def _is_expected(word: Slab, known: Sequence[Slab], em: float) -> bool:
    """Whether print may be expected where this word is."""
    if word.height > INITIAL_EM[0] * em:
        return _is_initial(word, known, em)
    left = min(slab.left for slab in known) - BESIDE_EM * em
    right = max(slab.right for slab in known) + BESIDE_EM * em
    if not left < word.centre < right:
        return False
    top = min(slab.top for slab in known)
    bottom = max(slab.bottom for slab in known)
    is_above = 0 < top - word.middle < BEYOND_EM * em
    is_below = 0 < word.middle - bottom < BEYOND_EM * em
    return (
        is_above
        or is_below
        or any(abs(slab.middle - word.middle) < LEVEL_EM * em for slab in known)
    )


def _is_initial(word: Slab, known: Sequence[Slab], em: float) -> bool:
    """Whether two lines or more begin right behind it."""
    behind = [
        slab
        for slab in known
        if word.top < slab.middle < word.bottom
        and word.centre < slab.left < word.right + BEHIND_EM * em
    ]
    return len(behind) > 1


def _with_margin(word: Box, em: float, frame: Box) -> Box:
    """The margin around ink that the strips of the detector have."""
    margin = MARGIN_EM * em
    return Box(
        max(frame.left, word.left - margin),
        max(frame.top, word.top - margin),
        min(frame.right, word.right + margin),
        min(frame.bottom, word.bottom + margin),
    )
