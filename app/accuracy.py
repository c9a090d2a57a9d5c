"""How far a text is from the true one: character and word error rates. Pure functions.

Strict: NFC, white space collapsed. Loose: long s, quotes and dashes folded as well. A rate is edits
(insertions, deletions, substitutions) over the letters or words of the true text.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

_FOLDED = str.maketrans(
    {
        "ſ": "s",
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟«»‹›″", '"'),
        **dict.fromkeys("‐‑‒–—―−⸗¬", "-"),
        "\u00ad": "-",
    }
)


class Errors(NamedTuple):
    """Edits needed to make one text the other, and how long the true one is."""

    edits: int
    true: int

    @property
    def rate(self) -> float:
        """0 is perfect; over 1 when more is wrong than there is."""
        return self.edits / self.true if self.true else float(self.edits > 0)

    def __add__(self, other: object) -> Errors:
        """Both pages as one: the rate of the sum is the pooled rate."""
        if not isinstance(other, Errors):
            return NotImplemented
        return Errors(self.edits + other.edits, self.true + other.true)


class Score(NamedTuple):
    """All rates of one page, or of several pooled."""

    strict: Errors
    loose: Errors
    words: Errors  # on the loose text

    def pooled(self, other: Score) -> Score:
        """Both as one."""
        return Score(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


NO_PAGES = Score(Errors(0, 0), Errors(0, 0), Errors(0, 0))


def strict_form(text: str) -> str:
    """NFC with white space collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def loose_form(text: str) -> str:
    """The strict form with long s, quotes and dashes folded."""
    return strict_form(text).translate(_FOLDED)


def score(text: str, true_text: str) -> Score:
    """Compare a text with the true one."""
    loose, true_loose = loose_form(text), loose_form(true_text)
    return Score(
        _errors(strict_form(text), strict_form(true_text)),
        _errors(loose, true_loose),
        _errors(loose.split(), true_loose.split()),
    )


def right_words(words: Sequence[str], true_words: Sequence[str]) -> list[bool]:
    """Which words stand in the true text at their place, both in loose form."""
    right = [False] * len(words)
    for change in Levenshtein.opcodes(list(words), list(true_words)):
        if change.tag == "equal":
            right[change.src_start : change.src_end] = [True] * (change.src_end - change.src_start)
    return right


def area_under_curve(scores: Sequence[float], right: Sequence[bool]) -> float | None:
    """How well scores tell right words from wrong ones: 1 always, 0.5 not at all.

    The share of pairs of a right and a wrong word in which the right one scores higher; a tie
    counts half. None where all are right, or all wrong.
    """
    wrong = sorted(score for score, is_right in zip(scores, right, strict=True) if not is_right)
    others = [score for score, is_right in zip(scores, right, strict=True) if is_right]
    if not wrong or not others:
        return None
    below = sum(bisect_left(wrong, score) + bisect_right(wrong, score) for score in others)
    return below / (2 * len(wrong) * len(others))


def _errors(text: str | list[str], true_text: str | list[str]) -> Errors:
    return Errors(Levenshtein.distance(text, true_text), len(true_text))
