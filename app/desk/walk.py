"""The way of one person through the doubts of a book: where one stands and where one was. Pure."""

from __future__ import annotations

from app.desk.doubts import Doubt, Entry, Key, Leaf
from app.desk.following import changed_region, followed, moved_doubt
from app.desk.queue import DoubtQueue
from app.store.verdicts import Verdict


class Walk:
    """Belongs to one thread."""

    def __init__(self, queue: DoubtQueue) -> None:
        self.queue = queue
        self.at: Doubt | None = None
        self.key: Key | None = None  # of `at`, for as long as it is a doubt
        self._trail: list[Key] = []
        self._step = -1  # where in the trail one stands

    def next(self) -> Entry | None:
        """Go forward again after going back, else to the next of the queue; None: none is left."""
        for step in range(self._step + 1, len(self._trail)):
            if self.queue.find(self._trail[step]):
                return self._go(self._trail[step], step)
        self.queue.open(self.at.page if self.at else None)
        entry = self.queue.next(self.key)
        if entry is None:
            self.key = self.at = None
            return None
        return self._go_on(entry.key)

    def previous(self) -> Entry | None:
        """Go back to the doubt looked at before, answered or not; None: there is none."""
        for step in range(self._step - 1, -1, -1):
            if self.queue.find(self._trail[step]):
                return self._go(self._trail[step], step)
        return None

    def go_to(self, doubt: Doubt) -> Entry | None:
        """Go to a doubt that was chosen; None when it stands there no more."""
        leaf = self.queue.leaf(doubt.page)
        entries = leaf.entries if leaf else ()
        entry = next((each for each in entries if each.doubt == doubt), None)
        return entry and self._go_on(entry.key)

    @property
    def entry(self) -> Entry | None:
        """What one stands at, while it is a doubt."""
        return self.queue.find(self.key) if self.key else None

    def close(self, page: int, *, is_closed: bool) -> None:
        """Ask about the words of a page no more, nor stand at one of them; or ask again."""
        stands_there = self.at is not None and self.at.page == page
        if self.queue.close(page, is_closed=is_closed) and is_closed and stands_there:
            self.at = self.key = None

    def put(self, leaf: Leaf) -> None:
        """Take in a page that was judged."""
        self.queue.put(leaf)
        if self.key is not None and self.key.page == leaf.page:
            entry = self.queue.find(self.key)
            self.at = entry.doubt if entry else None

    def follow(
        self, leaf: Leaf, texts: tuple[str, ...]
    ) -> tuple[tuple[Entry, ...], tuple[Verdict, ...]]:
        """Give the doubts of a page the places of its present text.

        Nothing is known any more of a page on which more than one block was changed at once.

        Returns:
            The doubts that the correction answered, and what was said before of words that are
            another of their like now.
        """
        region = changed_region(leaf.texts, texts)
        if region is None:
            self.queue.drop(leaf.page)
            return (), ()
        after = followed(leaf, region, texts[region])
        said = [(key, self.queue.said_of(old)) for old, key in after.renamed]
        self.queue.put(after.leaf)
        self._rename(dict(after.renamed))
        if self.at is not None and self.at.page == leaf.page:
            self.at = moved_doubt(self.at, region, after.changes)
        kept = (Verdict(*key, each.said, each.chance, each.person) for key, each in said if each)
        return after.touched, tuple(kept)

    def _rename(self, new_keys: dict[Key, Key]) -> None:
        self._trail = [new_keys.get(key, key) for key in self._trail]
        self.key = new_keys.get(self.key, self.key) if self.key else None

    def _go_on(self, key: Key) -> Entry | None:
        self._trail.append(key)
        return self._go(key, len(self._trail) - 1)

    def _go(self, key: Key, step: int) -> Entry | None:
        entry = self.queue.find(key)
        if entry is not None:
            self.key, self._step, self.at = key, step, entry.doubt
            self.queue.open(entry.doubt.page)
        return entry
