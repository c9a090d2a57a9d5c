"""How the image of a page is tinted for the eye: as it is, inverted, or sepia. View only.

Nothing but what is painted changes: not the thumbnails, not what an engine reads, no export.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from ui.theme import SEPIA, WHITE

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


class Tint(StrEnum):
    """The eye's choice; kept with how the window lies."""

    NONE = "none"
    INVERTED = "inverted"
    SEPIA = "sepia"


def paint_tint(painter: QPainter, place: QRect, tint: Tint) -> None:
    """Tint what has been painted there; it has to be opaque."""
    mode = QPainter.CompositionMode
    match tint:
        case Tint.NONE:
            return
        case Tint.INVERTED:
            painter.setCompositionMode(mode.CompositionMode_Difference)
            painter.fillRect(place, WHITE)
        case Tint.SEPIA:
            painter.setCompositionMode(mode.CompositionMode_Multiply)
            painter.fillRect(place, SEPIA)
    painter.setCompositionMode(mode.CompositionMode_SourceOver)
