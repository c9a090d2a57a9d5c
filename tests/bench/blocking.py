"""The longest block of the UI thread while a book is read and its text streams into the window."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import resources
from app.change import Change
from app.events import PageFinished, PageStarted
from model.api import Block, Box, Kind
from model.fake import SENTENCES, FakeRecogniser, scripted
from tests.bench.books import large_book
from tests.bench.desktop import Desktop, run_on_desktop, until
from tests.bench.heartbeat import Heartbeat
from tests.bench.report import Measured

PIECES_PER_S = 500
TOKENS_FOR_S = 30
LONGEST_S = 500
PARAGRAPHS = 6  # of the scripted page, some 60 words each


def measure_block_lines(folder: Path) -> Measured:
    """The whole sample book, the page that is read always in sight, loading included."""
    return run_on_desktop(lambda desktop: _read(desktop, resources.path("sample/book.pdf"), None))


def measure_block_tokens(folder: Path) -> Measured:
    """A part of the large book."""
    return run_on_desktop(
        lambda desktop: _read(desktop, large_book(), TOKENS_FOR_S),
        load=lambda _choice: FakeRecogniser(long_page, pieces_per_s=PIECES_PER_S),
    )


async def _read(desktop: Desktop, path: Path, for_s: float | None) -> Measured:
    """Read for so many seconds, None: to the end."""
    await desktop.open(path)
    await desktop.close_questions()
    ended = 0

    def follow(event: object, _change: Change) -> None:
        nonlocal ended
        ended += isinstance(event, PageFinished)
        if isinstance(event, PageStarted):
            desktop.studio.orders.turn_to(event.page)

    desktop.studio.signals.event_taken.connect(follow)
    with Heartbeat() as heart:
        desktop.press("start")
        await until(lambda: desktop.session.runs.run is not None)
        if for_s is None:
            await until(lambda: desktop.session.runs.run is None, within_s=LONGEST_S)
        else:
            await asyncio.sleep(for_s)
    return Measured(heart.longest_s, f"{heart.shown}, {ended} pages", notes=heart.notes())


def long_page(page: int) -> Iterable[Block]:
    """A page as full as those of a printed book: some 360 words."""
    for i in range(PARAGRAPHS):
        words = " ".join(SENTENCES[(page + i + j) % len(SENTENCES)] for j in range(5))
        yield scripted(Kind.TEXT, words, Box(180, 250 + 340 * i, 1560, 570 + 340 * i))
