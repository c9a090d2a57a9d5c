"""How long persons worked at pages, and how many corrections they made, as measured here."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from app.store.readings import writable


class Effort(NamedTuple):
    """What one person spent on one page in all."""

    page: int
    person: str
    seconds: float  # at work: without the time in which nothing was done
    edits: int


def add(db: sqlite3.Connection, effort: Effort, *, day: str) -> None:
    """Add to what a person spent on a page on a day; within a transaction of the caller."""
    db.execute(
        "INSERT INTO work (page_id, person, day, seconds, edits)"
        " SELECT id, ?, ?, ?, ? FROM page WHERE number = ?"
        " ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds,"
        " edits = edits + excluded.edits",
        (writable(effort.person), day, effort.seconds, effort.edits, effort.page),
    )


def efforts(db: sqlite3.Connection) -> tuple[Effort, ...]:
    """What was spent on each page by each person, in the order of pages."""
    rows = db.execute(
        "SELECT page.number, person, sum(work.seconds), sum(edits) FROM work"
        " JOIN page ON page.id = work.page_id WHERE page.number >= 0"
        " GROUP BY page.id, person ORDER BY page.number, person"
    )
    return tuple(Effort(*row) for row in rows)
