"""Readings on their way to their rows, by machine and by hand, within a caller's transaction."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from app.book import PageState, Reading, Reason, Source
from app.store import journal, sought
from app.store.readings import searched_text, to_json, writable
from app.store.rows import date_to_text, engine_to_json, reasons_from_json, reasons_to_json

OPEN_FOR = timedelta(days=1)
"""How long corrections go into one reading by hand."""

Verdict = tuple[PageState, tuple[Reason, ...]]


def insert(
    db: sqlite3.Connection, page_id: int, reading: Reading, *, verdict: Verdict, is_open: bool
) -> int:
    """Add a reading of a page; its id."""
    source, (state, reasons) = reading.source, verdict
    date = date_to_text(source.date)
    row = {
        "page_id": page_id,
        "by_hand": source.by == "hand",
        "is_open": is_open,
        "begun": date,
        "date": date,
        "person": writable(source.person),
        "engine": engine_to_json(source.engine),
        "imported_from": writable(source.imported_from),
        "state": state,
        "reasons": reasons_to_json(reasons),
        "text": searched_text(reading),
        "value": to_json(reading.regions),
    }
    named = ", ".join(f":{column}" for column in row)
    inserted = db.execute(f"INSERT INTO reading ({', '.join(row)}) VALUES ({named})", row)
    assert inserted.lastrowid is not None
    sought.put(db, inserted.lastrowid, str(row["text"]))
    return inserted.lastrowid


def write_by_hand(
    db: sqlite3.Connection,
    page_id: int,
    reading: Reading,
    *,
    current_id: int | None,
    verdict: Verdict,
) -> int:
    """Write what a person typed into the open reading, or begin one on top of the current; its id.

    Args:
        db: within a transaction.
        page_id: row of the page.
        reading: the whole text after the correction, with its date and person.
        current_id: the page's current reading, by machine or by hand.
        verdict: what the page is with this text.
    """
    assert reading.source.by == "hand", "a reading by hand has a person as its source"
    if current_id is not None and _is_open_for(db, current_id, reading.source):
        _update(db, current_id, reading)
        return current_id
    close_all(db, page_id)
    reading_id = insert(db, page_id, reading, verdict=verdict, is_open=True)
    if current_id is not None:
        journal.inherit(db, reading_id, parent_id=current_id)
    return reading_id


def verdict_with(db: sqlite3.Connection, page_id: int, reading_id: int) -> Verdict:
    """State and reasons that a page has with one of its readings."""
    row = db.execute(
        "SELECT state, reasons FROM reading WHERE id = ? AND page_id = ?", (reading_id, page_id)
    ).fetchone()
    assert row is not None, "that reading is of another page"
    state, reasons = row
    return PageState(state), reasons_from_json(reasons)


def close_all(db: sqlite3.Connection, page_id: int) -> None:
    """Let the next correction of this page begin a reading of its own."""
    db.execute("UPDATE reading SET is_open = 0 WHERE page_id = ? AND is_open", (page_id,))


def _is_open_for(db: sqlite3.Connection, reading_id: int, source: Source) -> bool:
    is_open, person, begun = db.execute(
        "SELECT is_open, person, begun FROM reading WHERE id = ?", (reading_id,)
    ).fetchone()
    is_young = source.date - datetime.fromisoformat(begun) < OPEN_FOR
    return bool(is_open) and person == writable(source.person) and is_young


def _update(db: sqlite3.Connection, reading_id: int, reading: Reading) -> None:
    date, text = date_to_text(reading.source.date), searched_text(reading)
    db.execute(
        "UPDATE reading SET date = ?, text = ?, value = ? WHERE id = ?",
        (date, text, to_json(reading.regions), reading_id),
    )
    sought.put(db, reading_id, text)
