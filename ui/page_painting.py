"""Paints a sheet on the desk, in device pixels: its shadow, its paper, its picture."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from app.language import _
from app.sentences import sentence
from ui.page_image import Sheet
from ui.page_layout import Layout, Pan
from ui.page_tint import Tint, paint_tint
from ui.theme import LIGHT, Colours, faded

_PIXELS_SEEN = 4.0  # from this scale on the pixels of the scan are shown as squares
SHADOW_PX = 8  # how far it reaches, logical
_SHADOW = 0.05  # how dark each of its layers is


def to_device_pixels(painter: QPainter, ratio: float) -> None:
    """Let the painter count whole device pixels, also where the pane begins between two."""
    device = painter.deviceTransform()
    left, top = device.dx(), device.dy()
    painter.scale(1 / ratio, 1 / ratio)
    painter.translate(round(left) - left, round(top) - top)


def paint_sheet(
    painter: QPainter,
    sheet: Sheet,
    layout: Layout,
    pan: Pan,
    *,
    column: Colours,
    ratio: float,
    tint: Tint,
) -> None:
    """The paper with its one shadow, and the picture on it or what there is to say instead."""
    paper = QRect(*layout.origin(pan), *layout.paper)
    _paint_shadow(painter, paper, ratio)
    if sheet.picture is None:
        painter.fillRect(paper, column.panel)
        _paint_words(painter, _words(sheet), paper, column)
        return
    image = sheet.picture.image
    painter.save()
    painter.translate(paper.topLeft())
    if not is_sharp(sheet, layout):
        smooth = layout.scale / sheet.picture.scale < _PIXELS_SEEN
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.scale(paper.width() / image.width(), paper.height() / image.height())
    painter.drawImage(0, 0, image)
    painter.restore()
    paint_tint(painter, paper, tint)


def is_sharp(sheet: Sheet, layout: Layout) -> bool:
    """Whether each pixel of the picture is one of the screen, but for rounding."""
    if sheet.picture is None:
        return False
    size, paper = sheet.picture.size, layout.paper
    return abs(size.width - paper.width) <= 1 and abs(size.height - paper.height) <= 1


def _paint_shadow(painter: QPainter, paper: QRect, ratio: float) -> None:
    spread = round(SHADOW_PX * ratio)
    around = paper.adjusted(-spread, -spread, spread, spread)
    painter.save()
    painter.setClipRegion(_around(paper, around), Qt.ClipOperation.IntersectClip)
    painter.drawPixmap(around.topLeft(), _shadow(paper.width(), paper.height(), ratio))
    painter.restore()


@lru_cache(maxsize=2)
def _shadow(width: int, height: int, ratio: float) -> QPixmap:
    """The shadow of a paper of this size, drawn once.

    Text that streams in lets the page be painted thirty times a second, and at each call of a
    painter another thread may go first: one call is quicker than one for each layer.
    """
    spread = round(SHADOW_PX * ratio)
    paper = QRectF(spread, spread, width, height)
    pixmap = QPixmap(width + 2 * spread, height + 2 * spread)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faded(LIGHT.text, _SHADOW))
    for layer in range(1, 7):
        edge = layer * ratio
        around = paper.adjusted(-edge, -edge + 2 * ratio, edge, edge + 2 * ratio)
        painter.drawRoundedRect(around, edge, edge)
    painter.end()
    return pixmap


def _around(paper: QRect, around: QRect) -> QRegion:
    """The frame round the paper and its rim; to shade what the paper covers takes far longer."""
    return QRegion(around).subtracted(QRegion(paper.adjusted(2, 2, -2, -2)))


def _words(sheet: Sheet) -> str:
    if sheet.error is not None:
        return sentence(sheet.error).happened
    if sheet.is_late:
        return _("The image of page {n} is on its way…").format(n=sheet.page + 1)
    return ""


def _paint_words(painter: QPainter, words: str, paper: QRect, column: Colours) -> None:
    if not words:
        return
    painter.setPen(column.secondary)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(paper.adjusted(32, 32, -32, -32), int(flags), words)
