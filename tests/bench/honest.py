"""Rows about honesty checks: alarms on pages of known text, read by the line and small readers.

A page that was read with under 2 % of its letters wrong needs no alarm, one with over 10 % does; of
those between nothing is asked, and they are told in the notes. Leader dots and what a library
stamped on its copy are left out of both texts, as in the rows about doubts. What was read comes
from the cache of `tests.bench.doubting`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from app.accuracy import score
from app.book import Reason, Region
from app.checking import book_wide
from app.desk.concerns import Standing
from app.desk.honesty import standing
from app.desk.ink import print_on
from app.desk.verdict import verdict
from app.measure import pages_with_truth
from app.pages import open_pages
from app.sheets import Sheet, Sheets
from model.api import Block, Box, PageRead
from tests.bench.doubting import PAGES, long_book, readings_by
from tests.bench.report import Measured
from tests.bench.true_words import without_stamps
from tests.conftest import SHARED

WELL, BADLY = 0.02, 0.10  # share of letters wrong
_LEADERS = re.compile(r"\s*(?:[.·•…]\s?){4,}\s*")
ENGINES = ("line-reader", "unlimited-ocr")


class Judged(NamedTuple):
    """One page read by one engine."""

    name: str
    error: float  # share of letters wrong, loose
    reasons: tuple[Reason, ...]
    print_s: float  # to find the print of the image
    check_s: float  # to hold the text beside it

    def __str__(self) -> str:
        return f"{self.name} ({self.error:.1%}: {', '.join(self.reasons) or 'no alarm'})"


def measure_honesty_false(_folder: Path) -> Measured:
    """Alarms on pages that were read well."""
    well = [page for page in _judged() if page.error < WELL]
    alarmed = [page for page in well if page.reasons]
    between = [page for page in _judged() if WELL <= page.error <= BADLY]
    share = len(alarmed) / max(1, len(well))
    notes = (
        f"alarmed: {', '.join(map(str, alarmed)) or 'none'}",
        f"of {len(between)} pages between: {sum(bool(page.reasons) for page in between)} alarmed",
    )
    return Measured(share, f"{len(alarmed)} of {len(well)} pages", notes=notes)


def measure_honesty_missed(_folder: Path) -> Measured:
    """Pages that were read badly without an alarm."""
    badly = [page for page in _judged() if page.error > BADLY]
    silent = [page for page in badly if not page.reasons]
    share = len(silent) / max(1, len(badly))
    return Measured(
        share,
        f"{len(silent)} of {len(badly)} pages",
        notes=(f"silent: {', '.join(map(str, silent)) or 'none'}", ", ".join(map(str, badly))),
    )


def measure_honesty_time(_folder: Path) -> Measured:
    """What the checks cost a page on the reading thread, beside looking for print at all."""
    pages = _judged()
    slowest = max(pages, key=lambda page: page.check_s)
    found = median(page.print_s for page in pages)
    note = f"processor time; finding the print takes {found * 1000:.0f} ms more, median"
    shown = f"{slowest.check_s * 1000:.0f} ms at most ({slowest.name})"
    return Measured(slowest.check_s, shown, notes=(note,))


def measure_honesty_book(folder: Path) -> Measured:
    """Compare the pages of a long book with each other."""
    store = long_book(folder / "honest.sqlite")
    begun_s, busy_s = time.monotonic(), time.process_time()
    book_wide(store)
    took_s, busy_s = time.monotonic() - begun_s, time.process_time() - busy_s
    store.close()
    return Measured(
        took_s, f"{took_s:.1f} s", notes=(f"{busy_s:.1f} s of one core, {PAGES} pages",)
    )


@cache
def _judged() -> tuple[Judged, ...]:
    """Every page by every engine that has read it."""
    return tuple(page for engine in ENGINES for page in _by(engine))


def _by(engine: str) -> Iterator[Judged]:
    read = readings_by(engine)
    for path, (truth, *_) in pages_with_truth(SHARED / "dev"):
        if path.stem not in read:
            continue
        with closing(open_pages([path])) as images:
            sheet = Sheets(images, range(1)).fetch(0)
        regions = read[path.stem]
        text = _compared("\n".join(region.text for region in regions))
        name = f"{path.stem} by {engine}"
        reasons, print_s, check_s = _verdict(engine, sheet, regions)
        yield Judged(name, score(text, _compared(truth)).loose.rate, reasons, print_s, check_s)


def _compared(text: str) -> str:
    return _LEADERS.sub(" ", without_stamps(text))


def _verdict(
    engine: str, sheet: Sheet, regions: tuple[Region, ...]
) -> tuple[tuple[Reason, ...], float, float]:
    blocks = tuple(_block(region, sheet.scale) for region in regions)
    begun_s = time.process_time()
    seen = print_on(np.asarray(sheet.image.pixels))
    found_s = time.process_time()
    stands: Standing = standing(blocks, seen)
    read = PageRead(0, blocks)
    said = verdict(read, has_ink=seen.is_print, concerns=stands.concerns, engine=engine)
    return said.reasons, found_s - begun_s, time.process_time() - found_s


def _block(region: Region, scale: float) -> Block:
    """A region as the engine gave it: on the image that it read."""
    box = None if region.box is None else Box(*(edge * scale for edge in region.box))
    return Block(region.kind, region.text, box, words=region.words, score=region.score)
