"""A page's image fetched and looked at: what it needs, and whether there is print on it.

Called on `jobs`; waits for the queue of images.
"""

from __future__ import annotations

from app.book import Page
from app.pages import PageInfo, PageQueue, Priority
from app.prepare.look import LONGEST_SIDE_PX
from app.prepare.propose import propose
from app.prepare.treat import pixels_of
from app.prepare.treatment import NO_TREATMENT, Proposal, Side, Step, Treatment


def proposal_for(
    page: Page, images: PageQueue, *, steps: frozenset[Step], rtl: bool
) -> tuple[Proposal | None, PageInfo]:
    """What a page seems to need, None for nothing; and what is known of its master.

    Raises:
        SourceError: its image cannot be had.
    """
    info = images.page_info(page.number, priority=Priority.READER).result()
    fit = (LONGEST_SIDE_PX, LONGEST_SIDE_PX)
    raster = images.image(page.number, fit=fit, priority=Priority.READER).result()
    chosen = page.treatment
    part = NO_TREATMENT
    if chosen.side is not Side.WHOLE:
        part = Treatment(quarters=chosen.quarters, fold=chosen.fold, side=chosen.side)
    found = propose(pixels_of(raster), info.size, steps=steps, rtl=rtl, part=part)
    return (found if found.confidence else None), info
