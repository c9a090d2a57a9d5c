"""Rows about page preparation: what is found on pages derived from real ones, and what it is worth.

The lean of a real page is not known; what is measured is by how much the lean found changes when
the page is rotated by a known angle.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.accuracy import NO_PAGES, Score, score
from app.book import PageSize
from app.prepare.gutter import find_gutter
from app.prepare.look import look_at
from app.prepare.page_map import PageMap
from app.prepare.propose import propose
from app.prepare.skew import find_skew
from app.prepare.treat import moved, pixels_of, raster_of, treated
from app.prepare.treatment import Side, Treatment
from model import api
from tests.bench import derived
from tests.bench.report import Measured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

ANGLES = (-5.0, -3.0, -1.8, -0.9, -0.4, 0.3, 0.7, 1.5, 2.6, 4.2)
NEIGHBOURS = (0, 1, 3, 5)  # which page lies beside each in the spreads
PROSE = (
    "fr-nubis-m35r_1921_1",
    "es-pardo-1894",
    "fr-nubis-17b9_1886_1",
    "es-sioen-1879",
    "es-holmberg-1879",
    "fr-nubis-1cz0_1619_1",
    "fr-g17-prose",
    "fr-kovalewsky-1893",
    "en-oldbailey-1841",
    "en-se2-textonly1",
)
A4_PX = (2480, 3508)
RUNS = 3


def measure_prepare_skew(_folder: Path) -> Measured:
    """The middle error of the lean found."""
    errors = _skew_errors()
    return Measured(median(errors), f"{median(errors):.3f}° ({len(errors)} pages)")


def measure_prepare_skew_most(_folder: Path) -> Measured:
    """The error under which 95 of 100 pages lie."""
    most = float(np.percentile(_skew_errors(), 95))
    return Measured(most, f"{most:.3f}°")


def measure_prepare_gutter(_folder: Path) -> Measured:
    """The share of spreads whose fold is found more than 1 % of the width from where it is."""
    errors = list(_gutter_errors())
    missed = 100 * sum(error > 0.01 for error in errors) / len(errors)
    shown = f"{missed:.1f} % of {len(errors)} spreads (middle error {median(errors):.2%})"
    return Measured(missed, shown)


def measure_prepare_time(_folder: Path) -> Measured:
    """Finding everything that a page needs and doing it, A4 at 300 ppi in colour.

    Time of all cores together, which other work does not change; on idle ones it is not longer.
    """
    pages = [scan.pixels for scan in derived.scans(paper_only=True)]
    taken_s = [_prepare_s(page) for page in pages for _run in range(RUNS)]
    worst = float(np.percentile(taken_s, 95))
    return Measured(worst, f"{worst:.2f} s (p95 of {len(taken_s)}, middle {median(taken_s):.2f} s)")


def measure_prepare_errors(_folder: Path) -> Measured:
    """Points of character error by which prepared pages are read worse than undisturbed ones."""
    with api.load(api.choose(None, api.Engine.LINE_READER)) as reader:
        before, after = _error_table(lambda pixels: _read(reader, pixels))
    points = {name: 100 * (each.loose.rate - before.loose.rate) for name, each in after.items()}
    worst = max(points.values())
    told = ", ".join(f"{name} {value:+.2f}" for name, value in points.items())
    return Measured(worst, f"{worst:+.2f} points ({told}; undisturbed {before.loose.rate:.2%})")


class _Disturbed(NamedTuple):
    """What was done to a page, and what preparation made of it."""

    name: str
    prepared: Pixels


def _error_table(read: Callable[[Pixels], str]) -> tuple[Score, dict[str, Score]]:
    """All pages pooled: undisturbed, and after each disturbance and preparation."""
    papers = {scan.name: scan.pixels for scan in derived.scans(paper_only=True)}
    before, after = NO_PAGES, dict[str, Score]()
    for at, name in enumerate(PROSE):
        truth, pixels = derived.true_text(name), papers[name]
        before = before.pooled(score(read(pixels), truth))
        beside = papers[PROSE[(at + 1) % len(PROSE)]]
        for each in _disturbed(pixels, beside, np.random.default_rng(at)):
            result = score(read(each.prepared), truth)
            after[each.name] = after.get(each.name, NO_PAGES).pooled(result)
    return before, after


def _disturbed(pixels: Pixels, beside: Pixels, rng: np.random.Generator) -> Iterator[_Disturbed]:
    leaning = derived.leaning(pixels, float(rng.uniform(1, 4) * rng.choice((-1, 1))))
    yield _Disturbed("leaning", _prepared(leaning))
    lying = np.ascontiguousarray(np.rot90(derived.bordered(pixels, rng), int(rng.integers(1, 4))))
    yield _Disturbed("turned and bordered", _prepared(lying))
    yield _Disturbed("bent", _prepared(derived.bent(pixels, rng)))
    yield _Disturbed("in a spread", _prepared(derived.spread(pixels, beside, rng).pixels))


def _prepared(pixels: Pixels) -> Pixels:
    """What the reader is given; of a spread its left page."""
    size = PageSize(pixels.shape[1], pixels.shape[0], 300)
    return _done(pixels, size, propose(pixels, size).treatment)


def _done(pixels: Pixels, size: PageSize, treatment: Treatment) -> Pixels:
    page = PageMap(size, treatment)
    return pixels_of(treated(raster_of(pixels, scale=1.0), page, treatment))


def _read(reader: api.Recogniser, pixels: Pixels) -> str:
    for step in reader.read([api.PageImage(np.ascontiguousarray(pixels))], api.Stop()):
        if isinstance(step, api.PageRead):
            return "\n".join(block.text for block in step.blocks)
    return ""


def _skew_errors() -> list[float]:
    errors: list[float] = []
    for scan in derived.scans():
        was = find_skew(look_at(scan.pixels)).degrees
        for degrees in ANGLES:
            found = find_skew(look_at(derived.leaning(scan.pixels, degrees))).degrees
            errors.append(abs(found - was - degrees))
    return errors


def _gutter_errors() -> Iterator[float]:
    """Errors in shares of the width; 1 where no fold was found."""
    pages = [scan.pixels for scan in derived.scans(paper_only=True)]
    rng = np.random.default_rng(1)
    for at, left in enumerate(pages):
        for step in NEIGHBOURS:
            spread = derived.spread(left, pages[(at + step) % len(pages)], rng)
            look = look_at(spread.pixels)
            gutter = find_gutter(look)
            if gutter is None:
                yield 1.0
                continue
            found = (gutter.top + gutter.bottom) / 2 / look.scale
            yield abs(found - spread.fold) / spread.pixels.shape[1]


def _prepare_s(pixels: Pixels) -> float:
    """One page from its decoded master to what the reader gets."""
    a4 = derived.of_size(pixels, A4_PX)
    askew = moved(a4, *_askew(), scale=1.0)
    size = PageSize(askew.shape[1], askew.shape[0], 300)
    begun_s = time.process_time()
    proposal = propose(askew, size)
    for treatment in (proposal.treatment, proposal.second):
        if treatment is not None:
            _done(askew, size, treatment)
    return time.process_time() - begun_s


def _askew() -> tuple[PageMap, Treatment]:
    treatment = Treatment(skew_degrees=-1.3, side=Side.WHOLE)
    return PageMap(PageSize(*A4_PX, 300), treatment), treatment
