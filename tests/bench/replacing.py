"""The row about replacing over a book of 1,000 pages of 300 words, in the store."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from app.store.database import BookStore
from app.store.patterns import template_of
from app.store.planning import Planned, plan
from app.store.replacing import At, Replacement
from app.store.search import query_of
from tests.app.store_books import large_book
from tests.bench.report import Measured

PAGES = 1000
SOUGHT, INSTEAD = "printed", "struck"
EVERY = 12  # of the 38 places of a page


def measure_replace(_folder: Path) -> Measured:
    """From the list of places to the last page on the disk: some places a page, then all."""
    with (
        tempfile.TemporaryDirectory() as folder,
        BookStore.open(large_book(Path(folder) / "book.sqlite", pages=PAGES)) as store,
    ):
        while store.index_some():
            pass
        begun_s = time.monotonic()
        places = _planned(store)
        planned_s = time.monotonic() - begun_s
        some_s = _replace(store, places[::EVERY])
        back_s = _take_back(store)
        all_s = _replace(store, places)
    said = f"{len(places[::EVERY]):,} places; listing all {len(places):,} took {planned_s:.2f} s"
    more = f"taking it back {back_s:.2f} s; replacing all of them {all_s:.2f} s"
    return Measured(some_s, f"{some_s:.2f} s", notes=(said, more))


def _planned(store: BookStore) -> Sequence[Planned]:
    query = query_of(SOUGHT)
    assert query is not None
    with store.reader() as reader:
        return plan(reader, query, template_of(INSTEAD, None), most=10**6, goes_on=lambda: True)[0]


def _replace(store: BookStore, places: Sequence[Planned]) -> float:
    by_page: dict[int, set[At]] = {}
    for place in places:
        by_page.setdefault(place.match.page, set()).add(At(place.match.region, place.match.start))
    query = query_of(SOUGHT)
    assert query is not None
    chosen = {page: frozenset(each) for page, each in by_page.items()}
    order = Replacement(query, template_of(INSTEAD, None), SOUGHT, INSTEAD, chosen, "Bench")
    begun_s = time.monotonic()
    outcome = store.replace(order)
    took_s = time.monotonic() - begun_s
    assert (len(outcome.changed), outcome.left_out) == (PAGES, ())
    return took_s


def _take_back(store: BookStore) -> float:
    begun_s = time.monotonic()
    outcome = store.take_back_replacement()
    took_s = time.monotonic() - begun_s
    assert outcome is not None
    assert len(outcome.changed) == PAGES
    return took_s
