"""From the key that stops a run until nothing is read any more, in the window."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import threading
import time
import traceback
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from app.events import Stage
from app.run_view import RunState
from model import api
from model.bundled import Network
from model.fake import FakeRecogniser
from tests.bench.blocking import PIECES_PER_S, long_page
from tests.bench.books import large_book
from tests.bench.desktop import Desktop, run_on_desktop, until
from tests.bench.heartbeat import innermost
from tests.bench.numbers import seconds
from tests.bench.report import Measured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STOPS = 12
EARLIEST_S, LATEST_S = 0.1, 1.5  # after reading has begun
LATEST_LINES_S = 6.0  # so that detection and recognition are both met


def measure_stop_tokens(folder: Path) -> Measured:
    """Stops at random moments of a run at 500 pieces a second."""
    return run_on_desktop(
        lambda desktop: _stops(desktop, LATEST_S),
        load=lambda _choice: FakeRecogniser(long_page, pieces_per_s=PIECES_PER_S),
    )


def measure_stop_network(folder: Path) -> Measured:
    """The same with a real decoder: weights at random, of a small size, every part there.

    One thread computes: for layers this small two would mostly wait for each other.
    """
    os.environ["OMP_NUM_THREADS"] = "1"
    from tests.model.tiny_checkpoint import write_checkpoint

    checkpoint = write_checkpoint(folder / "tiny-checkpoint")

    async def scenario(desktop: Desktop) -> Measured:
        settings = replace(
            desktop.session.settings,
            engine=api.Engine.UNLIMITED_OCR,
            checkpoint=checkpoint,
            device="cpu",
        )
        desktop.studio.signals.tell(desktop.session.set_settings(settings))
        return await _stops(desktop, LATEST_S)

    return run_on_desktop(scenario)


def measure_stop_lines(folder: Path) -> Measured:
    """Beside the longest single call of a model, which is what a stop may wait for."""
    calls: list[float] = []
    answer = Network.answer

    def timed(self: Network, wave: NDArray[np.float32]) -> NDArray[np.float32]:
        begun_s = time.monotonic()
        try:
            return answer(self, wave)
        finally:
            calls.append(time.monotonic() - begun_s)

    Network.answer = timed
    stopped = run_on_desktop(lambda desktop: _stops(desktop, LATEST_LINES_S))
    longest_s = max(calls)
    note = f"{len(calls)} calls: median {seconds(median(calls))}, longest {seconds(longest_s)}"
    shown = f"{stopped.shown}; longest call {seconds(longest_s)}"
    return replace(stopped, shown=shown, limit=longest_s, notes=(*stopped.notes, note))


async def _stops(desktop: Desktop, latest_s: float) -> Measured:
    await desktop.open(large_book())  # so large that no run reaches its end
    await desktop.close_questions()
    dice = random.Random(5)
    await _stop_at(desktop, latest_s)  # the first one loads the engine
    stops = [await _stop_at(desktop, dice.uniform(EARLIEST_S, latest_s)) for _stop in range(STOPS)]
    taken_s, seen = zip(*stops, strict=True)
    shown = f"longest {seconds(max(taken_s))}, median {seconds(median(taken_s))} of {STOPS} stops"
    met = sum(seen, Counter[str]()).most_common(4)
    note = "; ".join(f"{count} x {place}" for place, count in met)
    return Measured(max(taken_s), shown, notes=(f"where the reading thread was meanwhile: {note}",))


async def _stop_at(desktop: Desktop, after_s: float) -> tuple[float, Counter[str]]:
    """Start a run and press stop so long after reading began.

    Returns:
        Seconds until the window is idle, and where the reading thread was seen meanwhile.
    """
    runs = desktop.session.runs
    desktop.press("start")
    await until(lambda: runs.run is not None and runs.run.stage is Stage.READING)
    await asyncio.sleep(after_s)
    assert runs.run is not None, "the run ended before it could be stopped"
    seen: Counter[str] = Counter()

    def is_idle() -> bool:
        seen[_place_of("reading")] += 1
        return runs.view().state is RunState.IDLE

    begun_s = time.monotonic()
    desktop.press("stop")
    await until(is_idle)
    return time.monotonic() - begun_s, seen


def _place_of(thread_name: str) -> str:
    ident = next(each.ident for each in threading.enumerate() if each.name == thread_name)
    stack = traceback.extract_stack(sys._current_frames()[ident or 0])
    return innermost([(each.filename, str(each.lineno), each.name) for each in reversed(stack)])
