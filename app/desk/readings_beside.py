"""Which of the machine's other readings of a page a text is compared with. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from app.book import Reading
from app.store.verdicts import MachineText


class Beside(NamedTuple):
    """Texts of other readings of a page, region by region."""

    machine: tuple[str, ...] | None  # of a reading by hand: the one that it was made from
    other: tuple[str, ...] | None  # of another engine, or of the same in another mode


NOTHING_BESIDE = Beside(None, None)


def beside(reading: Reading, texts: Sequence[MachineText]) -> Beside:
    """Choose from the machine's readings of a page.

    Args:
        reading: its current one.
        texts: of the machine's, the newest first.
    """
    if not texts:
        return NOTHING_BESIDE
    origin = _origin(reading, texts)
    others = (each.texts for each in texts if each.reader != origin.reader)
    other = next(others, None)
    return Beside(origin.texts if reading.source.by == "hand" else None, other)


def _origin(reading: Reading, texts: Sequence[MachineText]) -> MachineText:
    """The reading itself, or of a reading by hand the one that is most like it."""
    own = next((each for each in texts if each.reading_id == reading.id), None)
    if own is not None:
        return own
    return max(texts, key=lambda each: fuzz.ratio(reading.text, "\n\n".join(each.texts)))
