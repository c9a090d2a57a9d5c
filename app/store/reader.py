"""What is asked of a book's database. Whoever opened a reader owns it, and uses it on one thread.

`BookStore` answers these questions on the worker `store`; its `reader()` does on any other, from a
connection of its own that cannot write.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

from app.book import Book, Page, Reading, Region
from app.desk.concerns import Concern
from app.desk.hyphens import Choices
from app.desk.letter_test import LetterTest
from app.proofing import AnyCorrection
from app.store import audit, hyphens, journal, letter_tests, sought, standings, verdicts, work
from app.store.connection import reading_told, values_told, writing_told
from app.store.readings import REGION_END, plain_from_json
from app.store.rows import PAGE_COLUMNS, PAGES, READING_COLUMNS, book_of, page_of, reading_of
from app.store.search import Query, count_of, places_of, query_of
from app.store.standings import Measured
from app.store.verdicts import MachineText, Verdict
from app.store.work import Effort
from app.there import is_there

CONTEXT = 40
"""Letters shown before and behind a match."""


class Match(NamedTuple):
    """Where a text was found: in the current reading of a page."""

    page: int
    region: int
    start: int  # code points in the region's text
    end: int
    context: str  # the text around it on one line
    at: int  # where in the context the match starts
    reading_id: int = 0  # where it is in an earlier reading of the page; 0: in the current one


class Found(NamedTuple):
    """What was found in a book."""

    matches: tuple[Match, ...]  # the first of them
    total: int  # all
    pages: int  # that have any


class BookReader:
    """Reads one book's database."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self.path = path

    @contextlib.contextmanager
    def standing_still(self) -> Generator[None]:
        """Within, the book is as it was at the first question, whatever is written meanwhile."""
        with reading_told():
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def book(self) -> Book:
        """The book with all its pages; no text of theirs."""
        rows, books = (
            self._rows(f"{_PAGE} WHERE page.number >= 0 ORDER BY page.number"),
            self._rows(_BOOK),
        )
        with values_told():
            return book_of(books[0], tuple(page_of(row) for row in rows))

    def page(self, number: int) -> Page:
        """One page as it stands now."""
        row = self._row(f"{_PAGE} WHERE page.number = ?", number)
        with values_told():
            return page_of(row)

    def reading(self, reading_id: int) -> Reading:
        """One reading, current or not."""
        row = self._row(f"{_READING} WHERE reading.id = ?", reading_id)
        with values_told():
            return reading_of(row)

    def current(self, page: int) -> Reading | None:
        """The current reading of a page, None where there is none."""
        query = f"{_READING} JOIN page ON page.reading_id = reading.id WHERE page.number = ?"
        rows = self._rows(query, page)
        with values_told():
            return reading_of(rows[0]) if rows else None

    def history(self, page: int) -> tuple[Reading, ...]:
        """All readings of a page, the newest first."""
        query = f"{_READING} JOIN page ON page.id = reading.page_id WHERE page.number = ?"
        rows = self._rows(f"{query} ORDER BY reading.date DESC, reading.id DESC", page)
        with values_told():
            return tuple(reading_of(row) for row in rows)

    def currents(self, pages: Iterable[int]) -> Iterator[tuple[Page, Reading | None]]:
        """Pages with their current readings, one after another, in the order asked for."""
        for number in pages:
            yield self.page(number), self.current(number)

    def plain_currents(self) -> Iterator[tuple[int, tuple[Region, ...]]]:
        """Kinds and letters of all current readings, by the number of their page, in order."""
        query = (
            "SELECT page.number, reading.value FROM page JOIN reading"
            " ON reading.id = page.reading_id WHERE page.number >= 0 ORDER BY page.number"
        )
        with reading_told():
            rows = self._db.execute(query)
            for number, value in rows:
                with values_told():
                    regions = plain_from_json(value)
                yield number, regions

    def undo_of(self, page: int) -> tuple[AnyCorrection, ...]:
        """What can be taken back in the current reading of a page, the last correction first."""
        with reading_told():
            return journal.done(self._db, self.page(page).reading_id)

    def redo_of(self, page: int) -> tuple[AnyCorrection, ...]:
        """What was taken back and can be made again, the next to be made first."""
        with reading_told():
            return journal.undone(self._db, self.page(page).reading_id)

    def hyphen_choices(self) -> Choices:
        """What a person decided on words broken at line ends."""
        with reading_told():
            return hyphens.choices(self._db)

    def view(self) -> dict[str, Any]:
        """How the book was last looked at: what `set_view` was given."""
        (view,) = self._row("SELECT view FROM book")
        try:
            remembered: Any = json.loads(view)
        except ValueError:
            return {}  # no loss worth a word
        return cast("dict[str, Any]", remembered) if isinstance(remembered, dict) else {}

    def find(
        self,
        text: str,
        *,
        whole_word: bool = False,
        match_case: bool = False,
        ignore_diacritics: bool = False,
    ) -> tuple[Match, ...]:
        """Look for a text in all current readings; line ends count as spaces.

        Returns:
            Matches in the order of pages, regions and letters.
        """
        query = query_of(
            text,
            whole_word=whole_word,
            match_case=match_case,
            ignore_diacritics=ignore_diacritics,
        )
        return self.search(query).matches if query is not None else ()

    def search(
        self,
        query: Query,
        *,
        in_earlier: bool = False,
        most: int = sys.maxsize,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> Found:
        """Look for a query in all current readings; line ends count as spaces.

        Args:
            query: what to look for.
            in_earlier: look in the earlier readings of each page as well.
            most: so many matches are told; behind them they are only counted.
            goes_on: asked before each page; False gives up.

        Returns:
            Matches in the order of pages, regions and letters.

        Raises:
            FindError: `pattern_slow`.
        """
        matches: list[Match] = []
        total, pages = 0, set[int]()
        for page, reading_id, text in self.texts_with(query, in_earlier=in_earlier):
            if not goes_on():
                break
            room = most - len(matches)
            places = places_of(query, text) if room else []
            count = len(places) if room else count_of(query, text)
            total += count
            pages.update([page] if count else ())
            matches += (_match(page, text, *place, reading_id) for place in places[:room])
        return Found(tuple(matches), total, len(pages))

    def texts_with(self, query: Query, *, in_earlier: bool = False) -> list[tuple[int, int, str]]:
        """Texts that may hold a query, with their pages and readings (0: the current one)."""
        condition, values = sought.condition_of(query)
        texts = _ALL_TEXTS if in_earlier else _SOUGHT_TEXTS
        return self._rows(texts.format(condition=condition), *values)

    def verdicts(self) -> tuple[Verdict, ...]:
        """What a person said of doubted words, in the order of pages."""
        with reading_told():
            return verdicts.all_verdicts(self._db)

    def book_words(self) -> frozenset[str]:
        """Words that a person called right wherever they stand in this book."""
        with reading_told():
            return verdicts.book_words(self._db)

    def audit_log(self) -> str:
        """Who did what to the book and when, as a table (CSV)."""
        with reading_told():
            return audit.as_csv(audit.entries(self._db))

    def last_letter_test(self) -> LetterTest | None:
        """The letter test that was begun last, ended or not."""
        with reading_told(), values_told():
            return letter_tests.last(self._db)

    def efforts(self) -> tuple[Effort, ...]:
        """What was spent on each page by each person."""
        with reading_told():
            return work.efforts(self._db)

    def texts(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Page numbers and the texts of their current readings, region by region."""
        rows = self._rows(_CURRENT_TEXTS)
        return tuple((number, tuple(text.split(REGION_END))) for number, text in rows)

    def machine_texts(self, page: int) -> tuple[MachineText, ...]:
        """The machine's readings of a page, the newest first, without their boxes."""
        with reading_told():
            return verdicts.machine_texts(self._db, page)

    def standings(self) -> tuple[Measured, ...]:
        """How the current readings of the book compare with their pages' print."""
        with reading_told():
            return standings.of_currents(self._db)

    def concerns(self, page: int) -> tuple[Concern, ...]:
        """What speaks against the current reading of a page."""
        with reading_told():
            return standings.of_page(self._db, page)

    def save_copy(self, path: Path) -> None:
        """Write everything known of the book into one portable file.

        The book's own file is left alone: to put a copy in its place would cut it off from those
        who have it open.

        Raises:
            StoreError: `store_unwritable`; what was at the path is still there.
        """
        if is_there(path) and path.samefile(self.path):
            return
        new = path.with_name(f"{path.name}.new")
        with writing_told(path):
            try:
                new.unlink(missing_ok=True)
                self._copy_to(new)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; calling it again does nothing."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _copy_to(self, new: Path) -> None:
        with contextlib.closing(sqlite3.connect(new)) as copy:
            self._db.backup(copy)
            # one file, which opens from a disk that cannot be written too
            copy.execute("PRAGMA journal_mode = DELETE")
        with new.open("rb+") as file:
            os.fsync(file.fileno())

    def _rows(self, query: str, *values: object) -> list[Any]:
        with reading_told():
            return self._db.execute(query, values).fetchall()

    def _row(self, query: str, *values: object) -> Any:  # noqa: ANN401 - as the columns are
        (row,) = self._rows(query, *values)
        return row


_BOOK = "SELECT uuid, paths, fingerprint, details, details_asked FROM book"
_PAGE = f"SELECT {PAGE_COLUMNS} FROM {PAGES}"
_READING = f"SELECT {READING_COLUMNS} FROM reading"
_CURRENT_TEXTS = (
    "SELECT page.number, reading.text FROM page JOIN reading ON reading.id = page.reading_id"
    " ORDER BY page.number"
)
_SOUGHT_TEXTS = (
    "SELECT page.number, 0, reading.text FROM page JOIN reading ON reading.id = page.reading_id"
    " WHERE {condition} ORDER BY page.number"
)
_ALL_TEXTS = (
    "SELECT page.number, iif(reading.id = page.reading_id, 0, reading.id), reading.text"
    " FROM page JOIN reading ON reading.page_id = page.id"
    " WHERE page.number >= 0 AND {condition}"
    " ORDER BY page.number, reading.id = page.reading_id DESC, reading.id DESC"
)


def _match(page: int, text: str, start: int, end: int, reading_id: int) -> Match:
    """A match by its offsets in the searched text of a page."""
    region = text.count(REGION_END, 0, start)
    region_start = text.rfind(REGION_END, 0, start) + 1
    region_end = text.find(REGION_END, end)
    context_start = max(region_start, start - CONTEXT)
    context_end = min(len(text) if region_end < 0 else region_end, end + CONTEXT)
    context = text[context_start:context_end].translate(_ONE_LINE)
    return Match(
        page,
        region,
        start - region_start,
        end - region_start,
        context,
        start - context_start,
        reading_id,
    )


_ONE_LINE = {ord("\n"): " ", ord("\t"): " "}
