"""Type: font files shaped by HarfBuzz, and their glyphs drawn once for a size, in four phases.

A `Face` is a file. A `Cut` is a face at one size, width and weight, as one book uses it: it keeps
the words that it has shaped and the glyphs that it has drawn, so a page costs little more than
copying small pictures.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import uharfbuzz  # pyright: ignore[reportMissingTypeStubs]  # compiled, without types
from numpy.typing import NDArray

hb: Any = uharfbuzz  # compiled, without type information

PHASES = 4  # a glyph may begin at a quarter of a pixel
FINER = 8  # glyphs are drawn so many times larger, then averaged
FRACTION_BITS = 4  # of a pixel, in OpenCV's whole numbers
WORDS_KEPT = 40_000
UMLAUTS = {"ä": "a", "ö": "o", "ü": "u"}
HALF = 1 << 20  # added to the number of a glyph that stands half as large above another

PIECES = 6  # a curve becomes so many straight lines
_T = np.linspace(0, 1, PIECES + 1)[1:, None]
CURVE = np.hstack([(1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3])

Grey = NDArray[np.uint8]
Point = tuple[float, float]


class Drawn(NamedTuple):
    """A glyph at a size."""

    phases: tuple[Grey, ...]  # PHASES pictures of one shape, 255 is ink
    left: int  # from the pen, px
    top: int  # from the baseline, down, px


class Word(NamedTuple):
    """A word shaped: its glyphs, and where its letters stand, px from its beginning."""

    glyphs: tuple[int, ...]
    places: tuple[float, ...]
    heights: tuple[float, ...]  # above the baseline
    width: float
    starts: tuple[float, ...]  # one a letter
    ends: tuple[float, ...]


class Face:
    """One font file."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        face = hb.Face(hb.Blob.from_file_path(str(path)))
        self.em: int = face.upem
        self.letters = frozenset(map(chr, face.unicodes))
        self._font = hb.Font(face)
        self._outlines: dict[int, list[NDArray[np.float64]]] = {}

    def shape(self, text: str, features: tuple[str, ...]) -> list[tuple[int, int, int, int, int]]:
        """Glyph, letter, advance, x and y of each glyph; font units. `-name` switches one off."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        wanted = {name.removeprefix("-"): not name.startswith("-") for name in features}
        hb.shape(self._font, buffer, wanted)
        return [
            (info.codepoint, info.cluster, place.x_advance, place.x_offset, place.y_offset)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def outline(self, glyph: int) -> list[NDArray[np.float64]]:
        """Closed polygons (N, 2), font units, y up."""
        if glyph not in self._outlines:
            pen = _Pen()
            self._font.draw_glyph_with_pen(glyph, pen)
            self._outlines[glyph] = [np.array(line) for line in pen.contours if len(line) > 2]
        return self._outlines[glyph]


class Cut:
    """A face at a size."""

    def __init__(
        self,
        face: Face,
        em_px: float,
        *,
        width: float = 1.0,
        weight: float = 0.0,
        slant: float = 0.0,
        features: tuple[str, ...] = (),
        has_e_above: bool = False,
    ) -> None:
        """Choose a size.

        Args:
            face: the file.
            em_px: type size.
            width: horizontal scale, 1 as drawn.
            weight: added on each side of a stroke, in em; may be negative.
            slant: how far a letter leans to the right, per height.
            features: of the font, switched on; with `-` in front, off.
            has_e_above: umlauts are printed with a small e, as old German books do.
        """
        self.face = face
        self.em = em_px
        self._features = features
        self._has_e_above = has_e_above
        self._weight = weight * em_px * FINER
        scale = em_px / face.em
        self._to_px = np.array([[scale * width, 0.0], [scale * slant, -scale]])  # (x, y up) to px
        self._across = scale * width
        self._up = scale
        self._drawn: dict[int, Drawn | None] = {}
        self._words: dict[tuple[str, float], Word] = {}
        self.x_height = self._height("x") or 0.45 * em_px
        self.space = min(max(self._advance(" "), 0.18 * em_px), 0.4 * em_px)

    def word(self, text: str, tracking: float = 0.0) -> Word:
        """Shape a word; `tracking` px are added behind each glyph."""
        key = (text, tracking)
        if key not in self._words:
            if len(self._words) > WORDS_KEPT:
                self._words.clear()
            self._words[key] = self._shape(text, tracking)
        return self._words[key]

    def drawn(self, glyph: int) -> Drawn | None:
        """The picture of a glyph; None for one without ink."""
        if glyph not in self._drawn:
            self._drawn[glyph] = self._draw(glyph)
        return self._drawn[glyph]

    def _shape(self, text: str, tracking: float) -> Word:
        features = (*self._features, "-liga", "-dlig", "-hlig") if tracking else self._features
        pen = 0.0
        glyphs: list[int] = []
        places: list[float] = []
        heights: list[float] = []
        firsts: list[int] = []
        pens: list[float] = []
        shown = text
        if self._has_e_above:
            shown = "".join(UMLAUTS.get(letter, letter) for letter in text)
        for glyph, letter, advance, x, y in self.face.shape(shown, features):
            glyphs.append(glyph)
            places.append(pen + x * self._across)
            heights.append(y * self._up)
            if shown[letter] != text[letter]:
                self._put_e_above(glyphs, places, heights, pen + advance * self._across / 2)
            firsts.append(letter)
            pens.append(pen)
            pen += advance * self._across + (tracking if advance else 0.0)
        edges = _letter_edges(len(text), firsts, [*pens, pen - tracking])
        return Word(
            tuple(glyphs), tuple(places), tuple(heights), pen - tracking, edges[:-1], edges[1:]
        )

    def _put_e_above(
        self, glyphs: list[int], places: list[float], heights: list[float], middle: float
    ) -> None:
        ((e, _, advance, _, _),) = self.face.shape("e", ())
        glyphs.append(e + HALF)
        places.append(middle - advance * self._across / 4)
        heights.append(1.12 * self.x_height)

    def _draw(self, glyph: int) -> Drawn | None:
        to_px = self._to_px if glyph < HALF else self._to_px / 2
        outline = [points @ to_px for points in self.face.outline(glyph % HALF)]
        if not outline:
            return None
        points = np.concatenate(outline)
        left, top = np.floor(points.min(0)).astype(int) - 1
        right, bottom = np.ceil(points.max(0)).astype(int) + 2
        width, height = int(right - left), int(bottom - top)
        mask = np.zeros((height * FINER, (width + 1) * FINER), np.uint8)
        unit = FINER * 2**FRACTION_BITS
        corners = [np.round((line - (left, top)) * unit).astype(np.int32) for line in outline]
        cv2.fillPoly(mask, corners, 255, lineType=cv2.LINE_8, shift=FRACTION_BITS)
        mask = _weigh(mask, self._weight)
        phases = tuple(_averaged(mask, phase * FINER // PHASES) for phase in range(PHASES))
        return Drawn(phases, int(left), int(top))

    def _height(self, letter: str) -> float:
        glyph = self.face.shape(letter, ())[0][0]
        outline = self.face.outline(glyph)
        return max(float(points[:, 1].max()) for points in outline) * self._up if outline else 0.0

    def _advance(self, letter: str) -> float:
        return self.face.shape(letter, ())[0][2] * self._across


def _letter_edges(letters: int, firsts: list[int], pens: list[float]) -> tuple[float, ...]:
    """Where each letter begins, and where the last ends; a ligature is shared out evenly."""
    known: dict[int, float] = {}
    for first, pen in zip(firsts, pens, strict=False):
        known.setdefault(first, pen)
    known[letters] = pens[-1]
    at = sorted(known)
    return tuple(np.interp(range(letters + 1), at, [known[place] for place in at]).tolist())


def _weigh(mask: Grey, weight: float) -> Grey:
    """Make strokes thicker (or thinner) by so many fine pixels on each side."""
    steps = math.floor(abs(weight) + 0.5)
    if not steps:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * steps + 1, 2 * steps + 1))
    return np.asarray((cv2.dilate if weight > 0 else cv2.erode)(mask, kernel), np.uint8)


def _averaged(mask: Grey, shift: int) -> Grey:
    """A fine mask moved to the right by `shift` fine pixels, at true size."""
    moved = np.zeros_like(mask)
    moved[:, shift:] = mask[:, : mask.shape[1] - shift]
    size = (mask.shape[1] // FINER, mask.shape[0] // FINER)
    return np.asarray(cv2.resize(moved, size, interpolation=cv2.INTER_AREA), np.uint8)


class _Pen:
    """Takes the strokes that HarfBuzz draws; the method names are those of its pen protocol."""

    def __init__(self) -> None:
        self.contours: list[list[Point]] = []

    def moveTo(self, point: Point) -> None:  # noqa: N802 - HarfBuzz's name
        self.contours.append([point])

    def lineTo(self, point: Point) -> None:  # noqa: N802 - HarfBuzz's name
        self.contours[-1].append(point)

    def qCurveTo(self, middle: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz's name
        (x, y), (mid_x, mid_y), (end_x, end_y) = self.contours[-1][-1], middle, end
        first = (x + (mid_x - x) * 2 / 3, y + (mid_y - y) * 2 / 3)
        second = (end_x + (mid_x - end_x) * 2 / 3, end_y + (mid_y - end_y) * 2 / 3)
        self.curveTo(first, second, end)

    def curveTo(self, first: Point, second: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz's
        corners = np.array([self.contours[-1][-1], first, second, end])  # (4, 2)
        self.contours[-1].extend(map(tuple, (CURVE @ corners).tolist()))

    def closePath(self) -> None:  # noqa: N802 - HarfBuzz's name
        pass  # polygons are closed anyway

    endPath = closePath  # noqa: N815 - HarfBuzz's name
