"""The words of a block, as they are doubted, looked up and looked at. Pure.

A word is what stands between white space, its punctuation with it. One that is broken at a line's
end is one word over two lines: the parts are looked up together and asked about once. Writing
without spaces is cut at its own punctuation, so that no line is one word.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.book import Region
from app.desk.hyphens import MARKS
from model.api import Span

_TOKEN = re.compile(r"[^\s、。，．；：！？「」『』（）]+[、。，．；：！？」』）]*|[^\s]")
_BREAK = re.compile(rf"(?<=\w)[{MARKS}=]\Z")
_TURNED = frozenset({"R", "AL"})
_GAP = re.compile(r"[ \t]*\n[ \t]*\Z")


class Word(NamedTuple):
    """One word of a block."""

    start: int  # code points in the block's text
    end: int
    text: str  # as it reads: the parts of a broken word joined
    score: float | None = None  # 0..1, the lowest of what the engine says of its letters
    break_at: int = -1  # where the second part of a broken word starts; -1: it is whole


def words_of(region: Region) -> list[Word]:
    """The words of a block in their order, each with its score."""
    scores = _Scores(region)
    return [
        word._replace(score=scores.lowest(word.start, word.end)) for word in words_in(region.text)
    ]


def words_in(text: str) -> Iterator[Word]:
    """The words of a text in their order, without scores."""
    held: Word | None = None
    for token in _TOKEN.finditer(text):
        word = Word(token.start(), token.end(), token[0])
        if held is not None and _goes_on(text, held, word):
            word = _joined(held, word)
            held = None
        if held is not None:
            yield held
        held = word
    if held is not None:
        yield held


def is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction runs to the left."""
    directions = map(unicodedata.bidirectional, text)
    return next((way for way in directions if way in _TURNED | {"L"}), "L") in _TURNED


def _goes_on(text: str, first: Word, second: Word) -> bool:
    """Whether the first is broken at the end of its line and goes on in the second."""
    return (
        bool(_BREAK.search(first.text))
        and bool(_GAP.fullmatch(text, first.end, second.start))
        and second.text[0].islower()
        and first.break_at < 0
    )


def _joined(first: Word, second: Word) -> Word:
    return Word(first.start, second.end, first.text[:-1] + second.text, break_at=second.start)


class _Scores:
    """What the engine says of stretches of a block: by words, else by lines, else of the block."""

    def __init__(self, region: Region) -> None:
        has_words = any(word.score is not None for word in region.words)
        self._spans: Sequence[Span] = region.words if has_words else region.lines
        self._ends = [span.end for span in self._spans]
        self._of_block = region.score

    def lowest(self, start: int, end: int) -> float | None:
        """The lowest score of what stands between; None where the engine gives none."""
        found: list[float] = []
        at = bisect_right(self._ends, start)
        while at < len(self._spans) and self._spans[at].start < end:
            score = self._spans[at].score
            if score is not None:
                found.append(score)
            at += 1
        return min(found, default=self._of_block if not self._spans else None)
