"""Where two pages of an open book meet on one image.

Between the pages there is no print, and the paper bends down into the fold: its tone has a valley
there, or at least a step. Without either the middle of the gap between the two texts is taken, and
that is doubtful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from app.prepare.look import Look

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDE_AS_A_SPREAD = 1.05  # width over height of the lit page, from which it may hold two
MIDDLE = (0.3, 0.7)  # the fold lies between, in shares of the width
CLEAR_GAP = 0.012  # of the width: a gap between two columns is narrower
SURE_VALLEY = 0.06  # of the paper's tone
SURE_STEP = 0.02


class Gutter(NamedTuple):
    """The line between two pages, in pixels of the look."""

    top: float  # x at the upper edge
    bottom: float  # x at the lower edge
    confidence: float  # 0..1


def find_gutter(look: Look) -> Gutter | None:
    """Find the fold of an upright spread; None where there is a single page."""
    left, top, right, bottom = lit_box(look)
    width, height = right - left, bottom - top
    if width < WIDE_AS_A_SPREAD * height:
        return None
    lit = look.part(left, top, right, bottom)
    free = _free_of_print(lit)
    low, high = (round(share * width) for share in MIDDLE)
    free[:low] = free[high:] = False
    if not free.any():
        return None
    tone = _tones(lit)
    found = _valley(tone.mean(axis=0), free) or _step(tone.mean(axis=0), free) or _gap(free)
    if found is None:
        return None
    x, confidence = found
    x, lean = _traced(tone, x) if confidence >= 1 else (x, 0.0)
    balance = min(x, width - x) / max(x, width - x)
    confidence = min(confidence, 1.0) * (1.0 if balance > 0.6 else 0.4)
    return Gutter(left + x - lean / 2, left + x + lean / 2, confidence)


def lit_box(look: Look) -> tuple[int, int, int, int]:
    """The box around the lit page: left, top, right, bottom."""
    columns, rows = look.page.mean(axis=0) > 0.3, look.page.mean(axis=1) > 0.3
    if not columns.any() or not rows.any():
        return 0, 0, look.width_px, look.height_px
    xs, ys = np.flatnonzero(columns), np.flatnonzero(rows)
    return int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1


def _free_of_print(look: Look) -> NDArray[np.bool_]:
    """Columns in a clear gap between letters."""
    letters = look.letters.sum(axis=0)
    quiet = letters <= max(2.0, 0.04 * float(np.percentile(letters, 80)))
    least = max(3, round(CLEAR_GAP * look.width_px)) | 1
    mask = quiet.astype(np.uint8)[None]
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((1, least), np.uint8))
    return np.asarray(opened[0], bool)


def _tones(look: Look) -> NDArray[np.float64]:
    """The tone of each column of paper in some bands from top to bottom, 0..1; (bands, W)."""
    bands = np.array_split(look.grey, 12, axis=0)
    rows = [_without_rules(np.percentile(band[::2], 60, axis=0)) for band in bands]
    return np.stack(rows).astype(np.float64) / 255


def _without_rules(tone: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Thin dark lines are printed; what bends into a fold is wider."""
    width = max(3, len(tone) // 160) | 1
    return np.asarray(cv2.medianBlur(tone.astype(np.uint8)[None], width), np.uint8)[0]


def _nearness(width: int) -> NDArray[np.float64]:
    """1 in the middle of the spread, half at the ends of where a fold may lie."""
    off = np.abs(np.linspace(-1, 1, width)) / (MIDDLE[1] - MIDDLE[0])
    return 1 - 0.5 * np.minimum(off, 1.0) ** 2


def _valley(tone: NDArray[np.float64], free: NDArray[np.bool_]) -> tuple[float, float] | None:
    """The darkest place of the fold, against the paper on both sides."""
    reach = max(5, len(tone) // 16)
    left = np.asarray(cv2.dilate(tone[None], np.ones((1, reach)), anchor=(reach - 1, 0)))[0]
    right = np.asarray(cv2.dilate(tone[None], np.ones((1, reach)), anchor=(0, 0)))[0]
    depth = np.where(free, np.minimum(left, right) - tone, 0.0) * _nearness(len(tone))
    x = int(np.argmax(depth))
    if depth[x] < SURE_VALLEY / 2:
        return None
    deep = np.flatnonzero(depth > 0.8 * depth[x])
    deep = deep[np.abs(deep - x) < reach]
    return float(deep.mean()), float(depth[x] / SURE_VALLEY)


def _step(tone: NDArray[np.float64], free: NDArray[np.bool_]) -> tuple[float, float] | None:
    """A sudden change from one paper to the other."""
    step = np.zeros_like(tone)
    step[3:-3] = np.abs(tone[6:] - tone[:-6])
    step[~free] = 0
    step *= _nearness(len(tone))
    x = int(np.argmax(step))
    if step[x] < SURE_STEP:
        return None
    return float(x), min(0.99, 0.5 + step[x])


def _gap(free: NDArray[np.bool_]) -> tuple[float, float] | None:
    """The middle of the widest gap: at least between the two texts."""
    padded = np.concatenate([[0], free.astype(np.int8), [0]])
    starts, ends = np.flatnonzero(np.diff(padded) == 1), np.flatnonzero(np.diff(padded) == -1)
    widest = int(np.argmax(ends - starts))
    return float(starts[widest] + ends[widest]) / 2, 0.4


def _traced(tone: NDArray[np.float64], x: float) -> tuple[float, float]:
    """The fold followed from top to bottom: where it lies, and how far it moves to the right."""
    reach = max(5, tone.shape[1] // 30)
    low, high = max(0, round(x) - reach), min(tone.shape[1], round(x) + reach + 1)
    band = np.asarray(cv2.blur(tone[:, low:high], (5, 1)), np.float64)
    darkest = band.argmin(axis=1) + low
    rows = (np.arange(len(darkest)) + 0.5) / len(darkest) - 0.5
    lean = _median_slope(rows, darkest)
    return float(np.median(darkest - lean * rows)), lean


def _median_slope(rows: NDArray[np.float64], places: NDArray[np.int64]) -> float:
    """Source: Theil 1950, Sen 1968: the median of the slopes of all pairs; odd ones do no harm."""
    first, second = np.triu_indices(len(rows), k=1)
    return float(np.median((places[second] - places[first]) / (rows[second] - rows[first])))
