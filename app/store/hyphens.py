"""What a person decided on words that are broken at line ends, as rows.

A decision is for one break (`app.desk.hyphens.Break`), or for a word wherever it is broken so. What
writes does so within a transaction of its caller.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from app.desk.hyphens import Break, Choice, Choices, word_key
from app.store.readings import writable
from app.store.rows import date_to_text


def choices(db: sqlite3.Connection) -> Choices:
    """All decisions on the book."""
    rows = db.execute(
        "SELECT page.number, hyphen.printed, hyphen.nth, hyphen.choice"
        " FROM hyphen LEFT JOIN page ON page.id = hyphen.page_id"
    ).fetchall()
    breaks = {Break(*at): Choice(said) for *at, said in rows if at[0] is not None}
    words = {printed: Choice(said) for page, printed, _nth, said in rows if page is None}
    return Choices(breaks, words)


def choose(
    db: sqlite3.Connection, broken: Break | str, choice: Choice | None, *, person: str
) -> None:
    """Keep a decision in the place of an earlier one.

    Args:
        db: within a transaction.
        broken: one break, or a word as printed: wherever it is broken so.
        choice: None leaves it to the rules again.
        person: who says so.
    """
    page_id, nth = None, 0
    if isinstance(broken, Break):
        query = "SELECT id FROM page WHERE number = ?"
        (page_id,) = db.execute(query, (broken.page,)).fetchone()
        nth = broken.nth
    key = writable(broken.printed if isinstance(broken, Break) else word_key(broken))
    db.execute(
        "DELETE FROM hyphen"
        " WHERE coalesce(page_id, 0) = coalesce(?, 0) AND printed = ? AND nth = ?",
        (page_id, key, nth),
    )
    if choice is not None:
        row = (page_id, key, nth, choice, date_to_text(datetime.now(UTC)), writable(person))
        db.execute(
            "INSERT INTO hyphen (page_id, printed, nth, choice, date, person)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )
