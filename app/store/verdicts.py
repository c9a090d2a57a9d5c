"""What a person said of doubted words, as rows. What writes does so within a caller's transaction.

A word is known by its page, its letters and which of the same words of the page it is, not by its
place in the text: corrections elsewhere on the page, and another reading of it, leave it as it is.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from app.desk.part import PART
from app.store.readings import REGION_END, writable
from app.store.rows import date_to_text


class Said(StrEnum):
    """What a person said of a word."""

    RIGHT = "right"
    WRONG = "wrong"  # by correcting it
    LATER = "later"


@dataclass(frozen=True)
class Verdict:
    """One answer of a person."""

    page: int
    word: str  # as it stood in the text
    nth: int  # from 0, among the same words of the page
    said: Said
    chance: float  # 0..1 that it was wrong, as thought when it was said
    person: str = ""


class MachineText(NamedTuple):
    """A machine's reading of a page, without its boxes."""

    reading_id: int
    reader: str  # engine, checkpoint and mode, or where it was imported from
    texts: tuple[str, ...]  # of its regions


def put(db: sqlite3.Connection, verdict: Verdict) -> None:
    """Note a verdict; a later one on the same word takes its place."""
    db.execute(
        "INSERT OR REPLACE INTO verdict (page_id, word, nth, said, chance, date, person)"
        " SELECT id, ?, ?, ?, ?, ?, ? FROM page WHERE number = ?",
        (
            writable(verdict.word),
            verdict.nth,
            verdict.said,
            verdict.chance,
            date_to_text(datetime.now(UTC)),
            writable(verdict.person),
            verdict.page,
        ),
    )


def put_word(db: sqlite3.Connection, word: str, *, person: str) -> None:
    """Note that a word is right wherever it stands in the book."""
    db.execute(
        "INSERT OR IGNORE INTO book_word (word, date, person) VALUES (?, ?, ?)",
        (writable(word), date_to_text(datetime.now(UTC)), writable(person)),
    )


def all_verdicts(db: sqlite3.Connection) -> tuple[Verdict, ...]:
    """Every verdict, in the order of pages."""
    rows = db.execute(
        "SELECT page.number, word, nth, said, chance, person"
        " FROM verdict JOIN page ON page.id = verdict.page_id WHERE page.number >= 0"
        " ORDER BY page.number, date"
    )
    return tuple(
        Verdict(page, word, nth, Said(said), chance, person)
        for page, word, nth, said, chance, person in rows
    )


def book_words(db: sqlite3.Connection) -> frozenset[str]:
    """The words that a person called right everywhere."""
    return frozenset(word for (word,) in db.execute("SELECT word FROM book_word"))


def machine_texts(db: sqlite3.Connection, page: int) -> tuple[MachineText, ...]:
    """The machine's readings of a whole page, the newest first; not those of a part of it."""
    rows = db.execute(
        "SELECT reading.id, reading.engine, reading.imported_from, reading.text"
        " FROM reading JOIN page ON page.id = reading.page_id"
        " WHERE page.number = ? AND NOT reading.by_hand ORDER BY reading.id DESC",
        (page,),
    )
    return tuple(
        MachineText(reading_id, _reader(engine) or imported_from, tuple(text.split(REGION_END)))
        for reading_id, engine, imported_from, text in rows
        if engine is None or not any(name == PART for name, _ in json.loads(engine)["settings"])
    )


def _reader(engine: str | None) -> str:
    """Which engine in which mode, from its row; "" where no engine was at work."""
    if engine is None:
        return ""
    plain = json.loads(engine)
    return " ".join((plain["engine"], plain["checkpoint"], plain["mode"]))
