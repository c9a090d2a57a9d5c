"""Lines that a reader wrote twice: what stands there a few words before as well. Pure.

A reader that writes a page from its picture now and then reads a line a second time and guesses its
end. The words of the second are often right for themselves, and the engine is sure of them: only
that they stand there already tells them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

REACH = 30
"""Words from a line to the one that says the same again: two or three lines."""

LEAST_LETTERS = 8
"""That two lines have in common on end; figures come again without being read twice."""

LEAST_SHARE = 2 / 3
"""Of a line's letters: prose says half a line again, and means it."""


class Run(NamedTuple):
    """Words that stand there once more, a few words before."""

    start: int
    end: int  # exclusive
    back: int  # so many words before


def doubled(plain: Sequence[str], lines: Sequence[int]) -> list[bool]:
    """Find the words of lines that say what stands a few words before.

    Args:
        plain: the letters and digits of the words, in small letters.
        lines: the number of each word's line, growing.
    """
    said: Counter[int] = Counter()
    for run in _runs(plain):
        if lines[run.start] == lines[run.start - run.back]:
            continue
        for i in range(run.start, run.end):
            said[lines[i]] += len(plain[i])
    if not said:
        return [False] * len(plain)
    letters: Counter[int] = Counter()
    for line, word in zip(lines, plain, strict=True):
        letters[line] += len(word)
    return [said[line] >= LEAST_SHARE * max(1, letters[line]) for line in lines]


def _runs(plain: Sequence[str]) -> Iterator[Run]:
    """Two words or more, long enough, that stand there a few words before in the same order."""
    seen: dict[tuple[str, str], int] = {}
    run: Run | None = None
    for i in range(1, len(plain)):
        pair = (plain[i - 1], plain[i])
        before = seen.get(pair, -REACH - i)
        seen[pair] = i
        back = i - before
        if run is not None and back == run.back:
            run = run._replace(end=i + 1)
            continue
        if run is not None and _is_long(plain, run):
            yield run
        run = Run(i - 1, i + 1, back) if 1 < back <= REACH else None
    if run is not None and _is_long(plain, run):
        yield run


def _is_long(plain: Sequence[str], run: Run) -> bool:
    said = "".join(plain[run.start : run.end])
    return sum(map(str.isalpha, said)) >= LEAST_LETTERS
