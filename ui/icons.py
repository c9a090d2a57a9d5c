"""Icons: the line drawings of `resources/icons` in any colour, sharp at 1x, 1.5x, 2x.

`ui.theme.give_icon` gives them to actions and buttons in the colour of the text; `pixmap` is for
what is painted by hand. UI thread only.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

import resources

SIZES_PX = (16, 20)  # logical


@lru_cache(maxsize=512)
def pixmap(name: str, size_px: int, colour: str, scale: float) -> QPixmap:
    """Draw an icon.

    Args:
        name: of a file in `resources/icons`, without `.svg`.
        size_px: edge in logical pixels.
        colour: takes the place of `currentColor`; as `QColor.name()` gives it.
        scale: device pixels per logical pixel.
    """
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace(b"currentColor", colour.encode())))
    edge_px = round(size_px * scale)
    result = QPixmap(edge_px, edge_px)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    renderer.render(painter, QRectF(0, 0, edge_px, edge_px))
    painter.end()
    result.setDevicePixelRatio(scale)
    return result


@cache
def _drawing(name: str) -> bytes:
    return resources.path(f"icons/{name}.svg").read_bytes()


def icon(name: str, *, normal: str, disabled: str) -> QIcon:
    """An icon for buttons and menus, with pixels for every screen that is there."""
    scales = {screen.devicePixelRatio() for screen in QGuiApplication.screens()}
    result = QIcon()
    for size_px in SIZES_PX:
        for scale in scales:
            result.addPixmap(pixmap(name, size_px, normal, scale), QIcon.Mode.Normal)
            result.addPixmap(pixmap(name, size_px, disabled, scale), QIcon.Mode.Disabled)
    return result
