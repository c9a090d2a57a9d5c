"""Small pictures of the first pages of books, for the list of recent ones, kept in the cache."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QImage

from app.pages import PageQueue, Priority
from app.sources.values import Raster
from ui.arrivals import Arrivals
from ui.picture import Picture

SIDE_PX = 240


class Covers(QObject):
    """One small PNG a book in a folder, which is made when the first is kept. Belongs to `ui`."""

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._arrivals = Arrivals(self._on_arrived)

    def of(self, store_path: Path) -> QImage | None:
        """The cover of the book with this database, None where none was kept."""
        image = QImage(str(self._path(store_path)))
        return None if image.isNull() else image

    def keep(self, store_path: Path, images: PageQueue) -> None:
        """Make the cover of an open book, unless there is one."""
        path = self._path(store_path)
        if not path.exists():
            fit = (SIDE_PX, SIDE_PX)
            self._arrivals.expect(path, images.image(0, fit=fit, priority=Priority.THUMBNAIL))

    def _path(self, store_path: Path) -> Path:
        return self._folder / f"{store_path.stem}.png"

    @Slot(object, object)
    def _on_arrived(self, path: Path, future: Future[Raster]) -> None:
        if future.exception() is None:  # a first page that cannot be decoded has no cover
            with contextlib.suppress(OSError):  # a full disk: it can be made at any time
                self._folder.mkdir(parents=True, exist_ok=True)
            Picture(future.result()).image.save(str(path))
