"""One book's database: what is read and typed reaches the disk here. Belongs to the worker `store`.

One transaction for each finished page and each correction; what a method has returned from survives
the end of the process and of the power. Which reading is current:

- A machine's reading becomes current, unless a person wrote the current one or has accepted the
  page, or the new one was cut by a stop and the old one was not.
- A person's reading always becomes current. It stays open, and corrections go into it, until the
  page is accepted, another reading is taken, another person types, or a day has passed.
- No reading is ever deleted.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from app import proofing
from app.book import Book, Details, Page, PageSize, PageState, Reading, Reason
from app.desk.concerns import Concern, Standing
from app.desk.hyphens import Break, Choice
from app.desk.letter_test import LetterTest
from app.errors import StoreError, UserFacing
from app.language import _
from app.prepare.treatment import Proposal
from app.proofing import PageCorrection, TextCorrection
from app.store import (
    acceptances,
    arranging,
    audit,
    hand,
    hyphens,
    journal,
    letter_tests,
    page_facts,
    page_journal,
    replacing,
    sought,
    standings,
    verdicts,
    work,
    writing,
)
from app.store.connection import (
    connect_for_reading,
    create,
    open_for_reading,
    open_for_writing,
    reading_told,
    transaction,
)
from app.store.lock import FileLock, lock_for_writing
from app.store.migrations import BOOK
from app.store.page_list import insert_book, renumber
from app.store.reader import BookReader, Match
from app.store.readings import writable
from app.store.replacing import Outcome, Replacement
from app.store.rows import details_to_json, paths_to_json
from app.store.stand import (
    after_read,
    put,
    said_by_person,
    settled,
    stand_of,
    taken_back,
)
from app.store.verdicts import Verdict
from app.store.work import Effort

__all__ = ["BookStore", "Match"]

Stepped = tuple[Page, Reading | None]
"""A page after one correction was taken back or made again, and its text if it has one."""


class BookStore(BookReader):
    """An open book's database. Made by `open` or `create`."""

    def __init__(
        self,
        db: sqlite3.Connection,
        path: Path,
        *,
        lock: FileLock | None,
        refusal: StoreError | None = None,
    ) -> None:
        super().__init__(db, path)
        self._lock = lock
        self._refusal = refusal
        self._identity = _identity(path)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a book's database; for reading only when another process has it.

        Args:
            path: the file.
            read_only: leave writing to others even when nobody has the book.

        Raises:
            StoreError: `store_damaged`: the file was kept aside under the name in
                `parameters["kept"]` (a file that another process has, or that is opened for reading
                only, stays where it is). `store_newer`, `store_foreign`: untouched.
        """
        lock, refusal = (None, StoreError("store_locked")) if read_only else lock_for_writing(path)
        if lock is None:
            return cls(open_for_reading(path, BOOK), path, lock=None, refusal=refusal)
        try:
            return cls(open_for_writing(path, BOOK), path, lock=lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def create(cls, path: Path, book: Book) -> Self:
        """Make the database of a book that has none.

        Raises:
            StoreError: `store_unwritable`; no file is left.
        """
        db = create(path, BOOK, lambda db: insert_book(db, book))
        lock, refusal = lock_for_writing(path)
        return cls(db, path, lock=lock, refusal=refusal)

    @property
    def read_only(self) -> bool:
        """Whether nothing can be saved, since another has the book or the disk takes nothing."""
        return self._refusal is not None

    @property
    def refusal(self) -> StoreError | None:
        """Why nothing can be saved; None when all is well."""
        return self._refusal

    def reader(self) -> BookReader:
        """A connection that only reads, for the thread that calls this.

        Raises:
            StoreError: `store_failing`, the file cannot be opened once more.
        """
        with reading_told():
            return BookReader(connect_for_reading(self.path), self.path)

    def close(self) -> None:
        """Let go of the file and of the lock; calling it again does nothing."""
        super().close()
        if self._lock is not None:
            self._lock.release()

    # --- what a run brings ----------------------------------------------------------------------

    def save_read(
        self,
        page: int,
        *,
        reading: Reading | None,
        state: PageState,
        reasons: tuple[Reason, ...] = (),
        seconds: float = 0.0,
        failure: UserFacing | None = None,
        make_current: bool = True,
        standing: Standing | None = None,
    ) -> Page:
        """Save what a run made of a page.

        Args:
            page: its number.
            reading: a machine's; None when the page is blank or has failed.
            state: any but `READING`.
            reasons: for `LOOK`.
            seconds: the reading took.
            failure: for `FAILED`.
            make_current: False keeps it beside the current one, whatever that is.
            standing: how the reading compares with the page's print, where that was looked at.

        Returns:
            The page as it is now stored.
        """
        with self._saving():
            stand = stand_of(self._db, page)
            reading_id = None
            if reading is not None:
                verdict = (state, reasons)
                reading_id = writing.insert(
                    self._db, stand.page_id, reading, verdict=verdict, is_open=False
                )
                if standing is not None:
                    standings.put(self._db, reading_id, standing)
            if make_current:
                stand = after_read(
                    replace(stand, seconds=seconds),
                    reading_id=reading_id,
                    state=state,
                    reasons=reasons,
                    failure=failure,
                )
            put(self._db, stand)
            if reading is not None and stand.reading_id == reading_id:
                page_facts.take_number(self._db, stand.page_id, reading.regions)
        return self.page(page)

    def judge_in_book(
        self, found: Mapping[int, tuple[int, tuple[Concern, ...]]]
    ) -> tuple[Page, ...]:
        """Note what only the whole book says of its pages, see `app.store.standings`."""
        with self._saving():
            changed = standings.put_book_wide(self._db, found)
        return tuple(self.page(number) for number in changed)

    def set_page_info(
        self, page: int, size: PageSize, fingerprint: str, label: str | None = None
    ) -> Page:
        """Keep what was learnt when a page's image was first opened; None leaves the label."""
        before = self.page(page)
        known = (size, fingerprint, before.label if label is None else label)
        if (before.size, before.fingerprint, before.label) == known:
            return before
        with self._saving():
            self._db.execute(
                "UPDATE page SET width_px = ?, height_px = ?, dpi = ?, fingerprint = ?, label = ?"
                " WHERE number = ?",
                (*size, fingerprint, writable(known[2]), page),
            )
        return self.page(page)

    # --- what a person does ---------------------------------------------------------------------

    def save_hand(self, page: int, reading: Reading, *, correction: TextCorrection | None) -> Page:
        """Save a page's text after a person changed it.

        Args:
            page: its number.
            reading: the whole text, with a person and a date as its source.
            correction: what was changed, for the journal; None when it cannot be taken back.

        Returns:
            The page as it is now stored.
        """
        with self._saving():
            reading_id = hand.write(self._db, stand_of(self._db, page), reading)
            if correction is not None:
                journal.add(self._db, reading_id, correction)
        return self.page(page)

    def correct_page(self, page: int, field: page_facts.Field, text: str) -> Page:
        """Note what a person says of a page as a whole: a remark, or the printed number."""
        with self._saving():
            page_facts.correct(self._db, page, field, text)
        return self.page(page)

    def choose_hyphen(self, broken: Break | str, choice: Choice | None, *, person: str) -> None:
        """Keep what a person decided on a broken word, see `app.store.hyphens`."""
        with self._saving():
            hyphens.choose(self._db, broken, choice, person=person)

    def undo(self, page: int, *, person: str | None = None) -> Stepped | None:
        """Take the last correction of a page's current reading back, or of the page before it.

        Args:
            page: its number.
            person: who does so; None: whose reading it is.

        Returns:
            The page and its text as now stored; None when there is nothing to take back.
        """
        entry = self._entry(page, journal.last_done)
        if entry is not None:
            return self._step(page, entry, person, is_done=False)
        return self._step_bare(page, page_journal.last_done(self._db, page), is_done=False)

    def redo(self, page: int, *, person: str | None = None) -> Stepped | None:
        """Make the correction that was taken back last again; else as `undo`."""
        bare = page_journal.next_undone(self._db, page)
        if bare is not None:
            return self._step_bare(page, bare, is_done=True)
        entry = self._entry(page, journal.next_undone)
        return entry and self._step(page, entry, person, is_done=True)

    def set_state(
        self,
        pages: Sequence[int],
        state: PageState,
        reasons: tuple[Reason, ...] = (),
        *,
        person: str = "",
    ) -> tuple[Page, ...]:
        """Set the state of pages as a person says: `PROOFREAD` accepts, `BLANK` has no text.

        What each page was before is remembered, see `unaccept`. Another person's acceptance of a
        page that is proofread is another round.
        """
        with self._saving():
            for page in pages:
                stand = stand_of(self._db, page)
                accepts = state is PageState.PROOFREAD
                is_known = (stand.state, stand.reasons) == (state, reasons)
                if is_known and not accepts:
                    continue
                if is_known and acceptances.is_by(self._db, stand.page_id, person):
                    continue
                writing.close_all(self._db, stand.page_id)
                put(self._db, said_by_person(stand, state, reasons))
                if accepts:
                    acceptances.add(self._db, stand.page_id, person)
        return tuple(self.page(page) for page in pages)

    def unaccept(self, pages: Sequence[int]) -> tuple[Page, ...]:
        """Take the last `set_state` of pages back; text typed since then stays."""
        with self._saving():
            for page in pages:
                stand = stand_of(self._db, page)
                put(self._db, taken_back(stand))
                if stand.state is PageState.PROOFREAD:
                    acceptances.take_last_back(self._db, stand.page_id)
        return tuple(self.page(page) for page in pages)

    def make_current(self, page: int, reading_id: int) -> Page:
        """Take any reading of a page as its text, with the state the page had by it."""
        with self._saving():
            stand = stand_of(self._db, page)
            if reading_id != stand.reading_id:
                state, reasons = writing.verdict_with(self._db, stand.page_id, reading_id)
                writing.close_all(self._db, stand.page_id)
                taken = replace(settled(stand), reading_id=reading_id, state=state, reasons=reasons)
                put(self._db, taken)
                acceptances.take_all_back(self._db, stand.page_id)
                regions = self.reading(reading_id).regions
                page_facts.take_number(self._db, stand.page_id, regions)
        return self.page(page)

    def save_verdict(self, verdict: Verdict) -> None:
        """Keep what a person said of a doubted word."""
        with self._saving():
            verdicts.put(self._db, verdict)

    def add_word(self, word: str, *, person: str = "") -> None:
        """Keep a word that is right wherever it stands in this book."""
        with self._saving():
            verdicts.put_word(self._db, word, person=person)

    def replace(self, order: Replacement) -> Outcome:
        """Put one text instead of another at many places; all of it or nothing."""
        with self._saving():
            return replacing.carry_out(self._db, self.current, order)

    def take_back_replacement(self, *, person: str = "") -> Outcome | None:
        """Take the last replacement back, however long ago it was made; None: there is none."""
        with self._saving():
            return replacing.take_back(self._db, self.current, person=person)

    def begin_letter_test(self, test: LetterTest) -> LetterTest:
        """Keep a letter test that begins; with its id."""
        with self._saving():
            return replace(test, id=letter_tests.begin(self._db, test))

    def answer_letter_test(self, test: LetterTest) -> None:
        """Keep the answers that were given so far."""
        with self._saving():
            letter_tests.answer(self._db, test)

    def add_work(self, effort: Effort, *, day: str) -> None:
        """Add to what a person spent on a page on a day (ISO 8601)."""
        with self._saving():
            work.add(self._db, effort, day=day)

    def index_some(self) -> int:
        """Put some readings of an older book into the index; how many, 0 when all are in it."""
        if self.read_only or not self._rows(
            f"SELECT 1 FROM reading WHERE {sought.MISSING} LIMIT 1"
        ):
            return 0
        with self._saving():
            return sought.put_missing(self._db)

    # --- the book -------------------------------------------------------------------------------

    def set_details(self, details: Details) -> None:
        """Keep what the catalogue says; it is then not asked for again."""
        self._set("details = ?, details_asked = 1", details_to_json(details))

    def set_details_asked(self) -> None:
        """Remember that a person was asked for details and gave none."""
        self._set("details_asked = 1")

    def set_source(self, paths: Sequence[Path], fingerprint: str) -> None:
        """Remember where the scan lies now."""
        self._set("paths = ?, fingerprint = ?", paths_to_json(paths), fingerprint)

    def note(self, what: Literal["opened", "exported"], *, person: str, detail: str) -> None:
        """Add to the book's audit log what the database cannot see by itself."""
        with self._saving():
            audit.note(self._db, what, person=person, detail=detail)

    def set_view(self, view: Mapping[str, Any]) -> None:
        """Remember how the book is looked at: anything that JSON holds."""
        self._set("view = ?", json.dumps(view))

    def set_pages(
        self, pages: Sequence[Page], *, was: Mapping[int, int] | None = None
    ) -> tuple[Page, ...]:
        """Make these the pages of the book after its scan has changed.

        Args:
            pages: numbered from 0; states and readings of old pages stay their own.
            was: new numbers to old ones, see `app.store.matching`; None: each has its old number.

        Returns:
            All pages as now stored. Old ones that are not in `was` and hold anything read or typed
            stand behind the new ones; none of them is dropped.
        """
        with self._saving():
            old = {page.number for page in self.book().pages}
            same = {page.number: page.number for page in pages if page.number in old}
            with letter_tests.following(self._db):
                renumber(self._db, pages, same if was is None else was)
        return self.book().pages

    def arrangement(self) -> arranging.Arrangement:
        """Which images the pages are, in which order, and what is done to them."""
        with reading_told():
            return arranging.arrangement(self._db)

    def arrange(self, placed: Sequence[arranging.Placed]) -> tuple[Page, ...]:
        """Arrange the book anew; all its pages as now stored."""
        with self._saving():
            arranging.arrange(self._db, placed)
        return self.book().pages

    def propose(self, page: int, proposal: Proposal | None) -> Page:
        """Keep what a page's image seems to need until somebody decides; None: nothing is open."""
        with self._saving():
            arranging.set_proposal(self._db, page, proposal)
        return self.page(page)

    # --- inside ---------------------------------------------------------------------------------

    @contextmanager
    def _saving(self) -> Generator[None]:
        if self._refusal is not None:
            raise StoreError(self._refusal.code, **self._refusal.parameters)
        self._see_that_it_is_there()
        with transaction(self._db, self.path):
            yield

    def _see_that_it_is_there(self) -> None:
        """A file that was removed can still be written, and what is written is lost with it."""
        if _identity(self.path) != self._identity:
            detail = _("the file is not there any more, or another was put in its place")
            folder = str(self.path.parent)
            raise StoreError("store_unwritable", detail=detail, folder=folder)

    def _set(self, assignment: str, *values: object) -> None:
        with self._saving():
            self._db.execute(f"UPDATE book SET {assignment}", values)

    def _entry(
        self, page: int, find: Callable[[sqlite3.Connection, int], journal.Entry | None]
    ) -> journal.Entry | None:
        return find(self._db, self.page(page).reading_id)

    def _step(
        self, page: int, entry: journal.Entry, person: str | None, *, is_done: bool
    ) -> Stepped | None:
        """Go one correction back or forth, unless the text is not as the correction knows it."""
        correction, reading = entry.correction, self.current(page)
        if reading is None:
            return None
        if isinstance(correction, PageCorrection):
            return self._step_page(page, reading, correction, entry.position, is_done=is_done)
        if not proofing.stands(reading, correction, is_done=not is_done):
            return None
        change = proofing.apply if is_done else proofing.undo
        whose = reading.source.person if person is None else person
        source = replace(reading.source, date=datetime.now(UTC), person=whose)
        with self._saving():
            stepped = replace(change(reading, correction), source=source)
            reading_id = hand.write(self._db, stand_of(self._db, page), stepped)
            journal.mark(self._db, reading_id, entry.position, is_done=is_done)
        return self.page(page), replace(stepped, id=reading_id)

    def _step_bare(
        self, page: int, entry: journal.Entry | None, *, is_done: bool
    ) -> Stepped | None:
        """Go one correction back or forth that was made while the page had no text."""
        if entry is None:
            return None
        assert isinstance(entry.correction, PageCorrection), "there was no text to correct"
        with self._saving():
            if not page_facts.step(self._db, page, entry.correction, is_done=is_done):
                return None
            page_journal.mark(self._db, page, entry.position, is_done=is_done)
        return self.page(page), self.current(page)

    def _step_page(
        self,
        page: int,
        reading: Reading,
        correction: PageCorrection,
        position: int,
        *,
        is_done: bool,
    ) -> Stepped | None:
        with self._saving():
            if not page_facts.step(self._db, page, correction, is_done=is_done):
                return None
            journal.mark(self._db, reading.id, position, is_done=is_done)
        return self.page(page), reading


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another that has its name later; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
