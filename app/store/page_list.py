"""The rows of a book and of its pages: as it is made, and after its scan has changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from app.book import Book, Page
from app.store.readings import writable
from app.store.rows import details_to_json, paths_to_json, treatment_to_json


def insert_book(db: sqlite3.Connection, book: Book) -> None:
    """Write a book that has no readings yet; within a transaction of the caller."""
    db.execute(
        "INSERT INTO book (id, uuid, paths, fingerprint, details, details_asked)"
        " VALUES (1, ?, ?, ?, ?, ?)",
        (
            book.id,
            paths_to_json(book.paths),
            book.fingerprint,
            details_to_json(book.details),
            book.details_asked,
        ),
    )
    for page in book.pages:
        insert_page(db, page)


def insert_page(db: sqlite3.Connection, page: Page) -> None:
    """Add a page that has no reading yet."""
    width_px, height_px, dpi = page.size or (None, None, None)
    db.execute(
        "INSERT INTO page (number, scan, scan_path, treatment, name, label, state, width_px,"
        " height_px, dpi, fingerprint)"
        " VALUES (?, ?, ?, ?, ?, ?, 'unread', ?, ?, ?, ?)",
        (
            page.number,
            page.scan_index,
            writable(str(page.scan_path or "")),
            treatment_to_json(page.treatment),
            writable(page.name),
            writable(page.label),
            width_px,
            height_px,
            dpi,
            page.fingerprint,
        ),
    )


def renumber(db: sqlite3.Connection, pages: Sequence[Page], was: Mapping[int, int]) -> None:
    """Make these the pages of the book; within a transaction of the caller.

    Args:
        db: the database.
        pages: the new pages, numbered from 0. Of one that was there before name, label, size,
            fingerprint and place in the scan are taken as far as they are known; its state and
            readings are its own.
        was: numbers of new pages to the numbers that they had. Old pages that are not in it go when
            nothing was ever read or typed on them; the others are kept behind the new ones.
    """
    ids = dict(db.execute("SELECT number, id FROM page WHERE number >= 0").fetchall())
    assert len(set(was.values())) == len(was), "two new pages cannot be the same old one"
    # out of the way of the new numbers
    db.execute("UPDATE page SET number = -1 - number WHERE number >= 0")
    for page in pages:
        if page.number in was:
            _update(db, ids[was[page.number]], page)
        else:
            insert_page(db, page)
    _keep_or_drop(db, [ids[old] for old in sorted(set(ids) - set(was.values()))], len(pages))


def _update(db: sqlite3.Connection, page_id: int, page: Page) -> None:
    """Write what is known of a page's image now; what is not stays as it was."""
    known: dict[str, object] = {"number": page.number, "name": writable(page.name)}
    if page.scan is not None:
        known["scan"] = page.scan
    if page.label:
        known["label"] = writable(page.label)
    if page.fingerprint:
        known["fingerprint"] = page.fingerprint
    if page.size:
        known |= page.size._asdict()
    values = {column: f":{column}" for column in known}
    if "label" in known:
        values["label"] = "iif(label_by = 'hand', label, :label)"  # a person's word holds
    assignments = ", ".join(f"{column} = {value}" for column, value in values.items())
    db.execute(f"UPDATE page SET {assignments} WHERE id = :id", {**known, "id": page_id})


def _keep_or_drop(db: sqlite3.Connection, page_ids: Sequence[int], number: int) -> None:
    for page_id in page_ids:
        untouched = db.execute(
            "DELETE FROM page WHERE id = ?1 AND state = 'unread'"
            " AND note = '' AND label_by <> 'hand'"
            " AND NOT EXISTS (SELECT 1 FROM reading WHERE page_id = ?1)",
            (page_id,),
        ).rowcount
        if not untouched:
            db.execute("UPDATE page SET number = ?, scan = -1 WHERE id = ?", (number, page_id))
            number += 1
