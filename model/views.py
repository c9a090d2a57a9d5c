"""A page image made into the views that the encoder sees: a global view, and tiles for small print.

Pure functions on pixels, in Pillow's own arithmetic, which is the checkpoints' own: the global view
is `ImageOps.pad` (the padding is put at `round(difference / 2)`, half to even), tiles are one plain
resize cut row by row, both bicubic. How many visual tokens a page becomes follows from sizes alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from model.api import PageImage
from model.config import ViewSizes
from model.errors import PageUnreadable

GREY = (127, 127, 127)
CHANNELS = 3
SCALED = (np.arange(256, dtype=np.float32) / 255 - 0.5) / 0.5  # what each value of a pixel becomes


class Grid(NamedTuple):
    """How many tiles a page is cut into."""

    columns: int
    rows: int


@dataclass(frozen=True)
class PageViews:
    """One page as the encoder takes it; values -1..1."""

    page: np.ndarray  # (3, S, S) float32, the global view
    tiles: np.ndarray  # (N, 3, T, T) float32, row by row; N is 0 where the page is not cut
    grid: Grid | None  # None: not cut


def make_views(image: PageImage, sizes: ViewSizes, *, is_tiled: bool) -> PageViews:
    """Prepare one page.

    Args:
        image: (H, W, 3) uint8 RGB, any size but zero.
        sizes: of the checkpoint.
        is_tiled: cut a page whose longer side is over `tile_px` into tiles beside the global view.

    Raises:
        PageUnreadable: the image has no pixels, or is so narrow that nothing of it is left.
    """
    page = _picture(image)
    grid = choose_grid(page.width, page.height, sizes) if is_tiled else None
    view = _stretched(page, sizes.page_px) if sizes.is_stretched else _padded(page, sizes.page_px)
    return PageViews(_scaled(view), _tiles(page, grid, sizes.tile_px), grid)


def choose_grid(width_px: int, height_px: int, sizes: ViewSizes) -> Grid | None:
    """The grid whose proportions are nearest to the page's; None for a page of one view.

    Of grids equally near, a later one (of more tiles) is taken while the page has more than half of
    its pixels.
    """
    if max(width_px, height_px) <= sizes.tile_px or sizes.most_tiles < 2:
        return None
    nearest, best = float("inf"), Grid(1, 1)
    for grid in _grids(sizes.most_tiles):
        distance = abs(width_px / height_px - grid.columns / grid.rows)
        half = 0.5 * sizes.tile_px * sizes.tile_px * grid.columns * grid.rows
        if distance < nearest or (distance == nearest and width_px * height_px > half):
            nearest, best = distance, grid
    return best


def count_tokens(grid: Grid | None, sizes: ViewSizes) -> int:
    """Visual tokens of one page: cells, one newline token a row, one separator."""
    side = sizes.cells(sizes.page_px)
    tokens = side * (side + 1) + 1
    if grid is None:
        return tokens
    tile = sizes.cells(sizes.tile_px)
    return tokens + grid.rows * tile * (grid.columns * tile + 1)


@cache
def _grids(most_tiles: int) -> tuple[Grid, ...]:
    """All grids of two tiles or more, fewer tiles first, then narrower first."""
    sides = range(1, most_tiles + 1)
    grids = [Grid(c, r) for c in sides for r in sides if 2 <= c * r <= most_tiles]
    return tuple(sorted(grids, key=lambda grid: grid.columns * grid.rows))


def _picture(image: PageImage) -> Image.Image:
    pixels = image.pixels
    if pixels.ndim != 3 or pixels.shape[2] != CHANNELS or pixels.dtype != np.uint8:
        raise PageUnreadable(f"not an 8-bit RGB image: {pixels.shape} {pixels.dtype}")
    if 0 in pixels.shape:
        raise PageUnreadable("the image has no pixels")
    return Image.fromarray(np.ascontiguousarray(pixels))


def _padded(page: Image.Image, side_px: int) -> Image.Image:
    if round(min(page.size) / max(page.size) * side_px) == 0:  # Pillow would leave only padding
        raise PageUnreadable(f"too long and narrow: {page.width} x {page.height}")
    return ImageOps.pad(page, (side_px, side_px), Image.Resampling.BICUBIC, GREY)


def _stretched(page: Image.Image, side_px: int) -> Image.Image:
    return page.resize((side_px, side_px), Image.Resampling.BICUBIC)


def _tiles(page: Image.Image, grid: Grid | None, side_px: int) -> np.ndarray:
    if grid is None:
        return np.empty((0, CHANNELS, side_px, side_px), np.float32)
    columns, rows = grid
    whole = page.resize((columns * side_px, rows * side_px), Image.Resampling.BICUBIC)
    corners = [(c * side_px, r * side_px) for r in range(rows) for c in range(columns)]
    return np.stack([_scaled(whole.crop((x, y, x + side_px, y + side_px))) for x, y in corners])


def _scaled(view: Image.Image) -> np.ndarray:
    """0..255 to -1..1, channels first."""
    values = np.ascontiguousarray(np.asarray(view).transpose(2, 0, 1))  # (3, H, W)
    return SCALED[values]
