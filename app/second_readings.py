"""Reading a page, a block or an area once more with another engine, and what is taken from it.

The order goes behind whatever the reading thread does; what comes of it is kept as a reading of the
page and compared, word by word, with the current text. What is taken becomes a correction like any
other, which can be undone. Nothing is taken by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from app.answers import CorrectionStored, PagesStored, Post, ReadingLoaded, Refused, ask
from app.book import Reading, Region
from app.change import NOTHING, Change
from app.desk.differences import NEW_BLOCK, Choice, Difference, differences, with_choice
from app.desk.part import part_of
from app.errors import UserFacing
from app.proofing import corrected
from app.proofs import Proofs
from app.read_order import BesideOrder, saver
from app.reader import BesideEnd, Reader
from app.shelf import Shelf
from app.workers import Workers
from model.api import Box, Engine, EngineChoice, engines_there


class Offer(NamedTuple):
    """An engine that can read once more."""

    engine: Engine
    in_other_mode: bool = False


@dataclass(frozen=True)
class Compared:
    """Where another reading differs from the current text of its page."""

    book_id: str
    page: int
    other: Reading
    found: tuple[Difference, ...]
    number: int  # of the comparison, so that a late answer is dropped


class SecondReadings:
    """Belongs to the UI thread. Every order is about the book that is shown."""

    def __init__(
        self,
        shelf: Shelf,
        proofs: Proofs,
        workers: Workers,
        post: Post,
        reader: Reader,
        *,
        choose: Callable[[Engine], Callable[[], EngineChoice]],
        checkpoint: Callable[[], Path | None],
        is_editable: Callable[[int], bool],
        refuse: Callable[[UserFacing], Change],
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._reader = reader
        self._choose = choose
        self._checkpoint = checkpoint
        self._is_editable = is_editable
        self._refuse = refuse
        self._settled: set[tuple[int, str, str]] = set()
        self._asked = 0
        self._compared: Compared | None = None
        self.waiting = 0  # orders whose readings are still to come

    # --- what views ask -------------------------------------------------------------------------

    @property
    def at(self) -> Compared | None:
        """What is compared now."""
        book = self._shelf.book
        compared = self._compared
        if compared is None or book is None or compared.book_id != book.id:
            return None
        return compared

    def offers(self) -> tuple[Offer, ...]:
        """The engines that are there, the quickest first; those with several modes twice."""
        found: list[Offer] = []
        for engine in engines_there(self._checkpoint()):
            found.append(Offer(engine))
            if engine is not Engine.LINE_READER:
                found.append(Offer(engine, in_other_mode=True))
        return tuple(found)

    # --- orders ---------------------------------------------------------------------------------

    def read(self, page: int, offer: Offer, box: Box | None = None) -> Change:
        """Read a page, or the part of it in a box of the page, once more; comes as answers do."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        if opened.read_only:
            return self._refuse(opened.store.refusal or UserFacing("store_locked"))
        self.waiting += 1
        order = BesideOrder(
            opened.book.id,
            page,
            self._choose(offer.engine),
            opened.images,
            saver(opened.store, self._workers.store),
            box=box,
            in_other_mode=offer.in_other_mode,
        )
        self._reader.read_beside(order, self._post)
        return Change(second=True)

    def give_up(self) -> Change:
        """Stop what is read beside, and drop what waits to be."""
        self._reader.stop_beside()
        return Change(second=True)

    def compare_with(self, page: int, other: Reading) -> Change:
        """Compare a page's text with another of its readings."""
        self._settled.clear()
        self._compared = None
        return self._compare(page, other)

    def close(self) -> Change:
        """Compare no more; the reading stays in the history of the page."""
        self._compared = None
        return Change(second=True)

    def take(self, difference: Difference, choice: Choice) -> Change:
        """Settle one difference: leave the text, take the other's, or have both."""
        return self._settle((difference,), choice)

    def take_block(self, region: int, choice: Choice) -> Change:
        """Settle all differences of one block, as one correction."""
        found = self.at.found if self.at is not None else ()
        return self._settle(tuple(each for each in found if each.region == region), choice)

    def take_page(self, choice: Choice) -> Change:
        """Settle all differences, as one correction."""
        return self._settle(self.at.found if self.at is not None else (), choice)

    # --- what the reading thread and the workers tell -------------------------------------------

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about this."""
        match answer:
            case BesideEnd():
                return self._on_end(answer)
            case Compared():
                return self._on_compared(answer)
            case _:
                return None

    def follow(self, event: object) -> Change:
        """Compare anew when the text of the page has changed."""
        at = self.at
        match event:
            case CorrectionStored(book_id=book_id) | ReadingLoaded(book_id=book_id) if (
                at is not None and book_id == at.book_id
            ):
                return self._compare(at.page, at.other)
            case PagesStored(book_id=book_id, reading=Reading()) if (
                at is not None and book_id == at.book_id
            ):
                return self._compare(at.page, at.other)
            case _:
                return NOTHING

    # --- inside ---------------------------------------------------------------------------------

    def _on_end(self, end: BesideEnd) -> Change:
        self.waiting = max(0, self.waiting - 1)
        if end.error is not None:
            return self._refuse(end.error) | Change(second=True)
        book = self._shelf.book
        if end.reading is None or book is None or book.id != end.book_id:
            return Change(second=True)
        change = self._proofs.place_words(end.book_id, end.page)
        return change | self.compare_with(end.page, end.reading) | Change(second=True, saved=True)

    def _compare(self, page: int, other: Reading) -> Change:
        """Compare on `jobs`, since a long page takes a moment; comes as `Compared`."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        self._asked += 1
        book_id, number, store = opened.book.id, self._asked, opened.store
        current = self._proofs.reading(page)

        def compare() -> Compared:
            reading = current
            if reading is None:
                with store.reader() as reader:
                    reading = reader.current(page)
            mine = reading.regions if reading is not None else ()
            found = differences(mine, other.regions, part_of(other))
            return Compared(book_id, page, other, found, number)

        ask(
            self._workers.jobs,
            self._post,
            compare,
            answer=lambda compared: compared,
            refused=lambda error: Refused(error, "second"),
        )
        return NOTHING

    def _on_compared(self, compared: Compared) -> Change:
        if compared.number != self._asked:
            return NOTHING
        found = tuple(each for each in compared.found if _name(each) not in self._settled)
        self._compared = replace(compared, found=found)
        return Change(second=True)

    def _settle(self, taken: tuple[Difference, ...], choice: Choice) -> Change:
        """Put what is taken into the text, the last first, all as one correction."""
        at = self.at
        reading = self._proofs.reading(at.page) if at is not None else None
        if at is None or reading is None or not taken:
            return NOTHING
        if choice != "left" and not self._is_editable(at.page):
            return NOTHING
        self._settled.update(map(_name, taken))
        self._compared = replace(at, found=_left(reading.regions, at.found, taken, choice))
        if choice == "left":
            return Change(second=True)
        regions = _settled(reading.regions, at.other.regions, taken, choice)
        return self._proofs.set_regions(at.page, regions) | Change(second=True)


def _name(difference: Difference) -> tuple[int, str, str]:
    """By what a difference is known again when the text around it has changed."""
    return difference.nth, difference.left, difference.right


def _settled(
    mine: Sequence[Region],
    theirs: Sequence[Region],
    taken: Sequence[Difference],
    choice: Choice,
) -> list[Region]:
    """The blocks of a page with some differences settled."""
    regions = list(mine)
    texts: dict[int, str] = {}
    for each in sorted(taken, reverse=True):
        if each.region == NEW_BLOCK:
            regions += [replace(region, by_hand=True) for region in theirs if region.text.strip()]
        else:
            text = texts.get(each.region, mine[each.region].text)
            texts[each.region] = with_choice(text, each, choice)
    for number, text in texts.items():
        regions[number] = corrected(regions[number], text)
    return regions


def _left(
    mine: Sequence[Region],
    found: Sequence[Difference],
    taken: Sequence[Difference],
    choice: Choice,
) -> tuple[Difference, ...]:
    """The other differences, where they stand when some are settled."""
    left: list[Difference] = []
    for each in found:
        if each in taken:
            continue
        ahead = [other for other in taken if other.region == each.region and other < each]
        text = mine[each.region].text if each.region >= 0 else ""
        shift = sum(len(with_choice(text, other, choice)) - len(text) for other in ahead)
        left.append(each._replace(start=each.start + shift, end=each.end + shift))
    return tuple(left)
