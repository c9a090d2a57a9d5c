"""Letter tests as rows: begun, answered letter by letter, ended. Within a caller's transaction.

`letters` is a JSON list of `[page, letter, before, behind, box or null, in word]`. Pages are named
by their numbers, and follow when they get others; that of a page which was taken out is below 0.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from app.book import Box
from app.desk.letter_test import Letter, LetterTest
from app.store.readings import writable
from app.store.rows import date_to_text

GONE = -1
"""Number of a page that is in the book no more, for good."""

_COLUMNS = "id, begun, person, seed, pages, letters, answers, ended"


def begin(db: sqlite3.Connection, test: LetterTest) -> int:
    """Keep a test that begins; its id."""
    letters = json.dumps([[*each[:4], each.box, each.in_word] for each in test.letters])
    begun = db.execute(
        "INSERT INTO letter_test (begun, person, seed, pages, letters) VALUES (?, ?, ?, ?, ?)",
        (
            date_to_text(test.begun),
            writable(test.person),
            test.seed,
            json.dumps(test.pages),
            letters,
        ),
    )
    assert begun.lastrowid is not None
    return begun.lastrowid


def answer(db: sqlite3.Connection, test: LetterTest) -> None:
    """Keep the answers given so far, and when the last one was."""
    ended = date_to_text(test.ended) if test.ended is not None else None
    db.execute(
        "UPDATE letter_test SET answers = ?, ended = ? WHERE id = ?",
        (test.answers, ended, test.id),
    )


def last(db: sqlite3.Connection) -> LetterTest | None:
    """The test that was begun last, None where there was none."""
    query = f"SELECT {_COLUMNS} FROM letter_test ORDER BY id DESC LIMIT 1"
    row = db.execute(query).fetchone()
    return _test_of(row) if row else None


@contextmanager
def following(db: sqlite3.Connection) -> Generator[None]:
    """Let tests follow the pages that get other numbers within."""
    before = dict(db.execute("SELECT number, id FROM page").fetchall())
    yield
    after = dict(db.execute("SELECT id, number FROM page").fetchall())
    numbers = {number: after.get(page_id, GONE) for number, page_id in before.items()}
    if any(old != new for old, new in numbers.items()):
        _renumber(db, numbers)


def _renumber(db: sqlite3.Connection, numbers: Mapping[int, int]) -> None:
    for row in db.execute("SELECT id, pages, letters FROM letter_test").fetchall():
        pages = sorted(numbers.get(page, GONE) for page in json.loads(row[1]))
        letters = [[numbers.get(page, GONE), *rest] for page, *rest in json.loads(row[2])]
        db.execute(
            "UPDATE letter_test SET pages = ?, letters = ? WHERE id = ?",
            (json.dumps(pages), json.dumps(letters), row[0]),
        )


def _test_of(row: Any) -> LetterTest:  # noqa: ANN401 - a row is what its columns are
    number, begun, person, seed, pages, letters, answers, ended = row
    return LetterTest(
        number,
        datetime.fromisoformat(begun),
        person,
        seed,
        tuple(json.loads(pages)),
        tuple(_letter_of(each) for each in json.loads(letters)),
        answers,
        datetime.fromisoformat(ended).astimezone(UTC) if ended else None,
    )


def _letter_of(plain: list[Any]) -> Letter:
    page, letter, before, behind, box, in_word = plain
    return Letter(page, letter, before, behind, Box(*box) if box else None, in_word)
