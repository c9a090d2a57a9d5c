"""Exports of long books as flowing text: seconds and resident memory, pages of 300 words.

Each export runs in a process of its own, so that memory is its own too. Sixty pages are made before
the clock starts and come again and again.

    python -m tests.bench.bench_export
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from app.book import Book, Page, PageState, Reading, Region, Source
from app.export.document import ExportOptions
from app.export.formats import FLOWING, export
from model.api import Box, EngineSource, Kind, Span, Stop

TARGET_S = {"markdown": 3, "docx": 20}  # for 1,000 pages
TARGET_MB = 600
PAGES = (1000, 3000)
_ENGINE = EngineSource("line-reader", "3.10.0")
_SYLLABLES = ("ver", "lag", "buch", "druck", "er", "ei", "sen", "bahn", "wein", "berg", "licht")


def long_book(pages: int) -> Iterator[tuple[Page, Reading]]:
    """Pages as the line reader leaves them: lines, broken words, word boxes, heads, notes."""
    sheets = _sheets()
    source = Source("model", datetime(2026, 11, 20, tzinfo=UTC), _ENGINE)
    for number in range(pages):
        page = Page(number, label=str(number + 1), state=PageState.READ, reading_id=number + 1)
        yield page, Reading(sheets[number % len(sheets)], source, id=number + 1)


@cache
def _sheets() -> list[tuple[Region, ...]]:
    dice = random.Random(1)
    sheets: list[tuple[Region, ...]] = []
    for number in range(60):
        regions = [Region(Kind.RUNNING_HEAD, "Von dem Buche"), *_text(dice, 300)]
        if number % 3 == 0:
            regions.append(Region(Kind.NOTE, "* Siehe dort."))
        if number % 20 == 0:
            regions.insert(1, Region(Kind.HEADING, "Ein Capitel"))
        sheets.append(tuple(regions))
    return sheets


def _text(dice: random.Random, words: int) -> list[Region]:
    lines = []
    while words > 0:
        line = ["".join(dice.choices(_SYLLABLES, k=dice.randint(1, 3))) for _word in range(9)]
        words -= len(line)
        lines.append(" ".join(line) + dice.choice(("-", "", "", ".")))
    lines[0] = lines[0].replace(" ", "* ", 1)
    third = len(lines) // 3
    parts = (lines[:third], lines[third : 2 * third], lines[2 * third :])
    return [_region("\n".join(part), dice) for part in parts]


def _region(text: str, dice: random.Random) -> Region:
    spans, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        spans.append(Span(at, at + len(word), Box(0, 0, 9, 9), dice.uniform(0.78, 1)))
        at += len(word)
    return Region(Kind.TEXT, text, words=tuple(spans))


def measure(name: str, pages: int, *, doubts: bool) -> dict[str, float]:
    """Export once, here: seconds, memory at its highest, size of the file."""
    book = Book("b", (Path("scan.pdf"),), "f", pages=tuple(page for page, _r in long_book(pages)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book")
        begun, worked = time.monotonic(), time.process_time()
        export(
            book,
            lambda: long_book(pages),
            path,
            format=FLOWING[name],
            options=ExportOptions(doubts_as_comments=doubts),
            progress=lambda _done, _all: None,
            stop=Stop(),
            replace=False,
        )
        return {
            "wall_s": time.monotonic() - begun,
            "cpu_s": time.process_time() - worked,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "file_mb": path.stat().st_size / 1e6,
        }


def rows() -> Iterator[tuple[str, str, str]]:
    """What was measured, what came out, what was wanted."""
    for name in FLOWING:
        for pages, doubts in (*((each, False) for each in PAGES), (PAGES[0], True)):
            order = [
                sys.executable,
                "-m",
                "tests.bench.bench_export",
                name,
                str(pages),
                str(doubts),
            ]
            out = subprocess.run(order, capture_output=True, check=True, text=True).stdout
            found = json.loads(out)
            what = f"export {name}, {pages} pages{', doubts as comments' if doubts else ''}"
            got = f"{found['wall_s']:.1f} s ({found['cpu_s']:.1f} s of one core), "
            got += f"{found['peak_mb']:.0f} MB, file {found['file_mb']:.1f} MB"
            wanted = f"under {TARGET_S[name] * pages // PAGES[0]} s, under {TARGET_MB} MB"
            yield what, got, wanted


def main() -> None:
    """Print the rows, or measure one for the process that prints them."""
    if len(sys.argv) == 4:
        name, pages, doubts = sys.argv[1:]
        print(json.dumps(measure(name, int(pages), doubts=doubts == "True")))
        return
    for row in rows():
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
