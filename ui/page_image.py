"""The picture of the page that is shown: asked for at the size needed, never flashing grey.

The previous page stays for a moment while the next one comes; then blank paper, then a word.
UI thread only.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.book import PageSize
from app.errors import UserFacing
from app.sources.values import Raster
from ui.arrivals import Arrivals
from ui.page_layout import Size
from ui.picture import Picture

HOLD_MS = 150  # the previous page stays
LATE_MS = 500  # then a word says that it takes time
A4 = Size(2480, 3508)  # stands for a page whose size is not known yet


class RequestImage(Protocol):
    """Asks for the image of a page; the future is cancelled when it is not wanted any more."""

    def __call__(
        self, page: int, *, fit: tuple[int, int] | None = None, scale: float = 1.0
    ) -> Future[Raster]:
        """As large as fits into a box of device pixels, or at a scale of its master, up to 1."""
        ...


class Want(NamedTuple):
    """How large a picture is needed."""

    fit: tuple[int, int] | None = None  # device pixels, where the page's size is not known
    scale: float = 1.0  # pixels for a pixel of the master, at most 1


@dataclass(frozen=True)
class Sheet:
    """What is on the desk: a page, with its picture when that has come."""

    page: int
    size: Size  # of the master
    is_guess: bool = False  # the size is not known yet
    picture: Picture | None = None
    is_late: bool = False
    error: UserFacing | None = None


class PageImage(QObject):
    """Holds the sheet on the desk and fetches the next one. Belongs to `ui`."""

    changed = Signal()  # `sheet` is another

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sheet: Sheet | None = None
        self._arrivals = Arrivals(self._on_arrived)
        self._request: RequestImage | None = None
        self._next: Sheet | None = None  # the page that is to be shown, while it is not
        self._asked: tuple[Want, Future[Raster]] | None = None
        self._hold = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._hold.timeout.connect(self._on_held)
        self._late.timeout.connect(self._on_late)

    @property
    def is_turning(self) -> bool:
        """Whether another sheet, or this one anew, is on its way."""
        return self._next is not None

    def begin(self, request: RequestImage | None) -> None:
        """Ask this for pictures from now on, and clear the desk."""
        self._request = request
        self.clear()

    def clear(self) -> None:
        """No page."""
        self._take_back()
        self._put(None)

    def turn_to(self, page: int, size: PageSize | None) -> None:
        """Show another page as soon as its picture has come, or this one from scratch."""
        self._take_back()
        self._next = self._blank_sheet(page, size)
        if self.sheet is None:
            self._put(self._next)
        else:
            self._hold.start()
        self._late.start()

    def ask(self, want: Want) -> None:
        """Fetch a picture of the page that is, or is to be, shown."""
        page = self._next or self.sheet
        if self._request is None or page is None or page.error is not None:
            return
        if self._asked is not None:
            if self._asked[0] == want:
                return
            self._asked[1].cancel()
        future = self._request(page.page, fit=want.fit, scale=want.scale)
        self._asked = want, future
        self._arrivals.expect(page.page, future)

    def _blank_sheet(self, page: int, size: PageSize | None) -> Sheet:
        """Paper of the page's size, or of the size of the page before it."""
        if size is not None:
            return Sheet(page, Size(size.width_px, size.height_px))
        return Sheet(page, self.sheet.size if self.sheet is not None else A4, is_guess=True)

    def _take_back(self) -> None:
        self._hold.stop()
        self._late.stop()
        self._next = None
        if self._asked is not None:
            self._asked[1].cancel()
        self._asked = None

    def _put(self, sheet: Sheet | None) -> None:
        self.sheet = sheet
        self.changed.emit()

    @Slot(object, object)
    def _on_arrived(self, page: int, future: Future[Raster]) -> None:
        awaited = self._next or self.sheet
        if self._asked is None or self._asked[1] is not future or awaited is None:
            return
        self._take_back()
        try:
            picture = Picture(future.result())
        except UserFacing as error:
            self._put(replace(awaited, is_late=False, error=error))
        else:
            size = picture.master if awaited.is_guess else awaited.size
            self._put(Sheet(page, size, picture=picture))

    @Slot()
    def _on_held(self) -> None:
        if self._next is not None:
            self._put(self._next)

    @Slot()
    def _on_late(self) -> None:
        if self._next is not None:
            self._put(replace(self._next, is_late=True))
