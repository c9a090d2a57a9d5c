"""A card of the empty window: one book with its first page, title and share proofread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget
from typing_extensions import override

from ui import icons
from ui.faces import secondary_font
from ui.theme import CARD_RADIUS, Colours, Space, colours, faded

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

LETTERS = 48  # of the interface face, wide
PICTURE = QSize(64, 88)
BAR_PX = 3
ICON_PX = 20


class BookCard(QAbstractButton):
    """A button that looks like a card of a catalogue."""

    def __init__(
        self,
        title: str,
        lines: tuple[str, ...],
        *,
        share: float | None = None,
        icon: str = "book",
        is_missing: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Build the card.

        Args:
            title: of the book.
            lines: what is said below it, in secondary text.
            share: how much is proofread, 0 to 1; None draws no bar.
            icon: stands where no picture has come yet.
            is_missing: the scan is not where it was: drawn grey, and still to be chosen.
            parent: where it lies.
        """
        super().__init__(parent)
        self._title = title
        self._lines = lines
        self._share = share
        self._icon = icon
        self._is_missing = is_missing
        self._picture: QImage | None = None
        self.setAccessibleName(title)
        self.setAccessibleDescription(", ".join(lines))
        self.setToolTip(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_picture(self, picture: QImage) -> None:
        """The first page, scaled by whoever hands it in."""
        self._picture = picture
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        words = 2 * metrics.height() + len(self._lines) * self._small().height() + Space.S
        height = max(PICTURE.height(), words + BAR_PX) + 2 * Space.S
        return QSize(metrics.averageCharWidth() * LETTERS, height)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(PICTURE.width() * 3, self.sizeHint().height())

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        column = colours(self.palette())
        self._draw_ground(painter, column)
        inside = self.rect().adjusted(Space.S, Space.S, -Space.M, -Space.S)
        self._draw_picture(painter, inside, column)
        self._draw_words(painter, inside.adjusted(PICTURE.width() + Space.M, 0, 0, 0), column)

    def _draw_ground(self, painter: QPainter, column: Colours) -> None:
        is_lit = self.underMouse() or self.isDown()
        edge = column.accent if self.hasFocus() else column.hairline
        painter.setPen(QPen(edge, 2 if self.hasFocus() else 1))
        painter.setBrush(column.accent_soft if is_lit else column.panel)
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(1, 1, -1, -1), CARD_RADIUS, CARD_RADIUS
        )

    def _draw_picture(self, painter: QPainter, inside: QRect, column: Colours) -> None:
        place = QRect(inside.topLeft(), PICTURE)
        place.moveTop(inside.top() + (inside.height() - PICTURE.height()) // 2)
        if self._picture is None:
            self._draw_sign(painter, place, column)
            return
        ratio = self._picture.devicePixelRatio()
        size = (self._picture.size() / ratio).scaled(PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRect(place.topLeft(), size)
        target.moveCenter(place.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(0.4 if self._is_missing else 1.0)
        painter.drawImage(target, self._picture)
        painter.setOpacity(1.0)
        painter.setPen(QPen(column.hairline, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(target)

    def _draw_sign(self, painter: QPainter, place: QRect, column: Colours) -> None:
        painter.fillRect(place, faded(column.hairline, 0.5))
        ink = column.secondary.name()
        sign = icons.pixmap(self._icon, ICON_PX, ink, self.devicePixelRatioF())
        spot = QRect(0, 0, ICON_PX, ICON_PX)
        spot.moveCenter(place.center())
        painter.drawPixmap(spot.topLeft(), sign)

    def _draw_words(self, painter: QPainter, place: QRect, column: Colours) -> None:
        is_lit = self.underMouse() or self.isDown()
        metrics = self.fontMetrics()
        painter.setFont(self.font())
        painter.setPen(column.blank if self._is_missing and not is_lit else column.text)
        y = place.top()
        for line in two_lines(self._title, metrics, place.width()):
            painter.drawText(QRect(place.left(), y, place.width(), metrics.height()), _LEFT, line)
            y += metrics.height()
        y += Space.XS
        small = self._small()
        painter.setFont(secondary_font(self.font()))
        painter.setPen(column.text if is_lit else column.secondary)
        for line in self._lines:
            said = small.elidedText(line, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(QRect(place.left(), y, place.width(), small.height()), _LEFT, said)
            y += small.height()
        self._draw_share(painter, place, column)

    def _draw_share(self, painter: QPainter, place: QRect, column: Colours) -> None:
        if self._share is None:
            return
        bar = QRectF(place.left(), place.bottom() - BAR_PX + 1, place.width(), BAR_PX)
        painter.fillRect(bar, column.hairline)
        bar.setWidth(bar.width() * self._share)
        painter.fillRect(bar, column.proofread)

    def _small(self) -> QFontMetrics:
        return QFontMetrics(secondary_font(self.font()))


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def two_lines(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """A text on at most two lines, broken between words where it can be."""
    words = text.split()
    first = ""
    while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
        first = f"{first} {words.pop(0)}".strip()
    rest = " ".join(words)
    if rest and not first:  # one long word
        first = _fitting(rest, metrics, width)
        rest = rest[len(first) :]
    elided = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return [first, elided] if rest else [first]


def _fitting(word: str, metrics: QFontMetrics, width: int) -> str:
    """As many letters of a word as there is room for, one at least."""
    count = next(
        (n for n in range(len(word), 1, -1) if metrics.horizontalAdvance(word[:n]) <= width), 1
    )
    return word[:count]
