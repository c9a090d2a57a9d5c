"""How readings compare with the print of their pages, as rows. Writes within a transaction.

Of a page read on its own: the reasons that its text and its image give. Of a page beside the others
of its book: another text as long, or the same text; these come later and may go again, so the
reasons of the page are brought up to date and the page's own stay.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from app.book import PageState, Reason
from app.desk.concerns import Concern, Standing, reasons_of
from app.store.rows import reasons_to_json
from app.store.stand import put as put_stand
from app.store.stand import stand_of
from model.api import Box

BOOK_WIDE = frozenset({Reason.DOUBLED_PAGE, Reason.TOO_SHORT, Reason.TOO_LONG})
"""Reasons that only the whole book can give."""


class Measured(NamedTuple):
    """A page's current reading by a machine, in numbers."""

    page: int
    reading_id: int
    standing: Standing


def put(db: sqlite3.Connection, reading_id: int, standing: Standing) -> None:
    """Keep how a new reading compares with its page."""
    row = (reading_id, standing.letters, standing.marks, _to_json(standing.concerns))
    db.execute(
        "INSERT INTO standing (reading_id, letters, marks, concerns) VALUES (?, ?, ?, ?)", row
    )


def of_currents(db: sqlite3.Connection) -> tuple[Measured, ...]:
    """All pages whose current reading was compared with its print."""
    rows = db.execute(
        "SELECT page.number, standing.reading_id, letters, marks, concerns"
        " FROM page JOIN standing ON standing.reading_id = page.reading_id"
        " WHERE page.number >= 0 ORDER BY page.number"
    )
    return tuple(
        Measured(page, reading_id, Standing(letters, marks, _from_json(concerns)))
        for page, reading_id, letters, marks, concerns in rows
    )


def of_page(db: sqlite3.Connection, page: int) -> tuple[Concern, ...]:
    """What speaks against the current reading of a page."""
    row = db.execute(
        "SELECT concerns FROM page JOIN standing ON standing.reading_id = page.reading_id"
        " WHERE page.number = ?",
        (page,),
    ).fetchone()
    return _from_json(row[0]) if row is not None else ()


def put_book_wide(
    db: sqlite3.Connection, found: Mapping[int, tuple[int, tuple[Concern, ...]]]
) -> tuple[int, ...]:
    """Bring the reasons of pages up to date that the book as a whole gives.

    Args:
        db: within a transaction.
        found: by page the reading that was looked at, and what the book says of it. A page that has
            another reading by now, or that a person has accepted, is left alone.

    Returns:
        The pages that changed.
    """
    return tuple(
        page
        for page, (reading_id, concerns) in found.items()
        if _is_current(db, page, reading_id) and _put_one(db, page, reading_id, concerns)
    )


def _is_current(db: sqlite3.Connection, page: int, reading_id: int) -> bool:
    """Whether a page still has this reading; pages may have been moved or taken out meanwhile."""
    query = "SELECT 1 FROM page WHERE number = ? AND reading_id = ?"
    return db.execute(query, (page, reading_id)).fetchone() is not None


def _put_one(
    db: sqlite3.Connection, page: int, reading_id: int, concerns: tuple[Concern, ...]
) -> bool:
    stand = stand_of(db, page)
    if stand.reading_id != reading_id or stand.state not in {PageState.READ, PageState.LOOK}:
        return False
    (was,) = db.execute(
        "SELECT concerns FROM standing WHERE reading_id = ?", (reading_id,)
    ).fetchone()
    own = tuple(each for each in _from_json(was) if each.reason not in BOOK_WIDE)
    now = _to_json((*own, *concerns))
    reasons = (
        *(each for each in stand.reasons if each not in BOOK_WIDE),
        *reasons_of(concerns),
    )
    if reasons == stand.reasons and now == was:
        return False
    state = PageState.LOOK if reasons else PageState.READ
    put_stand(db, replace(stand, state=state, reasons=reasons))
    db.execute("UPDATE standing SET concerns = ? WHERE reading_id = ?", (now, reading_id))
    db.execute(
        "UPDATE reading SET state = ?, reasons = ? WHERE id = ?",
        (state, reasons_to_json(reasons), reading_id),
    )
    return True


def _to_json(concerns: tuple[Concern, ...]) -> str:
    return json.dumps([list(concern) for concern in concerns], separators=(",", ":"))


def _from_json(value: str) -> tuple[Concern, ...]:
    plain: list[list[Any]] = json.loads(value)
    return tuple(
        Concern(Reason(reason), Box(*box) if box else None, block, other)
        for reason, box, block, other in plain
    )
