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
    last_token: int = -1  # of the page, that wrote in it

    def write(self, text: str, score: float, *, token: int) -> None:
        """Take letters of a token."""
        self.text += text
        if token == self.last_token:
            self.ends[-1] = len(self.text)
            return
        self.last_token = token
        self.ends.append(len(self.text))
        self.scores.append(score)


class _Told(NamedTuple):
    """How much of the page was given to who follows it."""

    blocks: int = 0
    letters: int = 0  # of the last of them
    scores: int = 0  # likewise
    tokens: int = 0


class PageWriter:
    """Writes one page."""

    def __init__(self, page: int, size: ImageSize) -> None:
        self.page = page
        self._size = size
        self._drafts: list[_Draft] = []
        self._tokens: list[tuple[list[Event], float]] = []  # events and score of each
        self._score = 1.0  # of the last token
        self._told = _Told()

    @property
    def tokens(self) -> int:
        """How many tokens the page has taken."""
        return len(self._tokens)

    def last_texts(self, most: int) -> Sequence[str]:
        """Texts of the last blocks that are complete, so many at most."""
        return [draft.text for draft in self._drafts[-most - 1 :] if draft.is_ended][-most:]

    def add(self, events: list[Event], score: float) -> None:
        """Take what one token brought."""
        self._tokens.append((events, score))
        self._write(events, score)

    def add_rest(self, events: list[Event], score: float) -> None:
        """Take what was held back of the last token; no further token is counted."""
        if self._tokens:
            self._tokens[-1][0].extend(events)
        self._write(events, score)

    def news(self) -> list[Piece]:
        """What was written since this was asked last, a piece for each block.

        Tokens that brought nothing to see give an empty piece, so that who follows hears of them,
        unless the page has no block yet.
        """
        steps, first = self.tokens - self._told.tokens, max(0, self._told.blocks - 1)
        pieces = [self._news_of(at) for at in range(first, len(self._drafts))]
        if len(pieces) > 1 and self._told.blocks and not pieces[0].text:
            del pieces[0]
        if not pieces or not (steps or pieces[-1].text or len(self._drafts) > self._told.blocks):
            return []
        self._note_told()
        return [*pieces[:-1], pieces[-1]._replace(steps=steps)]

    def blocks(self) -> tuple[Block, ...]:
        """The page as it stands."""
        return tuple(map(_block, self._drafts))

    def cut_tokens(self, kept: int) -> None:
        """Take back all that came after the first `kept` tokens."""
        tokens = self._tokens[:kept]
        self._drafts, self._tokens = [], []
        for events, score in tokens:
            self.add(events, score)
        self._note_told()

    def drop_blocks(self, last: int) -> None:
        """Take back the last blocks that are complete, and one that is not."""
        complete = [draft for draft in self._drafts if draft.is_ended]
        self._drafts = complete[:-last]
        self._note_told()

    def _note_told(self) -> None:
        """Begin to gather what is told next."""
        letters, scores = 0, 0
        if self._drafts:
            letters, scores = len(self._drafts[-1].text), len(self._drafts[-1].scores)
        self._told = _Told(len(self._drafts), letters, scores, self.tokens)

    def _write(self, events: Iterable[Event], score: float) -> None:
        self._score = score
        for event in events:
            match event:
                case TextAdded(text):
                    self._drafts[-1].write(text, score, token=self.tokens)
                case BlockStart(kind, box):
                    pixels = to_pixels(box, **self._size._asdict()) if box else None
                    self._drafts.append(_Draft(kind, pixels))
                case BlockEnd(rows, styles):
                    self._drafts[-1].rows = rows
                    self._drafts[-1].styles = styles
                    self._drafts[-1].is_ended = True
                case _:
                    pass  # where pages begin is not this page's business

    def _news_of(self, at: int) -> Piece:
        draft, told = self._drafts[at], self._told
        if at >= told.blocks:
            told = _Told()
        scores = draft.scores[told.scores :] or [self._score]
        return Piece(
            self.page,
            at,
            draft.text[told.letters :],
            draft.kind,
            box=None if told.blocks else draft.box,
            score=min(scores),
            steps=0,
        )


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
