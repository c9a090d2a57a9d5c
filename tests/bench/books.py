"""The books of the bench: the large scan, kept from bench to bench, and the same book all read.

python -m tests.bench.books FOLDER     reads the large book in no time, into FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.book import PageSize, PageState, Reading, Region
from model.api import Box
from model.fake import scripted
from tests.bench.bench_export import long_book
from tests.bench.clerk import Clerk
from tests.bench.make_book import A5_PX, LEAST_BYTES, make_scanned_pdf

PAGES = 3000


@contextmanager
def bench_folder() -> Iterator[Path]:
    """A folder for what the rows of one bench share; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="incunable-bench-") as folder:
        yield Path(folder)


def large_book() -> Path:
    """The 3,000-page scan; made once and kept in the cache folder, some 900 MB."""
    folder = _cache() / "incunable-bench"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"scanned-{PAGES}.pdf"
    if not path.exists():
        size_mb = PAGES * LEAST_BYTES // 1_000_000
        print(f"making {path}, over {size_mb} MB, kept for the next time", file=sys.stderr)
    return make_scanned_pdf(path, PAGES)


def finished_home(folder: Path) -> Path:
    """A home in which the large book is open and read to its end; made once for each bench."""
    home = folder / "finished"
    if not home.exists():
        unfinished = folder / "unfinished"
        order = [sys.executable, "-m", "tests.bench.books", str(unfinished)]
        subprocess.run(order, check=True, stdout=sys.stderr)
        unfinished.rename(home)
    return home


def read_all(home: Path) -> None:
    """Open the large book in this home and give each page a text of some 300 words."""
    os.environ["INCUNABLE_HOME"] = str(home)
    size = PageSize(*A5_PX, 300.0)
    with Clerk() as clerk:
        store = clerk.open(large_book()).opened.store
        put = clerk.session._workers.store.submit
        for page, reading in long_book(PAGES):
            put(store.set_page_info, page.number, size, f"page {page.number}").result()
            read = replace(reading, regions=tuple(placed(reading)), id=0)
            put(store.save_read, page.number, reading=read, state=PageState.READ).result()


def placed(reading: Reading) -> Iterator[Region]:
    """The blocks, one below the other on the page, with their lines and words in boxes."""
    width, height = A5_PX
    band = height / (len(reading.regions) + 1)
    for i, region in enumerate(reading.regions):
        top = band * (i + 0.5)
        block = scripted(region.kind, region.text, Box(180, top, width - 180, top + band * 0.9))
        yield Region(block.kind, block.text, block.box, block.lines, block.words, score=block.score)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or tempfile.gettempdir())


if __name__ == "__main__":
    read_all(Path(sys.argv[1]))
