"""The audit log of a book: who did what to it and when. Rows are added and never changed.

The database itself writes what concerns readings and acceptances, by triggers on their tables
(`LOG`), so that no way past it is left open in the program; openings and exports, of which the
database knows nothing, are noted by `note`. Other triggers refuse to change or remove a row.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from app.store.readings import writable
from app.store.rows import date_to_text

_NOW = "strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')"
_PAGE = "(SELECT number FROM page WHERE id = NEW.page_id)"

LOG = (
    """
    CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        date TEXT NOT NULL,  -- ISO 8601, UTC
        what TEXT NOT NULL,
        page INTEGER,  -- its number then, from 0; NULL: the whole book
        person TEXT NOT NULL,
        detail TEXT NOT NULL  -- a reading's engine as JSON, an export's file, ...
    ) STRICT
    """,
    "CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit"
    " BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END",
    "CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit"
    " BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END",
    f"""
    CREATE TRIGGER audit_reading AFTER INSERT ON reading BEGIN
        INSERT INTO audit (date, what, page, person, detail) VALUES (
            {_NOW},
            CASE
                WHEN NEW.by_hand THEN 'corrected'
                WHEN NEW.imported_from <> '' THEN 'imported'
                ELSE 'read'
            END,
            {_PAGE}, NEW.person,
            CASE WHEN NEW.imported_from <> '' THEN NEW.imported_from
                 ELSE coalesce(NEW.engine, '') END
        );
    END
    """,
    f"""
    CREATE TRIGGER audit_acceptance AFTER INSERT ON acceptance BEGIN
        INSERT INTO audit (date, what, page, person, detail)
        VALUES ({_NOW}, 'accepted', {_PAGE}, NEW.person, '');
    END
    """,
    f"""
    CREATE TRIGGER audit_taken_back AFTER UPDATE OF is_taken_back ON acceptance
    WHEN NEW.is_taken_back AND NOT OLD.is_taken_back BEGIN
        INSERT INTO audit (date, what, page, person, detail)
        VALUES ({_NOW}, 'acceptance taken back', {_PAGE}, NEW.person, '');
    END
    """,
    f"""
    CREATE TRIGGER audit_current AFTER UPDATE OF reading_id ON page
    WHEN NEW.reading_id < OLD.reading_id BEGIN
        INSERT INTO audit (date, what, page, person, detail) VALUES (
            {_NOW}, 'earlier reading taken', NEW.number, '',
            (SELECT date FROM reading WHERE id = NEW.reading_id)
        );
    END
    """,
    f"""
    CREATE TRIGGER audit_replacement AFTER INSERT ON replacement BEGIN
        INSERT INTO audit (date, what, page, person, detail)
        VALUES ({_NOW}, 'replaced', NULL, NEW.person, NEW.sought || ' > ' || NEW.instead);
    END
    """,
)
"""Statements that make the log; a step of `app.store.migrations`."""

COLUMNS = ("date", "what", "page", "person", "detail")


class Entry(NamedTuple):
    """One row."""

    date: datetime
    what: str
    page: int | None  # its number then, from 0
    person: str
    detail: str


def note(
    db: sqlite3.Connection, what: Literal["opened", "exported"], *, person: str, detail: str
) -> None:
    """Add a row about the whole book, within a transaction."""
    row = (date_to_text(datetime.now(UTC)), what, writable(person), writable(detail))
    db.execute("INSERT INTO audit (date, what, person, detail) VALUES (?, ?, ?, ?)", row)


def entries(db: sqlite3.Connection) -> Iterator[Entry]:
    """All rows, the oldest first."""
    for date, *rest in db.execute(f"SELECT {', '.join(COLUMNS)} FROM audit ORDER BY id"):
        yield Entry(datetime.fromisoformat(date), *rest)


def as_csv(rows: Iterator[Entry]) -> str:
    """The log as a table for other programs: RFC 4180, page numbers from 1."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for row in rows:
        page = "" if row.page is None else row.page + 1
        table.writerow((row.date.isoformat(), row.what, page, row.person, row.detail))
    return out.getvalue()
