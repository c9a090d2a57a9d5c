"""Medians, percentiles, and how they are written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import median

import psutil

MB = 1 << 20


def p95(values: Sequence[float]) -> float:
    """The least value that 95 % of the values do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[max(0, -(-95 * len(ranked) // 100) - 1)]


def seconds(value: float) -> str:
    """A duration with three digits that mean something."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def median_of(values: Sequence[float]) -> str:
    """The median with the number of runs and their spread."""
    least, most = seconds(min(values)), seconds(max(values))
    return f"{seconds(median(values))} (median of {len(values)}: {least} to {most})"


def resident_mb(*pids: int | None) -> float:
    """Resident memory of this process and of others (None: one that is not there)."""
    processes = [os.getpid(), *(pid for pid in pids if pid is not None)]
    return sum(psutil.Process(pid).memory_info().rss for pid in processes) / MB
