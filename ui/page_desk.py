"""The desk that a page lies on: its image, zoom and pan.

100 % is one pixel of the image for one pixel of the screen at any scale factor. All painting is
done in device pixels; scroll bars count device pixels too. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QWidget
from typing_extensions import override

from app.book import Box, PageSize
from app.language import _
from ui.faces import scaled_font
from ui.glide import Glide
from ui.page_image import PageImage, RequestImage, Sheet, Want
from ui.page_layout import STEP, Fit, Layout, Pan, Point, Size, Zoom, clamped, fitting_scale
from ui.page_painting import is_sharp, paint_sheet, to_device_pixels
from ui.page_tint import Tint
from ui.picture import Picture
from ui.theme import Space, colours

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent

PaintOver = Callable[[QPainter, Layout, Pan], None]
"""Draws in device pixels over the page's image."""

SHARPEN_MS = 120  # after a gesture, before the page is asked for at the new size
LINE_PX = 40  # of one step of a scroll bar, logical
WHOLE_HEIGHT_PX = 1_000_000  # of a box that only its width bounds


class PageDesk(QAbstractScrollArea):
    """Shows one page; keeps the zoom from page to page. Belongs to `ui`."""

    zoom_changed = Signal(object)  # `Zoom`
    page_shown = Signal(int)  # its image is on the screen
    page_failed = Signal(int, object)  # page, `UserFacing`: it has no image

    def __init__(self, parent: QWidget, paint_over: PaintOver) -> None:
        super().__init__(parent)
        self._paint_over = paint_over
        self._image = PageImage(self)
        self._page: int | None = None
        self._size: PageSize | None = None
        self._zoom = Zoom()
        self._told_zoom: Zoom | None = None
        self._layout: Layout | None = None
        self._seen: Sheet | None = None
        self._tint = Tint.NONE
        self._glide = Glide(self)
        self._rest = QTimer(self, singleShot=True, interval=SHARPEN_MS)
        self._image.changed.connect(self._on_sheet_changed)
        self._rest.timeout.connect(self._on_rested)
        self._set_up()

    def _set_up(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(_("Page image"))
        self._set_bars()

    # the page

    def set_book(self, request_image: RequestImage | None) -> None:
        """Ask this for the pages of another book; None where no book is open."""
        self._page = None
        self._image.begin(request_image)

    def show_page(self, page: int, size: PageSize | None) -> None:
        """Turn to a page as soon as its image has come.

        Args:
            page: from 0.
            size: of its master; None where it is not known yet.
        """
        self._size = size
        if page != self._page:
            self._turn_to(page)

    def reload(self) -> None:
        """Fetch the image anew: the scan of this page has changed."""
        if self._page is not None:
            self._size = None
            self._turn_to(self._page)

    @property
    def page(self) -> int | None:
        """The page that is seen: the one before, until the image of the next has come."""
        return self._image.sheet.page if self._image.sheet is not None else None

    @property
    def picture(self) -> Picture | None:
        """The picture that is seen of the page we were turned to."""
        sheet = self._image.sheet
        return sheet.picture if sheet is not None and self.page == self._page else None

    @property
    def tint(self) -> Tint:
        """How the image is tinted."""
        return self._tint

    def set_tint(self, tint: Tint) -> None:
        """Tint the image for the eye."""
        self._tint = tint
        self.viewport().update()

    def bring_into_sight(self, box: Box) -> None:
        """Glide as little as needed to see a box of the master; not at all if it is seen."""
        if self._layout is None or self.page != self._page or self._is_seen(box):
            return
        air = round(Space.XL * self._ratio)
        pan = self._layout.pan_to_show(box, self._pan, air=air)
        self._glide.to(pan, [self.horizontalScrollBar(), self.verticalScrollBar()])

    def _is_seen(self, box: Box) -> bool:
        """Whether a box of the master is in the pane as it will be when it has come to rest."""
        assert self._layout is not None
        pan = Pan(*self._glide.goal) if self._glide.goal is not None else self._pan
        shown, room = self._layout.to_room(box, pan), self._room
        across = shown.left >= 0 and shown.right <= room.width
        return across and shown.top >= 0 and shown.bottom <= room.height

    def room_of(self, box: Box) -> QRectF | None:
        """Where a box of the master is seen, in logical pixels of the pane."""
        if self._layout is None or self.page != self._page:
            return None
        shown = self._layout.to_room(box, self._pan)
        left, top = shown.left / self._ratio, shown.top / self._ratio
        return QRectF(left, top, shown.width / self._ratio, shown.height / self._ratio)

    def point_at(self, place: QPointF) -> Point | None:
        """The place of the master that is seen there (logical pixels of the pane)."""
        if self._layout is None or self.page != self._page:
            return None
        return self._layout.to_page(self._in_room(place), self._pan)

    def move_by(self, way: QPointF) -> None:
        """Move the page with the hand, in logical pixels."""
        x, y = self._in_room(way)
        self._scroll_to(Pan(round(self._pan.x - x), round(self._pan.y - y)))

    # how large it is shown

    @property
    def zoom(self) -> Zoom:
        """How the page is fitted, and its scale now; 1 is 100 %."""
        scale = self._zoom.scale if self._layout is None else self._layout.scale
        return Zoom(self._zoom.fit, scale)

    def set_zoom(self, zoom: Zoom, *, at: Point | None = None) -> None:
        """Show pages so large.

        Args:
            zoom: kept from page to page.
            at: device pixels of the pane; what is there stays there. None: its middle.
        """
        place = at or Point(self._room.width / 2, self._room.height / 2)
        point = self._layout.to_page(place, self._pan) if self._layout is not None else None
        self._zoom = Zoom(zoom.fit, clamped(zoom.scale))
        self._set_bars()
        self._lay_out()
        if self._layout is not None and point is not None:
            self._scroll_to(self._layout.pan_to(point, place))
        self._rest.start()

    def zoom_by(self, factor: float, *, at: QPointF | None = None) -> None:
        """Show the page so many times as large as now; what is at this place stays there."""
        place = self._in_room(at) if at is not None else None
        self.set_zoom(Zoom(Fit.FREE, self.zoom.scale * factor), at=place)

    def zoom_in(self) -> None:
        """One step larger."""
        self.zoom_by(STEP)

    def zoom_out(self) -> None:
        """One step smaller."""
        self.zoom_by(1 / STEP)

    # where it lies

    @property
    def _ratio(self) -> float:
        return self.devicePixelRatioF()

    @property
    def _room(self) -> Size:
        return self._in_device_pixels(self.viewport().size())

    @property
    def _pan(self) -> Pan:
        return Pan(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _in_device_pixels(self, size: QSize) -> Size:
        return Size(int(size.width() * self._ratio), int(size.height() * self._ratio))

    def _in_room(self, place: QPointF) -> Point:
        return Point(place.x() * self._ratio, place.y() * self._ratio)

    def _set_bars(self) -> None:
        """A page that is fitted needs no bar in the direction that it fits."""
        off, auto = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        fit = self._zoom.fit
        self.setHorizontalScrollBarPolicy(auto if fit is Fit.FREE else off)
        self.setVerticalScrollBarPolicy(off if fit is Fit.PAGE else auto)

    def _lay_out(self) -> None:
        sheet = self._image.sheet
        margin = round(Space.M * self._ratio)
        self._layout = (
            Layout(sheet.size, self._room, self._scale_of(sheet.size), margin) if sheet else None
        )
        reach = self._layout.reach if self._layout is not None else Pan(0, 0)
        _set_range(self.horizontalScrollBar(), self._room.width, reach.x, self._ratio)
        _set_range(self.verticalScrollBar(), self._room.height, reach.y, self._ratio)
        self.viewport().update()
        self._tell_zoom()

    def _scale_of(self, size: Size) -> float:
        return fitting_scale(
            size,
            self._in_device_pixels(self.maximumViewportSize()),
            zoom=self._zoom,
            margin=round(Space.M * self._ratio),
            bar=round(self.verticalScrollBar().sizeHint().width() * self._ratio),
        )

    def _tell_zoom(self) -> None:
        if self._layout is not None and self.zoom != self._told_zoom:
            self._told_zoom = self.zoom
            self.zoom_changed.emit(self.zoom)

    def _scroll_to(self, pan: Pan) -> None:
        self._glide.stop()
        self.horizontalScrollBar().setValue(pan.x)
        self.verticalScrollBar().setValue(pan.y)

    # its image

    def _turn_to(self, page: int) -> None:
        self._page = page
        self._image.turn_to(page, self._size)
        self._ask()

    def _ask(self) -> None:
        """Fetch the picture that is needed now, unless it is there."""
        sheet, layout = self._image.sheet, self._layout
        is_there = (
            sheet is not None
            and layout is not None
            and not self._image.is_turning
            and _is_good(sheet, layout)
        )
        if self._page is not None and self.isVisible() and not is_there:
            self._image.ask(self._want())

    def _want(self) -> Want:
        size = self._master()
        if size is not None:
            return Want(scale=min(1.0, self._scale_of(size)))
        if self._zoom.fit is Fit.FREE:
            return Want(scale=min(1.0, self._zoom.scale))
        width, height = self._in_device_pixels(self.maximumViewportSize())
        margin = round(2 * Space.M * self._ratio)
        fits_page = self._zoom.fit is Fit.PAGE
        return Want((width - margin, height - margin if fits_page else WHOLE_HEIGHT_PX))

    def _master(self) -> Size | None:
        """The size of the page that we were turned to, as far as it is known."""
        if self._size is not None:
            return Size(self._size.width_px, self._size.height_px)
        sheet = self._image.sheet
        is_known = sheet is not None and sheet.page == self._page and not sheet.is_guess
        return sheet.size if sheet is not None and is_known else None

    @Slot()
    def _on_sheet_changed(self) -> None:
        before, sheet = self._seen, self._image.sheet
        self._seen = sheet
        self._lay_out()
        if sheet is None:
            return
        if before is None or before.page != sheet.page:
            self._scroll_to(Pan(self._pan.x, 0))
        if sheet.error is not None:
            self.page_failed.emit(sheet.page, sheet.error)
        elif sheet.picture is not None:
            self.page_shown.emit(sheet.page)
            self._rest.start()  # its size may only be known now

    @Slot()
    def _on_rested(self) -> None:
        self._ask()

    # what Qt calls

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        column = colours(self.palette())
        painter.fillRect(self.viewport().rect(), column.behind)
        sheet, layout = self._image.sheet, self._layout
        if sheet is None or layout is None:
            return
        painter.setFont(scaled_font(self.font(), self._ratio))
        to_device_pixels(painter, self._ratio)
        paint_sheet(
            painter,
            sheet,
            layout,
            self._pan,
            column=column,
            ratio=self._ratio,
            tint=self._tint,
        )
        if sheet.page == self._page:
            painter.setClipRect(QRect(*layout.origin(self._pan), *layout.paper))
            self._paint_over(painter, layout, self._pan)

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()  # the bars count device pixels, so nothing can be moved as it is

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The plain arrows scroll; what is pressed with Ctrl is for the pane around."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()
        self._rest.start()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
        self._ask()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._lay_out()
            self._rest.start()
        return super().event(event)


def _is_good(sheet: Sheet, layout: Layout) -> bool:
    """Whether no sharper picture of the page can be had."""
    is_whole = sheet.picture is not None and sheet.picture.scale >= 1.0 and layout.scale >= 1.0
    return is_whole or sheet.error is not None or is_sharp(sheet, layout)


def _set_range(bar: QScrollBar, room: int, reach: int, ratio: float) -> None:
    bar.setSingleStep(round(LINE_PX * ratio))
    bar.setPageStep(room)
    bar.setRange(0, reach)
