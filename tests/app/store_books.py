"""Books and readings for the tests of the store, and a child that saves until it is killed."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.book import Book, Page, PageState, Reading, Region, Source
from app.proofing import Correction, apply, corrected
from app.store.connection import Form, create
from app.store.database import BookStore
from app.store.migrations import BOOK
from app.store.readings import to_json
from model.api import Box, EngineSource, Kind, Span

NOON = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
ENGINE = EngineSource("fake", "1", "0123456789abcdef", "plain", settings=(("cap", "4096"),))


def book_of(pages: int, *, paths: tuple[Path, ...] = (Path("/scans/book.pdf"),)) -> Book:
    return Book(
        id=str(uuid.uuid4()),
        paths=paths,
        fingerprint="f" * 16,
        pages=tuple(Page(number, label=str(number + 1)) for number in range(pages)),
    )


def region_of(text: str) -> Region:
    """A region with a box for each word, as an engine gives it."""
    words, start = [], 0
    for word in text.replace("\n", " ").split(" "):
        words.append(Span(start, start + len(word), Box(start, 0.5, start + 9.25, 20), 0.875))
        start += len(word) + 1
    return Region(Kind.TEXT, text, Box(0, 0, 800, 20), words=tuple(words), score=0.5)


def machine(*texts: str, date: datetime = NOON) -> Reading:
    regions = tuple(region_of(text) for text in texts)
    return Reading(regions, Source("model", date, engine=ENGINE))


def typed(
    reading: Reading,
    text: str,
    *,
    region: int = 0,
    person: str = "Aldus",
    after: timedelta = timedelta(minutes=1),
) -> tuple[Reading, Correction]:
    """What a person makes of a reading, and the correction."""
    before = reading.regions[region]
    correction = Correction(region, before, corrected(before, text))
    source = Source("hand", NOON + after, person=person)
    return Reading(apply(reading, correction).regions, source), correction


def correct(store: BookStore, page: int, text: str, **more) -> Page:
    """Type a text into a block of the current reading, as the session does it."""
    reading = store.current(page)
    assert reading is not None
    changed, correction = typed(reading, text, **more)
    return store.save_hand(page, changed, correction=correction)


def undone(store: BookStore, page: int) -> Reading:
    """The text after one step back, which must be possible."""
    stepped = store.undo(page)
    assert stepped is not None
    assert stepped == (store.page(page), store.current(page))
    assert stepped[1] is not None
    return stepped[1]


def redone(store: BookStore, page: int) -> Reading:
    stepped = store.redo(page)
    assert stepped is not None
    assert stepped == (store.page(page), store.current(page))
    assert stepped[1] is not None
    return stepped[1]


def text_of(store: BookStore, page: int) -> str | None:
    reading = store.current(page)
    return None if reading is None else reading.text


LINE = "some words of a printed line of text "
PAGE_TEXT = "\n".join(LINE.strip() for _line in range(38))  # 304 words


def large_book(path: Path, *, pages: int) -> Path:
    """A book of read pages of 300 words; the first is saved, the others are copies of its rows."""
    with BookStore.create(path, book_of(pages)) as store:
        store.save_read(0, reading=machine(PAGE_TEXT), state=PageState.READ)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        (columns,) = db.execute(
            "SELECT group_concat('reading.' || name) FROM pragma_table_info('reading')"
            " WHERE name NOT IN ('id', 'page_id')"
        ).fetchone()
        names = columns.replace("reading.", "")
        db.execute(
            f"INSERT INTO reading (id, page_id, {names}) SELECT other.id, other.id, {columns}"
            " FROM reading, (SELECT id FROM page WHERE number > 0) AS other WHERE reading.id = 1"
        )
        db.execute("UPDATE page SET state = 'read', reading_id = id")
    return path


def first_format(path: Path, *, pages: int) -> Path:
    """A book as the first version of the program wrote it: pages read, every third corrected."""
    book = book_of(pages)
    db = create(path, Form(BOOK.application_id, BOOK.migrations[:1]), lambda db: _fill(db, book))
    db.close()
    return path


def _fill(db: sqlite3.Connection, book: Book) -> None:
    db.execute(
        "INSERT INTO book (id, uuid, paths, fingerprint, details, details_asked)"
        " VALUES (1, ?, '[\"/scans/book.pdf\"]', ?, '{}', 0)",
        (book.id, book.fingerprint),
    )
    for page in book.pages:
        by_hand = page.number % 3 == 0
        value = to_json((Region(Kind.TEXT, f"{PAGE_TEXT} {page.number}"),))
        db.execute(
            "INSERT INTO page (id, number, name, label, state) VALUES (?, ?, '', '', ?)",
            (page.number + 1, page.number, "proofread" if by_hand else "read"),
        )
        db.execute(
            "INSERT INTO reading (id, page_id, by_hand, is_open, begun, date, person,"
            " imported_from, state, reasons, text, value)"
            " VALUES (?, ?, ?, 0, ?, ?, 'Aldus', '', 'read', '[]', ?, ?)",
            (*[page.number + 1] * 2, by_hand, *[NOON.isoformat()] * 2, PAGE_TEXT, value),
        )
    db.execute("UPDATE page SET reading_id = id")


def save_until_killed(path: Path, start: int) -> None:
    """Read pages and correct them for ever; say each save on stdout once it has returned."""
    store = BookStore.open(path)
    count = len(store.book().pages)
    for step in range(start, sys.maxsize):
        page = step % count
        store.save_read(page, reading=machine(f"read {step}"), state=PageState.READ)
        print(f"read {page} read {step}", flush=True)
        if store.current(page) is None or step % 2:
            continue
        correct(store, page, f"typed {step}")
        print(f"typed {page} typed {step}", flush=True)


if __name__ == "__main__":
    save_until_killed(Path(sys.argv[1]), int(sys.argv[2]))
