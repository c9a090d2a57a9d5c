"""The row on damaged files: how many of two thousand did what must not happen.

python -m tests.bench.fuzzing [--count 2000] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import psutil

from tests.app.damage import LONGEST_S, Fate, damaged_files, open_damaged
from tests.bench.report import Measured
from tests.conftest import SHARED

COUNT, SEED = 2000, 1
WARM = 100  # files after which the memory of this process has settled
AT_ONCE = 2
GROWTH_LIMIT_MB = 20

Named = tuple[str, bytes]


def measure_fuzz(folder: Path) -> Measured:
    """Faults among damaged files of every awkward kind; growth of this process counts as one."""
    return _measured(folder, COUNT, SEED)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzzing")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="incunable-fuzz-") as folder:
        measured = _measured(Path(folder), asked.count, asked.seed)
    print(measured.shown, *measured.notes, sep="\n")
    sys.exit(measured.value > 0)


def _measured(folder: Path, count: int, seed: int) -> Measured:
    originals = sorted(path for path in (SHARED / "files").iterdir() if path.suffix != ".tsv")
    files = damaged_files(originals, count, seed)
    place = Path(tempfile.mkdtemp(dir=folder))
    first = _opened(islice(files, WARM), place)
    before = _resident_mb()
    rest = _opened(files, place)
    grown = _resident_mb() - before
    faults = [f"{fate.name}: {fate.fault}" for fate in [*first, *rest] if fate.fault]
    if any(place.iterdir()) or psutil.Process().children():
        faults.append("a file or a process was left")
    if grown > GROWTH_LIMIT_MB:
        faults.append(f"this process grew by {grown:.0f} MB")
    return Measured(len(faults), f"{len(faults)} of {count}", notes=_notes([*first, *rest], faults))


def _notes(fates: Sequence[Fate], faults: Sequence[str]) -> tuple[str, ...]:
    codes = Counter(code for fate in fates for code in set(fate.codes))
    opened = sum(fate.is_opened for fate in fates)
    longest = max(fate.seconds for fate in fates)
    told = json.dumps(dict(codes.most_common()))
    return (
        *faults,
        f"{opened} opened without a word; refused, wholly or in part: {told}",
        f"a decoder may take {LONGEST_S:.0f} s; the longest file took {longest:.1f} s in all",
    )


def _opened(files: Iterator[Named], place: Path) -> list[Fate]:
    """Open files, some at a time: a pool would hold all that it is given."""
    fates: list[Fate] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while some := list(islice(files, 5 * AT_ONCE)):
            fates += pool.map(lambda each: open_damaged(place, *each), some)
    return fates


def _resident_mb() -> float:
    return psutil.Process().memory_info().rss / (1 << 20)


if __name__ == "__main__":
    main()
