"""A page's pixels as Qt draws them. UI thread only: what crosses threads is the `Raster`."""

from __future__ import annotations

from PySide6.QtGui import QImage

from app.sources.values import Raster
from ui.page_layout import Size


class Picture:
    """An image over the bytes of a raster, which it keeps alive instead of copying them."""

    def __init__(self, raster: Raster) -> None:
        is_grey = raster.channels == 1
        kind = QImage.Format.Format_Grayscale8 if is_grey else QImage.Format.Format_RGB888
        stride = raster.width_px * raster.channels
        self._bytes = raster.data  # QImage only points at them
        self.image = QImage(self._bytes, raster.width_px, raster.height_px, stride, kind)
        self.scale = raster.scale  # pixels of the image for one pixel of the master

    @property
    def size(self) -> Size:
        """Of the image."""
        return Size(self.image.width(), self.image.height())

    @property
    def master(self) -> Size:
        """Of the page's master, within the rounding of the image's size."""
        return Size(round(self.size.width / self.scale), round(self.size.height / self.scale))
