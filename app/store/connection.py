"""Opens an SQLite file of ours, or says why not and leaves it whole.

A file is first looked at through a connection that cannot write. Only one that is ours, sound and
not newer than this program is opened for writing. A damaged one is kept aside under a dated name
together with its write-ahead log, in which its last commits may lie.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Generator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from app.errors import StoreError
from app.language import _

log = logging.getLogger(__name__)

Migration = Callable[[sqlite3.Connection], None]

BUSY_S = 10.0
"""How long to wait for another process that holds SQLite's own short locks."""


class Form(NamedTuple):
    """A kind of SQLite file: its mark in the header, and how it came to be what it is."""

    application_id: int
    migrations: Sequence[Migration]  # number n brings format n - 1 to format n

    @property
    def version(self) -> int:
        """The format that this program writes; stands in `user_version`."""
        return len(self.migrations)


def create(
    path: Path, form: Form, fill: Callable[[sqlite3.Connection], None]
) -> sqlite3.Connection:
    """Make a new file in the newest format; it holds its first rows or nothing at all.

    Args:
        path: where nothing lies yet.
        form: what kind of file.
        fill: writes the first rows.

    Raises:
        StoreError: `store_unwritable`; no file is left.
    """
    assert not path.exists(), f"{path} is there already"
    try:
        with writing_told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            return _prepared(_connect(path, mode="rwc"), lambda db: _begin(db, form, fill))
    except BaseException:
        for part in _parts(path):
            part.unlink(missing_ok=True)
        raise


def open_for_writing(path: Path, form: Form) -> sqlite3.Connection:
    """Open a file that this process may write, brought to the newest format.

    Before a change of format a copy of the file is kept beside it.

    Raises:
        StoreError: `store_damaged` (it was kept aside), `store_newer`, `store_foreign` (untouched),
            `store_unwritable`.
    """
    with writing_told(path):
        version = _version_of_sound(path, form, keep_aside=True)
        db = _connect(path, mode="rw")
        if version < form.version:
            _keep_copy(db, path.with_name(f"{path.name}.format-{version}"))
        return _prepared(db, lambda db: _migrate(db, form))


def open_for_reading(path: Path, form: Form) -> sqlite3.Connection:
    """Open a file of the newest format without any right to write.

    Raises:
        StoreError: `store_damaged` (it stays where it is), `store_newer`, `store_foreign`,
            `store_older` (only who may write can bring it to the newest format).
    """
    with reading_told():
        version = _version_of_sound(path, form, keep_aside=False)
        if version < form.version:
            raise StoreError("store_older", found=version, known=form.version)
        return connect_for_reading(path)


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Connect to a file that was checked before; for a second connection of the same program.

    In a folder that cannot be written SQLite must be told that nobody else writes either.
    """
    db = _connect(path, mode="ro")
    try:
        db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        db.close()
        if _has_content(_wal(path)):
            raise
        db = _connect(path, mode="ro&immutable=1")
    return db


@contextlib.contextmanager
def transaction(db: sqlite3.Connection, path: Path) -> Generator[None]:
    """Everything within is on the disk afterwards, or nothing of it.

    Raises:
        StoreError: `store_unwritable`; the file holds what it held before.
    """
    with writing_told(path), _all_or_nothing(db):
        yield


@contextlib.contextmanager
def writing_told(path: Path) -> Generator[None]:
    """Turn what SQLite and the system say while writing into the words of `StoreError`."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        folder = str(path.parent)
        raise StoreError("store_unwritable", detail=_detail(error), folder=folder) from error
    except sqlite3.DatabaseError as error:
        _pass_on_bugs(error)
        raise StoreError("store_failing", detail=_detail(error)) from error


@contextlib.contextmanager
def reading_told() -> Generator[None]:
    """Turn what SQLite and the system say while reading into the words of `StoreError`."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError) as error:
        _pass_on_bugs(error)
        raise StoreError("store_failing", detail=_detail(error)) from error


@contextlib.contextmanager
def values_told() -> Generator[None]:
    """Turn values that make no sense, in a file whose structure is sound, into `store_failing`."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AssertionError) as error:
        raise StoreError("store_failing", detail=_("a value in it makes no sense")) from error


def _pass_on_bugs(error: Exception) -> None:
    """A wrong statement or a broken constraint is a fault of the program, not of the file.

    Work of another worker may end when its book is closed; SQLite has no code for that.
    """
    if isinstance(error, sqlite3.ProgrammingError) and "closed database" in str(error):
        raise StoreError("store_closed") from error
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
        raise error


def _detail(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _connect(path: Path, *, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_S)
    db.execute("PRAGMA foreign_keys = ON")
    return db


def _prepared(
    db: sqlite3.Connection, bring_to_form: Callable[[sqlite3.Connection], None]
) -> sqlite3.Connection:
    """The same connection, on a file in the newest format; commits survive the loss of power."""
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # macOS: the disk itself may hold a commit back
        bring_to_form(db)
    except BaseException:
        db.close()
        raise
    return db


def _version_of_sound(path: Path, form: Form, *, keep_aside: bool) -> int:
    """Look at a file without changing it: the format of one that is ours and sound."""
    try:
        return _look(path, form)
    except sqlite3.OperationalError:
        raise  # the disk, or the rights on it: says nothing of the content
    except _Damaged as error:
        detail = str(error)
    except sqlite3.DatabaseError as error:
        detail = str(error)
    kept = keep(path) if keep_aside else path
    raise StoreError("store_damaged", detail=detail, kept=str(kept))


class _Damaged(Exception):
    """What the check found."""


def _look(path: Path, form: Form) -> int:
    if path.stat().st_size == 0:
        raise _Damaged("the file is empty")
    with contextlib.closing(connect_for_reading(path)) as db:
        application_id, version = _number(db, "application_id"), _number(db, "user_version")
        if application_id != form.application_id:
            raise StoreError("store_foreign", name=path.name)
        if version > form.version:
            raise StoreError("store_newer", found=version, known=form.version)
        # structure of all pages, indexes aside: 60 ms for a book of 3,000 pages
        (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise _Damaged(found.splitlines()[-1])  # above it stands but the database's name
        return version


def _number(db: sqlite3.Connection, pragma: str) -> int:
    (value,) = db.execute(f"PRAGMA {pragma}").fetchone()
    return value


def keep(path: Path) -> Path:
    """Put a damaged file aside under a dated name, and its write-ahead log with it."""
    kept = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S-%f}")
    path.rename(kept)
    log.warning("%s is damaged and kept as %s", path, kept)
    if _wal(path).exists():
        _wal(path).rename(_wal(kept))
    _parts(path)[-1].unlink(missing_ok=True)
    return kept


def _wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _parts(path: Path) -> tuple[Path, ...]:
    """The file and those that SQLite keeps beside it; the last holds nothing of its own."""
    return path, _wal(path), path.with_name(f"{path.name}-shm")


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _keep_copy(db: sqlite3.Connection, kept: Path) -> None:
    with contextlib.closing(sqlite3.connect(kept)) as copy:
        db.backup(copy)


def _begin(db: sqlite3.Connection, form: Form, fill: Callable[[sqlite3.Connection], None]) -> None:
    with _all_or_nothing(db):
        for migration in form.migrations:
            migration(db)
        fill(db)
        _sign(db, form, form.version)


def _migrate(db: sqlite3.Connection, form: Form) -> None:
    """Apply the migrations that a file lacks, each in a transaction of its own."""
    for number in range(_number(db, "user_version") + 1, form.version + 1):
        with _all_or_nothing(db):
            form.migrations[number - 1](db)
            _sign(db, form, number)


def _sign(db: sqlite3.Connection, form: Form, version: int) -> None:
    db.execute(f"PRAGMA application_id = {form.application_id}")
    db.execute(f"PRAGMA user_version = {version}")


@contextlib.contextmanager
def _all_or_nothing(db: sqlite3.Connection) -> Generator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back by itself when the disk is full
            db.execute("ROLLBACK")
        raise
