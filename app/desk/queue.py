"""The doubts of a whole book, what was said of them, and the way through them. No threads.

A word that was called right, or called right everywhere, is asked about no more. One put off comes
when the others are done. One that was passed over comes again in the next round. What a correction
touches is no doubt any more: a person has just read it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

from app.desk.doubts import Doubt, Entry, Key, Leaf
from app.desk.order import Batch, batches, staying
from app.store.verdicts import Said, Verdict

THRESHOLD = 0.1
"""Words less likely to be wrong are not asked about, unless a person wants it."""

DECIDED = frozenset({Said.RIGHT, Said.WRONG})


class DoubtQueue:
    """Belongs to one thread.

    Args:
        verdicts: what was said before, oldest first.
        words: those that are right wherever they stand.
    """

    def __init__(self, verdicts: Iterable[Verdict] = (), words: Iterable[str] = ()) -> None:
        self._said: dict[Key, Verdict] = {}
        self._words = set(words)
        self._leaves: dict[int, Leaf] = {}
        self._waiting: dict[int, list[Entry]] = {}  # of each page: those to be asked about
        self._batches: dict[int, list[Batch]] = {}  # the same without those seen or put off
        self._closed: set[int] = set()  # pages that a person has read as a whole
        self._seen: set[Key] = set()  # in this round
        self._page: int | None = None  # that is open
        self._order: tuple[Entry, ...] | None = None
        self._chances: list[float] | None = None
        self._threshold = THRESHOLD
        for verdict in verdicts:
            self._said[_key_of(verdict)] = verdict

    # --- what is asked --------------------------------------------------------------------------

    @property
    def threshold(self) -> float:
        """Words less likely to be wrong are out, 0..1."""
        return self._threshold

    @threshold.setter
    def threshold(self, threshold: float) -> None:
        self._threshold = threshold
        self._order = None

    @property
    def order(self) -> tuple[Entry, ...]:
        """All that is to be asked about, as it will be walked."""
        if self._order is None:
            self._order = self._ordered()
        return self._order

    @property
    def left(self) -> int:
        """How many words are to be asked about."""
        return self.left_at(self._threshold)

    def left_at(self, threshold: float) -> int:
        """How many there would be with another threshold."""
        if self._chances is None:
            waiting = (entry for entries in self._waiting.values() for entry in entries)
            self._chances = sorted(entry.doubt.chance for entry in waiting)
        return len(self._chances) - bisect_left(self._chances, threshold)

    def looked_at(self, threshold: float = 0.0) -> Counter[Said]:
        """How many words were called right and how many were wrong, of those over a threshold."""
        return Counter(
            each.said
            for each in self._said.values()
            if each.said in DECIDED and each.chance >= threshold
        )

    def leaf(self, page: int) -> Leaf | None:
        """What is known of a page; None where it was not judged yet."""
        return self._leaves.get(page)

    def doubts_of(self, page: int) -> tuple[Doubt, ...]:
        """The words of a page that are to be asked about, in the order of the text."""
        waiting = self._waiting.get(page, ())
        return tuple(entry.doubt for entry in waiting if entry.doubt.chance >= self._threshold)

    def find(self, key: Key) -> Entry | None:
        """A word that was doubted and stands there still."""
        leaf = self._leaves.get(key.page)
        entries = leaf.entries if leaf else ()
        return next((entry for entry in entries if entry.key == key), None)

    def is_right_at(self, page: int, region: int, start: int) -> bool:
        """Whether it was said of the word around a place that it is right."""
        leaf = self._leaves.get(page)
        return any(
            doubt.region == region
            and doubt.start <= start < doubt.end
            and self._is_called_right(key)
            for key, doubt in (leaf.entries if leaf else ())
        )

    def said_of(self, key: Key) -> Verdict | None:
        """What was said of a word."""
        return self._said.get(key)

    # --- what happens ---------------------------------------------------------------------------

    def put(self, leaf: Leaf) -> None:
        """Take in what is doubted on a page, in place of what was."""
        self._leaves[leaf.page] = leaf
        self._sift(leaf.page)

    def close(self, page: int, *, is_closed: bool) -> bool:
        """Ask about the words of a page no more, since a person has read the whole; or again.

        Returns:
            Whether that is new.
        """
        if is_closed == (page in self._closed):
            return False
        (self._closed.add if is_closed else self._closed.remove)(page)
        self._sift(page)
        return True

    def drop(self, page: int) -> None:
        """Forget a page that has no text any more."""
        for pages in (self._leaves, self._waiting, self._batches):
            pages.pop(page, None)
        self._forget_order()

    def open(self, page: int | None) -> None:
        """Say which page is open: nothing is to be turned to get to its words."""
        if page != self._page:
            self._page, self._order = page, None

    def say(self, verdict: Verdict) -> None:
        """Take in what a person says of a word."""
        self._said[_key_of(verdict)] = verdict
        self._sift(verdict.page)

    def say_everywhere(self, word: str) -> None:
        """Ask about a word no more, wherever it stands."""
        self._words.add(word)
        for page, waiting in list(self._waiting.items()):
            if any(entry.doubt.word == word for entry in waiting):
                self._sift(page)

    def next(self, behind: Key | None) -> Entry | None:
        """What to ask about next, behind a word; when all were seen, a new round begins."""
        if behind is not None and self.find(behind):
            self._pass_over(behind)
        if self.order and self.order[0].key in self._seen:
            pages = {key.page for key in self._seen}
            self._seen.clear()
            for page in pages:
                self._sift(page)
        others = (entry for entry in self.order if entry.key != behind)
        return next(others, self.order[0] if self.order else None)

    def next_wrong(self, page: int, word: str) -> Key:
        """What a wrong word is kept under; it stands there no more, so its number is below 0."""
        nth = -1
        while Key(page, word, nth) in self._said:
            nth -= 1
        return Key(page, word, nth)

    # --- inside ---------------------------------------------------------------------------------

    def _pass_over(self, key: Key) -> None:
        """Ask about a word again when all others were seen."""
        self._seen.add(key)
        self._sift(key.page)

    def _sift(self, page: int) -> None:
        """Part the doubts of a page into those to be asked about now, later, and no more."""
        leaf = self._leaves.get(page)
        if leaf is None:
            return
        entries = () if page in self._closed else leaf.entries
        waiting = [entry for entry in entries if self._is_open(entry)]
        fresh = [entry for entry in waiting if not self._is_later(entry.key)]
        self._waiting[page] = waiting
        self._batches[page] = batches(fresh)
        self._forget_order()

    def _is_open(self, entry: Entry) -> bool:
        return not self._is_called_right(entry.key)

    def _is_called_right(self, key: Key) -> bool:
        verdict = self._said.get(key)
        return key.word in self._words or (verdict is not None and verdict.said is Said.RIGHT)

    def _is_later(self, key: Key) -> bool:
        return key in self._seen or self._is_put_off(key)

    def _is_put_off(self, key: Key) -> bool:
        verdict = self._said.get(key)
        return verdict is not None and verdict.said is Said.LATER

    def _forget_order(self) -> None:
        self._order = self._chances = None

    def _ordered(self) -> tuple[Entry, ...]:
        here, elsewhere = self._ranked()
        best = elsewhere[0].rate if elsewhere else 0.0
        fresh = self._over([entry for batch in here for entry in batch.entries])
        stay, _rest = staying(sorted(fresh, key=_place), elsewhere=best)
        staying_keys = {entry.key for entry in stay}
        rest = [
            entry
            for batch in sorted([*here, *elsewhere], key=lambda batch: -batch.rate)
            for entry in self._over(batch.entries)
            if entry.key not in staying_keys
        ]
        return (*stay, *rest, *self._put_off(), *self._passed())

    def _ranked(self) -> tuple[list[Batch], list[Batch]]:
        """Batches of the open page, and those of the others that hold something, best first."""
        others = (
            batch for page, each in self._batches.items() if page != self._page for batch in each
        )
        worth = [batch for batch in others if self._over(batch.entries)]
        here = self._batches.get(self._page, []) if self._page is not None else []
        return here, sorted(worth, key=lambda batch: -batch.rate)

    def _over(self, entries: Sequence[Entry]) -> list[Entry]:
        return [entry for entry in entries if entry.doubt.chance >= self._threshold]

    def _put_off(self) -> list[Entry]:
        return self._over(
            [
                entry
                for page in sorted({key.page for key in self._said})
                for entry in self._waiting.get(page, ())
                if self._is_put_off(entry.key) and entry.key not in self._seen
            ]
        )

    def _passed(self) -> list[Entry]:
        return self._over(
            [
                entry
                for page in sorted({key.page for key in self._seen})
                for entry in self._waiting.get(page, ())
                if entry.key in self._seen
            ]
        )


def _key_of(verdict: Verdict) -> Key:
    return Key(verdict.page, verdict.word, verdict.nth)


def _place(entry: Entry) -> tuple[int, int]:
    return entry.doubt.region, entry.doubt.start
