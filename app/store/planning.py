"""What a replacement would change, place by place, to be looked at before it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.store.patterns import Template
from app.store.reader import CONTEXT, BookReader, Match
from app.store.search import REGION_END, Query
from app.store.swaps import Swap, swaps_of


class Planned(NamedTuple):
    """A place where a query stands, and what would be put there."""

    match: Match
    instead: str


def plan(
    reader: BookReader,
    query: Query,
    template: Template,
    *,
    most: int,
    goes_on: Callable[[], bool],
) -> tuple[tuple[Planned, ...], int]:
    """List all places of the current readings, and how many there are with those beyond `most`.

    Raises:
        FindError: `pattern_slow`.
    """
    planned: list[Planned] = []
    total = 0
    for page, _reading_id, text in reader.texts_with(query):
        if not goes_on():
            break
        for region, block in enumerate(text.split(REGION_END)):
            swaps = swaps_of(query, template, block)
            total += len(swaps)
            planned += (
                _planned(page, region, block, swap) for swap in swaps[: most - len(planned)]
            )
    return tuple(planned), total


def _planned(page: int, region: int, block: str, swap: Swap) -> Planned:
    start = max(0, swap.start - CONTEXT)
    context = _one_line(block[start : swap.end + CONTEXT])
    match = Match(page, region, swap.start, swap.end, context, swap.start - start)
    return Planned(match, _one_line(swap.text))


def _one_line(text: str) -> str:
    return text.replace("\n", " ").replace("\t", " ")
