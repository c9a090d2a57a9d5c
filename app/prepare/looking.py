"""A page's image fetched and looked at: what it needs, and whether there is print on it.

Called on `jobs`; waits for the queue of images.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from app.book import Page
from app.desk.ink import has_ink
from app.pages import PageInfo, PageQueue, Priority
from app.prepare.look import LONGEST_SIDE_PX, look_at
from app.prepare.propose import propose
from app.prepare.treat import pixels_of
from app.prepare.treatment import NO_TREATMENT, TONES, Print, Proposal, Side, Step, Treatment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PALE_MARKS = 60  # so many pale letters are the print of the other side, not grain of the paper


class Seen(NamedTuple):
    """What was seen of a page."""

    info: PageInfo
    proposal: Proposal | None  # None: it needs nothing
    print: Print


def look_at_page(page: Page, images: PageQueue, *, steps: frozenset[Step], rtl: bool) -> Seen:
    """Look at one page.

    Raises:
        SourceError: its image cannot be had.
    """
    info = images.page_info(page.number, priority=Priority.READER).result()
    fit = (LONGEST_SIDE_PX, LONGEST_SIDE_PX)
    raster = images.image(page.number, fit=fit, priority=Priority.READER).result()
    pixels = pixels_of(raster)
    print_ = print_on(pixels)
    if print_ is not Print.THERE or not steps:
        return Seen(info, None, print_)
    chosen = page.treatment
    part = NO_TREATMENT
    if chosen.side is not Side.WHOLE:
        part = Treatment(quarters=chosen.quarters, fold=chosen.fold, side=chosen.side)
    found = propose(pixels, info.size, steps=steps, rtl=rtl, part=part)
    is_new = found.second is not None or found.treatment != _without_tones(chosen)
    return Seen(info, found if found.confidence and is_new else None, print_)


def _without_tones(treatment: Treatment) -> Treatment:
    return replace(treatment, **dict.fromkeys(TONES, False))


def print_on(pixels: NDArray[np.uint8]) -> Print:
    """Tell whether a page has print of its own, only that of its other side, or none.

    Args:
        pixels: (H, W) grey or (H, W, 3) RGB, uint8.
    """
    if has_ink(pixels):
        return Print.THERE
    pale = look_at(pixels, darker_than_paper=0.93).letter_boxes
    return Print.SHOWS_THROUGH if len(pale) >= PALE_MARKS else Print.NONE
