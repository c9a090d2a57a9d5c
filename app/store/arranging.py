"""Which images the pages of a book are, in which order, and what is done to them.

An arrangement names every page of the book by its row. Pages that are in another one and not in
this are put away: they keep their readings and come back with an arrangement that names them, so
that to take a change back is to arrange the book as it was before. A page that is away has a number
below 0 and no current reading, so that nothing finds it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.book import PageState, Reading, Reason
from app.prepare.treatment import Proposal
from app.store import letter_tests, writing
from app.store.readings import writable
from app.store.rows import proposal_to_json

AWAY = -1_000_000
"""Numbers of pages that are away lie below, out of the way of a renumbering too."""


@dataclass(frozen=True)
class Placed:
    """One page of an arrangement; its number is its place in it."""

    page_id: int  # row; 0: to be made
    scan: int
    scan_path: str = ""
    treatment: str | None = None  # JSON, as in the row
    proposal: str | None = None  # likewise
    like: int = 0  # row of the page whose name, label and size a new one takes
    reading: Reading | None = None  # of a new page


Arrangement = tuple[Placed, ...]


def arrangement(db: sqlite3.Connection) -> Arrangement:
    """How the book is arranged now."""
    rows = db.execute(
        "SELECT id, scan, scan_path, treatment, proposal FROM page WHERE number >= 0"
        " ORDER BY number"
    ).fetchall()
    return tuple(Placed(*row) for row in rows)


def arrange(db: sqlite3.Connection, placed: Sequence[Placed]) -> None:
    """Arrange the book; within a transaction of the caller."""
    with letter_tests.following(db):
        _arrange(db, placed)


def _arrange(db: sqlite3.Connection, placed: Sequence[Placed]) -> None:
    was = dict(enumerate(arrangement(db)))
    kept = {each.page_id for each in placed}
    for each in was.values():
        if each.page_id not in kept:
            _put_away(db, each.page_id)
    moved = {number: each for number, each in enumerate(placed) if was.get(number) != each}
    _clear_numbers(db, moved)
    for number, each in moved.items():
        if each.page_id:
            _place(db, number, each)
        else:
            _insert(db, number, each)


def set_proposal(db: sqlite3.Connection, page: int, proposal: Proposal | None) -> None:
    """Keep what a page's image seems to need, or nothing."""
    value = None if proposal is None else proposal_to_json(proposal)
    db.execute("UPDATE page SET proposal = ? WHERE number = ?", (value, page))


def _clear_numbers(db: sqlite3.Connection, moved: Mapping[int, Placed]) -> None:
    """Out of the way of the new numbers, that no two pages have one at any moment."""
    ids = [(each.page_id,) for each in moved.values() if each.page_id]
    db.executemany("UPDATE page SET number = -1 - number WHERE id = ? AND number >= 0", ids)


def _place(db: sqlite3.Connection, number: int, placed: Placed) -> None:
    (away,) = db.execute("SELECT away FROM page WHERE id = ?", (placed.page_id,)).fetchone()
    other_image = "(scan, scan_path) IS NOT (:scan, :scan_path)"
    forget = ", ".join(
        f"{column} = iif({other_image}, NULL, {column})"
        for column in ("width_px", "height_px", "dpi")
    )
    db.execute(
        f"UPDATE page SET number = :number, {forget},"
        f" fingerprint = iif({other_image}, '', fingerprint),"
        " scan = :scan, scan_path = :scan_path, treatment = :treatment, proposal = :proposal"
        " WHERE id = :id",
        {**_values(placed), "number": number, "id": placed.page_id},
    )
    if away is not None:
        _bring_back(db, placed.page_id, json.loads(away))


def _insert(db: sqlite3.Connection, number: int, placed: Placed) -> None:
    name = writable(Path(placed.scan_path).name)
    values = {**_values(placed), "number": number, "name": name}
    page_id = db.execute(
        "INSERT INTO page (number, scan, scan_path, treatment, proposal, name, label, state)"
        " VALUES (:number, :scan, :scan_path, :treatment, :proposal, :name, '', 'unread')",
        values,
    ).lastrowid
    assert page_id is not None
    if placed.like:
        db.execute(
            "UPDATE page SET (name, width_px, height_px, dpi, fingerprint) ="
            " (SELECT name, width_px, height_px, dpi, fingerprint FROM page WHERE id = ?)"
            " WHERE id = ?",
            (placed.like, page_id),
        )
    if placed.reading is not None:
        _give_reading(db, page_id, placed.reading)


def _give_reading(db: sqlite3.Connection, page_id: int, reading: Reading) -> None:
    no_reasons: tuple[Reason, ...] = ()
    verdict = (PageState.READ, no_reasons)
    reading_id = writing.insert(db, page_id, reading, verdict=verdict, is_open=False)
    db.execute(
        "UPDATE page SET state = ?, reading_id = ? WHERE id = ?",
        (PageState.READ, reading_id, page_id),
    )


def _put_away(db: sqlite3.Connection, page_id: int) -> None:
    row = db.execute(f"SELECT {', '.join(_STAND)} FROM page WHERE id = ?", (page_id,)).fetchone()
    away = json.dumps(dict(zip(_STAND, row, strict=True)))
    db.execute(
        "UPDATE page SET number = ?, away = ?, state = 'unread', reading_id = NULL WHERE id = ?",
        (AWAY - page_id, away, page_id),
    )


def _bring_back(db: sqlite3.Connection, page_id: int, stood: dict[str, object]) -> None:
    assignments = ", ".join(f"{column} = :{column}" for column in _STAND)
    db.execute(
        f"UPDATE page SET {assignments}, away = NULL WHERE id = :id",
        {**{column: stood[column] for column in _STAND}, "id": page_id},
    )


_STAND = ("state", "reading_id")


def _values(placed: Placed) -> dict[str, object]:
    return {
        "scan": placed.scan,
        "scan_path": writable(placed.scan_path),
        "treatment": placed.treatment,
        "proposal": placed.proposal,
    }
