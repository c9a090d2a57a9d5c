"""Memory over a run through the whole large book."""

from __future__ import annotations

from pathlib import Path

from app.events import Finished, PageFinished, Started
from model.fake import FakeRecogniser
from tests.bench.books import PAGES, large_book
from tests.bench.clerk import Clerk
from tests.bench.numbers import resident_mb
from tests.bench.report import Measured

FIRST = 300


def measure_growth(folder: Path) -> Measured:
    """Resident memory of this process and the decoding child, page by page."""
    resident: list[float] = []
    with Clerk(load=lambda _choice: FakeRecogniser()) as clerk:
        images = clerk.open(large_book()).opened.images

        def note(event: object) -> None:
            if isinstance(event, PageFinished):
                resident.append(resident_mb(images._source.child_pid))

        assert clerk.session.runs.start()
        clerk.wait_for(Started)
        clerk.wait_for(Finished, each=note)
    assert len(resident) == PAGES
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
