"""Turning the pages of the large, finished book in the window, and what memory that takes."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.bench.books import PAGES, finished_home, large_book
from tests.bench.desktop import Desktop, run_on_desktop
from tests.bench.heartbeat import Heartbeat
from tests.bench.numbers import p95, resident_mb, seconds
from tests.bench.report import Measured

TURN_S = 0.2
TURNS = 100  # each way


def measure_turn(folder: Path) -> Measured:
    """From the order to the page painted, its text beside it."""
    os.environ["INCUNABLE_HOME"] = str(finished_home(folder))
    return run_on_desktop(_turn)


def measure_memory(folder: Path) -> Measured:
    """Resident memory of the window's process and of the decoding child, page after page."""
    os.environ["INCUNABLE_HOME"] = str(finished_home(folder))
    return run_on_desktop(_walk)


async def _turn(desktop: Desktop) -> Measured:
    await desktop.open(large_book())
    await desktop.close_questions()
    taken_s: dict[str, list[float]] = {}
    with Heartbeat() as heart:
        for way, pages in _ways():
            taken_s[way] = [turn async for turn in _turns(desktop, pages)]
    every = [each for some in taken_s.values() for each in some]
    notes = [
        f"{way}: median {seconds(sorted(some)[len(some) // 2])}, p95 {seconds(p95(some))}, "
        f"longest {seconds(max(some))}"
        for way, some in taken_s.items()
    ]
    shown = f"{seconds(p95(every))} ({len(every)} turns)"
    return Measured(p95(every), shown, notes=(*notes, *heart.notes()))


def _ways() -> Iterator[tuple[str, Sequence[int]]]:
    dice = random.Random(3)
    yield "forward", range(100, 100 + TURNS)
    yield "back", range(2000, 2000 - TURNS, -1)
    yield "at random", [dice.randrange(PAGES) for _turn in range(TURNS)]


async def _turns(desktop: Desktop, pages: Sequence[int]):
    due_s = time.monotonic()
    for page in pages:
        due_s += TURN_S
        yield await desktop.turn_to(page)
        await asyncio.sleep(max(0.0, due_s - time.monotonic()))
        due_s = max(due_s, time.monotonic())


async def _walk(desktop: Desktop) -> Measured:
    await desktop.open(large_book())
    await desktop.close_questions()
    opened = desktop.session.shown
    assert opened is not None
    measure = partial(resident_mb, opened.images._source.child_pid)
    resident = [measure()]
    for page in range(1, PAGES):
        await desktop.turn_to(page)
        resident.append(measure())
    shown = f"{resident[-1]:.0f} MB ({resident[0]:.0f} MB at the first page)"
    every = ", ".join(f"{resident[page]:.0f}" for page in range(299, PAGES, 300))
    notes = (f"MB at every 300 pages: {every}; at most {max(resident):.0f}",)
    return Measured(resident[-1], shown, notes=notes)
