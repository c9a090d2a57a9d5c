"""The scans of a book, as an export asks for them: through the page queue, never from the file."""

from __future__ import annotations

from typing import Protocol

from app.book import PageSize
from app.pages import PageQueue, Priority
from app.sources.values import PageParts, Raster


class PageImages(Protocol):
    """What a writer of page images needs. Blocks; not for the UI thread."""

    def size(self, page: int) -> PageSize:
        """Size of the page's master.

        Raises:
            SourceError: the scan cannot be opened.
        """
        ...

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """The image data as they lie in the file, where a PDF can take them over unchanged.

        Args:
            page: from 0.
            archival: only what PDF/A-2 allows.

        Raises:
            SourceError: the scan cannot be opened.
        """
        ...

    def raster(self, page: int) -> Raster:
        """The page's pixels at full size.

        Raises:
            SourceError: the scan cannot be decoded.
        """
        ...


class QueuedImages:
    """The scan of an open book, behind what the person looks at. Belongs to `jobs`."""

    def __init__(self, queue: PageQueue) -> None:
        self._queue = queue

    def size(self, page: int) -> PageSize:
        """See `PageImages`."""
        return self._queue.page_info(page, priority=Priority.THUMBNAIL).result().size

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """See `PageImages`."""
        return self._queue.parts(page, archival=archival).result()

    def raster(self, page: int) -> Raster:
        """See `PageImages`."""
        return self._queue.image(page, priority=Priority.READER).result()
