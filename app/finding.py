"""Finding in the book, and putting one text instead of another: one part of the session.

What is found comes from `jobs`; what is replaced is done in the store, in one transaction. So long
no page can be edited, since the text on the screen would be the old one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from app.answers import Done, MatchesFound, Post, ask
from app.change import NOTHING, Change
from app.finding_values import Asked, Indexed, Plan, ReplaceEnded
from app.open_book import OpenBook
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.patterns import Template, template_of
from app.store.planning import Planned, plan
from app.store.replacing import At, Outcome, Replacement
from app.store.search import Query
from app.workers import Workers

LISTED = 2_000
"""Places of the book that are listed by the find bar; behind them they are counted."""

PLANNED = 200_000
"""Places that one replacement takes."""


@dataclass
class _Looking:
    """Orders are numbered: an answer to any but the last is not wanted any more."""

    find: int = 0
    plan: int = 0


@dataclass
class Finding:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        proofs: takes the new texts in.
        workers: `jobs` looks, `store` replaces.
        post: as the session's.
        is_reading: whether the engine writes a page of a book at the moment.
        page: the number of the page that is shown.
    """

    shelf: Shelf
    proofs: Proofs
    workers: Workers
    post: Post
    is_reading: Callable[[str, int], bool]
    page: Callable[[], int]
    found: MatchesFound | None = field(default=None, init=False)
    plan: Plan | None = field(default=None, init=False)
    ended: ReplaceEnded | None = field(default=None, init=False)  # how the last one ended
    is_replacing: bool = field(default=False, init=False)
    _looking: _Looking = field(default_factory=_Looking, init=False)

    def begin(self, opened: OpenBook) -> None:
        """A book is shown: forget the one before, and see that all of this one can be found."""
        self.forget()
        if not opened.read_only:
            self._index(opened)

    def forget(self) -> None:
        """No book is shown."""
        self.found, self.plan, self.ended = None, None, None
        self._looking.find += 1
        self._looking.plan += 1

    # --- orders ---------------------------------------------------------------------------------

    def find(self, asked: Asked, *, in_earlier: bool = False) -> Change:
        """Look for a text in the whole book; comes as `MatchesFound`.

        Args:
            asked: what to look for.
            in_earlier: look in the earlier readings of the pages as well.
        """
        opened = self.shelf.shown
        self._looking.find += 1
        number = self._looking.find
        if opened is None or not asked.text:
            self.found = None
            return Change(found=True)
        book_id, store = opened.book.id, opened.store

        def look() -> MatchesFound:
            query = asked.query()
            if query is None or number != self._looking.find:
                return MatchesFound(book_id, asked.text, (), number=number)
            with store.reader() as reader:
                found = reader.search(
                    query,
                    in_earlier=in_earlier,
                    most=LISTED,
                    goes_on=lambda: number == self._looking.find,
                )
            return MatchesFound(book_id, asked.text, *found, number=number)

        ask(
            self.workers.jobs,
            self.post,
            look,
            answer=lambda found: found,
            refused=lambda error: MatchesFound(book_id, asked.text, (), error=error, number=number),
        )
        return NOTHING

    def prepare(self, asked: Asked, instead: str) -> Change:
        """List what would be replaced; comes as `Plan`.

        Args:
            asked: what to look for.
            instead: what to put there; of a pattern it may name groups.
        """
        opened = self.shelf.shown
        self._looking.plan += 1
        number = self._looking.plan
        if opened is None or not asked.text:
            self.plan = None
            return Change(found=True)
        book_id, store = opened.book.id, opened.store

        def look() -> Plan:
            query, template = _sense(asked, instead)
            if query is None or number != self._looking.plan:
                return Plan(book_id, asked, instead, number=number)
            with store.reader() as reader:
                places, total = plan(
                    reader,
                    query,
                    template,
                    most=PLANNED,
                    goes_on=lambda: number == self._looking.plan,
                )
            pages = tuple(Counter(place.match.page for place in places).items())
            return Plan(book_id, asked, instead, places, total, pages, number=number)

        ask(
            self.workers.jobs,
            self.post,
            look,
            answer=lambda found: found,
            refused=lambda error: Plan(book_id, asked, instead, error=error, number=number),
        )
        return NOTHING

    def replace(self, plan: Plan, chosen: Iterable[Planned]) -> Change:
        """Carry a plan out at the chosen places; comes as `ReplaceEnded`."""
        opened = self.shelf.shown
        if opened is None or not self._may_replace or opened.book.id != plan.book_id:
            return NOTHING
        read_now = {page for page, _count in plan.pages if self.is_reading(plan.book_id, page)}
        store, person = opened.store, self.proofs.person

        def replace() -> tuple[Outcome, tuple[int, ...]]:
            places = _by_page(chosen)
            being_read = tuple(page for page in places if page in read_now)
            kept = {page: at for page, at in places.items() if page not in read_now}
            return store.replace(_order(plan, kept, person)), being_read

        return self._in_store(opened, replace)

    def take_back(self) -> Change:
        """Take the last replacement back, however long ago it was; comes as `ReplaceEnded`."""
        opened = self.shelf.shown
        if opened is None or not self._may_replace:
            return NOTHING
        store, person = opened.store, self.proofs.person
        return self._in_store(opened, lambda: (store.take_back_replacement(person=person), ()))

    @property
    def _may_replace(self) -> bool:
        """Whether nothing else is about to change many pages, or their numbers."""
        return not self.is_replacing and not self.proofs.is_renumbering

    def _in_store(
        self,
        opened: OpenBook,
        function: Callable[[], tuple[Outcome | None, tuple[int, ...]]],
    ) -> Change:
        """Replace or take back, and see what became of the page that is shown.

        What was typed before must be on the disk first: written later, it would undo this.
        """
        why = self.proofs.why_unsaved
        if why is not None:
            self.proofs.save_again()
            return self._on_ended(ReplaceEnded(opened.book.id, None, error=why))
        self.is_replacing = True
        book_id, store, page = opened.book.id, opened.store, self.page()

        def carry_out() -> ReplaceEnded:
            outcome, being_read = function()
            changed = outcome.changed if outcome is not None else ()
            pages = tuple(store.page(number) for number in changed)
            shown = (page, store.current(page)) if page in changed else None
            return ReplaceEnded(book_id, outcome, pages, shown, being_read)

        ask(
            self.workers.store,
            self.post,
            carry_out,
            answer=lambda ended: ended,
            refused=lambda error: ReplaceEnded(book_id, None, error=error),
        )
        return Change(found=True, pages=frozenset({page}))

    # --- answers --------------------------------------------------------------------------------

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is for another part."""
        match answer:
            case MatchesFound(number=number):
                if number != self._looking.find:
                    return NOTHING
                self.found = answer
            case Plan(number=number):
                if number != self._looking.plan:
                    return NOTHING
                self.plan = answer
            case ReplaceEnded():
                return self._on_ended(answer)
            case Indexed():
                self._on_indexed(answer)
                return NOTHING
            case _:
                return None
        return Change(found=True)

    def _on_ended(self, answer: ReplaceEnded) -> Change:
        self.is_replacing = False
        change = NOTHING
        if answer.error is None:
            change = self.proofs.take_changed(answer.book_id, answer.pages, shown=answer.shown)
        if not self.shelf.is_shown(answer.book_id):
            return change
        self.ended, self.plan = answer, None
        change |= self.proofs.load(self.page())  # another page may have been turned to meanwhile
        return change | Change(found=True, pages=frozenset({self.page()}))

    def _index(self, opened: OpenBook) -> None:
        book_id, store = opened.book.id, opened.store
        ask(
            self.workers.store,
            self.post,
            store.index_some,
            answer=lambda count: Indexed(book_id, count),
            refused=lambda _error: Done("index"),  # all is found without it too, only later
        )

    def _on_indexed(self, answer: Indexed) -> None:
        opened = self.shelf.get(answer.book_id)
        if answer.count and opened is not None:
            self._index(opened)


def _sense(asked: Asked, instead: str) -> tuple[Query | None, Template]:
    query = asked.query()
    return query, template_of(instead, query.pattern if query is not None else None)


def _order(plan: Plan, places: Mapping[int, frozenset[At]], person: str) -> Replacement:
    query, template = _sense(plan.asked, plan.instead)
    assert query is not None, "nothing was planned"
    return Replacement(query, template, plan.asked.text, plan.instead, places, person)


def _by_page(places: Iterable[Planned]) -> dict[int, frozenset[At]]:
    found: dict[int, set[At]] = {}
    for place in places:
        found.setdefault(place.match.page, set()).add(At(place.match.region, place.match.start))
    return {page: frozenset(each) for page, each in found.items()}
