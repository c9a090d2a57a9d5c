"""Whether a text goes round in circles: the same words again and again. Pure."""

from __future__ import annotations

import numpy as np

TIMES = 4  # that the same words come in a row
LONGEST = 40  # words of one round
LETTERS = 60  # that all rounds together have at least; figures and signs do not count


def repeats(text: str) -> bool:
    """Tell whether some words are said over and over in a row.

    Columns of figures and ditto marks are not counted: they do come again in print.
    """
    words = text.split()
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)
    letters = np.array([sum(map(str.isalpha, word)) for word in words], np.int64)
    return any(_goes_round(ids, letters, each) for each in range(1, min(LONGEST, len(ids)) + 1))


def _goes_round(ids: np.ndarray, letters: np.ndarray, period: int) -> bool:
    """Whether words are the same as those some words before, for several rounds on end."""
    is_same = ids[period:] == ids[:-period]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_same, [False])).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    sums = np.concatenate(([0], np.cumsum(letters)))
    is_long = ends - starts >= (TIMES - 1) * period
    said = sums[ends + period] - sums[starts]  # the first round is before the run
    return bool(np.any(is_long & (said >= LETTERS)))
