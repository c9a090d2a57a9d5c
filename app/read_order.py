"""One order to read pages: what is to be read, with what, and how the outcome reaches the disk.

Values and one function, made on the UI thread; carried out by `app.reading_run` on `reading`. Kept
apart from it because it imports numpy and OpenCV, which would hold the window up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.book import Page, PageSize, PageState, Reading, Reason
from app.desk.concerns import Standing
from app.errors import UserFacing
from app.pages import PageQueue
from app.store.database import BookStore
from app.workers import Worker
from model.api import Box, EngineChoice, EngineSource


@dataclass(frozen=True)
class Outcome:
    """What became of one page, to be saved in one transaction."""

    page: int
    state: PageState
    reasons: tuple[Reason, ...] = ()
    reading: Reading | None = None
    make_current: bool = True
    failure: UserFacing | None = None
    seconds: float = 0.0
    size: PageSize | None = None
    fingerprint: str = ""
    standing: Standing | None = None  # text and print side by side; None: there is nothing to say
    is_unsure: bool = False  # a second engine's reading would tell more of its words


@dataclass(frozen=True)
class Order:
    """Read these pages of this book."""

    run_id: int
    book_id: str
    pages: tuple[int, ...]  # in the order of reading
    choose: Callable[[], EngineChoice]  # which engine; may wait for the card's driver
    images: PageQueue
    most_pages: int  # that one run may have
    save: Callable[[Outcome], Page]  # returns when it is on the disk: the page as stored
    second: Callable[[EngineSource], EngineChoice | None] = lambda _first: None
    """Which engine reads once more what is doubtful, by who has read; None: nobody."""


@dataclass(frozen=True)
class BesideOrder:
    """Read one page, or a part of it, once more; the current reading stays current."""

    book_id: str
    page: int
    choose: Callable[[], EngineChoice]
    images: PageQueue
    save: Callable[[Outcome], Page]
    box: Box | None = None  # the part, on the book's page; None: the whole page
    in_other_mode: bool = False  # the last of the engine's modes instead of the first


def saver(store: BookStore, worker: Worker) -> Callable[[Outcome], Page]:
    """How outcomes reach the disk: on the worker `store`, the reading thread waiting for it."""

    def save(outcome: Outcome) -> Page:
        return worker.submit(_save, store, outcome).result()

    return save


def _save(store: BookStore, outcome: Outcome) -> Page:
    if outcome.size is not None:
        store.set_page_info(outcome.page, outcome.size, outcome.fingerprint)
    return store.save_read(
        outcome.page,
        reading=outcome.reading,
        state=outcome.state,
        reasons=outcome.reasons,
        seconds=outcome.seconds,
        failure=outcome.failure,
        make_current=outcome.make_current,
        standing=outcome.standing,
    )
