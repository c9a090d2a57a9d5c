"""What a person decided on words that are broken at line ends, as rows.

A decision is for one break, known by its page and its printed form, or for a word wherever it is
broken so. What writes does so within a transaction of its caller.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from app.desk.hyphens import Choice, Choices, printed_key
from app.store.readings import writable
from app.store.rows import date_to_text


def choices(db: sqlite3.Connection) -> Choices:
    """All decisions on the book."""
    rows = db.execute(
        "SELECT page.number, hyphen.printed, hyphen.choice"
        " FROM hyphen LEFT JOIN page ON page.id = hyphen.page_id"
    ).fetchall()
    made = [(page, printed, Choice(choice)) for page, printed, choice in rows]
    return Choices(
        breaks={(page, printed): choice for page, printed, choice in made if page is not None},
        words={printed: choice for page, printed, choice in made if page is None},
    )


def choose(
    db: sqlite3.Connection, printed: str, page: int | None, choice: Choice | None, *, person: str
) -> None:
    """Keep a decision in the place of an earlier one.

    Args:
        db: within a transaction.
        printed: the broken word as printed, see `HyphenJoin`.
        page: that the break stands on; None: wherever the word is broken so.
        choice: None leaves it to the rules again.
        person: who says so.
    """
    page_id = None
    if page is not None:
        (page_id,) = db.execute("SELECT id FROM page WHERE number = ?", (page,)).fetchone()
    key = writable(printed_key(printed, everywhere=page is None))
    db.execute(
        "DELETE FROM hyphen WHERE coalesce(page_id, 0) = coalesce(?, 0) AND printed = ?",
        (page_id, key),
    )
    if choice is not None:
        date = date_to_text(datetime.now(UTC))
        db.execute(
            "INSERT INTO hyphen (page_id, printed, choice, date, person) VALUES (?, ?, ?, ?, ?)",
            (page_id, key, choice, date, writable(person)),
        )
