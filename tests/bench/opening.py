"""Opening the large book in the window: for the first time, and when it is read to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.books import finished_home, large_book
from tests.bench.desktop import Desktop, run_on_desktop
from tests.bench.heartbeat import Heartbeat
from tests.bench.numbers import median_of, seconds
from tests.bench.report import Measured

RUNS = 5


class Opened(NamedTuple):
    taken_s: float
    longest_block_s: float
    where: str


def measure_open(folder: Path) -> Measured:
    """A program that has never seen the book, from the order to the first page painted."""
    homes = [tempfile.mkdtemp(dir=folder) for _run in range(RUNS)]
    return _measured([_in_a_process_of_its_own(Path(home)) for home in homes])


def measure_reopen(folder: Path) -> Measured:
    """The same with a book of 3,000 finished pages."""
    home = finished_home(folder)
    return _measured([_in_a_process_of_its_own(home) for _run in range(RUNS)])


def _measured(opened: list[Opened]) -> Measured:
    taken_s = [each.taken_s for each in opened]
    worst = max(opened, key=lambda each: each.longest_block_s)
    note = f"the UI thread was blocked for {seconds(worst.longest_block_s)} at most: {worst.where}"
    return Measured(median(taken_s), median_of(taken_s), notes=(note,))


def _in_a_process_of_its_own(home: Path) -> Opened:
    order = [sys.executable, "-m", "tests.bench.opening", str(large_book())]
    environment = {**os.environ, "INCUNABLE_HOME": str(home)}
    done = subprocess.run(order, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    taken_s, longest_block_s, where = done.stdout.splitlines()[-1].split("\t")
    return Opened(float(taken_s), float(longest_block_s), where)


async def _open(desktop: Desktop) -> Opened:
    with Heartbeat() as heart:
        taken_s = await desktop.open(Path(sys.argv[1]))
        await desktop.close_questions()
        worst = max(heart.gaps, default=None)
        return Opened(taken_s, heart.longest_s, worst.where if worst else "")


if __name__ == "__main__":
    print("\t".join(map(str, run_on_desktop(_open))))
