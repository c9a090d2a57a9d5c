"""The corrections of a reading by hand, done and taken back, as rows.

A reading that is begun on top of another by hand takes over its journal, so that undo goes on
behind an acceptance or a night. The corrections themselves are shared; each reading knows for
itself which of them it has taken back. What writes does so within a transaction of its caller.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any, Literal, NamedTuple

from app.book import Region
from app.proofing import AnyCorrection, Correction, PageCorrection, Rearrangement
from app.store.readings import (
    region_from_json,
    region_to_json,
    regions_from_json,
    regions_to_json,
)

_ENTRIES = (
    "SELECT journal.position, correction.region, correction.before, correction.after"
    " FROM journal JOIN correction ON correction.id = journal.correction_id"
    " WHERE journal.reading_id = ? AND journal.is_done = ?"
)


OF_PAGE = -1
"""Stands for the region of a correction that is about the page as a whole."""


class Entry(NamedTuple):
    """A correction at its place in a journal."""

    position: int  # from 1
    correction: AnyCorrection


def done(db: sqlite3.Connection, reading_id: int) -> tuple[AnyCorrection, ...]:
    """The corrections that hold, the last first."""
    rows = db.execute(f"{_ENTRIES} ORDER BY journal.position DESC", (reading_id, 1))
    return tuple(entry(row).correction for row in rows)


def undone(db: sqlite3.Connection, reading_id: int) -> tuple[AnyCorrection, ...]:
    """The corrections taken back, the one taken back last first."""
    rows = db.execute(f"{_ENTRIES} ORDER BY journal.position", (reading_id, 0))
    return tuple(entry(row).correction for row in rows)


def last_done(db: sqlite3.Connection, reading_id: int) -> Entry | None:
    """What undo takes back next."""
    query = f"{_ENTRIES} ORDER BY journal.position DESC LIMIT 1"
    row = db.execute(query, (reading_id, 1)).fetchone()
    return entry(row) if row else None


def next_undone(db: sqlite3.Connection, reading_id: int) -> Entry | None:
    """What redo makes again next."""
    query = f"{_ENTRIES} ORDER BY journal.position LIMIT 1"
    row = db.execute(query, (reading_id, 0)).fetchone()
    return entry(row) if row else None


def mark(db: sqlite3.Connection, reading_id: int, position: int, *, is_done: bool) -> None:
    """Note that a correction was taken back, or made again."""
    query = "UPDATE journal SET is_done = ? WHERE reading_id = ? AND position = ?"
    db.execute(query, (is_done, reading_id, position))


def add(db: sqlite3.Connection, reading_id: int, correction: AnyCorrection) -> None:
    """Note a new correction; those that were taken back can no longer be made again."""
    _drop_undone(db, reading_id)
    correction_id = insert(db, correction)
    db.execute(
        "INSERT INTO journal (reading_id, position, correction_id, is_done)"
        " SELECT ?1, 1 + coalesce(max(position), 0), ?2, 1 FROM journal WHERE reading_id = ?1",
        (reading_id, correction_id),
    )


def insert(db: sqlite3.Connection, correction: AnyCorrection) -> int:
    """Write a correction that a journal is to hold; its id."""
    inserted = db.execute(
        "INSERT INTO correction (region, before, after) VALUES (?, ?, ?)", _sides(correction)
    )
    assert inserted.lastrowid is not None
    return inserted.lastrowid


def inherit(db: sqlite3.Connection, reading_id: int, *, parent_id: int) -> None:
    """Give a new reading the journal of the one it was begun on."""
    db.execute(
        "INSERT INTO journal (reading_id, position, correction_id, is_done)"
        " SELECT ?, position, correction_id, is_done FROM journal WHERE reading_id = ?",
        (reading_id, parent_id),
    )


class Standing(NamedTuple):
    """Where a correction stands in a journal."""

    position: int
    is_done: bool
    is_last: bool  # the next that undo would take back


def entry_of(db: sqlite3.Connection, reading_id: int, correction_id: int) -> Standing | None:
    """Where a correction stands in the journal of a reading, None where it is not in it."""
    row = db.execute(
        "SELECT position, is_done, position = (SELECT max(position) FROM journal"
        " WHERE reading_id = ?1 AND is_done) FROM journal"
        " WHERE reading_id = ?1 AND correction_id = ?2",
        (reading_id, correction_id),
    ).fetchone()
    return Standing(row[0], bool(row[1]), bool(row[2])) if row else None


def sides_of(
    db: sqlite3.Connection, correction_id: int
) -> tuple[dict[int, Region], dict[int, Region]]:
    """The regions before and after a correction by their numbers; as many before as after."""
    row = db.execute(
        "SELECT 0, region, before, after FROM correction WHERE id = ?", (correction_id,)
    ).fetchone()
    correction = entry(row).correction
    assert not isinstance(correction, PageCorrection), "a replacement changes the text"
    if isinstance(correction, Correction):
        return {correction.region: correction.before}, {correction.region: correction.after}
    start = correction.region
    return dict(enumerate(correction.before, start)), dict(enumerate(correction.after, start))


def _drop_undone(db: sqlite3.Connection, reading_id: int) -> None:
    dropped = db.execute(
        "DELETE FROM journal WHERE reading_id = ? AND is_done = 0 RETURNING correction_id",
        (reading_id,),
    ).fetchall()
    db.executemany(
        "DELETE FROM correction WHERE id = ?1"
        " AND NOT EXISTS (SELECT 1 FROM journal WHERE correction_id = ?1)",
        dropped,
    )


def entry(row: Any) -> Entry:  # noqa: ANN401 - a row is what its columns are
    """A correction at its place, from its row: position, region, before and after."""
    position, region, before, after = row
    if region == OF_PAGE:
        return Entry(position, _page_correction(json.loads(before), json.loads(after)))
    if before.startswith("["):
        rearranged = Rearrangement(region, regions_from_json(before), regions_from_json(after))
        return Entry(position, rearranged)
    return Entry(position, Correction(region, region_from_json(before), region_from_json(after)))


def _page_correction(before: dict[str, str], after: dict[str, str]) -> PageCorrection:
    field: Literal["note", "label"] = "note" if "note" in after else "label"
    return PageCorrection(field, before[field], after[field], before.get("by", ""))


def _sides(correction: AnyCorrection) -> tuple[int, str, str]:
    """Where, and how it was and is: a region is a JSON object, several are a list of them."""
    match correction:
        case Correction(region=region, before=before, after=after):
            return region, region_to_json(before), region_to_json(after)
        case Rearrangement(region=region, before=before, after=after):
            return region, regions_to_json(before), regions_to_json(after)
        case PageCorrection(field=field, before=before, after=after, was_by=was_by):
            was = {field: before} | ({"by": was_by} if was_by else {})
            return OF_PAGE, json.dumps(was), json.dumps({field: after})
