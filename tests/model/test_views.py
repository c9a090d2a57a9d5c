"""Page images become views: sizes, tiles, padding and token counts as the checkpoints know them.

transformers' own image processor imports torchvision, whose wheels do not load beside this torch.
So its module is imported here over a stand-in: resizing is what torchvision itself calls for a
tensor (`interpolate`, bicubic, antialias), padding is torch's. Choice of grid, order of tiles,
sizes and the places of padding are transformers' own code.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from model.api import PageImage
from model.config import ViewSizes
from model.errors import PageUnreadable
from model.views import Grid, PageViews, choose_grid, count_tokens, make_views

pytestmark = pytest.mark.model

V1 = ViewSizes()
V2 = ViewSizes(most_tiles=16)
A4 = (2480, 3508)


def page(width_px: int, height_px: int, seed: int = 0) -> PageImage:
    """Dark strokes on light paper, soft as a scan is."""
    noise = np.random.default_rng(seed).integers(
        60, 250, (height_px // 8 + 1, width_px // 8 + 1, 3)
    )
    pixels = noise.repeat(8, axis=0).repeat(8, axis=1)[:height_px, :width_px]
    return PageImage(pixels.astype(np.uint8))


@pytest.mark.parametrize(
    ("size", "v1_grid", "v1_tokens", "v2_tokens"),
    [
        ((1240, 1754), Grid(2, 3), 903, 903),  # A4 at 150 dpi
        (A4, Grid(4, 6), 2733, 903),  # the same at 300 dpi: a tie, broken by the area
        ((1275, 1650), Grid(3, 4), 1513, 1513),  # Letter
        ((2550, 3300), Grid(3, 4), 1513, 1513),
        ((1800, 2700), Grid(2, 3), 903, 903),  # 6 x 9 inches
        ((1500, 2400), Grid(3, 5), 1823, 1823),  # 5 x 8 inches
        ((4961, 3508), Grid(4, 3), 1503, 1503),  # A3, lying
        ((641, 300), Grid(2, 1), 483, 483),
        ((640, 640), None, 273, 273),
    ],
)
def test_known_pages_have_known_tiles_and_tokens(
    size: tuple[int, int], v1_grid: Grid | None, v1_tokens: int, v2_tokens: int
):
    assert choose_grid(*size, V1) == v1_grid
    assert count_tokens(choose_grid(*size, V1), V1) == v1_tokens
    assert count_tokens(choose_grid(*size, V2), V2) == v2_tokens


@pytest.mark.parametrize(
    ("grid", "tokens"),
    [
        (None, 273),
        (Grid(2, 1), 483),
        (Grid(1, 2), 493),
        (Grid(2, 2), 693),
        (Grid(4, 4), 1913),
        (Grid(4, 8), 3553),
    ],
)
def test_tokens_of_a_page(grid: Grid | None, tokens: int):
    assert count_tokens(grid, V1) == tokens


def test_other_sizes_of_view_count_their_own_cells():
    assert count_tokens(None, ViewSizes(page_px=640)) == 111
    assert count_tokens(None, ViewSizes(page_px=512)) == 73
    assert count_tokens(None, ViewSizes(page_px=1280)) == 421
    assert count_tokens(None, ViewSizes(patch_px=8)) == 1057  # finer patches


@given(st.integers(1, 6000), st.integers(1, 6000))
def test_a_grid_is_never_too_large_nor_one_tile(width_px: int, height_px: int):
    grid = choose_grid(width_px, height_px, V1)
    if max(width_px, height_px) <= V1.tile_px:
        assert grid is None
    else:
        assert grid is not None
        assert 2 <= grid.columns * grid.rows <= V1.most_tiles


def test_the_global_view_keeps_proportions_on_grey():
    views = make_views(PageImage(np.full((1000, 501, 3), 255, np.uint8)), V1, is_tiled=False)
    assert views.page.shape == (3, 1024, 1024)
    assert views.page.dtype == np.float32
    assert (views.tiles.shape[0], views.grid) == (0, None)
    columns = np.flatnonzero((views.page == 1).all(axis=(0, 1)))
    # 501 wide becomes 513; the difference of 511 is halved to 255.5, and Pillow rounds half to even
    assert (columns[0], columns[-1]) == (256, 768)
    assert views.page[0, 0, 0] == pytest.approx((127 / 255 - 0.5) / 0.5)


def test_a_stretched_view_has_no_padding():
    image = PageImage(np.full((1000, 501, 3), 255, np.uint8))
    views = make_views(image, ViewSizes(is_stretched=True, most_tiles=0), is_tiled=True)
    assert (views.page == 1).all()
    assert views.grid is None


def test_tiles_are_cut_row_by_row():
    pixels = np.zeros((1280, 1280, 3), np.uint8)
    pixels[:640, 640:] = 255  # the upper right quarter is white
    views = make_views(PageImage(pixels), V1, is_tiled=True)
    assert views.grid is not None
    assert views.tiles.shape == (views.grid.columns * views.grid.rows, 3, 640, 640)
    means = views.tiles.mean(axis=(1, 2, 3)).reshape(views.grid.rows, views.grid.columns)
    half = views.grid.columns // 2
    assert means[0, -1] == pytest.approx(1, abs=0.05)
    assert means[0, 0] == means[-1, 0] == means[-1, half] == pytest.approx(-1, abs=0.05)


@pytest.mark.parametrize("shape", [(0, 10, 3), (10, 0, 3), (1, 5000, 3), (10, 10, 1), (10, 10)])
def test_an_image_with_nothing_on_it_is_refused(shape: tuple[int, ...]):
    with pytest.raises(PageUnreadable):
        make_views(PageImage(np.zeros(shape, np.uint8)), V1, is_tiled=True)


@pytest.fixture(scope="module")
def processor() -> Any:
    """transformers' image processor, its class made without torchvision."""
    import torch
    from torch.nn import functional as F  # noqa: N812  # its name everywhere

    def resize(image: Any, size: Any, resample: Any) -> Any:
        assert resample == Image.Resampling.BICUBIC
        to = (size.height, size.width)
        made = F.interpolate(image.float(), to, mode="bicubic", antialias=True, align_corners=False)
        return made.round().clamp(0, 255).to(torch.uint8)

    def pad(image: Any, padding: list[int], fill: list[float]) -> Any:
        left, top, right, bottom = padding
        around = (left, right, top, bottom)
        return torch.cat([F.pad(image[:, c : c + 1], around, value=fill[c]) for c in range(3)], 1)

    functional = SimpleNamespace(pad=pad)
    stand_in = ModuleType("torchvision.transforms.v2")
    vars(stand_in)["functional"] = functional
    name = "transformers.models.unlimited_ocr.image_processing_unlimited_ocr"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "torchvision.transforms.v2", stand_in)
        patch.delitem(sys.modules, name, raising=False)
        made = importlib.import_module(name).UnlimitedOcrImageProcessor
        sys.modules.pop(name)

    class Processor(made):
        def __init__(self) -> None:
            pass  # the sizes are attributes of the class

        def resize(self, image: Any, size: Any, resample: Any = None, **_: object) -> Any:
            return resize(image, size, resample)

        def rescale_and_normalize(self, images: Any, *_: object) -> Any:
            return (images.float() / 255 - 0.5) / 0.5

    return Processor()


def their_views(processor: Any, image: PageImage, *, is_tiled: bool) -> PageViews:
    import torch

    size = SimpleNamespace(height=1024, width=1024)
    said = processor._preprocess(
        [torch.from_numpy(image.pixels.transpose(2, 0, 1))],
        size=size,
        crop_to_patches=is_tiled,
        min_patches=processor.min_patches,
        max_patches=processor.max_patches,
        tile_size=processor.tile_size,
        maximum_pad_value=processor.maximum_pad_value,
        resample=processor.resample,
        do_rescale=True,
        rescale_factor=1 / 255,
        do_normalize=True,
        image_mean=processor.image_mean,
        image_std=processor.image_std,
        disable_grouping=True,
        return_tensors=None,
    )
    tiles = [tile.numpy() for tile in said.get("pixel_values_local", [])]
    assert said["num_local_patches"] == [len(tiles)]
    return PageViews(
        said["pixel_values"][0].numpy(),
        np.stack(tiles) if tiles else np.empty((0, 3, 640, 640), np.float32),
        Grid(*said["patches_grid"][0]) if tiles else None,
    )


@pytest.mark.parametrize("is_tiled", [False, True])
@pytest.mark.parametrize("size", [(501, 1000), (1240, 1754), (1900, 900), (600, 420), (1403, 1403)])
def test_views_are_those_of_transformers(processor: Any, size: tuple[int, int], is_tiled: bool):
    image = page(*size)
    ours, theirs = (
        make_views(image, V1, is_tiled=is_tiled),
        their_views(processor, image, is_tiled=is_tiled),
    )
    assert ours.grid == theirs.grid
    assert ours.tiles.shape == theirs.tiles.shape
    for one, other in zip(
        (*aligned(ours, image), *ours.tiles), (*aligned(theirs, image), *theirs.tiles), strict=True
    ):
        assert np.abs(one - other).mean() < 0.5 / 255  # a quarter of a grey step
        assert one.shape == other.shape


def aligned(views: PageViews, image: PageImage) -> list[np.ndarray]:
    """The page without its padding, which Pillow rounds and transformers cuts to a whole pixel."""
    is_grey = np.isclose(views.page, (127 / 255 - 0.5) / 0.5).all(axis=0)
    rows, columns = np.flatnonzero(~is_grey.all(axis=-1)), np.flatnonzero(~is_grey.all(axis=0))
    return [views.page[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]]


def test_tokens_are_counted_as_by_transformers(processor: Any):
    for width_px in range(300, 4000, 370):
        for height_px in range(300, 4000, 410):
            grid = choose_grid(width_px, height_px, V1)
            tiles = grid.columns * grid.rows if grid else 0
            assert processor.get_number_of_image_patches(height_px, width_px) == 1 + tiles
