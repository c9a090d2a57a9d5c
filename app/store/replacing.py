"""One text put instead of another over the whole book, and taken back. Within a transaction.

Each page gets a reading by hand with one correction, as if a person had typed it, so that undo on
the page knows it. `replaced` keeps which corrections belong together: taking the replacement back
takes back each of them that still stands, however long ago it was made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from app.book import Reading, Region, Source
from app.proofing import TextCorrection, change_between, says_same
from app.store import hand, journal
from app.store.patterns import Template
from app.store.readings import writable
from app.store.rows import date_to_text
from app.store.search import Query
from app.store.stand import stand_of
from app.store.swaps import chosen_of, swapped, swaps_of

Current = Callable[[int], Reading | None]
"""The current reading of a page."""


class At(NamedTuple):
    """A place of a page."""

    region: int
    start: int  # code points


@dataclass(frozen=True)
class Replacement:
    """What to put instead of what, and where."""

    query: Query
    template: Template
    sought: str  # as typed
    instead: str  # as typed
    places: Mapping[int, frozenset[At]]  # by page
    person: str = ""


class Outcome(NamedTuple):
    """What a replacement, or taking it back, has done."""

    sought: str
    instead: str
    changed: tuple[int, ...]  # pages
    left_out: tuple[int, ...] = ()  # pages whose text is not what it was when this was ordered
    places: int = 0
    is_taken_back: bool = False
    away: int = 0  # pages that were taken out of the book since, and keep what was put there


def carry_out(db: sqlite3.Connection, current: Current, order: Replacement) -> Outcome:
    """Replace at all places, page by page."""
    replacement_id = _begin(db, order)
    changed: list[int] = []
    for page, places in sorted(order.places.items()):
        reading = current(page)
        regions = _replaced(reading, order, places) if reading is not None else None
        if reading is None or regions is None:
            continue
        correction = change_between(reading.regions, regions)
        if correction is not None:
            _write(db, page, regions, correction, person=order.person, part_of=replacement_id)
        changed.append(page)
    left_out = tuple(page for page in sorted(order.places) if page not in set(changed))
    places = sum(len(order.places[page]) for page in changed)
    return Outcome(order.sought, order.instead, tuple(changed), left_out, places)


def _replaced(
    reading: Reading, order: Replacement, places: frozenset[At]
) -> tuple[Region, ...] | None:
    """The regions with the new text; None where one of the places is not there any more."""
    regions = list(reading.regions)
    for number in {place.region for place in places}:
        if number >= len(regions):
            return None
        text = regions[number].text
        wanted = frozenset(place.start for place in places if place.region == number)
        chosen = chosen_of(swaps_of(order.query, order.template, text), wanted)
        if chosen is None:
            return None
        if chosen:
            regions[number] = swapped(regions[number], chosen)
    return tuple(regions)


def _begin(db: sqlite3.Connection, order: Replacement) -> int:
    row = (date_to_text(datetime.now(UTC)), order.person, order.sought, order.instead)
    begun = db.execute(
        "INSERT INTO replacement (date, person, sought, instead) VALUES (?, ?, ?, ?)",
        [writable(each) for each in row],
    )
    assert begun.lastrowid is not None
    return begun.lastrowid


def _write(
    db: sqlite3.Connection,
    page: int,
    regions: tuple[Region, ...],
    correction: TextCorrection,
    *,
    person: str,
    part_of: int | None = None,
) -> None:
    stand = stand_of(db, page)
    reading = Reading(regions, Source("hand", datetime.now(UTC), person=person))
    reading_id = hand.write(db, stand, reading)
    journal.add(db, reading_id, correction)
    if part_of is not None:
        db.execute(
            "INSERT INTO replaced (replacement_id, correction_id, page_id)"
            " SELECT ?, correction_id, ? FROM journal WHERE reading_id = ?"
            " ORDER BY position DESC LIMIT 1",
            (part_of, stand.page_id, reading_id),
        )


# --- taking it back -----------------------------------------------------------------------------


def take_back(db: sqlite3.Connection, current: Current, *, person: str) -> Outcome | None:
    """Take the last replacement back that was not; None where there is none.

    A block that was changed since then stays as it is, and its page is told among those left out;
    so does a page that was taken out of the book, which has no number to be told by.
    """
    row = db.execute(
        "SELECT id, sought, instead FROM replacement WHERE NOT is_taken_back ORDER BY id DESC"
    ).fetchone()
    if row is None:
        return None
    replacement_id, sought, instead = row
    changed: list[int] = []
    left_out: list[int] = []
    corrections = _corrections(db, replacement_id)
    away = sum(page < 0 for page, _correction in corrections)
    for page, correction_id in corrections[away:]:
        is_changed, is_whole = _step_back(db, page, current(page), correction_id, person=person)
        changed += [page] if is_changed else []
        left_out += [] if is_whole else [page]
    db.execute("UPDATE replacement SET is_taken_back = 1 WHERE id = ?", (replacement_id,))
    pages = tuple(changed), tuple(left_out)
    return Outcome(sought, instead, *pages, is_taken_back=True, away=away)


def _corrections(db: sqlite3.Connection, replacement_id: int) -> list[tuple[int, int]]:
    """Pages and corrections of a replacement; those that are away, below 0, come first."""
    return db.execute(
        "SELECT page.number, replaced.correction_id FROM replaced"
        " JOIN page ON page.id = replaced.page_id"
        " WHERE replacement_id = ? ORDER BY page.number",
        (replacement_id,),
    ).fetchall()


def _step_back(
    db: sqlite3.Connection,
    page: int,
    reading: Reading | None,
    correction_id: int,
    *,
    person: str,
) -> tuple[bool, bool]:
    """Take one correction back: whether anything changed, and whether nothing of it is left."""
    if reading is None:
        return False, False
    entry = journal.entry_of(db, reading.id, correction_id)
    if entry is not None and not entry.is_done:
        return False, True  # taken back on the page already
    before, after = journal.sides_of(db, correction_id)
    regions, is_whole = _restored(reading.regions, before, after)
    correction = change_between(reading.regions, regions)
    if correction is None:
        return False, is_whole
    if entry is not None and entry.is_last and is_whole:
        source = Source("hand", datetime.now(UTC), person=person)
        restored = replace(reading, regions=regions, source=source)
        reading_id = hand.write(db, stand_of(db, page), restored)
        journal.mark(db, reading_id, entry.position, is_done=False)
    else:
        _write(db, page, regions, correction, person=person)
    return True, is_whole


def _restored(
    regions: Sequence[Region], before: Mapping[int, Region], after: Mapping[int, Region]
) -> tuple[tuple[Region, ...], bool]:
    """The regions as they were where nobody has changed them since; whether that is all of them."""
    restored = list(regions)
    is_whole = True
    for at, was in before.items():
        if was == after[at]:
            continue
        if at < len(restored) and says_same(restored[at], after[at]):
            restored[at] = was
        else:
            is_whole = False
    return tuple(restored), is_whole
