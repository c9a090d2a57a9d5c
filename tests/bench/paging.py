"""Rows about formats that keep every word in its place: 1,000 pages of some 300 words, scanned.

python -m tests.bench.paging NAME PAGES     measures one format, prints JSON
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.book import Book, Page, PageSize, Reading, Region
from app.export.document import ExportOptions
from app.export.formats import FORMATS, export
from app.export.images import QueuedImages
from app.pages import open_pages
from model.api import Stop
from tests.bench.bench_export import TARGET_MB, long_book
from tests.bench.books import large_book, placed
from tests.bench.make_book import A5_PX
from tests.bench.report import Measured

PAGES = 1000
SHEETS = 60  # that come again and again
_SHEETS: dict[int, tuple[Region, ...]] = {}
LESS = 250  # pages whose time each is compared with that of all


def measure_pdf(folder: Path) -> Measured:
    return _measured("pdf")


def measure_alto(folder: Path) -> Measured:
    return _measured("alto")


def _measured(name: str) -> Measured:
    less, found = _apart(name, LESS), _apart(name, PAGES)
    taken_s = found["wall_s"]
    each_ms = [1000 * less["wall_s"] / LESS, 1000 * taken_s / PAGES]
    notes = (
        f"{found['cpu_s']:.1f} s of one core, {found['child_s']:.1f} s of another for decoding,"
        f" {found['peak_mb']:.0f} MB at most (target"
        f" {TARGET_MB} MB), decoding child {found['child_mb']:.0f} MB, written"
        f" {found['file_mb']:.0f} MB",
        f"a page of {LESS} takes {each_ms[0]:.0f} ms, of {PAGES} {each_ms[1]:.0f} ms",
    )
    return Measured(taken_s, f"{taken_s:.1f} s", notes=notes)


def _apart(name: str, pages: int) -> dict[str, float]:
    """In a process of its own, so that memory is its own too."""
    order = [sys.executable, "-m", "tests.bench.paging", name, str(pages)]
    out = subprocess.run(order, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out)


def measure(name: str, pages: int) -> dict[str, float]:
    """Export the first pages of the large book, once, here."""
    scan = large_book()
    numbered = tuple(page for page, _reading in _pages(pages))
    book = Book("b", (Path("scan.pdf"),), "f", pages=numbered)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book")
        queue = open_pages([scan])
        try:
            begun, worked = time.monotonic(), time.process_time()
            _export(name, book, path, QueuedImages(queue))
            taken_s, busy_s = time.monotonic() - begun, time.process_time() - worked
        finally:
            queue.close()
        child = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "wall_s": taken_s,
            "cpu_s": busy_s,
            "child_s": child.ru_utime + child.ru_stime,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "child_mb": child.ru_maxrss / 1024,
            "file_mb": _bytes_of(path) / 1e6,
        }


def _export(name: str, book: Book, path: Path, images: QueuedImages) -> None:
    export(
        book,
        lambda: _pages(len(book.pages)),
        path,
        format=FORMATS[name],
        options=ExportOptions(),
        progress=lambda _done, _all: None,
        stop=Stop(),
        replace=False,
        images=images,
    )


def _pages(count: int) -> Iterator[tuple[Page, Reading]]:
    size = PageSize(*A5_PX, 300.0)
    for number, (page, reading) in enumerate(long_book(count)):
        sheet = number % SHEETS
        if sheet not in _SHEETS:
            _SHEETS[sheet] = tuple(placed(reading))
        yield replace(page, size=size), replace(reading, regions=_SHEETS[sheet])


def _bytes_of(path: Path) -> int:
    if path.is_dir():
        return sum(each.stat().st_size for each in path.iterdir())
    return path.stat().st_size


def main() -> None:
    name, pages = sys.argv[1:]
    print(json.dumps(measure(name, int(pages))))


if __name__ == "__main__":
    main()
