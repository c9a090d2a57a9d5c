"""The letter test of the German research funders: 500 random letters, right or wrong. Pure.

Each letter of the chosen pages has the same chance; a person compares it with the ink at its
place.
How many must be right for which accuracy stands in the rules ('Praxisregeln „Digitalisierung“',
form 12.151, 12/2016) as a table for an error of 2.5 %. The table rounds; beside it stands the exact
lower bound (Clopper and Pearson, one-sided, 97.5 %).

What the text lacks altogether cannot be drawn from it. The check for print that was not read is
another one; the protocol names the pages on which it has found any.
"""

from __future__ import annotations

import random
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from math import comb
from typing import NamedTuple

from app.book import Box, Reading, Region
from app.desk.word_places import place_of

LETTERS = 500

CLAIMS = ((500, "> 99"), (499, "99"), (496, "98"), (493, "97"), (489, "96"), (485, "95"))
"""So many right letters of 500 accept so many per cent; the best first."""

RISK = 0.025
CONTEXT = 24  # letters shown before and behind


class Letter(NamedTuple):
    """A letter that was drawn, with all that is needed to judge it."""

    page: int  # from 0
    letter: str  # with its combining marks
    before: str  # what stands in front of it, on one line
    behind: str
    box: Box | None  # where its ink is; None where nothing is known of the place
    in_word: bool  # the box is estimated within that of its word, else within a larger one


@dataclass(frozen=True)
class LetterTest:
    """One test, under way or ended."""

    id: int
    begun: datetime
    person: str
    seed: int
    pages: tuple[int, ...]
    letters: tuple[Letter, ...]
    answers: str = ""  # r right, w wrong, one for each letter answered
    ended: datetime | None = None

    @property
    def right(self) -> int:
        """How many letters were right."""
        return self.answers.count("r")

    @property
    def wrong(self) -> int:
        """How many were not."""
        return self.answers.count("w")

    @property
    def is_ended(self) -> bool:
        """Whether every letter was answered."""
        return len(self.answers) == len(self.letters)


def claim_of(right: int) -> str | None:
    """The accuracy in per cent that so many right letters of 500 accept, None below 95."""
    return next((claim for least, claim in CLAIMS if right >= least), None)


def lower_bound(right: int, count: int = LETTERS) -> float:
    """The accuracy that is reached at least, 0..1, but for a chance of 2.5 % to be wrong."""
    low, high = 0.0, 1.0
    for _step in range(50):
        middle = (low + high) / 2
        if _chance_of_at_least(right, count, middle) < RISK:
            low = middle
        else:
            high = middle
    return low


def _chance_of_at_least(right: int, count: int, accuracy: float) -> float:
    return sum(
        comb(count, hits) * accuracy**hits * (1 - accuracy) ** (count - hits)
        for hits in range(right, count + 1)
    )


def drawn(counts: Sequence[int], seed: int, count: int = LETTERS) -> list[tuple[int, int]]:
    """Draw letters without putting them back: number of the page among those, number of letter.

    Args:
        counts: letters of each page, see `letters_of`.
        seed: makes the draw one that can be repeated.
        count: how many.
    """
    ends = list(accumulate(counts))
    chosen = random.Random(seed).sample(range(ends[-1] if ends else 0), count)  # noqa: S311
    places: list[tuple[int, int]] = []
    for number in sorted(chosen):
        page = bisect_right(ends, number)
        places.append((page, number - (ends[page - 1] if page else 0)))
    return places


def letters_of(text: str) -> list[int]:
    """Where the printed letters of a text stand: no white space, marks belong to their letter."""
    return [at for at, letter in enumerate(text) if unicodedata.category(letter)[0] not in "ZCM"]


def letter_at(page: int, reading: Reading, number: int) -> Letter:
    """The letter of that number in a reading, region after region."""
    for region in reading.regions:
        places = letters_of(region.text)
        if number < len(places):
            return _letter(page, region, places[number])
        number -= len(places)
    raise AssertionError("the page has fewer letters than were counted")


def _letter(page: int, region: Region, at: int) -> Letter:
    text, end = region.text, at + 1
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    place = place_of(region, at, end)
    box = place.box if place is not None else None
    in_word = any(word.start <= at < word.end for word in region.words)
    before = _one_line(text[max(0, at - CONTEXT) : at])
    return Letter(page, text[at:end], before, _one_line(text[end : end + CONTEXT]), box, in_word)


def _one_line(text: str) -> str:
    return " ".join(text.replace("\n", " ⏎ ").split("\t"))
