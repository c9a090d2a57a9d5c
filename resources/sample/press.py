"""Ink: every letter and rule of a page as an outline, drawn where the scan sees it."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from resources.sample.geometry import SIZE_PX, Lie
from resources.sample.paper import Placed, PrintedPage, Rule
from resources.sample.setting import Run

FINER = 4  # drawn so many times larger, then averaged
FRACTION_BITS = 4  # of a pixel, in OpenCV's whole numbers

Shape = list[np.ndarray]  # closed polygons, each (N, 2), points of the page


def ink_of(page: PrintedPage, lie: Lie) -> np.ndarray:
    """Draw a page as the scan sees it.

    Returns:
        Share of each pixel that is under ink, (height, width), float32, 0..1.
    """
    width, height = SIZE_PX
    mask = np.zeros((height * FINER, width * FINER), np.uint8)
    for shape in shapes_of(page):
        corners = [
            np.round(lie.place(polygon) * FINER * 2**FRACTION_BITS).astype(np.int32)
            for polygon in shape
        ]
        cv2.fillPoly(mask, corners, 255, lineType=cv2.LINE_8, shift=FRACTION_BITS)
    small = cv2.resize(mask, SIZE_PX, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255


def shapes_of(page: PrintedPage) -> Iterator[Shape]:
    """Everything that is printed on a page."""
    for block in page.blocks:
        for row in block.rows:
            for placed in row:
                yield from line_shapes(placed)
    for rule in page.rules:
        yield [_bar(rule)]
    if page.device_pt:
        yield from _device(*page.device_pt)


def line_shapes(placed: Placed) -> Iterator[Shape]:
    """The letters of one line."""
    for run in placed.line.runs:
        yield from _letters(run, placed.x_pt + run.x_pt, placed.y_pt + run.y_pt)


def _letters(run: Run, x_pt: float, y_pt: float) -> Iterator[Shape]:
    scale = run.size_pt / run.face.units_per_em
    for glyph in run.glyphs:
        pen = np.array([x_pt + glyph.x * scale, y_pt - glyph.y * scale])
        shape = [polygon * (scale, -scale) + pen for polygon in run.face.outline(glyph.id)]
        if shape:
            yield shape
        x_pt += glyph.advance * scale + run.tracking_pt


def _bar(rule: Rule) -> np.ndarray:
    """A rule, cut along its length so that it can bend with the page."""
    x = np.linspace(rule.x_pt, rule.x_pt + rule.width_pt, 20)
    half = rule.thickness_pt / 2
    upper = np.stack([x, np.full_like(x, rule.y_pt - half)], axis=1)
    lower = np.stack([x, np.full_like(x, rule.y_pt + half)], axis=1)
    return np.concatenate([upper, lower[::-1]])


def _device(x_pt: float, y_pt: float) -> Iterator[Shape]:
    """The printer's device: an open book with lines on its leaves."""
    middle = np.array([x_pt, y_pt])
    for side in (-1, 1):
        across = np.linspace(0, 30, 24)
        rise = 5.0 * np.sin(across / 30 * np.pi * 0.9)
        leaf = np.stack([side * across, -rise], axis=1)
        for y in (-18.0, 18.0):
            yield [_stroke(leaf + np.array([0.0, y]) + middle, 1.1)]
        for y in (-10.5, -4.5, 1.5, 7.5):
            yield [_stroke(leaf[4:20] + np.array([0.0, y]) + middle, 0.55)]
        edge = np.array([[side * 30.0, -18 - rise[-1]], [side * 30.0, 18 - rise[-1]]])
        yield [_stroke(edge + middle, 1.1)]
    yield [_stroke(np.array([[0.0, -18.0], [0.0, 18.0]]) + middle, 1.1)]


def _stroke(path: np.ndarray, thickness_pt: float) -> np.ndarray:
    """A line along a path, as a closed polygon."""
    along = np.gradient(path, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    across *= thickness_pt / 2 / np.linalg.norm(across, axis=1, keepdims=True)
    return np.concatenate([path + across, (path - across)[::-1]])
