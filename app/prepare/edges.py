"""Where the paper ends and the table begins, and which part of the paper is printed.

Both look at an upright, straight page and answer in its pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from app.prepare.look import Look
from model.api import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAPER_SHARE = 0.8  # of a row or column that lies on the page
WITHIN = 0.002  # of the longer side, cut off the found edge: its shadow
LEAST_PAPER = 0.35  # of the image; less is no page
STRAY = 0.015  # share of the marks that may be grain of the binding instead of letters
AT_EDGE = 0.012  # of the width: marks so near the edge are stains and thumbs
MARGIN = 1.2  # letters, left round the printed part


class Found(NamedTuple):
    """A box on the look."""

    box: Box
    confidence: float  # 0..1


def find_paper(look: Look) -> Found:
    """Find the page on the dark table; the whole image where there is no table to be seen."""
    whole = Box(0, 0, look.width_px, look.height_px)
    left, right = _run(_coverage(look.page, axis=0))
    top, bottom = _run(_coverage(look.page, axis=1))
    if (right - left) * (bottom - top) < LEAST_PAPER * whole.width * whole.height:
        return Found(whole, 0.0)
    cut = WITHIN * max(whole.width, whole.height)
    box = Box(
        left + cut if left > 1 else 0,
        top + cut if top > 1 else 0,
        right - cut if right < whole.right - 1 else whole.right,
        bottom - cut if bottom < whole.bottom - 1 else whole.bottom,
    )
    lost = _letters_outside(look, box)
    return Found(box, float(np.clip(1.0 - 12 * (lost - STRAY), 0, 1)))


def find_content(look: Look, paper: Box) -> Found | None:
    """Find the printed part of the page within its paper; None where there is no print."""
    edge = AT_EDGE * paper.width
    inner = [round(paper.left + edge), round(paper.top + edge)]
    inner += [round(paper.right - edge), round(paper.bottom - edge)]
    part = look.part(*inner)
    size = part.letter_px
    if not size:
        return None
    words = _joined(part, size)
    count, _, stats, _ = cv2.connectedComponentsWithStats(words, connectivity=8)
    is_text = stats[:, cv2.CC_STAT_AREA] > (1.2 * size) ** 2
    is_text[0] = False
    if count < 2 or not is_text.any():
        return None
    kept = stats[is_text]
    left, top = kept[:, 0].min(), kept[:, 1].min()
    right, bottom = (kept[:, 0] + kept[:, 2]).max(), (kept[:, 1] + kept[:, 3]).max()
    margin = MARGIN * size
    box = Box(
        max(paper.left, inner[0] + left - margin),
        max(paper.top, inner[1] + top - margin),
        min(paper.right, inner[0] + right + margin),
        min(paper.bottom, inner[1] + bottom + margin),
    )
    share = box.width * box.height / max(1.0, paper.width * paper.height)
    return Found(box, float(np.clip((share - 0.1) / 0.3, 0, 1)))


def _coverage(page: NDArray[np.uint8], *, axis: int) -> NDArray[np.float64]:
    """The share of page in each column (axis 0) or row, looked at in the middle half."""
    height, width = page.shape
    if axis == 0:
        return page[height // 4 : height - height // 4].mean(axis=0)
    return page[:, width // 4 : width - width // 4].mean(axis=1)


def _run(coverage: NDArray[np.float64]) -> tuple[int, int]:
    """The longest stretch that is page, small holes counting as page."""
    smooth = np.convolve(np.pad(coverage, 4, mode="edge"), np.ones(9) / 9, mode="valid")
    padded = np.concatenate([[0], (smooth > PAPER_SHARE).astype(np.int8), [0]])
    starts, ends = np.flatnonzero(np.diff(padded) == 1), np.flatnonzero(np.diff(padded) == -1)
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest])


def _letters_outside(look: Look, box: Box) -> float:
    """Share of the letters that the box would cut off."""
    kept = look.letter_boxes
    if not len(kept):
        return 0.0
    x, y = kept[:, 0] + kept[:, 2] / 2, kept[:, 1] + kept[:, 3] / 2
    out = (x < box.left) | (x > box.right) | (y < box.top) | (y > box.bottom)
    return float(out.mean())


def _joined(look: Look, size: float) -> NDArray[np.uint8]:
    """Letters joined to words and lines."""
    wide, high = max(3, round(1.5 * size)) | 1, max(3, round(0.8 * size)) | 1
    return np.asarray(
        cv2.morphologyEx(look.letters, cv2.MORPH_CLOSE, np.ones((high, wide), np.uint8)), np.uint8
    )
