"""What a page seems to need: treatments found on its pixels, each with how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.book import PageSize
from app.prepare.curves import find_bend
from app.prepare.edges import find_content, find_paper
from app.prepare.gutter import find_gutter
from app.prepare.look import Look, look_at
from app.prepare.page_map import PageMap
from app.prepare.skew import find_skew
from app.prepare.treatment import (
    NO_TREATMENT,
    SURE,
    USUAL_STEPS,
    Curve,
    Fold,
    Proposal,
    Side,
    Step,
    Treatment,
)
from app.prepare.turn import find_turn
from model.api import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SKEW = 0.08  # degrees; less is not worth new pixels
UNEVEN = 0.14  # of the paper's tone between its lightest and its darkest parts


def propose(
    pixels: NDArray[np.uint8],
    size: PageSize,
    *,
    steps: frozenset[Step] = USUAL_STEPS,
    rtl: bool = False,
    part: Treatment = NO_TREATMENT,
) -> Proposal:
    """Find what a scan needs, each page of an open book for itself.

    Args:
        pixels: the master at any scale, (H, W) grey or (H, W, 3) RGB, uint8.
        size: of the master.
        steps: only these are looked for.
        rtl: the book is read from right to left: the right page comes first.
        part: of a page that is one side of a spread: its fold and side, which stay.
    """
    look = look_at(pixels)
    scale = look.width_px / size.width_px
    found = _Found(part, {})
    if part.side is not Side.WHOLE:
        return _whole(look.turned(part.quarters), found, size, scale, steps).proposal()
    if "turn" in steps:
        look, found = _turned(look, found)
    sides = _split(look, found, scale) if "split" in steps else None
    if sides is None:
        return _whole(look, found, size, scale, steps).proposal()
    first, second = (_whole(look, side, size, scale, steps) for side in sides[:: -1 if rtl else 1])
    sure: dict[Step, float] = {
        step: min(each.sure.get(step, 1.0) for each in (first, second))
        for step in (*first.sure, *second.sure)
    }
    return Proposal(first.treatment, tuple(sure.items()), second.treatment)


@dataclass(frozen=True)
class _Found:
    """As far as the search has come."""

    treatment: Treatment
    sure: dict[Step, float]

    def add(self, step: Step, confidence: float, **changes: object) -> _Found:
        treatment = replace(self.treatment, **changes)  # pyright: ignore[reportArgumentType]
        return _Found(treatment, {**self.sure, step: confidence})

    def proposal(self) -> Proposal:
        return Proposal(self.treatment, tuple(self.sure.items()))


def _turned(look: Look, found: _Found) -> tuple[Look, _Found]:
    turn = find_turn(look)
    if not turn.quarters:
        return look, found
    if turn.confidence < SURE / 2:  # as good as a guess: not even proposed
        return look, found
    return look.turned(turn.quarters), found.add("turn", turn.confidence, quarters=turn.quarters)


def _split(look: Look, found: _Found, scale: float) -> tuple[_Found, _Found] | None:
    gutter = find_gutter(look)
    if gutter is None:
        return None
    fold = Fold(gutter.top / scale, gutter.bottom / scale)
    left = found.add("split", gutter.confidence, fold=fold, side=Side.LEFT)
    right = found.add("split", gutter.confidence, fold=fold, side=Side.RIGHT)
    return left, right


def _whole(
    look: Look, found: _Found, size: PageSize, scale: float, steps: frozenset[Step]
) -> _Found:
    """What one page needs once it is known which part of the scan it is."""
    mine, left = _own_part(look, found.treatment, scale)
    if "deskew" in steps:
        found = _deskewed(mine, found)
    straight, origin = _straight(mine, found.treatment, size, scale, left)
    paper = Box(0, 0, straight.width_px, straight.height_px)
    if "crop" in steps:
        edges = find_paper(straight)
        paper = edges.box
        if paper.width * paper.height < 0.97 * straight.width_px * straight.height_px:
            found = found.add("crop", edges.confidence, crop=_box(paper, origin, scale))
    if "content" in steps and (content := find_content(straight, paper)):
        found = found.add("content", content.confidence, content=_box(content.box, origin, scale))
    bend = find_bend(straight) if "dewarp" in steps else None
    if bend is not None and bend.confidence >= SURE / 2:
        curve = _curve(bend.curve, origin, scale)
        found = found.add("dewarp", bend.confidence, curve=curve)
    if "light" in steps and _unevenness(straight, paper) > UNEVEN:
        found = found.add("light", 1.0, even_light=True)
    return found


def _own_part(look: Look, treatment: Treatment, scale: float) -> tuple[Look, int]:
    """The page without the one beyond its fold, and where it begins."""
    fold = treatment.fold
    if fold is None or treatment.side is Side.WHOLE:
        return look, 0
    if treatment.side is Side.LEFT:
        return look.part(0, 0, round(min(fold) * scale), look.height_px), 0
    left = round(max(fold) * scale)
    return look.part(left, 0, look.width_px, look.height_px), left


def _deskewed(look: Look, found: _Found) -> _Found:
    skew = find_skew(look)
    if abs(skew.degrees) < LEAST_SKEW or skew.confidence < SURE / 2:
        return found
    return found.add("deskew", skew.confidence, skew_degrees=round(skew.degrees, 3))


def _straight(
    look: Look, treatment: Treatment, size: PageSize, scale: float, left: int
) -> tuple[Look, tuple[float, float]]:
    """The straight page, and where its corner lies in the straight frame, in pixels of the look."""
    if not treatment.skew_degrees:
        return look, (float(left), 0.0)
    centre = np.array([[left + look.width_px / 2, look.height_px / 2]]) / scale
    page = PageMap(size, treatment)
    x, y = page.to_straight(page.turned_to_master(centre))[0] * scale
    return look.rotated(-treatment.skew_degrees), (x - look.width_px / 2, y - look.height_px / 2)


def _box(box: Box, origin: tuple[float, float], scale: float) -> Box:
    """A box of the straight look in pixels of the master's size."""
    x, y = origin
    edges = (box.left + x, box.top + y, box.right + x, box.bottom + y)
    return Box(*(round(edge / scale, 1) for edge in edges))


def _curve(curve: Curve, origin: tuple[float, float], scale: float) -> Curve:
    drops = tuple(round(drop / scale, 2) for drop in curve.drops)
    return Curve(_box(curve.box, origin, scale), curve.columns, drops)


def _unevenness(look: Look, paper: Box) -> float:
    """How much darker the darkest parts of the paper are than its lightest, 0..1."""
    inner = look.paper[
        round(paper.top) : round(paper.bottom), round(paper.left) : round(paper.right)
    ]
    if inner.size == 0:
        return 0.0
    low, high = np.percentile(inner[::8, ::8], (8, 92))
    return float(1 - low / max(high, 1))
