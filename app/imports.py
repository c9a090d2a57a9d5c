"""Readings made elsewhere, taken into the shown book on `jobs` while work goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.answers import PagesStored, Post, Refused, ask
from app.book import Page, Reading
from app.change import NOTHING, Change
from app.errors import UserFacing
from app.importing.taking import ImportOrder, ImportReport, Target, take_readings
from app.shelf import Shelf
from app.workers import Workers
from model.api import Stop

_NAMED = 5
"""So many files that fit no page are told by name."""


@dataclass(frozen=True)
class ImportProgressed:
    """Files taken in so far."""

    done: int
    files: int


@dataclass(frozen=True)
class ImportEnded:
    """Every file was looked at, or the person gave up."""

    report: ImportReport


class Imports:
    """Belongs to the UI thread. One import at a time, into the book that is shown."""

    def __init__(
        self,
        shelf: Shelf,
        workers: Workers,
        post: Post,
        *,
        tell: Callable[[UserFacing], Change],
    ) -> None:
        """Take what is needed.

        Args:
            shelf: the books that are open.
            workers: `jobs` and `store`.
            post: takes answers from any thread.
            tell: shows a person what became of it.
        """
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self._tell = tell
        self._stop: Stop | None = None
        self.progress: ImportProgressed | None = None  # while one is under way

    def begin(self, order: ImportOrder) -> Change:
        """Take page files in; comes page by page, then as `ImportEnded` or an error."""
        opened = self._shelf.shown
        if opened is None or self._stop is not None:
            return NOTHING
        if opened.store.refusal is not None:
            return self._tell(opened.store.refusal)
        stop = self._stop = Stop()
        book_id = opened.book.id
        target = Target(opened.book, opened.images, opened.store, self._workers.store)

        def tell(page: Page, reading: Reading | None, is_current: bool) -> None:  # noqa: FBT001 - of one table
            now = replace(reading, id=page.reading_id) if reading and is_current else None
            self._post(PagesStored(book_id, (page,), now))

        ask(
            self._workers.jobs,
            self._post,
            lambda: take_readings(
                order,
                target,
                tell=tell,
                progress=lambda done, files: self._post(ImportProgressed(done, files)),
                stop=stop,
            ),
            answer=ImportEnded,
            refused=lambda error: Refused(error, "import"),
        )
        return NOTHING

    def stop(self) -> Change:
        """Take no further file in; what is saved stays."""
        if self._stop is not None:
            self._stop.ask()
        return NOTHING

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about this."""
        match answer:
            case ImportProgressed():
                self.progress = answer
                return Change(export=True)
            case ImportEnded(report=report):
                return self._end(told(report))
            case Refused(error=error, order="import"):
                return self._end(error)
            case _:
                return None

    def _end(self, what: UserFacing) -> Change:
        self._stop = self.progress = None
        return self._tell(what) | Change(export=True)


def told(report: ImportReport) -> UserFacing:
    """What became of an import, to be shown."""
    code = "import_ended" if not _left(report) else "import_ended_in_part"
    return UserFacing(
        code,
        taken=report.taken,
        current=len(report.current),
        beside=len(report.beside),
        left=len(_left(report)),
        names=_names(_left(report)),
    )


def _left(report: ImportReport) -> tuple[str, ...]:
    return (*report.unmatched, *(f"{name} ({why})" for name, why in report.unreadable))


def _names(names: tuple[str, ...]) -> str:
    more = f" (+{len(names) - _NAMED})" if len(names) > _NAMED else ""
    return "; ".join(names[:_NAMED]) + more
