"""How far proofreading is, and how long the rest will take. Pure, any thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from app.book import Book, Page, PageState
from app.language import _
from app.rounds import rounds_of
from app.run_view import duration_text
from app.store.work import Effort

LAST_PAGES = 20
"""So many pages tell how long one takes; people grow quicker, and books change."""

ENOUGH_PAGES = 5
"""Before so many pages nothing is foretold."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Share:
    """What one person has done."""

    person: str
    pages: int  # rounds of pages
    seconds: float
    edits: int


@dataclass(frozen=True)
class Progress:
    """Where the proofreading of a book stands. A round is one page gone through by one person."""

    rounds_done: int
    rounds_in_all: int
    pages_measured: int  # of those the medians are taken of
    seconds_a_page: float | None  # median; None before any page was measured
    edits_a_page: float | None
    seconds_left: float | None  # None before enough pages were measured
    shares: tuple[Share, ...] = ()


def progress_of(book: Book, efforts: Sequence[Effort]) -> Progress:
    """Tell how far the proofreading of a book is.

    Args:
        book: its pages, and the number of rounds that it asks for.
        efforts: what was spent on the pages.
    """
    rounds = book.details.rounds
    pages = [page for page in book.pages if page.state is not PageState.BLANK]
    done = sum(min(rounds_of(page), rounds) for page in pages)
    seconds, edits = _of_last(pages, efforts)
    a_page = median(seconds) if seconds else None
    left = None
    if a_page is not None and len(seconds) >= ENOUGH_PAGES:
        left = a_page * (len(pages) * rounds - done)
    return Progress(
        rounds_done=done,
        rounds_in_all=len(pages) * rounds,
        pages_measured=len(seconds),
        seconds_a_page=a_page,
        edits_a_page=median(edits) if edits else None,
        seconds_left=left,
        shares=_shares(pages, efforts),
    )


def span_text(seconds: float) -> str:
    """How long a page took: '45 s', '3 min 20 s'; longer times as they are told elsewhere."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return duration_text(seconds)
    if not minutes:
        return _("{seconds} s").format(seconds=rest)
    return _("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)


def _of_last(pages: Sequence[Page], efforts: Sequence[Effort]) -> tuple[list[float], list[float]]:
    """Seconds and corrections a round, of the pages that were proofread last."""
    spent: dict[int, tuple[float, int]] = {}
    for each in efforts:
        seconds, edits = spent.get(each.page, (0.0, 0))
        spent[each.page] = seconds + each.seconds, edits + each.edits
    ended = [page for page in pages if rounds_of(page) and spent.get(page.number, (0.0, 0))[0] > 0]
    last = sorted(ended, key=_when)[-LAST_PAGES:]
    return (
        [spent[page.number][0] / rounds_of(page) for page in last],
        [spent[page.number][1] / rounds_of(page) for page in last],
    )


def _when(page: Page) -> datetime:
    dates = [each.date for each in page.acceptances if each.date is not None]
    return max(dates, default=_LONG_AGO)


def _shares(pages: Sequence[Page], efforts: Sequence[Effort]) -> tuple[Share, ...]:
    """What each person has done, in the order of names."""
    accepted = [
        each.person
        for page in pages
        if page.state is PageState.PROOFREAD
        for each in page.acceptances
    ]
    people = sorted({*accepted, *(each.person for each in efforts)})
    return tuple(
        Share(
            person,
            accepted.count(person),
            sum(each.seconds for each in efforts if each.person == person),
            sum(each.edits for each in efforts if each.person == person),
        )
        for person in people
    )
