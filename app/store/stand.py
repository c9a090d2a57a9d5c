"""Where a page stands (state, reasons, current reading), and the rules by which that changes.

The rules are pure; reading and writing the row happens within a transaction of the caller.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace

from app.book import DONE_STATES, PageState, Reason
from app.errors import UserFacing
from app.sentences import sentence
from app.store.readings import writable
from app.store.rows import reasons_from_json, reasons_to_json


@dataclass(frozen=True)
class Stand:
    """The changing part of a page's row."""

    page_id: int
    state: PageState
    reasons: tuple[Reason, ...] = ()
    failure: str = ""
    failure_detail: str = ""
    reading_id: int | None = None
    has_hand_text: bool = False  # the current reading is a person's, and not empty
    seconds: float = 0.0
    before: str | None = None  # JSON: where the page stood before a person set its state

    @property
    def is_whole(self) -> bool:
        """Whether the page has a result that was not cut by a stop."""
        return self.state in DONE_STATES and Reason.STOPPED not in self.reasons

    @property
    def is_a_persons(self) -> bool:
        """Whether a machine must not take the page's text away."""
        return self.has_hand_text or self.state is PageState.PROOFREAD


_COLUMNS = (
    "page.id, page.state, page.reasons, page.failure, page.failure_detail, page.reading_id,"
    " coalesce(reading.by_hand AND trim(reading.text, char(1)) <> '', 0), page.seconds, page.before"
)


def stand_of(db: sqlite3.Connection, number: int) -> Stand:
    """Where a page stands."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM page LEFT JOIN reading ON reading.id = page.reading_id"
        " WHERE page.number = ?",
        (number,),
    ).fetchone()
    assert row is not None, f"the book has no page {number}"
    page_id, state, reasons, failure, detail, reading_id, has_hand_text, seconds, before = row
    return Stand(
        page_id,
        PageState(state),
        reasons_from_json(reasons),
        failure,
        detail,
        reading_id,
        bool(has_hand_text),
        seconds,
        before,
    )


def put(db: sqlite3.Connection, stand: Stand) -> None:
    """Write where a page stands."""
    assert stand.state is not PageState.READING, "a crash would leave it standing there"
    db.execute(
        "UPDATE page SET state = ?, reasons = ?, failure = ?, failure_detail = ?, reading_id = ?,"
        " seconds = ?, before = ? WHERE id = ?",
        (
            stand.state,
            reasons_to_json(stand.reasons),
            stand.failure,
            stand.failure_detail,
            stand.reading_id,
            stand.seconds,
            stand.before,
            stand.page_id,
        ),
    )


def after_read(
    stand: Stand,
    *,
    reading_id: int | None,
    state: PageState,
    reasons: tuple[Reason, ...],
    failure: UserFacing | None,
) -> Stand:
    """Where a page stands after a machine read it, or failed to.

    Args:
        stand: where it stood.
        reading_id: the new reading; None when there is none. A page that failed keeps the reading
            that it had, a page that is blank does not.
        state: what the run made of the page.
        reasons: why it is to be looked at.
        failure: why it failed.
    """
    if stand.is_a_persons:
        is_result = stand.state in DONE_STATES
        return stand if is_result else replace(settled(stand), state=PageState.READ)
    if stand.is_whole and Reason.STOPPED in reasons:
        return stand
    return replace(
        settled(stand),
        state=state,
        reasons=reasons,
        failure=failure.code if failure else "",
        failure_detail=writable(sentence(failure).happened) if failure else "",
        reading_id=reading_id or (stand.reading_id if state is PageState.FAILED else None),
    )


def after_typing(stand: Stand, *, reading_id: int, has_text: bool) -> Stand:
    """Where a page stands after a person typed: one that had no text and now has some is read."""
    typed = replace(stand, reading_id=reading_id, has_hand_text=has_text)
    keeps_state = stand.state in {PageState.READ, PageState.LOOK, PageState.PROOFREAD}
    if keeps_state or not has_text:
        return typed
    return replace(settled(typed), state=PageState.READ)


def settled(stand: Stand) -> Stand:
    """Without anything that belonged to the state before."""
    return replace(stand, reasons=(), failure="", failure_detail="", before=None)


def verdict_of(stand: Stand) -> tuple[PageState, tuple[Reason, ...]]:
    """State and reasons that a page has by its text, whatever a person said of it."""
    if stand.state in {PageState.READ, PageState.LOOK}:
        return stand.state, stand.reasons
    return PageState.READ, ()


def said_by_person(stand: Stand, state: PageState, reasons: tuple[Reason, ...]) -> Stand:
    """Where a page stands after a person set its state; a blank page has no text."""
    return replace(
        settled(stand),
        state=state,
        reasons=reasons,
        reading_id=None if state is PageState.BLANK else stand.reading_id,
        before=_remembered(stand),
    )


def taken_back(stand: Stand) -> Stand:
    """Where a page stood before a person set its state; text typed since then stays."""
    if stand.before is None:
        return stand
    was = json.loads(stand.before)
    return replace(
        stand,
        state=PageState(was["state"]),
        reasons=tuple(Reason(each) for each in was["reasons"]),
        failure=was["failure"],
        failure_detail=was["failure_detail"],
        reading_id=stand.reading_id or was["reading_id"],
        before=was["before"],
    )


def _remembered(stand: Stand) -> str:
    return json.dumps(
        {
            "state": stand.state,
            "reasons": stand.reasons,
            "failure": stand.failure,
            "failure_detail": stand.failure_detail,
            "reading_id": stand.reading_id,
            "before": stand.before,
        }
    )
