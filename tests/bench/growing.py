"""Memory over a run through the whole large book, in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.change import Change
from app.events import PageFinished
from model.api import Block
from model.fake import FakeRecogniser, sentences
from tests.bench.books import PAGES, large_book
from tests.bench.desktop import Desktop, run_on_desktop, until
from tests.bench.numbers import resident_mb
from tests.bench.report import Measured

FIRST = 300
LONGEST_S = 580


def measure_growth(folder: Path) -> Measured:
    """Resident memory of the window's process and the decoding child, page by page."""
    return run_on_desktop(_read, load=lambda _choice: FakeRecogniser(_unplaced))


def _unplaced(page: int) -> tuple[Block, ...]:
    """Text without places, or every page would ask for a look: the book says something else."""
    return tuple(replace(block, box=None, lines=(), words=()) for block in sentences(page))


async def _read(desktop: Desktop) -> Measured:
    await desktop.open(large_book())
    await desktop.close_questions()
    resident: list[float] = []
    assert desktop.session.shown is not None
    source = desktop.session.shown.images._source

    def note(event: object, _change: Change) -> None:
        if isinstance(event, PageFinished):
            resident.append(resident_mb(source.child_pid))

    desktop.studio.signals.event_taken.connect(note)
    desktop.press("start")
    await until(lambda: len(resident) == PAGES, within_s=LONGEST_S)
    return _growth(resident)


def _growth(resident: list[float]) -> Measured:
    first, last = (_about(resident, page) for page in (FIRST, PAGES))
    percent = (last / first - 1) * 100
    shown = f"{percent:+.1f} % ({first:.0f} MB to {last:.0f} MB)"
    every = ", ".join(f"{_about(resident, page):.0f}" for page in range(FIRST, PAGES + 1, FIRST))
    notes = (f"MB at every {FIRST} pages: {every}; at most {max(resident):.0f}",)
    return Measured(percent, shown, notes=notes)


def _about(resident: list[float], page: int) -> float:
    """The mean over the 20 pages before, for a page more or less in a pipe moves it."""
    some = resident[page - 20 : page]
    return sum(some) / len(some)
