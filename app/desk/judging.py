"""Judges the words of pages: what speaks against each, and how likely it is wrong. One book's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from app.book import Reading
from app.desk.doubts import Doubt, Entry, Key, Leaf, Why
from app.desk.words import Word, words_in, words_of

FLOOR = 0.03
"""Words less likely to be wrong than this are no doubts."""


class Judge:
    """Belongs to the thread that made it."""

    def leaf(self, page: int, reading: Reading, others: Sequence[Sequence[str]] = ()) -> Leaf:
        """Judge one page.

        Args:
            page: its number.
            reading: its current text.
            others: texts of its other readings, region by region.
        """
        texts = tuple(region.text for region in reading.regions)
        return Leaf(page, texts, numbered(page, texts, self._doubts(page, reading)))

    def _doubts(self, page: int, reading: Reading) -> Iterator[Doubt]:
        for number, region in enumerate(reading.regions):
            for word in words_of(region):
                chance = self._chance(word)
                if chance >= FLOOR:
                    yield Doubt(
                        page, number, word.start, word.end, word.text, chance, (Why.UNLIKELY,)
                    )

    def _chance(self, word: Word) -> float:
        return 0.0 if word.score is None else 1 - word.score


def numbered(page: int, texts: Sequence[str], doubts: Iterable[Doubt]) -> tuple[Entry, ...]:
    """Give each doubt what it is known by: which of the same words of its page it is."""
    found = {(doubt.region, doubt.start): doubt for doubt in doubts}
    counts: Counter[str] = Counter()
    entries: list[Entry] = []
    for region, text in enumerate(texts):
        for word in words_in(text):
            doubt = found.get((region, word.start))
            if doubt is not None:
                entries.append(Entry(Key(page, word.text, counts[word.text]), doubt))
            counts[word.text] += 1
    return tuple(entries)
