"""A reading with the word boxes that other readings of its page know. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.book import Reading
from app.desk.word_places import is_placed, with_places


def placed(reading: Reading, readings: Callable[[], Iterable[Reading]]) -> Reading:
    """Bring the boxes of words over to a reading that knows only those of its blocks.

    In a reading by hand too, which may have been begun before any other knew its words; its
    corrections can still be taken back, see `app.proofing.says_same`.

    Args:
        reading: of a page.
        readings: fetches all of that page; asked only when it is needed.
    """
    if is_all_placed(reading):
        return reading
    regions = reading.regions
    for other in readings():
        if other.id != reading.id:
            regions = with_places(regions, other.regions)
    return replace(reading, regions=regions)


def is_all_placed(reading: Reading) -> bool:
    """Whether nothing can be brought over to any block."""
    return all(map(is_placed, reading.regions))
