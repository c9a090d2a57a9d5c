"""Pages made of real ones by known means: leaning, turned, bordered, bent, joined to spreads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from cv2.typing import MatLike
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

DEV = Path(__file__).resolve().parents[3] / "shared" / "dev"

PAPER = {
    "de-kant-1784": (0.06, 0.08, 0.79, 0.94),
    "en-oldbailey-1841": (0.08, 0.06, 0.9, 0.95),
    "en-se2-index": (0.01, 0.06, 0.84, 0.95),
    "en-se2-textonly1": (0.05, 0.05, 0.87, 0.93),
    "fr-nubis-m35r_1921_1": (0.01, 0.01, 0.97, 0.97),
    "fr-kovalewsky-1893": (0.08, 0.04, 0.9, 0.93),
}
"""Where the paper lies on scans that show the table: left, top, right, bottom in shares, by eye."""

NO_SINGLE_PAGES = ("de-clauren-spread", "en-ccc-rudiments1")
SPREAD_HEIGHT_PX = 2000
TABLE_TONE = 34


class Scan(NamedTuple):
    """A real page."""

    name: str
    pixels: Pixels  # (H, W, 3) RGB


class Spread(NamedTuple):
    """Two pages joined."""

    pixels: Pixels
    fold: float  # x where they meet, in the middle of the height


def scans(*, paper_only: bool = False) -> Iterator[Scan]:
    """The real pages; with `paper_only` cut to their paper, and only those with one page."""
    for truth in sorted(DEV.glob("*.gt.txt")):
        name = truth.name.removesuffix(".gt.txt")
        (path,) = [each for each in DEV.glob(f"{name}.*") if each != truth]
        pixels = np.asarray(Image.open(path).convert("RGB"))
        if not paper_only:
            yield Scan(name, pixels)
        elif name not in NO_SINGLE_PAGES:
            yield Scan(name, _cut(pixels, PAPER.get(name, (0.0, 0.0, 1.0, 1.0))))


def true_text(name: str) -> str:
    """What stands on a page."""
    return (DEV / f"{name}.gt.txt").read_text(encoding="utf-8")


def leaning(pixels: Pixels, degrees: float) -> Pixels:
    """Rotated clockwise on a dark table that is large enough."""
    height, width = pixels.shape[:2]
    angle = math.radians(abs(degrees))
    out_width = round(width * math.cos(angle) + height * math.sin(angle)) + 60
    out_height = round(height * math.cos(angle) + width * math.sin(angle)) + 60
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    matrix[:, 2] += (out_width - width) / 2, (out_height - height) / 2
    return _warped(pixels, matrix, (out_width, out_height), (TABLE_TONE, TABLE_TONE, TABLE_TONE))


def bordered(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """On a dark table of noise, another margin on each side."""
    height, width = pixels.shape[:2]
    top, bottom, left, right = (round(share * width) for share in rng.uniform(0.02, 0.12, 4))
    noise = rng.normal(TABLE_TONE, 6, (height + top + bottom, width + left + right, 1))
    framed = np.repeat(np.clip(noise, 0, 255).astype(np.uint8), 3, axis=2)
    framed[top : top + height, left : left + width] = pixels
    return framed


def bent(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Lines bowed, or drawn down towards the fold, by up to a sixtieth of the height."""
    height, width = pixels.shape[:2]
    across = np.linspace(-1, 1, width, dtype=np.float32)[None]
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    bow, curl = 0.33 - across**2, np.exp(-4 * (across + 1))
    shape = bow if rng.uniform() < 0.5 else curl
    drop = rng.uniform(0.008, 0.016) * height * shape * (1 + 0.4 * down * rng.uniform(-1, 1))
    xs = np.ascontiguousarray(np.broadcast_to(np.arange(width, dtype=np.float32), (height, width)))
    ys = (np.arange(height, dtype=np.float32)[:, None] - drop).astype(np.float32)
    mode = cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(pixels, xs, ys, cv2.INTER_CUBIC, borderMode=mode), np.uint8)


def spread(left: Pixels, right: Pixels, rng: np.random.Generator) -> Spread:
    """An open book: both pages of one height, a shadow in the fold, the whole a little askew."""
    pages = [_of_height(page, SPREAD_HEIGHT_PX) for page in (left, right)]
    joined = np.hstack(pages).astype(np.float32)
    height, width = joined.shape[:2]
    fold = pages[0].shape[1]
    off = np.arange(width) - fold
    reach = np.where(off < 0, *(rng.uniform(0.006, 0.03, 2) * width))
    joined *= (1 - rng.uniform(0.1, 0.7) * np.exp(-((off / reach) ** 2)))[None, :, None]
    degrees = rng.uniform(-0.6, 0.6)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    ends = matrix @ np.array([[fold, fold], [0, height], [1, 1]])
    shadowed = np.clip(joined, 0, 255).astype(np.uint8)
    return Spread(_warped(shadowed, matrix, (width, height)), float(ends[0].mean()))


def _cut(pixels: Pixels, shares: tuple[float, float, float, float]) -> Pixels:
    height, width = pixels.shape[:2]
    left, top, right, bottom = shares
    rows = slice(round(top * height), round(bottom * height))
    return np.ascontiguousarray(pixels[rows, round(left * width) : round(right * width)])


def of_size(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """At another width and height."""
    how = cv2.INTER_AREA if size[1] < pixels.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=how), np.uint8)


def _of_height(pixels: Pixels, height_px: int) -> Pixels:
    return of_size(pixels, (round(pixels.shape[1] * height_px / pixels.shape[0]), height_px))


def _warped(
    pixels: Pixels,
    matrix: MatLike,
    size: tuple[int, int],
    fill: tuple[int, int, int] | None = None,
) -> Pixels:
    mode = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
    out = cv2.warpAffine(
        pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=mode, borderValue=fill or 0
    )
    return np.asarray(out, np.uint8)
