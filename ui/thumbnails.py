"""Small images of pages: asked for when they come into sight, kept within a bounded cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QPixmap

from app.errors import UserFacing
from app.sources.values import Raster
from ui.arrivals import Arrivals
from ui.picture import Picture

RequestThumbnail = Callable[[int, int], "Future[Raster]"]
"""Page, longest side in device pixels."""

CACHE_BYTES = 32 * 1024 * 1024


class _Kept(NamedTuple):
    pixmap: QPixmap
    size_px: int  # that was asked for

    @property
    def bytes(self) -> int:
        return self.pixmap.width() * self.pixmap.height() * 4


class _Asked(NamedTuple):
    future: Future[Raster]
    size_px: int


class Thumbnails(QObject):
    """The thumbnails of one book after the other. Belongs to `ui`."""

    arrived = Signal(int)  # page; its thumbnail is there, or has failed

    def __init__(self, parent: QObject | None = None, *, cache_bytes: int = CACHE_BYTES) -> None:
        super().__init__(parent)
        self._arrivals = Arrivals(self._on_arrived)
        self._cache_bytes = cache_bytes
        self._request: RequestThumbnail | None = None
        self._kept: OrderedDict[int, _Kept] = OrderedDict()  # the longest unused first
        self._kept_bytes = 0
        self._asked: dict[int, _Asked] = {}
        self._failed: set[int] = set()

    def begin(self, request: RequestThumbnail | None) -> None:
        """Forget all and ask this from now on; None: no book."""
        self.want((), size_px=1)
        self._request = request
        self._failed.clear()
        self._kept.clear()
        self._kept_bytes = 0

    def pixmap(self, page: int) -> QPixmap | None:
        """The thumbnail, if it is there; perhaps still of another size."""
        kept = self._kept.get(page)
        if kept is None:
            return None
        self._kept.move_to_end(page)
        return kept.pixmap

    def has_failed(self, page: int) -> bool:
        """Whether the page's image could not be had."""
        return page in self._failed

    def want(self, pages: Sequence[int], *, size_px: int) -> None:
        """Ask for these pages, the first most of all; requests for any other are taken back."""
        wanted = set(pages)
        for page in [each for each in self._asked if each not in wanted]:
            self._asked.pop(page).future.cancel()
        for page in reversed(pages):  # the queue serves the newest request first
            self._ask(page, size_px)

    def forget(self, pages: Iterable[int]) -> None:
        """Let the images of these pages be asked for anew: their scans have changed."""
        for page in pages:
            self._failed.discard(page)
            self._drop(page)

    def _ask(self, page: int, size_px: int) -> None:
        kept, asked = self._kept.get(page), self._asked.get(page)
        is_there = kept is not None and kept.size_px == size_px
        is_coming = asked is not None and asked.size_px == size_px
        if self._request is None or is_there or is_coming or page in self._failed:
            return
        if asked is not None:
            asked.future.cancel()
        future = self._request(page, size_px)
        self._asked[page] = _Asked(future, size_px)
        self._arrivals.expect(page, future)

    @Slot(object, object)
    def _on_arrived(self, page: int, future: Future[Raster]) -> None:
        asked = self._asked.get(page)
        if asked is None or asked.future is not future:
            return
        del self._asked[page]
        try:
            raster = future.result()
        except UserFacing:
            self._failed.add(page)
        else:
            self._keep(page, _Kept(QPixmap.fromImage(Picture(raster).image), asked.size_px))
        self.arrived.emit(page)

    def _keep(self, page: int, kept: _Kept) -> None:
        self._drop(page)
        self._kept[page] = kept
        self._kept_bytes += kept.bytes
        while self._kept_bytes > self._cache_bytes and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, page: int) -> None:
        kept = self._kept.pop(page, None)
        if kept is not None:
            self._kept_bytes -= kept.bytes
