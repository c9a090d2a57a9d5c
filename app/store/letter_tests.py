"""Letter tests as rows: begun, answered letter by letter, ended. Within a caller's transaction.

`letters` is a JSON list of `[page, letter, before, behind, box or null, in word]`.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from typing import Any

from app.book import Box
from app.desk.letter_test import Letter, LetterTest
from app.store.readings import writable
from app.store.rows import date_to_text

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
