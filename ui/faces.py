"""Faces: steps of the interface face, and the serif of the text pane. UI thread only."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

import resources

LINE_HEIGHT = 1.5  # of the text pane
MEASURE = 80  # letters on a line of it, at most


def secondary_font(font: QFont) -> QFont:
    """The same face one step smaller."""
    return scaled_font(font, 0.9)


def scaled_font(font: QFont, factor: float) -> QFont:
    """The same face, so many times as large; whether it was given in points or pixels."""
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return result


def tabular(font: QFont) -> QFont:
    """The same face with figures of one width, for numbers that change in place."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


@cache
def reading_family() -> str:
    """Load the reading face from `resources/fonts`; "" where that fails."""
    families: list[str] = []
    for path in sorted(resources.path("fonts").glob("*.[ot]tf")):
        families += QFontDatabase.applicationFontFamilies(
            QFontDatabase.addApplicationFont(str(path))
        )
    return families[0] if families else ""


def reading_font(system: QFont, scale: float) -> QFont:
    """The serif of the text pane.

    Args:
        system: the interface face; its size is the measure.
        scale: times the system size, as it looks; 1.1 is the default of the settings.
    """
    font = scaled_font(system, 1.0)
    font.setFamilies([family for family in (reading_family(), "serif") if family])
    font.setStyleHint(QFont.StyleHint.Serif)
    return scaled_font(font, scale * _small_on_body(font, system))


def _small_on_body(font: QFont, system: QFont) -> float:
    """How much larger a face is set so as not to look smaller than another (1..1.2).

    Book faces are drawn smaller on their body than interface faces; the height of small letters is
    what the eye compares. The limit leaves room for a printed line in half a small window.
    """
    own = QFontMetricsF(font).xHeight()
    return min(1.2, max(1.0, QFontMetricsF(system).xHeight() / own)) if own > 0 else 1.0
