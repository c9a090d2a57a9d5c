"""Who has proofread a page, and when: a row for each round. Within a transaction of the caller."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from app.store.readings import writable
from app.store.rows import date_to_text


def add(db: sqlite3.Connection, page_id: int, person: str) -> None:
    """A person says that the page is proofread."""
    row = (page_id, writable(person), date_to_text(datetime.now(UTC)))
    db.execute("INSERT INTO acceptance (page_id, person, date) VALUES (?, ?, ?)", row)


def is_by(db: sqlite3.Connection, page_id: int, person: str) -> bool:
    """Whether this person has proofread the page."""
    query = "SELECT 1 FROM acceptance WHERE page_id = ? AND person = ? AND NOT is_taken_back"
    return db.execute(query, (page_id, writable(person))).fetchone() is not None


def take_last_back(db: sqlite3.Connection, page_id: int) -> None:
    """The last round does not hold any more."""
    db.execute(
        "UPDATE acceptance SET is_taken_back = 1 WHERE id ="
        " (SELECT max(id) FROM acceptance WHERE page_id = ? AND NOT is_taken_back)",
        (page_id,),
    )


def take_all_back(db: sqlite3.Connection, page_id: int) -> None:
    """The page has another text, which nobody has proofread."""
    db.execute("UPDATE acceptance SET is_taken_back = 1 WHERE page_id = ?", (page_id,))
