"""Finding a line by a few of its letters. Pure functions."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_AT_WORD, _INSIDE, _SCATTERED, _BESIDE = 0, 1, 2, 3
BESIDE_COST = 10  # a word found only in the explanation counts little


def ranked(query: str, lines: Sequence[str], beside: Sequence[str] = ()) -> list[int]:
    """Which lines hold every word of the query, the best first; all of them for an empty query.

    A word is best where it begins a word of the line, good inside one, and still counts when its
    letters are only found in their order. Accents and case do not matter.

    Args:
        query: words in any order.
        lines: what is searched.
        beside: an explanation of each line, searched too, but only for whole stretches of letters.
    """
    words = _plain(query).split()
    texts = [*beside, *([""] * (len(lines) - len(beside)))]
    costs = [
        _cost(words, _plain(line), _plain(text)) for line, text in zip(lines, texts, strict=True)
    ]
    found = [(cost, at) for at, cost in enumerate(costs) if cost is not None]
    return [at for _cost, at in sorted(found)]


def _cost(words: list[str], line: str, beside: str) -> int | None:
    total = 0
    for word in words:
        cost = _word_cost(word, line)
        if cost is None:
            if word not in beside:
                return None
            cost = BESIDE_COST
        total += cost
    return total


def _word_cost(word: str, line: str) -> int | None:
    if f" {word}" in f" {line}":
        return _AT_WORD
    if word in line:
        return _INSIDE
    letters = iter(line)
    return _SCATTERED if all(letter in letters for letter in word) else None


def _plain(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
