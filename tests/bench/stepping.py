"""Stepping from doubt to doubt in the window, over the pages of a scanned book."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.book import PageSize, PageState, Region
from tests.bench.bench_export import long_book
from tests.bench.books import placed
from tests.bench.clerk import Clerk
from tests.bench.desktop import Desktop, run_on_desktop, until
from tests.bench.heartbeat import Heartbeat
from tests.bench.make_book import A5_PX, make_scanned_pdf
from tests.bench.numbers import p95, seconds
from tests.bench.report import Measured

PAGES = 80
STEPS = 100
PAUSE_S = 0.2
UNSURE = 0.35  # what the engine says of one word in so many
ONE_IN = 60


def measure_next_doubt(folder: Path) -> Measured:
    """From the key to the page painted with the cursor on the word."""
    os.environ.setdefault("INCUNABLE_HOME", str(folder / "stepping-home"))
    book = make_scanned_pdf(folder / "stepping.pdf", PAGES)
    _write_texts(book)
    return run_on_desktop(lambda desktop: _step(desktop, book))


def _write_texts(book: Path) -> None:
    dice, size = random.Random(7), PageSize(*A5_PX, 300.0)
    with Clerk() as clerk:
        store = clerk.open(book).opened.store
        put = clerk.session._workers.store.submit
        for page, reading in long_book(PAGES):
            put(store.set_page_info, page.number, size, f"page {page.number}").result()
            regions = tuple(_unsure(placed(reading), dice))
            read = replace(reading, regions=regions, id=0)
            put(store.save_read, page.number, reading=read, state=PageState.READ).result()


def _unsure(regions: Iterator[Region], dice: random.Random) -> Iterator[Region]:
    """The engine was unsure of a word here and there."""
    for region in regions:
        words = (
            word._replace(score=UNSURE if dice.randrange(ONE_IN) == 0 else 0.99)
            for word in region.words
        )
        yield replace(region, words=tuple(words))


async def _step(desktop: Desktop, book: Path) -> Measured:
    await desktop.open(book)
    await desktop.close_questions()
    doubts = desktop.session.doubts
    desktop.studio.orders.carry_out("next_doubt")
    await until(lambda: doubts.at is not None and not doubts.is_building)
    await asyncio.sleep(1)
    turning_s: list[float] = []
    staying_s: list[float] = []
    with Heartbeat() as heart:
        for _number in range(STEPS):
            before = desktop.session.page
            taken_s = await _next(desktop)
            (staying_s if desktop.session.page == before else turning_s).append(taken_s)
            await asyncio.sleep(PAUSE_S)
    every = [*turning_s, *staying_s]
    notes = [
        f"{what}: p95 {seconds(p95(some))}, longest {seconds(max(some))} of {len(some)}"
        for what, some in (("to another page", turning_s), ("on the same page", staying_s))
        if some
    ]
    shown = f"{seconds(p95(turning_s or every))} ({len(turning_s)} of {STEPS} to another page)"
    return Measured(p95(turning_s or every), shown, notes=(*notes, *heart.notes()))


async def _next(desktop: Desktop) -> float:
    begun_s = time.perf_counter()
    page = desktop.session.page
    desktop.studio.orders.carry_out("next_doubt")
    if desktop.session.page != page:
        await desktop.until_painted(desktop.session.page)
    await until(lambda: _stands(desktop))
    return time.perf_counter() - begun_s


def _stands(desktop: Desktop) -> bool:
    at, text = desktop.session.doubts.at, desktop.window.text
    return at is None or (text.page == at.page and text.place == (at.region, at.start))
