"""One page while it is read: events of the markup in, pieces and blocks out, each with its score.

The model gives boxes of blocks only, so a word's box is its block's, marked as estimated: somewhere
in there. Its score is the lowest probability of the tokens that it is made of.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from model.api import Block, Box, Cell, Kind, Piece, Rows, Span, Style
from model.markup import BlockEnd, BlockStart, Event, TextAdded, to_pixels

WORD = re.compile(r"\S+")


class ImageSize(NamedTuple):
    """Of the image that was given, whatever views were made of it."""

    width_px: int
    height_px: int


@dataclass
class _Draft:
    """A block while it is written."""

    kind: Kind
    box: Box | None
    text: str = ""
    ends: list[int] = field(default_factory=lambda: list[int]())  # where each token's letters end
    scores: list[float] = field(default_factory=lambda: list[float]())  # of these tokens
    rows: Rows = ()
    styles: tuple[Style, ...] = ()
    is_ended: bool = False


class PageWriter:
    """Writes one page."""

    def __init__(self, page: int, size: ImageSize) -> None:
        self.page = page
        self._size = size
        self._drafts: list[_Draft] = []
        self._tokens: list[tuple[list[Event], float]] = []  # events and score of each

    @property
    def tokens(self) -> int:
        """How many tokens the page has taken."""
        return len(self._tokens)

    def last_texts(self, most: int) -> Sequence[str]:
        """Texts of the last blocks that are complete, so many at most."""
        return [draft.text for draft in self._drafts[-most - 1 :] if draft.is_ended][-most:]

    def add(self, events: Iterable[Event], score: float) -> list[Piece]:
        """Take what one token brought; gives its pieces.

        A token that brings nothing to see gives an empty piece, so that its taker hears of it,
        unless the page has no block yet.
        """
        self._tokens.append(([], score))
        pieces = self.add_rest(events, score)
        return pieces if pieces or not self._drafts else [self._piece("", score)]

    def add_rest(self, events: Iterable[Event], score: float) -> list[Piece]:
        """Take what was held back of the last token; no further token is counted."""
        brought = list(events)
        if self._tokens:
            self._tokens[-1][0].extend(brought)
        return [piece for event in brought for piece in self._take(event, score)]

    def blocks(self) -> tuple[Block, ...]:
        """The page as it stands."""
        return tuple(map(_block, self._drafts))

    def cut_tokens(self, kept: int) -> None:
        """Take back all that came after the first `kept` tokens."""
        tokens = self._tokens[:kept]
        self._drafts, self._tokens = [], []
        for events, score in tokens:
            self.add(events, score)

    def drop_blocks(self, last: int) -> None:
        """Take back the last blocks that are complete, and one that is not."""
        complete = [draft for draft in self._drafts if draft.is_ended]
        self._drafts = complete[:-last]

    def _take(self, event: Event, score: float) -> Iterator[Piece]:
        match event:
            case BlockStart(kind, box):
                pixels = to_pixels(box, **self._size._asdict()) if box else None
                self._drafts.append(_Draft(kind, pixels))
                yield self._piece("", score)._replace(box=pixels)
            case TextAdded(text):
                draft = self._drafts[-1]
                draft.text += text
                draft.ends.append(len(draft.text))
                draft.scores.append(score)
                yield self._piece(text, score)
            case BlockEnd(rows, styles):
                self._drafts[-1].rows = rows
                self._drafts[-1].styles = styles
                self._drafts[-1].is_ended = True
            case _:
                pass  # where pages begin is not this page's business

    def _piece(self, text: str, score: float) -> Piece:
        kind = self._drafts[-1].kind
        return Piece(self.page, len(self._drafts) - 1, text, kind, score=score)


def _block(draft: _Draft) -> Block:
    words = tuple(_words(draft, draft.box)) if draft.box else ()
    rows = draft.rows
    if draft.kind is Kind.TABLE and not draft.is_ended:  # cut off: as far as its text goes
        rows = tuple(tuple(map(Cell, line.split("\t"))) for line in draft.text.split("\n"))
    return Block(
        kind=draft.kind,
        text=draft.text,
        box=draft.box,
        words=words,
        styles=draft.styles,
        rows=rows,
        score=_mean(draft.scores),
    )


def _words(draft: _Draft, box: Box) -> Iterator[Span]:
    """The words of a block; each has the lowest score of its tokens."""
    for word in WORD.finditer(draft.text):
        first = bisect_right(draft.ends, word.start())
        last = bisect_left(draft.ends, word.end())
        score = min(draft.scores[first : last + 1])
        yield Span(word.start(), word.end(), box, score, "estimated")


def _mean(scores: Sequence[float]) -> float | None:
    """The geometric mean, which is how sure the model was of a token on the whole."""
    if not scores:
        return None
    smallest = 1e-30  # of float32 worth the name; a probability of 0 would make all 0
    return math.exp(sum(math.log(max(score, smallest)) for score in scores) / len(scores))
