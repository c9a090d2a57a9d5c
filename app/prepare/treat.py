"""A treatment carried out on the pixels of a page; the master's own are left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import cv2
import numpy as np

from app.book import PageSize
from app.prepare import tones
from app.prepare.page_map import PageMap
from app.prepare.treatment import Curve, Side, Treatment
from app.sources.values import Raster

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

USUAL_DPI = 300.0


class Render(Protocol):
    """Gives the master at a scale, as `Source.render`."""

    def __call__(self, *, scale: float) -> Raster:
        """The whole master."""
        ...


def prepared(
    render: Render,
    master: PageSize,
    treatment: Treatment,
    *,
    fit: tuple[int, int] | None,
    scale: float,
) -> Raster:
    """A prepared page at the largest scale up to `scale` that fits into the box.

    Args:
        render: gives the master.
        master: its size.
        treatment: what is done to it.
        fit: width and height in pixels; None: no box.
        scale: of the master, above 0 and at most 1.
    """
    page = PageMap(master, treatment)
    if fit is not None:
        scale = min(scale, fit[0] / page.size.width_px, fit[1] / page.size.height_px)
    return treated(render(scale=scale), page, treatment)


def treated(raster: Raster, page: PageMap, treatment: Treatment) -> Raster:
    """The prepared page.

    Args:
        raster: the master, at any scale.
        page: how the prepared page lies on it.
        treatment: what is done; the one that `page` was made of.

    Returns:
        An image of the same scale.
    """
    pixels = pixels_of(raster)
    if treatment.moves_pixels:
        pixels = moved(pixels, page, treatment, scale=raster.scale)
    if treatment.changes_tones:
        dpi = (page.master.dpi or USUAL_DPI) * raster.scale
        pixels = toned(pixels, treatment, dpi=dpi)
    return raster_of(pixels, scale=raster.scale)


def pixels_of(raster: Raster) -> Pixels:
    """(H, W) of a grey raster, (H, W, 3) of a coloured one; no copy."""
    flat = np.frombuffer(raster.data, np.uint8)
    shape = (raster.height_px, raster.width_px)
    return flat.reshape(shape if raster.channels == 1 else (*shape, 3))


def raster_of(pixels: Pixels, *, scale: float) -> Raster:
    """Pixels as they cross threads."""
    height, width = pixels.shape[:2]
    channels = 1 if pixels.ndim == 2 else 3
    return Raster(width, height, channels, np.ascontiguousarray(pixels).tobytes(), scale)


def toned(pixels: Pixels, treatment: Treatment, *, dpi: float) -> Pixels:
    """The tones of a treatment, in the order in which they help each other."""
    if treatment.even_light:
        pixels = tones.evened(pixels)
    if treatment.show_through:
        pixels = tones.without_show_through(pixels)
    if treatment.despeckle:
        pixels = tones.despeckled(pixels, dpi=dpi)
    return tones.binarised(pixels, dpi=dpi) if treatment.binarise else pixels


def moved(pixels: Pixels, page: PageMap, treatment: Treatment, *, scale: float) -> Pixels:
    """The part of the scan that is the page: turned, straight, level."""
    size = (
        max(1, round(page.frame.width * scale)),
        max(1, round(page.frame.height * scale)),
    )
    paper = _paper_tone(pixels)
    if treatment.side is not Side.WHOLE and treatment.fold is not None:
        pixels = _without_other_side(pixels, page, paper, scale=scale)
    if treatment.curve is None and not treatment.skew_degrees:
        return _cut(np.rot90(pixels, -treatment.quarters), page, size, paper, scale=scale)
    # pixels of the image that is there for the corners of the one to be
    to_there = _matrix(page, scale)
    how: dict[str, Any] = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": paper}
    if treatment.curve is None:
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(pixels, to_there, size, flags=flags, **how), np.uint8)
    xs, ys = _places(page, treatment.curve, to_there, size, scale)
    return np.asarray(cv2.remap(pixels, xs, ys, cv2.INTER_CUBIC, **how), np.uint8)


def _matrix(page: PageMap, scale: float) -> NDArray[np.float64]:
    """From pixels of the prepared image without curves to pixels of the scan's image, (2, 3).

    OpenCV counts from the middle of the first pixel, coordinates from its corner.
    """
    corner = np.array([page.frame.left, page.frame.top])
    ends = np.array([[0.5, 0.5], [1.5, 0.5], [0.5, 1.5]]) / scale + corner
    origin, along, down = page.straight_to_master(ends) * scale - 0.5
    return np.stack([along - origin, down - origin, origin], axis=1)


def _places(
    page: PageMap, curve: Curve, matrix: NDArray[np.float64], size: tuple[int, int], scale: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where on the scan's image each pixel of the level page comes from."""
    width, height = size
    drops = _drops(curve, page, size, scale)
    (a, b, c), (d, e, f) = matrix.astype(np.float32)
    across = np.arange(width, dtype=np.float32)[None]
    down = np.arange(height, dtype=np.float32)[:, None] + drops
    return a * across + b * down + c, d * across + e * down + f


def _drops(curve: Curve, page: PageMap, size: tuple[int, int], scale: float) -> NDArray[np.float32]:
    """How far lines drop at each pixel of the level page, in its pixels; (H, W)."""
    width, height = size
    grid = np.array(curve.drops, np.float32).reshape(-1, curve.columns) * np.float32(scale)
    box, frame = curve.box, page.frame
    xs = (np.arange(width) + 0.5) / scale + frame.left
    ys = (np.arange(height) + 0.5) / scale + frame.top
    columns = np.clip((xs - box.left) / max(box.width, 1e-9), 0, 1) * (curve.columns - 1)
    rows = np.clip((ys - box.top) / max(box.height, 1e-9), 0, 1) * (len(grid) - 1)
    wide = _between(grid.T, columns).T
    return np.ascontiguousarray(_between(wide, rows), np.float32)


def _between(rows: NDArray[np.float32], places: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows at places between them, linearly."""
    low = np.minimum(places.astype(np.int64), len(rows) - 2)
    share = (places - low).astype(np.float32)[:, None]
    return np.asarray(rows[low] * (1 - share) + rows[low + 1] * share, np.float32)


def _cut(
    pixels: Pixels, page: PageMap, size: tuple[int, int], paper: tuple[int, ...], *, scale: float
) -> Pixels:
    """Without a rotation no pixel is computed anew; what lies outside the scan is paper."""
    width, height = size
    left, top = round(page.frame.left * scale), round(page.frame.top * scale)
    there_height, there_width = pixels.shape[:2]
    if left >= 0 and top >= 0 and left + width <= there_width and top + height <= there_height:
        return pixels[top : top + height, left : left + width]
    matrix = np.array([[1.0, 0, left], [0, 1.0, top]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    mode = cv2.BORDER_CONSTANT
    turned = np.ascontiguousarray(pixels)
    cut = cv2.warpAffine(turned, matrix, size, flags=flags, borderMode=mode, borderValue=paper)
    return np.asarray(cut, np.uint8)


def _without_other_side(
    pixels: Pixels, page: PageMap, paper: tuple[int, ...], *, scale: float
) -> Pixels:
    """The scan with paper in place of the page beyond the fold."""
    corners = page.turned_to_master(page.page_corners()) * scale
    mine = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(mine, np.round(corners).astype(np.int32), 1)
    kept = pixels.copy()
    kept[mine == 0] = paper if pixels.ndim == 3 else paper[0]
    return kept


def _paper_tone(pixels: Pixels) -> tuple[int, ...]:
    """The usual tone of the paper, for what lies outside the scan."""
    sample = pixels[::16, ::16].reshape(-1, 1 if pixels.ndim == 2 else 3)
    tone = np.percentile(sample, 75, axis=0)
    return tuple(int(each) for each in tone)
