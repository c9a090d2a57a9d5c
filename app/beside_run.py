"""A page, or a part of it, read once more by another engine or in another mode.

What comes of it is kept beside the page's current reading and never takes its place by itself. Runs
on the thread `reading`; nothing of it streams.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from app.book import Page, PageState, Reading, Source
from app.desk.honesty import standing
from app.desk.ink import print_on
from app.desk.part import PART
from app.desk.verdict import verdict
from app.pages import PageQueue
from app.read_order import BesideOrder, Outcome
from app.regions import standing_on_page, to_regions
from app.run_control import RunControl
from app.sheets import Sheet, Sheets
from model.api import Block, Box, PageEnd, PageImage, PageRead, Recogniser, Span

log = logging.getLogger(__name__)

MARGIN_PX = 12  # of the image, around a part that is read alone


class BesideRun:
    """Reads with a loaded engine, one page or part after the other."""

    def __init__(self, images: PageQueue, recogniser: Recogniser, control: RunControl) -> None:
        self._images = images
        self._recogniser = recogniser
        self._control = control

    def read(self, order: BesideOrder) -> tuple[Page, Reading] | None:
        """Read what is ordered and save it.

        Returns:
            The page as stored and the new reading; None when it was stopped before its end.

        Raises:
            SourceError: the page cannot be decoded.
            ModelError: the engine failed on it.
        """
        sheet = Sheets(self._images, (order.page,)).fetch(order.page)
        room = None if order.box is None else _room(order.box, sheet)
        read = self._read_image(sheet.image if room is None else _cut(sheet.image, room), order)
        if read is None or read.end is PageEnd.STOPPED:
            return None
        if room is not None:
            read = replace(read, blocks=tuple(_moved(each, room) for each in read.blocks))
        outcome = self._outcome(order, sheet, read)
        assert outcome.reading is not None
        before = order.save(outcome)
        return before, outcome.reading

    def _read_image(self, image: PageImage, order: BesideOrder) -> PageRead | None:
        recogniser = self._recogniser
        mode = recogniser.modes[-1] if order.in_other_mode else None
        for step in recogniser.read([image], self._control.stop, mode=mode):
            if isinstance(step, PageRead):
                return step
            self._control.wait()
        return None

    def _outcome(self, order: BesideOrder, sheet: Sheet, read: PageRead) -> Outcome:
        regions = to_regions(read.blocks, scale=sheet.scale, page_map=sheet.page_map)
        engine = self._recogniser.source
        if order.in_other_mode:
            engine = replace(engine, mode=self._recogniser.modes[-1])
        if order.box is not None:
            edges = " ".join(str(round(edge)) for edge in order.box)
            part = replace(engine, settings=(*engine.settings, (PART, edges)))
            reading = Reading(regions, Source("model", datetime.now(UTC), engine=part))
            return Outcome(order.page, PageState.READ, reading=reading, make_current=False)
        seen = print_on(sheet.image.pixels)
        stands = standing(read.blocks, seen)
        state, reasons = verdict(
            read, has_ink=seen.is_print, concerns=stands.concerns, engine=engine.engine
        )
        return Outcome(
            order.page,
            state,
            reasons,
            Reading(regions, Source("model", datetime.now(UTC), engine=engine)),
            make_current=False,
            standing=standing_on_page(stands, sheet.scale, sheet.page_map),
        )


def _room(box: Box, sheet: Sheet) -> Box:
    """A box of the page in whole pixels of its image, with a margin."""
    placed = box if sheet.page_map is None else sheet.page_map.box_to_prepared(box)
    height, width = sheet.image.pixels.shape[:2]
    left, top, right, bottom = (edge * sheet.scale for edge in placed)
    left, top = max(0, int(left) - MARGIN_PX), max(0, int(top) - MARGIN_PX)
    right, bottom = min(width, round(right) + MARGIN_PX), min(height, round(bottom) + MARGIN_PX)
    return Box(
        min(left, width - 1), min(top, height - 1), max(right, left + 1), max(bottom, top + 1)
    )


def _cut(image: PageImage, room: Box) -> PageImage:
    left, top, right, bottom = map(int, room)
    return PageImage(np.ascontiguousarray(image.pixels[top:bottom, left:right]), image.dpi)


def _moved(block: Block, room: Box) -> Block:
    """A block of a part, where it is in the whole image."""
    return replace(
        block,
        box=None if block.box is None else _on_whole(block.box, room),
        lines=tuple(_spans_on_whole(block.lines, room)),
        words=tuple(_spans_on_whole(block.words, room)),
    )


def _spans_on_whole(spans: tuple[Span, ...], room: Box) -> Iterator[Span]:
    return (span._replace(box=_on_whole(span.box, room)) for span in spans)


def _on_whole(box: Box, room: Box) -> Box:
    return Box(
        box.left + room.left, box.top + room.top, box.right + room.left, box.bottom + room.top
    )
