"""Letters to glyphs: HarfBuzz with the faces in `resources/fonts`. All measures in font units."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import uharfbuzz

import resources

hb: Any = uharfbuzz  # compiled, without type information

Point = tuple[float, float]
Contours = tuple[np.ndarray, ...]  # each (N, 2), float, font units, y up


class Glyph(NamedTuple):
    """One drawn shape and how far the pen moves after it."""

    id: int
    advance: float
    x: float  # from the pen, to the right
    y: float  # from the baseline, up

    def wider(self, units: float) -> Glyph:
        """The same shape with more room after it."""
        return self._replace(advance=self.advance + units)


class Face:
    """One font file. `Face.named("Regular")` gives each of them once."""

    def __init__(self, style: str) -> None:
        blob = hb.Blob.from_file_path(str(resources.path(f"fonts/JunicodeTwoBeta-{style}.otf")))
        self._face = hb.Face(blob)
        self._font = hb.Font(self._face)
        self._outlines: dict[int, Contours] = {}

    @staticmethod
    @cache
    def named(style: str) -> Face:
        """`Regular`, `Italic` or `Bold`."""
        return Face(style)

    @property
    def units_per_em(self) -> int:
        """Font units in the type size."""
        return self._face.upem

    @property
    def characters(self) -> set[int]:
        """Code points that the face has a glyph for."""
        return set(self._face.unicodes)

    def shape(self, text: str, *features: str) -> tuple[Glyph, ...]:
        """Set one run of text, kerned and with its ligatures; `features` are switched on."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(self._font, buffer, dict.fromkeys(features, True))
        return tuple(
            Glyph(info.codepoint, place.x_advance, place.x_offset, place.y_offset)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        )

    def outline(self, glyph_id: int) -> Contours:
        """The shape of a glyph as closed polygons, its curves cut into short straight pieces."""
        if glyph_id not in self._outlines:
            pen = _Pen()
            self._font.draw_glyph_with_pen(glyph_id, pen)
            self._outlines[glyph_id] = pen.contours()
        return self._outlines[glyph_id]


class _Pen:
    """Takes the strokes that HarfBuzz draws; the method names are those of its pen protocol."""

    PIECES = 8  # a curve becomes so many straight lines

    def __init__(self) -> None:
        self._contours: list[list[Point]] = []

    def contours(self) -> Contours:
        return tuple(np.array(points, dtype=float) for points in self._contours)

    def moveTo(self, point: Point) -> None:  # noqa: N802 - HarfBuzz's name
        self._contours.append([point])

    def lineTo(self, point: Point) -> None:  # noqa: N802 - HarfBuzz's name
        self._contours[-1].append(point)

    def qCurveTo(self, middle: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz's name
        (x, y), (middle_x, middle_y), (end_x, end_y) = self._contours[-1][-1], middle, end
        self.curveTo(
            (x + (middle_x - x) * 2 / 3, y + (middle_y - y) * 2 / 3),
            (end_x + (middle_x - end_x) * 2 / 3, end_y + (middle_y - end_y) * 2 / 3),
            end,
        )

    def curveTo(self, first: Point, second: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz's
        corners = np.array([self._contours[-1][-1], first, second, end])  # (4, 2)
        t = np.linspace(0, 1, self.PIECES + 1)[1:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        self._contours[-1].extend((float(x), float(y)) for x, y in weights @ corners)

    def closePath(self) -> None:  # noqa: N802 - HarfBuzz's name
        pass  # polygons are closed anyway

    endPath = closePath  # noqa: N815 - HarfBuzz's name
