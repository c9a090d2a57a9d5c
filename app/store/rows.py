"""Rows of a book's database to the values of `app.book`, and their sources back. Pure."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.book import Acceptance, Book, Details, Page, PageSize, PageState, Reading, Reason, Source
from app.prepare.treatment import NO_TREATMENT, Proposal, Treatment, from_plain, to_plain
from app.store.readings import from_json, writable
from model.api import EngineSource

PAGE_COLUMNS = (
    "page.number, page.name, page.label, page.state, page.reasons, page.failure,"
    " page.failure_detail, coalesce(page.reading_id, 0), coalesce(reading.by_hand, 0),"
    " page.width_px, page.height_px, page.dpi, page.fingerprint, page.seconds,"
    " page.note, page.scan, page.scan_path, page.treatment, page.proposal, "
    "coalesce((SELECT json_group_array(json_array(person, date)) FROM (SELECT person, date FROM"
    " acceptance WHERE acceptance.page_id = page.id AND NOT is_taken_back ORDER BY id)), '[]')"
)
PAGES = (
    # the index holds all that is asked of a reading here, and its long row is not touched
    "page LEFT JOIN reading INDEXED BY reading_of_page"
    " ON reading.page_id = page.id AND reading.id = page.reading_id"
)
READING_COLUMNS = (
    "reading.id, reading.by_hand, reading.date, reading.person, reading.engine,"
    " reading.imported_from, reading.value"
)


def page_of(row: Sequence[Any]) -> Page:
    """A row of `PAGE_COLUMNS`."""
    number, name, label, state, reasons, failure, failure_detail, reading_id, by_hand = row[:9]
    width_px, height_px, dpi, fingerprint, seconds, note = row[9:15]
    scan, scan_path, treatment, proposal, acceptances = row[15:]
    return Page(
        number=number,
        name=name,
        label=label,
        state=PageState(state),
        reasons=reasons_from_json(reasons),
        failure=failure,
        failure_detail=failure_detail,
        reading_id=reading_id,
        by_hand=bool(by_hand),
        size=None if width_px is None else PageSize(width_px, height_px, dpi),
        fingerprint=fingerprint,
        seconds=seconds,
        note=note,
        scan=None if scan == number and not scan_path else scan,
        scan_path=Path(scan_path) if scan_path else None,
        treatment=treatment_from_json(treatment),
        proposal=None if proposal is None else proposal_from_json(proposal),
        acceptances=acceptances_from_json(acceptances),
    )


def acceptances_from_json(value: str) -> tuple[Acceptance, ...]:
    """Who has proofread a page, the first round first."""
    return tuple(
        Acceptance(person, datetime.fromisoformat(date) if date else None)
        for person, date in json.loads(value)
    )


def treatment_to_json(treatment: Treatment) -> str | None:
    """A treatment as it stands in a row; None for one that does nothing."""
    return json.dumps(to_plain(treatment)) if treatment else None


def treatment_from_json(value: str | None) -> Treatment:
    """A treatment from a row."""
    return from_plain(json.loads(value)) if value else NO_TREATMENT


def proposal_to_json(proposal: Proposal) -> str:
    """A proposal as it stands in a row."""
    plain = {"treatment": to_plain(proposal.treatment), "confidence": proposal.confidence}
    if proposal.second is not None:
        plain["second"] = to_plain(proposal.second)
    return json.dumps(plain)


def proposal_from_json(value: str) -> Proposal:
    """A proposal from a row."""
    plain = json.loads(value)
    confidence = tuple((step, float(sure)) for step, sure in plain["confidence"])
    second = from_plain(plain["second"]) if "second" in plain else None
    return Proposal(from_plain(plain["treatment"]), confidence, second)


def reasons_to_json(reasons: Sequence[Reason]) -> str:
    """Reasons as they stand in a row."""
    return json.dumps(list(reasons))


def reasons_from_json(value: str) -> tuple[Reason, ...]:
    """Reasons from a row; most pages have none."""
    return () if value == "[]" else tuple(Reason(each) for each in json.loads(value))


def reading_of(row: Sequence[Any]) -> Reading:
    """A row of `READING_COLUMNS`."""
    reading_id, by_hand, date, person, engine, imported_from, value = row
    source = Source(
        by="hand" if by_hand else "model",
        date=datetime.fromisoformat(date),
        engine=None if engine is None else _engine(json.loads(engine)),
        person=person,
        imported_from=imported_from,
    )
    return Reading(from_json(value), source, id=reading_id)


def engine_to_json(engine: EngineSource | None) -> str | None:
    """The engine of a reading as it stands in its row."""
    return None if engine is None else json.dumps(dataclasses.asdict(engine))


def _engine(plain: dict[str, Any]) -> EngineSource:
    settings = tuple((name, value) for name, value in plain.pop("settings"))
    return EngineSource(**plain, settings=settings)


def date_to_text(date: datetime) -> str:
    """A moment in a form that sorts as text."""
    assert date.tzinfo is not None, "a date without its time zone"
    return date.astimezone(UTC).isoformat(timespec="microseconds")


def book_of(row: Sequence[Any], pages: tuple[Page, ...]) -> Book:
    """A row of `book` without its view, and the pages."""
    uuid, paths, fingerprint, details, details_asked = row
    return Book(
        id=uuid,
        paths=paths_from_json(paths),
        fingerprint=fingerprint,
        details=details_from_json(details),
        pages=pages,
        details_asked=bool(details_asked),
    )


def paths_to_json(paths: Sequence[Path]) -> str:
    """Paths as a list of texts; ASCII, since a name of a file may be no valid Unicode."""
    return json.dumps([str(path) for path in paths])


def paths_from_json(value: str) -> tuple[Path, ...]:
    """Paths from a row."""
    return tuple(Path(path) for path in json.loads(value))


def details_to_json(details: Details) -> str:
    """Details of a book as they stand in its row."""
    return writable(json.dumps(dataclasses.asdict(details), ensure_ascii=False))


def details_from_json(value: str) -> Details:
    """Details of a book from its row."""
    return Details(**json.loads(value))
