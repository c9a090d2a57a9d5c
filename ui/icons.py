"""Icons: the line drawings of `resources/icons` in the text colour, sharp at 1x, 1.5x, 2x.

`give(action, "open")` sets an icon that follows light and dark by itself; `pixmap` is for what is
painted by hand. UI thread only.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication

import resources
from ui.theme import colours

SIZES_PX = (16, 20)  # logical
_NAME = "icon_name"  # the dynamic property that `give` leaves and `refresh` reads


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


def icon(name: str) -> QIcon:
    """An icon in the colours of now; it does not follow a later switch, see `give`."""
    column = colours(QGuiApplication.palette())
    result = QIcon()
    _add(result, name, column.text, QIcon.Mode.Normal)
    _add(result, name, column.hairline, QIcon.Mode.Disabled)
    return result


def _add(target: QIcon, name: str, colour: QColor, mode: QIcon.Mode) -> None:
    for size_px in SIZES_PX:
        for scale in {screen.devicePixelRatio() for screen in QGuiApplication.screens()}:
            target.addPixmap(pixmap(name, size_px, colour.name(), scale), mode)


def give(target: QAction | QAbstractButton, name: str) -> None:
    """Set an icon that `Theme` draws anew at every switch between light and dark."""
    target.setProperty(_NAME, name)
    target.setIcon(icon(name))


def refresh(application: QApplication) -> None:
    """Draw all icons anew that were set with `give`."""
    for widget in application.allWidgets():
        targets = [widget, *widget.actions(), *widget.findChildren(QAction)]
        for target in targets:
            name = target.property(_NAME)
            if name and isinstance(target, QAction | QAbstractButton):
                target.setIcon(icon(name))
