"""A text by hand becomes the current one of its page, within a caller's transaction."""

from __future__ import annotations

import sqlite3

from app.book import Reading
from app.store import page_facts, page_journal, writing
from app.store.stand import Stand, after_typing, put, verdict_of


def write(db: sqlite3.Connection, stand: Stand, reading: Reading) -> int:
    """Write what a person made of a page, and where the page stands with it; the reading's id."""
    page_journal.drop_undone(db, stand.page_id)
    reading_id = writing.write_by_hand(
        db, stand.page_id, reading, current_id=stand.reading_id, verdict=verdict_of(stand)
    )
    put(db, after_typing(stand, reading_id=reading_id, has_text=reading.text != ""))
    page_facts.take_number(db, stand.page_id, reading.regions)
    return reading_id
