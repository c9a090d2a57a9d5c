"""Typing into a page of 10,000 words, in the window, corrections saved while one types.

The row is about a page in blocks, as a large newspaper has it. A note tells of all words in a
single block, which Qt lays out anew at every key.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.book import PageSize, PageState, Reading, Region, Source
from model.api import Box, Kind
from model.fake import scripted
from tests.bench.bench_export import long_book
from tests.bench.clerk import Clerk
from tests.bench.desktop import Desktop, run_on_desktop, until
from tests.bench.heartbeat import Heartbeat
from tests.bench.numbers import p95, seconds
from tests.bench.report import Measured

WORDS = 10_000
SIZE = PageSize(2400, 3600, 300.0)
STROKES = 120  # in each place
PAUSE_S = 0.08
LETTERS = "the quick brown fox "
BLOCKS = 40


class Stroke(NamedTuple):
    seconds: float
    busy_s: float  # of it, the thread worked


def measure_typing(folder: Path) -> Measured:
    """From a key to its letter painted."""
    scan = folder / "typing"
    scan.mkdir(parents=True, exist_ok=True)
    for number in range(2):
        Image.new("L", (SIZE.width_px, SIZE.height_px), 230).save(scan / f"{number}.png")
    _write_texts(scan)
    return run_on_desktop(lambda desktop: _type(desktop, scan))


def _write_texts(scan: Path) -> None:
    os.environ.setdefault("INCUNABLE_HOME", str(scan.parent))
    with Clerk() as clerk:
        store = clerk.open(scan).opened.store
        put = clerk.session._workers.store.submit
        for page, blocks in enumerate((BLOCKS, 1)):
            put(store.set_page_info, page, SIZE, f"page {page}").result()
            source = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
            reading = Reading(tuple(_regions(blocks)), source)
            put(store.save_read, page, reading=reading, state=PageState.READ).result()


def _regions(blocks: int) -> Iterator[Region]:
    words = _words()
    band = SIZE.height_px / blocks
    for number in range(blocks):
        text = _lines([next(words) for _ in range(WORDS // blocks)])
        box = Box(100, number * band, SIZE.width_px - 100, (number + 0.95) * band)
        block = scripted(Kind.TEXT, text, box)
        yield Region(block.kind, block.text, block.box, block.lines, block.words)


def _words() -> Iterator[str]:
    for _page, reading in long_book(200):
        yield from reading.text.split()


def _lines(words: list[str]) -> str:
    return "\n".join(" ".join(words[start : start + 10]) for start in range(0, len(words), 10))


async def _type(desktop: Desktop, scan: Path) -> Measured:
    await desktop.open(scan)
    await desktop.close_questions()
    await _turn_to(desktop, 0)
    with Heartbeat() as heart:
        strokes = [each async for each in _strokes(desktop)]
    desktop.window.side.set_by_line(is_on=True)
    await asyncio.sleep(2)  # the large picture comes
    by_line = [each async for each in _strokes(desktop)]
    desktop.window.side.set_by_line(is_on=False)
    await _turn_to(desktop, 1)
    in_one = [each async for each in _strokes(desktop)]
    notes = f"line by line: {_told(by_line)}", f"all words in one block: {_told(in_one)}"
    value = p95([stroke.seconds for stroke in strokes])
    return Measured(value, _told(strokes), notes=(*notes, *heart.notes()))


def _told(strokes: list[Stroke]) -> str:
    taken_s = [stroke.seconds for stroke in strokes]
    busy_s = p95([stroke.busy_s for stroke in strokes])
    return (
        f"{seconds(p95(taken_s))} ({seconds(busy_s)} at work; "
        f"longest {seconds(max(taken_s))} of {len(strokes)} keys)"
    )


async def _turn_to(desktop: Desktop, page: int) -> None:
    desktop.studio.orders.turn_to(page)
    text = desktop.window.text
    await until(lambda: text.page == page and text.has_text)
    text.set_cursor(0, len(text.texts[0]) // 2)
    text.setFocus()
    await asyncio.sleep(0.5)


async def _strokes(desktop: Desktop) -> AsyncIterator[Stroke]:
    editor = desktop.window.text.editor
    for stroke in range(STROKES):
        begun_s, worked_s = time.perf_counter(), time.thread_time()
        QTest.keyClicks(editor, LETTERS[stroke % len(LETTERS)])
        QApplication.sendPostedEvents()  # the order to paint is among them
        yield Stroke(time.perf_counter() - begun_s, time.thread_time() - worked_s)
        await asyncio.sleep(PAUSE_S)
