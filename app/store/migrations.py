"""The format of a book's database, as the steps that led to it. Each is applied in order, once.

A step that has been released is never changed; another format is another step. The number of the
last step stands in `user_version` of the file.

```
book ──< page ──< reading ──< journal >── correction
            └──── current ──┘
```

One row of `book`. A page has an id of its own, so that its readings stay with it when it gets
another number. `reading.text` repeats the letters of `reading.value` for searching. A correction
stands in the journals of all readings that were begun on top of it: taking it back in one leaves
the others alone.
"""

from __future__ import annotations

import re
import sqlite3

from app.desk.hyphens import broken_part
from app.store import audit
from app.store.connection import Form
from app.store.readings import REGION_END

APPLICATION_ID = 0x496E6362  # "Incb"


def _first(db: sqlite3.Connection) -> None:
    for statement in _FIRST:
        db.execute(statement)


_FIRST = (
    """
    CREATE TABLE book (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        uuid TEXT NOT NULL,
        paths TEXT NOT NULL,  -- JSON list
        fingerprint TEXT NOT NULL,
        details TEXT NOT NULL,  -- JSON object
        details_asked INTEGER NOT NULL,
        view TEXT NOT NULL DEFAULT '{}'  -- JSON object
    ) STRICT
    """,
    """
    CREATE TABLE page (
        id INTEGER PRIMARY KEY,
        number INTEGER NOT NULL UNIQUE,  -- from 0
        name TEXT NOT NULL,
        label TEXT NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('unread', 'read', 'look', 'failed', 'blank', 'proofread')),
        reasons TEXT NOT NULL DEFAULT '[]',  -- JSON list
        failure TEXT NOT NULL DEFAULT '',
        failure_detail TEXT NOT NULL DEFAULT '',
        reading_id INTEGER REFERENCES reading (id),  -- the current one
        width_px INTEGER,
        height_px INTEGER,
        dpi REAL,
        fingerprint TEXT NOT NULL DEFAULT '',
        seconds REAL NOT NULL DEFAULT 0,
        before TEXT  -- JSON: where the page stood before a person set its state
    ) STRICT
    """,
    """
    CREATE TABLE reading (
        id INTEGER PRIMARY KEY,
        page_id INTEGER NOT NULL REFERENCES page (id),
        by_hand INTEGER NOT NULL,
        is_open INTEGER NOT NULL,  -- by hand, and corrections still go into it
        begun TEXT NOT NULL,  -- ISO 8601, UTC
        date TEXT NOT NULL,  -- likewise; of the last change
        person TEXT NOT NULL,
        engine TEXT,  -- JSON object
        imported_from TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('unread', 'read', 'look', 'failed', 'blank')),
        reasons TEXT NOT NULL,  -- what state and reasons the page has with this reading
        text TEXT NOT NULL,
        value TEXT NOT NULL  -- JSON, see `app.store.readings`
    ) STRICT
    """,
    # tells who made the current readings without touching their long rows
    "CREATE INDEX reading_of_page ON reading (page_id, id, by_hand)",
    """
    CREATE TABLE correction (
        id INTEGER PRIMARY KEY,
        region INTEGER NOT NULL,
        before TEXT NOT NULL,  -- JSON, as in a reading's value
        after TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE journal (
        reading_id INTEGER NOT NULL REFERENCES reading (id),
        position INTEGER NOT NULL,  -- from 1
        correction_id INTEGER NOT NULL REFERENCES correction (id),
        is_done INTEGER NOT NULL,  -- 0: taken back; those come after all that are done
        PRIMARY KEY (reading_id, position)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX journal_of_correction ON journal (correction_id)",
)


def _second(db: sqlite3.Connection) -> None:
    for statement in _SECOND:
        db.execute(statement)


_SECOND = (
    # what a person said of words that were doubted; a word is known by which of its like it is on
    # the page, so that neither another reading nor corrections elsewhere make it be asked again
    """
    CREATE TABLE verdict (
        page_id INTEGER NOT NULL REFERENCES page (id),
        word TEXT NOT NULL,
        nth INTEGER NOT NULL,  -- from 0, among the same words of the page
        said TEXT NOT NULL CHECK (said IN ('right', 'wrong', 'later')),
        chance REAL NOT NULL,  -- that it was wrong, as thought then
        date TEXT NOT NULL,  -- ISO 8601, UTC
        person TEXT NOT NULL,
        PRIMARY KEY (page_id, word, nth)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE book_word (
        word TEXT PRIMARY KEY,  -- right wherever it stands in this book, as a person says
        date TEXT NOT NULL,
        person TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
)


def _third(db: sqlite3.Connection) -> None:
    for statement in _THIRD:
        db.execute(statement)


_THIRD = (
    # which readings may hold what is looked for, see `app.store.sought`; the key is the reading's
    """
    CREATE VIRTUAL TABLE sought USING fts5(
        text, tokenize = "trigram case_sensitive 1", detail = 'none', columnsize = 0
    )
    """,
    """
    CREATE TABLE replacement (
        id INTEGER PRIMARY KEY,
        date TEXT NOT NULL,  -- ISO 8601, UTC
        person TEXT NOT NULL,
        sought TEXT NOT NULL,
        instead TEXT NOT NULL,
        is_taken_back INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    # which corrections one replacement over the book made
    """
    CREATE TABLE replaced (
        replacement_id INTEGER NOT NULL REFERENCES replacement (id),
        correction_id INTEGER NOT NULL REFERENCES correction (id) ON DELETE CASCADE,
        page_id INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
        PRIMARY KEY (replacement_id, correction_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX replaced_by_correction ON replaced (correction_id)",
    """
    CREATE TABLE acceptance (
        id INTEGER PRIMARY KEY,
        page_id INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
        person TEXT NOT NULL,
        date TEXT NOT NULL,  -- ISO 8601, UTC; "" where it was before dates were kept
        is_taken_back INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX acceptance_of_page ON acceptance (page_id, is_taken_back, person, date)",
    "INSERT INTO acceptance (page_id, person, date)"
    " SELECT id, '', '' FROM page WHERE state = 'proofread'",
    # how long a person worked at a page, and how many corrections that took
    """
    CREATE TABLE work (
        page_id INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
        person TEXT NOT NULL,
        day TEXT NOT NULL,  -- ISO 8601
        seconds REAL NOT NULL,
        edits INTEGER NOT NULL,
        PRIMARY KEY (page_id, person, day)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE letter_test (
        id INTEGER PRIMARY KEY,
        begun TEXT NOT NULL,  -- ISO 8601, UTC
        person TEXT NOT NULL,
        seed INTEGER NOT NULL,
        pages TEXT NOT NULL,  -- JSON list of numbers from 0
        letters TEXT NOT NULL,  -- JSON, see `app.store.letter_tests`
        answers TEXT NOT NULL DEFAULT '',  -- one letter each: r right, w wrong
        ended TEXT  -- when the last answer was given
    ) STRICT
    """,
)


def _fourth(db: sqlite3.Connection) -> None:
    for statement in _FOURTH:
        db.execute(statement)


_FOURTH = (
    "ALTER TABLE page ADD COLUMN note TEXT NOT NULL DEFAULT ''",  # of the proofreader
    # who gave the label: '' the scan's own file, 'read' the block of the page number, 'hand'
    "ALTER TABLE page ADD COLUMN label_by TEXT NOT NULL DEFAULT ''",
    # what becomes of words broken at line ends, as a person says; see `app.store.hyphens`
    """
    CREATE TABLE hyphen (
        page_id INTEGER REFERENCES page (id),  -- NULL: wherever the word stands in the book
        printed TEXT NOT NULL,
        choice TEXT NOT NULL CHECK (choice IN ('join', 'keep', 'apart')),
        date TEXT NOT NULL,  -- ISO 8601, UTC
        person TEXT NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX hyphen_once ON hyphen (coalesce(page_id, 0), printed)",
)


def _fifth(db: sqlite3.Connection) -> None:
    for statement in _FIFTH:
        db.execute(statement)


_FIFTH = (
    # which image of the scan a page is; -1: none, it is kept for its text
    "ALTER TABLE page ADD COLUMN scan INTEGER NOT NULL DEFAULT -1",
    "UPDATE page SET scan = number",
    # the file of that image where it is not one of the book's own
    "ALTER TABLE page ADD COLUMN scan_path TEXT NOT NULL DEFAULT ''",
    # what is done to the image, and what is proposed and not decided yet: JSON, see
    # `app.prepare.treatment`; NULL: nothing
    "ALTER TABLE page ADD COLUMN treatment TEXT",
    "ALTER TABLE page ADD COLUMN proposal TEXT",
    # JSON: where a page stood that was taken out of the book; its number is below 0, see
    # `app.store.arranging`
    "ALTER TABLE page ADD COLUMN away TEXT",
)


def _sixth(db: sqlite3.Connection) -> None:
    for statement in audit.LOG:
        db.execute(statement)


def _seventh(db: sqlite3.Connection) -> None:
    db.execute(_SEVENTH)


# how a reading compares with the print of its page, see `app.store.standings`
_SEVENTH = """
    CREATE TABLE standing (
        reading_id INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
        letters INTEGER NOT NULL,  -- of the text
        marks INTEGER NOT NULL,  -- like letters, on the image
        concerns TEXT NOT NULL  -- JSON list: what speaks against the reading by itself
    ) STRICT
    """


def _eighth(db: sqlite3.Connection) -> None:
    """A decision on a broken word was for all breaks printed alike on its page; now for each."""
    db.execute("ALTER TABLE hyphen ADD COLUMN nth INTEGER NOT NULL DEFAULT 0")
    db.execute("DROP INDEX hyphen_once")
    db.execute("CREATE UNIQUE INDEX hyphen_once ON hyphen (coalesce(page_id, 0), printed, nth)")
    rows = db.execute(
        "SELECT hyphen.page_id, printed, choice, hyphen.date, hyphen.person, reading.text"
        " FROM hyphen JOIN page ON page.id = hyphen.page_id"
        " JOIN reading ON reading.id = page.reading_id"
    ).fetchall()
    for page_id, printed, *decided, text in rows:
        parts = [broken_part(line) for line in re.split(f"[\\n{REGION_END}]", text)]
        for nth in range(1, parts.count(broken_part(printed.partition("\n")[0]))):
            db.execute(
                "INSERT INTO hyphen (page_id, printed, choice, date, person, nth)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (page_id, printed, *decided, nth),
            )


def _ninth(db: sqlite3.Connection) -> None:
    db.execute(_NINTH)


# what was said of a page while it had no text, see `app.store.page_journal`
_NINTH = """
    CREATE TABLE page_journal (
        page_id INTEGER NOT NULL REFERENCES page (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,  -- from 1
        correction_id INTEGER NOT NULL REFERENCES correction (id),
        is_done INTEGER NOT NULL,
        PRIMARY KEY (page_id, position)
    ) STRICT, WITHOUT ROWID
    """

_STEPS = (_first, _second, _third, _fourth, _fifth, _sixth, _seventh, _eighth, _ninth)
BOOK = Form(APPLICATION_ID, _STEPS)
"""The database of one book."""
