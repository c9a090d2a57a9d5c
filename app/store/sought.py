"""The index of all texts: which readings may hold what is looked for. Within a caller's connection.

A full-text table of SQLite (FTS5) that knows every three letters in a row of the folded texts, so
that parts of words are found as well. It only says where to look; `app.store.search` then finds the
places. A reading that is not in it yet (a book of an older format) is looked through all the same,
and is put in by and by, see `put_missing`.
"""

from __future__ import annotations

import re
import sqlite3

from app.store.search import HYPHENS, Query, index_text

AT_ONCE = 40
"""Readings put in within one transaction; a correction that is to be saved waits no longer."""

_BETWEEN_RUNS = re.compile(rf"[\s\x01{re.escape(HYPHENS)}]+")
_MOST_TRIGRAMS = 24  # so many tell a text well enough


def put(db: sqlite3.Connection, reading_id: int, text: str) -> None:
    """Let a reading be found by its text as it is now; within a transaction."""
    db.execute("DELETE FROM sought WHERE rowid = ?", (reading_id,))
    db.execute("INSERT INTO sought (rowid, text) VALUES (?, ?)", (reading_id, index_text(text)))


def put_missing(db: sqlite3.Connection) -> int:
    """Put some readings in that are not there yet; how many. Within a transaction."""
    rows = db.execute(f"SELECT id, text FROM reading WHERE {MISSING} LIMIT ?", (AT_ONCE,))
    missing = rows.fetchall()
    for reading_id, text in missing:
        put(db, reading_id, text)
    return len(missing)


def condition_of(query: Query) -> tuple[str, tuple[str, ...]]:
    """Which readings may hold a query, as a condition of SQL on `reading.id` and its parameters."""
    trigrams = _trigrams(query)
    if not trigrams:
        return "1", ()
    return f"(reading.id IN ({_MATCHING}) OR {MISSING})", (" AND ".join(trigrams),)


def _trigrams(query: Query) -> list[str]:
    """What each text that holds the query has in the index, quoted; nothing where that is open."""
    if query.pattern is not None:
        return []
    found = {
        run[at : at + 3]
        for run in _BETWEEN_RUNS.split(index_text(query.text))
        for at in range(len(run) - 2)
    }
    quoted = ('"{}"'.format(each.replace('"', '""')) for each in sorted(found))
    return list(quoted)[:_MOST_TRIGRAMS]


_MATCHING = "SELECT rowid FROM sought WHERE sought MATCH ?"
MISSING = "reading.id NOT IN (SELECT id FROM sought_content)"
