"""The ink of one letter, enlarged, with what stands around it. UI thread only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from app.language import _
from ui.theme import colours

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.book import Box
    from ui.picture import Picture

AROUND = 7.0
"""So many heights of its line are seen from left to right, at most."""

HIGH = 1.8
"""And so many from top to bottom."""

LEAST_PX = 24  # of the master, where a box is flatter than any letter
FRAME_AIR = 0.12  # of the line's height, between the letter and its frame


class LetterImage(QWidget):
    """Shows a part of a page. Belongs to `ui`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: Picture | None = None
        self._box: Box | None = None
        self._said = ""
        self.setAccessibleName(_("The ink of the letter"))

    def show_letter(self, picture: Picture | None, box: Box | None, *, said: str = "") -> None:
        """Show a place of a page.

        Args:
            picture: of the page; None where it has not come, or cannot be shown.
            box: of the letter, in pixels of the master; None: the whole page is shown.
            said: what to say where there is no picture.
        """
        self._picture, self._box, self._said = picture, box, said
        self.update()

    @override
    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(40 * line, 11 * line)

    @override
    def minimumSizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(14 * line, 5 * line)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        column = colours(self.palette())
        painter.fillRect(self.rect(), column.behind)
        if self._picture is None:
            painter.setPen(column.text)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), flags, self._said)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        part = self._part(self._picture)
        scale = min(self.width() / part.width(), self.height() / part.height())
        room = QRectF(0, 0, part.width() * scale, part.height() * scale)
        room.moveCenter(QRectF(self.rect()).center())
        painter.drawImage(room, self._picture.image, part)
        if self._box is not None:
            painter.setPen(QPen(column.accent, 2))
            painter.drawRect(self._frame(self._box, self._picture, part, room, scale))

    def _part(self, picture: Picture) -> QRectF:
        """What is seen, in pixels of the picture."""
        whole = QRectF(picture.image.rect())
        if self._box is None:
            return whole
        box, zoom = self._box, picture.scale
        line = max(box.bottom - box.top, LEAST_PX) * zoom
        shape = self.width() / max(1, self.height())
        high = line * HIGH
        wide = min(high * shape, line * AROUND * 2)
        centre_x, centre_y = (box.left + box.right) / 2 * zoom, (box.top + box.bottom) / 2 * zoom
        return QRectF(centre_x - wide / 2, centre_y - high / 2, wide, high).intersected(whole)

    def _frame(
        self, box: Box, picture: Picture, part: QRectF, room: QRectF, scale: float
    ) -> QRectF:
        zoom = picture.scale
        air = (box.bottom - box.top) * zoom * FRAME_AIR
        left = (box.left * zoom - air - part.left()) * scale + room.left()
        top = (box.top * zoom - air - part.top()) * scale + room.top()
        wide = ((box.right - box.left) * zoom + 2 * air) * scale
        high = ((box.bottom - box.top) * zoom + 2 * air) * scale
        return QRectF(left, top, wide, high)
