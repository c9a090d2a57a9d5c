"""The hyphen ledger: every word of a book that is broken at the end of a line, block or page.

Each with what the rules propose and why (`app.desk.hyphens`); what a person decided is kept apart,
in `Choices`, so that the proposal can always be returned to. Values only; any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from app.book import Region
from app.desk.hyphens import (
    Break,
    Choices,
    HyphenJoin,
    Hyphens,
    PrintedLine,
    Vocabulary,
    chosen_infix,
    like_before,
)
from model.api import Kind

_NOT_RUNNING = {Kind.RUNNING_HEAD, Kind.PAGE_NUMBER, Kind.FOOTER, Kind.TABLE}
PageText = tuple[int, Sequence[Region]]
"""Number of a page, from 0, and its blocks in reading order."""

_TAIL = 200  # letters on either side that decide


class BrokenWord(NamedTuple):
    """One break as it is printed, and what is proposed for it."""

    page: int  # from 0; where the word begins
    region: int
    start: int  # of the word, in code points of its block
    end: int  # behind the mark that breaks it
    at: Literal["line", "block", "page"]  # whose end breaks it
    proposal: HyphenJoin
    nth: int = 0  # see `Break`

    @property
    def key(self) -> Break:
        """By what a decision on this break alone is known."""
        return Break(self.page, self.proposal.printed, self.nth)

    @property
    def first(self) -> str:
        """What stands before the break, its mark included."""
        return self.proposal.printed.partition("\n")[0]

    @property
    def second(self) -> str:
        """What stands behind the break."""
        return self.proposal.printed.partition("\n")[2]

    def becomes(self, choices: Choices) -> str:
        """What is written out for it, as things are decided now."""
        choice = choices.of(self.key)
        if choice is None:
            return self.proposal.joined
        return self.first[:-1] + chosen_infix(choice, self.first[-1]) + self.second


class _Seam(NamedTuple):
    """Two lines of print, one after the other."""

    before: str
    after: str
    page: int
    region: int
    end: int  # of the first, in its block
    at: Literal["line", "block", "page"]
    nth: int  # see `Break`


class _Block(NamedTuple):
    """A block of a page."""

    page: int
    number: int
    region: Region
    likes: Mapping[PrintedLine, int]  # of its page

    def nth(self, line: int) -> int:
        return self.likes.get(PrintedLine(self.page, self.number, line), 0)


def broken_words(pages: Iterable[PageText], language: str) -> tuple[BrokenWord, ...]:
    """All broken words in the order of the book.

    Args:
        pages: with the blocks of their current readings, in order; gone through once.
        language: of the book, BCP 47; "" if unknown.
    """
    vocabulary = Vocabulary()
    marks = Hyphens(vocabulary, language).marks
    seams = [seam for seam in _seams(pages, vocabulary) if seam.before[-1:] in marks]
    return tuple(_decided(seams, Hyphens(vocabulary, language)))


def _decided(seams: Iterable[_Seam], hyphens: Hyphens) -> Iterator[BrokenWord]:
    for seam in seams:
        join = hyphens.decide(seam.before, seam.after)
        if join is not None:
            letters = len(join.printed.partition("\n")[0])
            start = seam.end - letters
            yield BrokenWord(seam.page, seam.region, start, seam.end, seam.at, join, seam.nth)


def _seams(pages: Iterable[PageText], vocabulary: Vocabulary) -> Iterator[_Seam]:
    last: _Block | None = None  # whose text may run on
    for page, regions in pages:
        vocabulary.add("\n\n".join(region.text for region in regions))
        likes = like_before(page, (region.text for region in regions))
        for at, region in enumerate(regions):
            if region.kind in _NOT_RUNNING or not region.text.strip():
                continue
            block = _Block(page, at, region, likes)
            if last is not None and region.kind is Kind.TEXT:
                yield from _seam_between(last, block)
            yield from _seams_within(block)
            if region.kind is Kind.TEXT:
                last = block


def _seam_between(last: _Block, block: _Block) -> Iterator[_Seam]:
    """A text runs on in the next block of the page, or at the head of the very next page."""
    text = last.region.text.rstrip()
    if block.page - last.page in {0, 1}:
        where: Literal["block", "page"] = "page" if block.page > last.page else "block"
        after = block.region.text.lstrip()[:_TAIL]
        nth = last.nth(len(list(_lines(text))) - 1)
        yield _Seam(text[-_TAIL:], after, last.page, last.number, len(text), where, nth)


def _seams_within(block: _Block) -> Iterator[_Seam]:
    lines = enumerate(_lines(block.region.text))
    for (number, (before, end)), (_number, (after, _end)) in pairwise(lines):
        nth = block.nth(number)
        yield _Seam(before, after, block.page, block.number, end, "line", nth)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Lines with ink, stripped, and where each ends in the text."""
    at = 0
    for line in text.split("\n"):
        stripped = line.rstrip()
        if stripped.strip():
            yield stripped.lstrip(), at + len(stripped)
        at += len(line) + 1
