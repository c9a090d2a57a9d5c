"""A machine's reading with the word boxes that other readings of its page know. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.book import Reading
from app.desk.word_places import is_placed, with_places


def placed(reading: Reading, readings: Callable[[], Iterable[Reading]]) -> Reading:
    """Bring the boxes of words over to a reading that knows only those of its blocks.

    A reading by hand stays as it is: it was begun on one that had its boxes brought over, and its
    corrections can be taken back only while its blocks are as they know them.

    Args:
        reading: of a page.
        readings: fetches all of that page; asked only when it is needed.
    """
    if reading.source.by == "hand" or all(map(is_placed, reading.regions)):
        return reading
    regions = reading.regions
    for other in readings():
        if other.id != reading.id:
            regions = with_places(regions, other.regions)
    return replace(reading, regions=regions)
