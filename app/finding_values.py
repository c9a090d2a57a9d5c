"""What is asked of finding and replacing over a book, and what comes back, as frozen values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.book import Page, PageState, Reading
from app.errors import UserFacing
from app.store.planning import Planned
from app.store.replacing import Outcome
from app.store.search import Query, query_of


class Asked(NamedTuple):
    """What is looked for, as a person says it."""

    text: str
    whole_word: bool = False
    match_case: bool = False
    ignore_diacritics: bool = False
    is_pattern: bool = False

    def query(self) -> Query | None:
        """The same for the search.

        Raises:
            FindError: `pattern_bad`.
        """
        return query_of(
            self.text,
            whole_word=self.whole_word,
            match_case=self.match_case,
            ignore_diacritics=self.ignore_diacritics,
            is_pattern=self.is_pattern,
        )


@dataclass(frozen=True)
class Plan:
    """What would be replaced: an answer of `jobs`, and what the person decides upon."""

    book_id: str
    asked: Asked
    instead: str
    places: tuple[Planned, ...] = ()
    total: int = 0  # with those that are too many to be listed
    pages: tuple[tuple[int, int], ...] = ()  # each page in order, and how many places it has
    error: UserFacing | None = None  # why nothing can be looked for
    number: int = 0  # of the order


@dataclass(frozen=True)
class ReplaceEnded:
    """A replacement was carried out, or taken back; None: there was none to take back."""

    book_id: str
    outcome: Outcome | None
    pages: tuple[Page, ...] = ()
    shown: tuple[int, Reading | None] | None = None  # the page on the screen, where it changed
    being_read: tuple[int, ...] = ()  # left out
    error: UserFacing | None = None  # nothing was done


@dataclass(frozen=True)
class Indexed:
    """Some readings of an older book can be found faster now."""

    book_id: str
    count: int


def accepted_pages(plan: Plan, pages: Sequence[Page]) -> dict[int, int]:
    """The pages of a plan that a person has called proofread, and how many places each has."""
    return {
        number: count for number, count in plan.pages if pages[number].state is PageState.PROOFREAD
    }
