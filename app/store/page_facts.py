"""What is said of a page as a whole: the proofreader's note and the printed number.

A printed number comes from the scan's own file, from the block of the page number once the page is
read, or from a person, whose word holds. All within a transaction of the caller.
"""

from __future__ import annotations

import sqlite3
from typing import Literal

from app.book import Region
from app.desk.page_numbers import Number, follows, number_of, printed_number
from app.proofing import PageCorrection
from app.store import journal, page_journal
from app.store.readings import writable

Field = Literal["note", "label"]


def correct(db: sqlite3.Connection, page: int, field: Field, text: str) -> None:
    """Write a note or a printed number as a person says; undo takes it back."""
    page_id, reading_id, label_by, before = db.execute(
        f"SELECT id, reading_id, label_by, {field} FROM page WHERE number = ?", (page,)
    ).fetchone()
    after = writable(text)
    if after == before and (field == "note" or label_by == "hand"):
        return
    _put(db, page_id, field, after, label_by="hand" if field == "label" else label_by)
    correction = PageCorrection(field, before, after, label_by if field == "label" else "")
    if reading_id is not None:
        journal.add(db, reading_id, correction)
    else:
        page_journal.add(db, page_id, correction)


def step(db: sqlite3.Connection, page: int, correction: PageCorrection, *, is_done: bool) -> bool:
    """Take a correction back or make it again; False where the page is not as it is known."""
    field = correction.field
    page_id, label_by, now = db.execute(
        f"SELECT id, label_by, {field} FROM page WHERE number = ?", (page,)
    ).fetchone()
    there, wanted = correction.before, correction.after
    if not is_done:
        there, wanted = wanted, there
    if now != there:
        return False
    if field == "label":
        label_by = "hand" if is_done else correction.was_by
    _put(db, page_id, field, wanted, label_by=label_by)
    return True


def take_number(db: sqlite3.Connection, page_id: int, regions: tuple[Region, ...]) -> None:
    """Take the printed number from the page's own text, where nobody has said another.

    What the pages around it rule out is no number, but a misread one.
    """
    number, label, label_by = db.execute(
        "SELECT number, label, label_by FROM page WHERE id = ?", (page_id,)
    ).fetchone()
    if label_by == "hand" or (label and label_by == ""):
        return
    found = printed_number(regions)
    if found is not None and not _is_plausible(db, number, found):
        found = None
    text = found.text if found is not None else ""
    if text != label:
        _put(db, page_id, "label", text, label_by="read")


def _is_plausible(db: sqlite3.Connection, page: int, found: Number) -> bool:
    before = _neighbour(db, "number >= 0 AND number < ? ORDER BY number DESC", page)
    behind = _neighbour(db, "number > ? ORDER BY number", page)
    if before is None or behind is None:
        return True
    (first, number_before), (last, number_behind) = before, behind
    fits = follows(number_before, found, page - first) and follows(
        found, number_behind, last - page
    )
    return fits or not follows(number_before, number_behind, last - first)


def _neighbour(db: sqlite3.Connection, where: str, page: int) -> tuple[int, Number] | None:
    """The nearest page with a label, if that is a number; pages taken out are below 0."""
    query = f"SELECT number, label FROM page WHERE label <> '' AND number >= 0 AND {where} LIMIT 1"
    row = db.execute(query, (page,)).fetchone()
    number = number_of(row[1]) if row else None
    return None if number is None else (row[0], number)


def _put(db: sqlite3.Connection, page_id: int, field: Field, text: str, *, label_by: str) -> None:
    db.execute(f"UPDATE page SET {field} = ?, label_by = ? WHERE id = ?", (text, label_by, page_id))
