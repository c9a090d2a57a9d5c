"""Page images for the reading thread: the page asked for now, and the next one on its way.

Two pages are held at most, whatever the length of the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from app.book import PageSize
from app.errors import SourceError
from app.pages import PageQueue, Priority
from app.prepare.page_map import PageMap
from app.prepare.treatment import Treatment
from app.sources.source import PageInfo, Raster
from model.api import PageImage

READING_DPI = 300.0
"""Scans finer than this are read at this resolution, coarser ones as they are."""

LONGEST_SIDE_PX = 6000


@dataclass(frozen=True)
class Sheet:
    """A page as the engine is given it."""

    page: int
    image: PageImage
    scale: float  # image pixels per page pixel
    size: PageSize
    fingerprint: str
    page_map: PageMap | None = None  # how the image lies on the page; None: it is the page

    def without_image(self) -> Sheet:
        """What is still to be known of a page once it has been read."""
        return replace(self, image=PageImage(np.empty((0, 0, 3), np.uint8)))


class _Asked(NamedTuple):
    """A page whose image is on its way."""

    page: int
    info: PageInfo
    treatment: Treatment
    image: Future[Raster]


class Sheets:
    """Fetches pages in the order of a run, one ahead. Belongs to the thread `reading`."""

    def __init__(self, images: PageQueue, pages: Sequence[int]) -> None:
        self._images = images
        self._next = dict(pairwise(pages))
        self._ahead: _Asked | None = None

    def fetch(self, page: int) -> Sheet:
        """Wait for a page's image, and ask for the next page's.

        Raises:
            SourceError: the page cannot be decoded.
        """
        if self._ahead is None or self._ahead.page != page:
            self._ahead = self._ask(page)
        asked, self._ahead = self._ahead, None
        sheet = _sheet(asked)
        self._ask_ahead(page)
        return sheet

    def fetch_again(self, page: int) -> Sheet:
        """Wait for the image of a page that was read; what was asked for ahead stays.

        Raises:
            SourceError: the page cannot be decoded any more.
        """
        return _sheet(self._ask(page))

    def close(self) -> None:
        """Drop the page that was asked for ahead."""
        if self._ahead is not None:
            self._ahead.image.cancel()
            self._ahead = None

    def _ask(self, page: int) -> _Asked:
        info = self._images.page_info(page, priority=Priority.READER).result()
        treatment = self._images.treatment(page).for_reader
        size = PageMap(info.size, treatment).size if treatment else info.size
        image = self._images.prepared(
            page, scale=reading_scale(size), priority=Priority.READER, treatment=treatment
        )
        return _Asked(page, info, treatment, image)

    def _ask_ahead(self, page: int) -> None:
        following = self._next.get(page)
        if following is None:
            return
        try:
            self._ahead = self._ask(following)
        except SourceError:
            self._ahead = None  # told when that page's own turn comes


def reading_scale(size: PageSize) -> float:
    """Image pixels per page pixel at which a page is read, over 0 and at most 1."""
    scale = min(1.0, LONGEST_SIDE_PX / max(size.width_px, size.height_px, 1))
    if size.dpi is not None and size.dpi > READING_DPI:
        scale = min(scale, READING_DPI / size.dpi)
    return scale


def _sheet(asked: _Asked) -> Sheet:
    page, info, treatment, future = asked
    raster = future.result()
    dpi = None if info.size.dpi is None else info.size.dpi * raster.scale
    image = PageImage(_pixels(raster), dpi)
    page_map = PageMap(info.size, treatment) if treatment.moves_pixels else None
    return Sheet(page, image, raster.scale, info.size, info.fingerprint, page_map)


def _pixels(raster: Raster) -> np.ndarray:
    """A raster as (H, W, 3) uint8; a grey one shown as RGB without a copy."""
    flat = np.frombuffer(raster.data, np.uint8)
    shaped = flat.reshape(raster.height_px, raster.width_px, raster.channels)
    return np.broadcast_to(shaped, (raster.height_px, raster.width_px, 3))
