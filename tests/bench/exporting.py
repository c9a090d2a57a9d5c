"""Rows about exports of 1,000 pages; `bench_export` has the longer ones."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from tests.bench.bench_export import TARGET_MB, measure
from tests.bench.numbers import median_of
from tests.bench.report import Measured

PAGES = 1000


def measure_markdown(folder: Path) -> Measured:
    return _measured("markdown", runs=3)


def measure_docx(folder: Path) -> Measured:
    return _measured("docx", runs=3)


def measure_epub(folder: Path) -> Measured:
    return _measured("epub", runs=1)


def measure_tei(folder: Path) -> Measured:
    return _measured("tei", runs=1)


def _measured(name: str, *, runs: int) -> Measured:
    found = [measure(name, PAGES, doubts=False) for _run in range(runs)]
    taken_s = [each["wall_s"] for each in found]
    busy_s, peak_mb, file_mb = (found[-1][key] for key in ("cpu_s", "peak_mb", "file_mb"))
    note = f"{busy_s:.1f} s of one core, {peak_mb:.0f} MB at most (target {TARGET_MB} MB), "
    return Measured(median(taken_s), median_of(taken_s), notes=(f"{note}file of {file_mb:.1f} MB",))
