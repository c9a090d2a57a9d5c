"""What a book as a whole says of its pages: the same text twice, and texts of an odd length. Pure.

Texts are compared by their shingles, some words in a row, so that a word read otherwise here and
there hides nothing. What stands on many pages is the book's own phrase and counts for nothing.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from app.book import Reason
from app.desk.alignment import folded
from app.desk.concerns import Concern, Standing

WORDS = 5  # of a shingle
KEPT = 2  # one in so many, the same ones on each page
PARAGRAPH = 60  # words from which a block is compared; a refrain or a formula has fewer
SHARED = 0.4  # share of a block's shingles that another page has: with one word in ten misread
LEAST = 5  # and so many of them
PHRASE_PAGES = 3  # on more pages a shingle is a phrase of the book
MEASURED = 8  # pages from which there is a usual length
PRINTED = 150  # marks that a page needs to be compared
LENGTH = (0.5, 1.9)  # letters a mark, in what is usual in this book


class PageText(NamedTuple):
    """The text of a page, block by block, running heads and numbers left out."""

    page: int
    blocks: tuple[str, ...]


def doubled(texts: Sequence[PageText]) -> dict[int, tuple[Concern, ...]]:
    """Pages that have a paragraph of another page, with the page that has it too."""
    pages_of: defaultdict[int, set[int]] = defaultdict(set)
    paragraphs: list[tuple[int, int, frozenset[int]]] = []
    for text in texts:
        for at, block in enumerate(_paragraphs(text.blocks)):
            shingles = frozenset(_shingles(block))
            for each in shingles:
                pages_of[each].add(text.page)
            if len(shingles) >= LEAST and len(block) >= PARAGRAPH:
                paragraphs.append((text.page, at, shingles))
    found: defaultdict[int, list[Concern]] = defaultdict(list)
    for page, _at, shingles in paragraphs:
        twin = _twin(page, shingles, pages_of)
        if twin is not None:
            found[page].append(Concern(Reason.DOUBLED_PAGE, other_page=twin))
    return {page: tuple(dict.fromkeys(concerns)) for page, concerns in found.items()}


def odd_lengths(standings: Mapping[int, Standing]) -> dict[int, tuple[Concern, ...]]:
    """Pages with far more or fewer letters for their print than is usual in the book.

    Args:
        standings: of the pages that were read, by their numbers.
    """
    rates = {
        page: each.letters / each.marks for page, each in standings.items() if each.marks >= PRINTED
    }
    if len(rates) < MEASURED:
        return {}
    usual = median(rates.values())
    least, most = LENGTH
    found: dict[int, tuple[Concern, ...]] = {}
    for page, rate in rates.items():
        if rate < least * usual:
            found[page] = (Concern(Reason.TOO_SHORT),)
        elif rate > most * usual:
            found[page] = (Concern(Reason.TOO_LONG),)
    return found


def _paragraphs(blocks: Sequence[str]) -> Iterator[list[str]]:
    """The words of each paragraph; blocks of a line each, as some engines give, are one."""
    waiting: list[str] = []
    for block in blocks:
        words = [folded(word).lower() for word in block.split()]
        if len(words) >= PARAGRAPH:
            yield words
        else:
            waiting += words
    yield waiting


def _shingles(words: Sequence[str]) -> Iterator[int]:
    for at in range(len(words) - WORDS + 1):
        number = zlib.crc32(" ".join(words[at : at + WORDS]).encode())
        if number % KEPT == 0:
            yield number


def _twin(page: int, shingles: frozenset[int], pages_of: Mapping[int, set[int]]) -> int | None:
    """The page that shares most of a paragraph, if it shares enough."""
    shared: Counter[int] = Counter()
    for each in shingles:
        pages = pages_of[each]
        if len(pages) <= PHRASE_PAGES:
            shared.update(pages - {page})
    if not shared:
        return None
    twin, count = min(shared.most_common(), key=lambda each: (-each[1], each[0]))
    return twin if count >= LEAST and count >= SHARED * len(shingles) else None
