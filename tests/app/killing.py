"""Kills the program while it reads, corrects, exports or migrates, and looks for losses.

    python -m tests.app.killing [--moments 200] [--seed 1]

A loss is a page or a correction that was said to be on the disk and is not there, a transcript that
is neither the old nor the new one, a database that SQLite finds fault with.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.book import PageState
from app.export.formats import FORMATS
from app.store.database import BookStore
from app.store.migrations import BOOK
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import PAGE_TEXT, first_format

ROOT = Path(__file__).parents[2]
PAGES = {"read": 60, "correct": 1, "export": 12, "migrate": 200}
LONGEST_S = {"read": 1.5, "correct": 1.5, "export": 1.0, "migrate": 0.4}
"""From the child's first word to its end."""


def check(what: str, seconds: float, folder: Path) -> None:
    """Kill one child after its first word and so many seconds more, and look.

    Args:
        what: "read", "correct", "export" or "migrate".
        seconds: from 0.
        folder: an empty one; the child's home lies where `INCUNABLE_HOME` says.
    """
    CHECKS[what](seconds, folder)


def killed_after(seconds: float, what: str, path: Path) -> list[list[str]]:
    """Let a child work until its first word and `seconds` more, kill it; what it had said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.app.kill_child", what, str(path)],
        cwd=ROOT,
        env=os.environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(seconds)
    child.kill()
    rest, _ = child.communicate()
    lines = (first + rest).splitlines(keepends=True)
    return [line.split() for line in lines if line.endswith("\n")]  # the last may be cut short


def see_that_it_is_sound(path: Path) -> None:
    """SQLite's own look at a database."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def _check_pages(seconds: float, folder: Path) -> None:
    scan = make_scan(folder / "scan", PAGES["read"])
    told = [words for words in killed_after(seconds, "read", scan) if words[0] == "page"]
    assert told
    with Desk() as desk:
        desk.open(scan)
        for _, number, letters in told:
            desk.session.turn_to(int(number))
            desk.settle()
            assert len(desk.reading(int(number)).text) == int(letters)
        states = {page.state for page in desk.book.pages}
        assert states <= {PageState.READ, PageState.UNREAD}
        assert len(told) <= sum(page.state is PageState.READ for page in desk.book.pages)
        path = desk.store.path
    see_that_it_is_sound(path)


def _check_corrections(seconds: float, folder: Path) -> None:
    scan = make_scan(folder / "scan", PAGES["correct"])
    told = [words for words in killed_after(seconds, "correct", scan) if words[0] == "correction"]
    assert told
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        word, count = desk.reading(0).regions[2].text.split()
        assert word == "correction"
        assert int(count) >= int(told[-1][1])  # the one on its way may have made it
        path = desk.store.path
    see_that_it_is_sound(path)


def _check_export(seconds: float, folder: Path) -> None:
    scan = make_scan(folder / "scan", PAGES["export"])
    assert killed_after(seconds, "export", scan)
    found = FORMATS["markdown"].read_back(folder / "out.md")
    assert len(found.pages) == PAGES["export"]
    with Desk() as desk:
        desk.open(scan)
        assert {page.state for page in desk.book.pages} == {PageState.READ}
        path = desk.store.path
    see_that_it_is_sound(path)


def _check_migration(seconds: float, folder: Path) -> None:
    path = first_format(folder / "book.sqlite", pages=PAGES["migrate"])
    assert killed_after(seconds, "migrate", path)
    with BookStore.open(path) as store:
        for page, reading in store.currents(range(PAGES["migrate"])):
            assert reading is not None
            assert reading.text == f"{PAGE_TEXT} {page.number}"
            assert page.state is (PageState.READ if page.number % 3 else PageState.PROOFREAD)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (BOOK.version,)
    see_that_it_is_sound(path)


CHECKS: dict[str, Callable[[float, Path], None]] = {
    "read": _check_pages,
    "correct": _check_corrections,
    "export": _check_export,
    "migrate": _check_migration,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.app.killing")
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    for number in range(asked.moments):
        what = list(CHECKS)[number % len(CHECKS)]
        seconds = chance.uniform(0, LONGEST_S[what])
        with tempfile.TemporaryDirectory(prefix="incunable-crash-") as folder:
            os.environ["INCUNABLE_HOME"] = str(Path(folder) / "home")
            check(what, seconds, Path(folder))
        print(f"{number + 1}: {what}, killed after {seconds:.3f} s: nothing lost", flush=True)


if __name__ == "__main__":
    main()
