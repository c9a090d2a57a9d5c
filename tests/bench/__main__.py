"""Measures the numbers of the README and prints them as one table. Nothing is asserted on time.

    python -m tests.bench                  all rows, some half an hour
    python -m tests.bench start open       some rows
    python -m tests.bench --json           for other programs

Each row is measured in a process of its own, so that memory and imports are its own too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.books import bench_folder, large_book
from tests.bench.machine import this_machine
from tests.bench.report import Line, Measured, Row, as_json, as_markdown
from tests.bench.rows import BY_NAME, ROWS

LONGEST_ROW_S = 1800


def main() -> None:
    arguments = _arguments()
    machine = this_machine()
    rows = [BY_NAME[name] for name in arguments.rows] or ROWS
    large_book()  # said and made here, not on the clock of the first row that needs it
    with bench_folder() as folder:
        lines = [_measured(row, folder) for row in rows]
    table = as_json if arguments.json else as_markdown
    print(table(machine, lines), end="")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(BY_NAME))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.rows if name not in BY_NAME]
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    return arguments


def _measured(row: Row, folder: Path) -> Line:
    _say(f"{row.name}: {row.what} ...")
    begun_s = time.monotonic()
    order = [sys.executable, "-m", "tests.bench.row", row.name, str(folder)]
    measured, failure = None, ""
    try:
        done = subprocess.run(
            order, capture_output=True, check=True, text=True, timeout=LONGEST_ROW_S
        )
        measured = _from_json(done.stdout)
    except subprocess.CalledProcessError as error:
        _say(error.stderr)
        failure = f"its process ended with {error.returncode}"
    except subprocess.TimeoutExpired:
        failure = f"not done after {LONGEST_ROW_S} s"
    took_s = time.monotonic() - begun_s
    line = Line(row, measured, failure, took_s, os.getloadavg()[0])
    _say(f"    {line.cells[2]}, {line.cells[3]} ({took_s:.0f} s, load {line.load:.1f})")
    return line


def _from_json(out: str) -> Measured:
    found = json.loads(out.splitlines()[-1])
    return Measured(**{**found, "notes": tuple(found["notes"])})


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
