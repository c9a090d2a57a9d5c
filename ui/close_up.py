"""The page's picture at its full size, for what shows parts of it enlarged. UI thread only.

It is fetched when something first looks at it, and kept for one page: the desk's own picture is
only as large as it is shown.
"""

from __future__ import annotations

from concurrent.futures import Future

from PySide6.QtCore import QObject, Signal, Slot

from app.errors import UserFacing
from app.sources.values import Raster
from ui.arrivals import Arrivals
from ui.page_image import RequestImage
from ui.picture import Picture

LONGEST_PX = 4000  # of its sides: some 35 MB at most, and sharp enough for an eye


class CloseUp(QObject):
    """Holds one page's large picture. Belongs to `ui`."""

    arrived = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._arrivals = Arrivals(self._on_arrived)
        self._request: RequestImage | None = None
        self._page: int | None = None
        self._asked: Future[Raster] | None = None
        self._picture: Picture | None = None

    def begin(self, request: RequestImage | None) -> None:
        """Ask this for pictures from now on."""
        self._request = request
        self._turn_to(None)

    def show_page(self, page: int) -> None:
        """Another page is looked at; nothing is fetched before it is wanted."""
        if page != self._page:
            self._turn_to(page)

    def forget(self) -> None:
        """The scan of this page has changed."""
        self._turn_to(self._page)

    def picture(self) -> Picture | None:
        """The page's picture, once it is there; asks for it at the first call."""
        if self._asked is None and self._request is not None and self._page is not None:
            self._asked = self._request(self._page, fit=(LONGEST_PX, LONGEST_PX))
            self._arrivals.expect(self._page, self._asked)
        return self._picture

    def _turn_to(self, page: int | None) -> None:
        if self._asked is not None:
            self._asked.cancel()
        self._page, self._asked, self._picture = page, None, None

    @Slot(object, object)
    def _on_arrived(self, _page: int, future: Future[Raster]) -> None:
        if future is not self._asked:
            return
        try:
            self._picture = Picture(future.result())
        except UserFacing:
            return  # the desk says why there is no image
        self.arrived.emit()
