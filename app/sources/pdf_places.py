"""Where a PDF's orders put things: matrices, and upright rectangles. Pure arithmetic.

Source: ISO 32000-1, 8.3.4. A row vector is multiplied from the left.
"""

from __future__ import annotations

from typing import NamedTuple

from app.sources.pdf_page import Matrix

CUT_PT = 0.5  # a clip that takes less than this from an image's edge cuts nothing off


class Area(NamedTuple):
    """An upright rectangle, y up."""

    left: float
    bottom: float
    right: float
    top: float

    def holds(self, other: Area) -> bool:
        """Whether the other lies within, but for a hair."""
        return (
            self.left <= other.left + CUT_PT
            and self.bottom <= other.bottom + CUT_PT
            and self.right >= other.right - CUT_PT
            and self.top >= other.top - CUT_PT
        )

    def common(self, other: Area | None) -> Area:
        """What lies in both."""
        if other is None:
            return self
        return Area(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
        )


def times(first: Matrix, then: Matrix) -> Matrix:
    """The one, then the other."""
    return Matrix(
        first.a * then.a + first.b * then.c,
        first.a * then.b + first.b * then.d,
        first.c * then.a + first.d * then.c,
        first.c * then.b + first.d * then.d,
        first.e * then.a + first.f * then.c + then.e,
        first.e * then.b + first.f * then.d + then.f,
    )


def outline(matrix: Matrix) -> Area:
    """The box around the unit square."""
    xs = [matrix.e + i * matrix.a + j * matrix.c for i in (0, 1) for j in (0, 1)]
    ys = [matrix.f + i * matrix.b + j * matrix.d for i in (0, 1) for j in (0, 1)]
    return Area(min(xs), min(ys), max(xs), max(ys))


def rectangle(numbers: list[float], matrix: Matrix) -> Area | None:
    """The rectangle of `re`; None where the matrix lays it askew."""
    x, y, width, height = numbers
    if min(abs(matrix.a * matrix.d), abs(matrix.b * matrix.c)) > 1e-6:
        return None
    return outline(times(Matrix(width, 0, 0, height, x, y), matrix))
