"""Pixels of a page as Qt draws them: right, and alive as long as they are needed."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from PySide6.QtGui import QPixmap

from app.sources.values import Raster
from ui.page_layout import Size
from ui.picture import Picture

pytestmark = pytest.mark.ui


def raster(channels: int) -> Raster:
    """Seven pixels wide: rows that end where Qt would like padding."""
    pixels = np.arange(7 * 5 * channels, dtype=np.uint8).reshape(5, 7, channels)
    return Raster(7, 5, 1 if channels == 1 else 3, pixels.tobytes(), 0.5)


def test_grey_pixels_are_where_they_were():
    image = Picture(raster(1)).image
    assert [image.pixelColor(x, 2).red() for x in range(7)] == list(range(14, 21))


def test_coloured_pixels_are_where_they_were():
    colour = Picture(raster(3)).image.pixelColor(6, 4)
    assert (colour.red(), colour.green(), colour.blue()) == (102, 103, 104)


def test_the_size_of_the_master_comes_from_the_scale():
    assert Picture(raster(1)).master == Size(14, 10)


@pytest.mark.parametrize("channels", [1, 3])
def test_a_pixmap_outlives_the_bytes_that_it_was_made_of(qapp, channels):
    picture = Picture(raster(channels))
    before = picture.image.pixelColor(6, 4)
    pixmap = QPixmap.fromImage(picture.image)
    del picture
    gc.collect()
    rubbish = [bytes([255]) * 105 for _each in range(100)]
    assert pixmap.toImage().pixelColor(6, 4) == before
    assert rubbish
