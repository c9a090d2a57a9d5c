"""How one page looks in the page list: its paper, its number, its state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from app.book import Page, PageState
from ui import icons
from ui.faces import tabular
from ui.page_model import PAGE_ROLE, Index
from ui.theme import RADIUS, Colours, Space, colours, faded
from ui.thumbnails import Thumbnails

BOX = QSize(84, 118)  # room for the paper, logical pixels
WIDEST_NUMBER = "000 (0000)"
BAR_PX = 3
BADGE_PX = 20
ICON_PX = 16
USUAL_SHAPE = QSize(100, 140)  # of a page whose size is not known yet
TURN_S = 1.2  # of the ring, once around
KEPT = 200  # painted cells: two screens full, some 16 MB


class PageDelegate(QStyledItemDelegate):
    """Paints pages; knows no list and keeps no page. Belongs to `ui`."""

    def __init__(self, parent: QWidget, thumbnails: Thumbnails) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self.cell_size = QSize()  # of the grid
        self.progress: float | None = None  # of the page being read, 0..1; None: not known
        self._made: tuple[QFont, _Face] | None = None
        self._cells: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self.turned = 0.0  # how far the ring has turned while the progress is not known, 0..1

    def cell(self, metrics: QFontMetrics) -> QSize:
        """The least room that a page needs."""
        height = Space.S + BOX.height() + Space.XS + metrics.height() + Space.S
        number = metrics.horizontalAdvance(WIDEST_NUMBER) + 2 * Space.XS
        return QSize(max(BOX.width() + 2 * Space.M, number), height)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self.cell_size

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        page: Page = index.data(PAGE_ROLE)
        face = self._face(option.font)  # pyright: ignore[reportAttributeAccessIssue] - Qt's
        look = _Look(option, face, str(index.data()))
        if page.state is PageState.READING:
            self._paint_cell(painter, look, page)  # its ring turns
        else:
            pixmap = self._cell_pixmap(painter, look, page)
            painter.drawPixmap(look.rect.topLeft(), pixmap)

    def _cell_pixmap(self, painter: QPainter, look: _Look, page: Page) -> QPixmap:
        """A cell as it was painted before, or is now: scrolling shows most of them again."""
        ratio = painter.device().devicePixelRatio()
        thumbnail = self._thumbnails.pixmap(page.number)
        key = (
            (page.number, page.state, look.number, page.size),
            thumbnail.cacheKey() if thumbnail is not None else 0,
            self._thumbnails.has_failed(page.number),
            (look.is_selected, look.is_focused, look.is_hovered, look.is_mirrored),
            (look.rect.width(), look.rect.height(), ratio),
            (look.palette.cacheKey(), look.font.key()),
        )
        pixmap = self._cells.get(key)
        if pixmap is None:
            pixmap = self._painted(look, page, ratio)
            self._cells[key] = pixmap
            if len(self._cells) > KEPT:
                self._cells.popitem(last=False)
        self._cells.move_to_end(key)
        return pixmap

    def _painted(self, look: _Look, page: Page, ratio: float) -> QPixmap:
        place = QRect(look.rect)
        pixmap = QPixmap(round(place.width() * ratio), round(place.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(look.colours.panel)  # opaque: it is copied, not mixed
        painter = QPainter(pixmap)
        painter.translate(-place.topLeft())
        self._paint_cell(painter, look, page)
        painter.end()
        return pixmap

    def _paint_cell(self, painter: QPainter, look: _Look, page: Page) -> None:
        paper = self._paper(look, page)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look.paint_ground(painter)
        self._paint_paper(painter, look, page, paper)
        self._paint_state(painter, look, page, paper)
        look.paint_number(painter)
        painter.restore()

    def _face(self, font: QFont) -> _Face:
        """The face of numbers; made once, for cells differ in it only when the view's changes."""
        if self._made is None or self._made[0] != font:
            tabular_font = tabular(font)
            self._made = QFont(font), _Face(tabular_font, QFontMetrics(tabular_font))
        return self._made[1]

    def _paper(self, look: _Look, page: Page) -> QRect:
        """Where the sheet lies: centred, standing on the number."""
        pixmap = self._thumbnails.pixmap(page.number)
        shape = USUAL_SHAPE
        if pixmap is not None:
            shape = pixmap.size()
        elif page.size is not None:
            shape = QSize(page.size.width_px, page.size.height_px)
        size = shape.scaled(BOX, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(8, 8))
        box = look.box
        left = box.left() + (box.width() - size.width()) // 2
        return QRect(QPoint(left, box.bottom() + 1 - size.height()), size)

    def _paint_paper(self, painter: QPainter, look: _Look, page: Page, paper: QRect) -> None:
        painter.fillRect(paper, look.colours.panel)
        pixmap = self._thumbnails.pixmap(page.number)
        if pixmap is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(paper, pixmap)
        elif self._thumbnails.has_failed(page.number):
            _paint_icon(painter, look, "warning", look.colours.secondary, paper)
        painter.setPen(QPen(look.colours.hairline, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(paper).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_state(self, painter: QPainter, look: _Look, page: Page, paper: QRect) -> None:
        colour = look.colours.of_state(page.state)
        bar = QRect(paper.left(), paper.bottom() + 1 - BAR_PX, paper.width(), BAR_PX)
        painter.fillRect(bar, faded(colour, 0.4) if page.state is PageState.UNREAD else colour)
        badge = look.badge(paper)
        painter.setPen(QPen(look.colours.hairline, 1))
        painter.setBrush(look.colours.panel)
        painter.drawEllipse(QRectF(badge).adjusted(0.5, 0.5, -0.5, -0.5))
        if page.state is PageState.READING:
            self._paint_ring(painter, look.colours, badge)
        else:
            _paint_icon(painter, look, f"state-{page.state}", colour, badge)

    def _paint_ring(self, painter: QPainter, column: Colours, badge: QRect) -> None:
        ring = QRectF(badge).adjusted(4, 4, -4, -4)
        painter.setPen(QPen(column.hairline, 2))
        painter.drawEllipse(ring)
        painter.setPen(QPen(column.accent, 2))
        start = 90.0 if self.progress is not None else 90.0 - 360.0 * self.turned
        share = 0.3 if self.progress is None else max(0.02, self.progress)
        painter.drawArc(ring, round(start * 16), round(-share * 360 * 16))


class _Face(NamedTuple):
    """How numbers are set."""

    font: QFont
    metrics: QFontMetrics


class _Look:
    """What Qt says of one cell, in our words."""

    def __init__(self, option: QStyleOptionViewItem, face: _Face, number: str) -> None:
        self.number = number
        # The stubs do not know the fields of Qt's style options.
        self.rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        self.palette: QPalette = option.palette  # pyright: ignore[reportAttributeAccessIssue]
        self.font, self.metrics = face
        self.is_mirrored = (
            option.direction  # pyright: ignore[reportAttributeAccessIssue]
            == Qt.LayoutDirection.RightToLeft
        )
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue]
        self.is_selected = bool(state & QStyle.StateFlag.State_Selected)
        self.is_focused = bool(state & QStyle.StateFlag.State_HasFocus)
        self.is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        self.colours = colours(self.palette)

    @property
    def box(self) -> QRect:
        """Room for the paper."""
        return QRect(self.rect.left(), self.rect.top() + Space.S, self.rect.width(), BOX.height())

    def badge(self, paper: QRect) -> QRect:
        """The corner of the paper where the state stands."""
        corner = paper.topLeft() if self.is_mirrored else paper.topRight()
        return QRect(corner.x() - BADGE_PX // 2, corner.y() - 4, BADGE_PX, BADGE_PX)

    def paint_ground(self, painter: QPainter) -> None:
        card = QRectF(self.rect).adjusted(3, 3, -3, -3)
        if self.is_selected or self.is_hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            soft = self.colours.accent_soft
            painter.setBrush(soft if self.is_selected else faded(soft, 0.45))
            painter.drawRoundedRect(card, RADIUS, RADIUS)
        if self.is_focused:
            painter.setPen(QPen(self.colours.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card, RADIUS, RADIUS)

    def paint_number(self, painter: QPainter) -> None:
        height = self.metrics.height()
        line = QRect(self.rect.left(), self.box.bottom() + 1 + Space.XS, self.rect.width(), height)
        painter.setFont(self.font)
        painter.setPen(self.colours.text)
        room = self.rect.width() - 2 * Space.XS
        shown = self.metrics.elidedText(self.number, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, shown)


def _paint_icon(painter: QPainter, look: _Look, name: str, colour: QColor, room: QRect) -> None:
    """An icon in the middle of its room."""
    scale = painter.device().devicePixelRatio()
    pixmap: QPixmap = icons.pixmap(name, ICON_PX, colour.name(), scale)
    place = QRect(0, 0, ICON_PX, ICON_PX)
    place.moveCenter(room.center())
    painter.drawPixmap(place, pixmap)
