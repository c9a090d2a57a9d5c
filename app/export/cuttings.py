"""Pictures cut out of the scan, for formats that show them."""

from __future__ import annotations

import io

from PIL import Image

from app.errors import SourceError
from app.export.blocks import Block, Figure, Picture
from app.export.images import PageImages
from app.sources.values import Raster

LONGEST_PX = 1600
QUALITY = 85
SMALLEST_PX = 8
"""What is smaller than this is no picture."""


class Cuttings:
    """Cuts pictures of one page after another; keeps the pixels of the last page. On `jobs`."""

    def __init__(self, images: PageImages) -> None:
        self._images = images
        self._page: int | None = None
        self._raster: Raster | None = None

    def with_picture(self, block: Block) -> Block:
        """A figure with its picture, where the scan has one to show; anything else as it is."""
        if not isinstance(block, Figure) or block.place is None:
            return block
        page, box = block.place
        raster = self._raster_of(page)
        if raster is None:
            return block
        sides = (box.left, box.top, box.right, box.bottom)
        left, top, right, bottom = (round(side * raster.scale) for side in sides)
        right, bottom = min(right, raster.width_px), min(bottom, raster.height_px)
        left, top = max(0, left), max(0, top)
        if min(right - left, bottom - top) < SMALLEST_PX:
            return block
        return Figure(
            block.inlines, block.caption, block.place, _cut(raster, (left, top, right, bottom))
        )

    def _raster_of(self, page: int) -> Raster | None:
        if page != self._page:
            self._page = page
            try:
                self._raster = self._images.raster(page)
            except SourceError:
                self._raster = None  # the words say that there is a picture
        return self._raster


def _cut(raster: Raster, box: tuple[int, int, int, int]) -> Picture:
    mode = "L" if raster.channels == 1 else "RGB"
    size = (raster.width_px, raster.height_px)
    image = Image.frombuffer(mode, size, raster.data, "raw", mode, 0, 1).crop(box)
    image.thumbnail((LONGEST_PX, LONGEST_PX))
    written = io.BytesIO()
    image.save(written, "JPEG", quality=QUALITY)
    return Picture(written.getvalue(), image.width, image.height)
