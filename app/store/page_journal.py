"""What was said of a page as a whole while it had no text, done and taken back, as rows.

With a text such corrections stand in its journal (`app.store.journal`), among those of the letters.
These are older than any correction of a text that came since: undo takes them back last, redo makes
them again first. What writes does so within a transaction of its caller.
"""

from __future__ import annotations

import sqlite3

from app.proofing import PageCorrection
from app.store import journal
from app.store.journal import Entry

_ENTRIES = (
    "SELECT page_journal.position, correction.region, correction.before, correction.after"
    " FROM page_journal JOIN correction ON correction.id = page_journal.correction_id"
    " JOIN page ON page.id = page_journal.page_id"
    " WHERE page.number = ? AND page_journal.is_done = ?"
)


def last_done(db: sqlite3.Connection, page: int) -> Entry | None:
    """What undo takes back next; `page` is the number."""
    query = f"{_ENTRIES} ORDER BY position DESC LIMIT 1"
    row = db.execute(query, (page, 1)).fetchone()
    return journal.entry(row) if row else None


def next_undone(db: sqlite3.Connection, page: int) -> Entry | None:
    """What redo makes again next; `page` is the number."""
    row = db.execute(f"{_ENTRIES} ORDER BY position LIMIT 1", (page, 0)).fetchone()
    return journal.entry(row) if row else None


def mark(db: sqlite3.Connection, page: int, position: int, *, is_done: bool) -> None:
    """Note that a correction was taken back, or made again."""
    db.execute(
        "UPDATE page_journal SET is_done = ? WHERE position = ?"
        " AND page_id = (SELECT id FROM page WHERE number = ?)",
        (is_done, position, page),
    )


def add(db: sqlite3.Connection, page_id: int, correction: PageCorrection) -> None:
    """Note a new correction of a page that has no text."""
    drop_undone(db, page_id)
    correction_id = journal.insert(db, correction)
    db.execute(
        "INSERT INTO page_journal (page_id, position, correction_id, is_done)"
        " SELECT ?1, 1 + coalesce(max(position), 0), ?2, 1 FROM page_journal WHERE page_id = ?1",
        (page_id, correction_id),
    )


def drop_undone(db: sqlite3.Connection, page_id: int) -> None:
    """Once something else is done, what was taken back can no longer be made again."""
    dropped = db.execute(
        "DELETE FROM page_journal WHERE page_id = ? AND is_done = 0 RETURNING correction_id",
        (page_id,),
    ).fetchall()
    db.executemany("DELETE FROM correction WHERE id = ?", dropped)
