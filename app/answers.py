"""What the workers bring back to the session, as frozen values; events of a run are in `events`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.book import Details, Page, Reading
from app.errors import UserFacing
from app.open_book import OpenBook
from app.proofing import TextCorrection
from app.store.database import Match
from app.store.library import RecentBook
from app.workers import Worker
from model.api import EngineChoice

if TYPE_CHECKING:  # python-docx stays out of the way to the first window
    from app.export.formats import ExportReport

T = TypeVar("T")
Post = Callable[[object], None]


@dataclass(frozen=True)
class BookOpened:
    """A book is open and may be shown."""

    opened: OpenBook
    view: dict[str, object]  # what the window remembered of it
    to_show: bool  # False: opened to be read in the background
    notice: UserFacing | None = None  # something to tell that did not hinder the opening


@dataclass(frozen=True)
class OpeningFailed:
    """A book could not be opened."""

    paths: tuple[Path, ...]
    error: UserFacing
    to_show: bool = True


@dataclass(frozen=True)
class ReadingLoaded:
    """The current reading of a page, None where it has none."""

    book_id: str
    page: int
    reading: Reading | None
    error: UserFacing | None = None  # why it could not be fetched


@dataclass(frozen=True)
class WordsPlaced:
    """A text with what the other readings of its page know of its words."""

    book_id: str
    page: int
    was: Reading  # on the desk when this was ordered
    reading: Reading


@dataclass(frozen=True)
class PagesStored:
    """Pages as they stand in the store now."""

    book_id: str
    pages: tuple[Page, ...]
    reading: Reading | None = None  # of the one page, when its current reading changed
    after: int | None = None  # corrections of that page when this was ordered; None: any


@dataclass(frozen=True)
class CorrectionStored:
    """A correction is on the disk."""

    book_id: str
    page: Page


@dataclass(frozen=True)
class CorrectionKept:
    """A correction could not be written; it is kept in memory until it can."""

    book_id: str
    page: int
    reading: Reading
    correction: TextCorrection | None
    error: UserFacing


@dataclass(frozen=True)
class HistoryLoaded:
    """All readings of a page, newest first."""

    book_id: str
    page: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class MatchesFound:
    """Where a text stands in the book."""

    book_id: str
    text: str
    matches: tuple[Match, ...]  # the first of them
    total: int = 0
    pages: int = 0  # that have any
    error: UserFacing | None = None  # why nothing can be looked for
    number: int = 0  # of the order


@dataclass(frozen=True)
class DetailsStored:
    """What a person said of the book is on the disk."""

    book_id: str
    details: Details


@dataclass(frozen=True)
class RecentLoaded:
    """Books opened before, newest first."""

    books: tuple[RecentBook, ...]
    missing: frozenset[Path] = frozenset()  # store paths of those whose scan is not where it was


@dataclass(frozen=True)
class EngineChosen:
    """The engine that the next run will use."""

    choice: EngineChoice


@dataclass(frozen=True)
class ExportProgressed:
    """Pages written so far."""

    done: int
    pages: int


@dataclass(frozen=True)
class ExportPreviewed:
    """What an export would write of its first page; "" where none of the first has a text."""

    text: str


@dataclass(frozen=True)
class ExportEnded:
    """An export is on the disk, read back and compared; None: it was cancelled."""

    report: ExportReport | None


@dataclass(frozen=True)
class Refused:
    """An order could not be carried out; the error may be shown."""

    error: UserFacing
    order: str  # "export", "copy", "settings", ...


@dataclass(frozen=True)
class Done:
    """An order of which nothing but its success is told."""

    order: str


@dataclass(frozen=True)
class Faulted:
    """A fault of the program on a worker; raised again on the UI thread for the crash dialog."""

    error: BaseException


def ask(
    worker: Worker,
    post: Post,
    function: Callable[[], T],
    *,
    answer: Callable[[T], object],
    refused: Callable[[UserFacing], object],
) -> Future[T]:
    """Call a function on a worker and post what becomes of it.

    Args:
        worker: where it runs.
        post: takes the answer; called on the worker's thread.
        function: the work.
        answer: turns its result into what is posted.
        refused: turns an error that may be shown into what is posted; other errors are `Faulted`.
    """

    def tell(future: Future[T]) -> None:
        try:
            post(answer(future.result()))
        except UserFacing as error:
            post(refused(error))
        except CancelledError:
            pass
        except Exception as error:  # noqa: BLE001 - the hand-off: what failed is told, never lost
            post(Faulted(error))

    future = worker.submit(function)
    future.add_done_callback(tell)
    return future
