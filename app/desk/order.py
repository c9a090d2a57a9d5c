"""The order in which doubts are walked: by the errors that are expected to be found per second.

To look at a word takes `LOOK_S`, and to turn to another page `TURN_S` before its first word is
found. On one page the likeliest words are worth a turn together: the page's doubts, likeliest
first, are cut into batches, each as long as one more word does not lower the expected errors per
second of the batch, its turn included. Batches of all pages are walked by that rate. On the page
where one is already nothing is to be turned: one stays as long as a word there is worth more than
going to the best batch elsewhere. Within a batch the words come as they stand in the text, so that
the eye goes down the page once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.desk.doubts import Entry

LOOK_S = 2.0
"""To compare one word with its image and press a key."""

TURN_S = 3.0
"""To find one's way on another page."""


class Batch(NamedTuple):
    """Doubts of one page that are walked together."""

    rate: float  # expected errors per second
    page: int
    entries: tuple[Entry, ...]  # in the order of the text


def batches(entries: Sequence[Entry]) -> list[Batch]:
    """Cut the doubts of one page, given in the order of the text, into batches of falling rate."""
    likeliest = sorted(range(len(entries)), key=lambda i: -entries[i].doubt.chance)
    found: list[Batch] = []
    taken: list[int] = []
    errors = rate = 0.0
    for i in likeliest:
        chance = entries[i].doubt.chance
        if taken and chance / LOOK_S < rate:
            found.append(_batch(rate, entries, taken))
            taken, errors = [], 0.0
        taken.append(i)
        errors += chance
        rate = errors / (TURN_S + len(taken) * LOOK_S)
    if taken:
        found.append(_batch(rate, entries, taken))
    return found


def staying(entries: Iterable[Entry], *, elsewhere: float) -> tuple[list[Entry], list[Entry]]:
    """Part the doubts of the page that is open into those to stay for and the rest.

    Args:
        entries: in the order of the text.
        elsewhere: expected errors per second of the best batch of another page.
    """
    stay: list[Entry] = []
    rest: list[Entry] = []
    for entry in entries:
        (stay if entry.doubt.chance / LOOK_S >= elsewhere else rest).append(entry)
    return stay, rest


def _batch(rate: float, entries: Sequence[Entry], taken: Iterable[int]) -> Batch:
    in_text = tuple(entries[i] for i in sorted(taken))
    return Batch(rate, in_text[0].doubt.page, in_text)
