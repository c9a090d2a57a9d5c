"""Rows about a book of 3,000 finished pages without a window: reopening, finding, hyphens."""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median

from app.answers import MatchesFound, ReadingLoaded
from app.finding_values import Asked
from app.hyphen_orders import HyphensListed
from tests.bench.books import finished_home, large_book
from tests.bench.clerk import Clerk
from tests.bench.numbers import median_of, seconds
from tests.bench.report import Measured

RUNS = 7
WORDS = ("buchdruck", "Siehe", "e", "not in the book")


def measure_reopen_session(folder: Path) -> Measured:
    """From the order until the book and the text of its first page are there."""
    os.environ["INCUNABLE_HOME"] = str(finished_home(folder))
    taken_s = [_reopen() for _run in range(RUNS)]
    return Measured(median(taken_s), median_of(taken_s))


def measure_find(folder: Path) -> Measured:
    """From the order until all places are known, the median over words often and never found."""
    os.environ["INCUNABLE_HOME"] = str(finished_home(folder))
    with Clerk() as clerk:
        clerk.open(large_book())
        found = [_find(clerk, word) for word in WORDS for _run in range(3)]
    counts = ", ".join(f"“{word}” {count}" for word, count in {(w, c) for w, c, _s in found})
    taken_s = [took_s for _word, _count, took_s in found]
    return Measured(median(taken_s), median_of(taken_s), notes=(f"places found: {counts}",))


def measure_hyphens(folder: Path) -> Measured:
    """From the order until every broken word is there, with its reason."""
    os.environ["INCUNABLE_HOME"] = str(finished_home(folder))
    with Clerk() as clerk:
        clerk.open(large_book())
        begun_s = time.monotonic()
        clerk.session.hyphens.list_all()
        listed: HyphensListed = clerk.wait_for(HyphensListed)
        taken_s = time.monotonic() - begun_s
    return Measured(taken_s, seconds(taken_s), notes=(f"{len(listed.words)} broken words",))


def _reopen() -> float:
    with Clerk() as clerk:
        begun_s = time.monotonic()
        clerk.open(large_book())
        clerk.wait_for(ReadingLoaded)
        return time.monotonic() - begun_s


def _find(clerk: Clerk, word: str) -> tuple[str, int, float]:
    begun_s = time.monotonic()
    clerk.session.finding.find(Asked(word))
    matches: MatchesFound = clerk.wait_for(MatchesFound)
    return word, matches.total, time.monotonic() - begun_s
