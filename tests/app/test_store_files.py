from __future__ import annotations

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.book import PageState
from app.desk.hyphens import Break, Choice
from app.errors import StoreError
from app.store.connection import Form, create, open_for_reading, open_for_writing
from app.store.database import BookStore
from app.store.migrations import BOOK
from app.store.page_list import insert_book
from tests.app.store_books import book_of, correct, large_book, machine, text_of, undone

pytestmark = pytest.mark.unit


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed book of three pages, the first of them read and corrected."""
    path = tmp_path / "books" / "book.sqlite"
    with BookStore.create(path, book_of(3)) as store:
        store.save_read(0, reading=machine("tbe"), state=PageState.READ)
        correct(store, 0, "the")
    return path


def refused(path: Path, *, read_only: bool = False) -> StoreError:
    with pytest.raises(StoreError) as caught:
        BookStore.open(path, read_only=read_only)
    assert str(caught.value), "there is a sentence for it"
    return caught.value


def set_pragma(path: Path, pragma: str, value: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA {pragma} = {value}")


# --- what is no book of ours, or no more ------------------------------------------------------


def test_a_book_of_a_newer_version_is_refused_and_not_touched(path):
    set_pragma(path, "user_version", BOOK.version + 1)
    before = path.read_bytes()
    error = refused(path)
    assert error.code == "store_newer"
    assert error.parameters == {"found": BOOK.version + 1, "known": BOOK.version}
    assert path.read_bytes() == before
    assert {each.name for each in path.parent.iterdir()} <= {
        "book.sqlite",
        "book.sqlite.lock",
        "book.sqlite-shm",  # empty of content; SQLite leaves both when it may not write
        "book.sqlite-wal",
    }


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "photos.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE photo (id)")
    before = path.read_bytes()
    assert refused(path).code == "store_foreign"
    assert path.read_bytes() == before


def zeroed(content: bytes) -> bytes:
    return bytes(100) + content[100:]


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def scribbled(content: bytes) -> bytes:
    """Every page but the first overwritten at its head."""
    pages = [content[at : at + 4096] for at in range(0, len(content), 4096)]
    return pages[0] + b"".join(b"\xff" * 64 + page[64:] for page in pages[1:])


@pytest.mark.expects_warning
@pytest.mark.parametrize(
    "damage", [zeroed, halved, scribbled, lambda _: b"", lambda _: b"<html>not found</html>"]
)
def test_a_damaged_book_is_kept_aside_whole_and_a_new_one_can_be_begun(path, damage):
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    error = refused(path)
    assert error.code == "store_damaged"
    kept = Path(str(error.parameters["kept"]))
    assert kept.read_bytes() == damaged
    assert kept.name.startswith("book.sqlite.damaged-2")
    assert not path.exists()
    with BookStore.create(path, book_of(3)) as store:
        assert store.current(0) is None
    assert kept.read_bytes() == damaged


@pytest.mark.expects_warning
def test_the_last_commits_of_a_damaged_book_are_kept_with_it(path, tmp_path):
    store = BookStore.open(path)
    store.save_read(1, reading=machine("in the log"), state=PageState.READ)
    copy = tmp_path / "copy.sqlite"
    shutil.copy(path.with_name("book.sqlite-wal"), tmp_path / "copy.sqlite-wal")
    log = (tmp_path / "copy.sqlite-wal").read_bytes()
    store.close()
    copy.write_bytes(b"no database any more")
    kept = Path(str(refused(copy).parameters["kept"]))
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == log
    assert not (tmp_path / "copy.sqlite-wal").exists()


@pytest.mark.expects_warning
def test_two_damaged_books_of_one_name_are_both_kept(path):
    for content in (b"first", b"second"):
        path.write_bytes(content)
        refused(path)
    assert sorted(each.read_bytes() for each in path.parent.glob("*.damaged-*")) == [
        b"first",
        b"second",
    ]


def test_a_damaged_file_opened_for_reading_only_stays_where_it_is(path):
    path.write_bytes(b"not a database")
    error = refused(path, read_only=True)
    assert (error.code, error.parameters["kept"]) == ("store_damaged", str(path))
    assert path.read_bytes() == b"not a database"


def test_a_book_that_is_not_there_is_said_and_not_made(tmp_path):
    assert refused(tmp_path / "gone.sqlite").code == "store_unwritable"
    assert refused(tmp_path / "gone.sqlite", read_only=True).code == "store_failing"
    assert not (tmp_path / "gone.sqlite").exists()


def test_a_file_that_breaks_while_it_is_open_is_said(path):
    """Nothing below the program can be trusted, yet it is no fault of the program."""
    large_book(path.with_name("large.sqlite"), pages=50)
    with BookStore.open(path.with_name("large.sqlite")) as store:
        with path.with_name("large.sqlite").open("rb+") as file:
            file.seek(8 * 4096)
            file.write(b"\xff" * 30 * 4096)
        with pytest.raises(StoreError) as caught:
            [store.reading(number) for number in range(1, 51)]
        assert caught.value.code == "store_failing"


# --- two openers -------------------------------------------------------------------------------


def test_the_second_opener_reads_what_the_first_writes_and_writes_nothing(path):
    with BookStore.open(path) as first, BookStore.open(path) as second:
        assert (first.read_only, second.read_only) == (False, True)
        first.save_read(1, reading=machine("just read"), state=PageState.READ)
        assert text_of(second, 1) == "just read"
        for order in (
            lambda: second.save_read(2, reading=machine("x"), state=PageState.READ),
            lambda: correct(second, 0, "x"),
            lambda: second.undo(0),
            lambda: second.set_state([0], PageState.PROOFREAD),
            lambda: second.set_view({}),
        ):
            with pytest.raises(StoreError) as caught:
                order()
            assert caught.value.code == "store_locked"
        assert second.current(2) is None
        assert text_of(second, 0) == "the"
    with BookStore.open(path) as third:
        assert not third.read_only


HOLD = """
import sys, time
from pathlib import Path
from app.store.database import BookStore
store = BookStore.open(Path(sys.argv[1]))
print(store.read_only, flush=True)
time.sleep(60)
"""


@contextlib.contextmanager
def other_process(path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that opens the book and holds it; what it says of `read_only`."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_a_book_held_by_another_process_is_read_only_until_that_one_is_killed(path):
    with other_process(path) as (process, is_read_only):
        assert is_read_only == "False"
        with BookStore.open(path) as store:
            assert store.read_only
        process.kill()
        process.wait()
        with BookStore.open(path) as store:
            assert not store.read_only
            correct(store, 0, "then")
            with other_process(path) as (_process, is_read_only):
                assert is_read_only == "True"


def test_a_book_where_no_lock_can_be_made_is_read_only_and_says_why(path):
    path.with_name("book.sqlite.lock").unlink()
    path.with_name("book.sqlite.lock").mkdir()  # rights do not stop root, who may run the tests
    with BookStore.open(path) as store:
        assert store.read_only
        assert text_of(store, 0) == "the"
        with pytest.raises(StoreError) as caught:
            correct(store, 0, "then")
    assert caught.value.code == "store_unwritable"


READ_ONLY_MEDIUM = """
import os, sys
from pathlib import Path
from app.errors import StoreError
from app.store.database import BookStore
from tests.app.store_books import correct, text_of

if os.geteuid() == 0:  # rights do not stop root
    os.setuid(65534)
for path in map(Path, sys.argv[1:]):
    with BookStore.open(path) as store, store.reader() as reader:
        print(store.read_only, text_of(store, 0), len(reader.find("the")))
        try:
            correct(store, 0, "then")
        except StoreError as error:
            print(error.code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="rights of folders are POSIX")
def test_a_book_on_a_disk_that_cannot_be_written_opens_for_reading(path):
    with tempfile.TemporaryDirectory() as medium:
        book, copy = Path(medium, "book.sqlite"), Path(medium, "book.incunable")
        shutil.copy(path, book)
        with BookStore.open(path) as store:
            store.save_copy(copy)
        book.chmod(0o444)
        copy.chmod(0o444)
        Path(medium).chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY_MEDIUM, str(book), str(copy)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        Path(medium).chmod(0o755)
    assert told.stdout.splitlines() == ["True the 1", "store_unwritable"] * 2


# --- formats -----------------------------------------------------------------------------------


def _first(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE note (text TEXT)")
    db.execute("INSERT INTO note VALUES ('from the first format')")


def _second(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE note ADD COLUMN page INTEGER DEFAULT 7")


def _third(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE made_by_third (x)")
    db.execute("SELECT no_such_column FROM note")


OLD, NEW, BROKEN = (
    Form(77, (_first,)),
    Form(77, (_first, _second)),
    Form(77, (_first, _second, _third)),
)


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    create(tmp_path / "old.sqlite", OLD, lambda db: None).close()
    return tmp_path / "old.sqlite"


def test_an_older_file_is_brought_to_the_newest_format_once_and_a_copy_is_kept(old_file):
    for _time in range(2):
        with contextlib.closing(open_for_writing(old_file, NEW)) as db:
            assert db.execute("SELECT text, page FROM note").fetchall() == [
                ("from the first format", 7)
            ]
            assert db.execute("PRAGMA user_version").fetchone() == (2,)
    with contextlib.closing(
        open_for_writing(old_file.with_name("old.sqlite.format-1"), OLD)
    ) as kept:
        assert kept.execute("SELECT text FROM note").fetchall() == [("from the first format",)]


def test_a_format_change_that_fails_leaves_the_file_at_the_step_before(old_file):
    with pytest.raises(StoreError):
        open_for_writing(old_file, BROKEN)
    with contextlib.closing(open_for_writing(old_file, NEW)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("note",)]


def test_an_older_file_cannot_be_renewed_by_who_may_only_read(old_file):
    before = old_file.read_bytes()
    with pytest.raises(StoreError) as caught:
        open_for_reading(old_file, NEW)
    assert caught.value.code == "store_older"
    assert old_file.read_bytes() == before


def test_a_new_file_has_its_first_rows_or_does_not_exist(tmp_path):
    def fail(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO note VALUES ('begun')")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        create(tmp_path / "folder" / "new.sqlite", OLD, fail)
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_commit_survives_the_loss_of_power(path):
    """Which no test can bring about; the settings that make it so can be asked for."""
    with BookStore.open(path) as store:
        asked = ("journal_mode", "synchronous", "foreign_keys", "application_id", "user_version")
        told = [store._db.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in asked]
    assert told == ["wal", 2, 1, BOOK.application_id, BOOK.version]


# --- a full disk -------------------------------------------------------------------------------

FILL = """
import resource, sys
from pathlib import Path
from app.book import PageState
from app.errors import StoreError
from app.store.database import BookStore
from tests.app.store_books import correct, machine, text_of

path = Path(sys.argv[1])
store = BookStore.open(path)
_soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
saved = 0
try:
    while True:
        if saved % 2:
            correct(store, 0, f"typed {saved}")
        else:
            reading = machine("word " * 2000, f"read {saved}")
            store.save_read(1, reading=reading, state=PageState.READ)
        saved += 1
except StoreError as error:
    print(error.code, error.parameters["folder"] == str(path.parent))
print(saved, text_of(store, 0), store.current(1).regions[1].text, sep="|")
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
try:
    store.save_copy(path.with_name("copy.incunable"))
except StoreError as error:
    print(error.code)
try:
    BookStore.create(path.with_name("new.sqlite"), store.book())
except StoreError as error:
    print(error.code)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
correct(store, 0, "typed when there was room again")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files are POSIX")
def test_a_full_disk_is_said_and_costs_nothing_that_was_saved(path):
    command = [sys.executable, "-c", FILL, str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    first, state, *others = told.splitlines()
    assert first == "store_unwritable True"
    saved, typed, read = state.split("|")
    last = int(saved) - 1
    assert last > 2
    assert {typed, read} == {f"typed {last - (last + 1) % 2}", f"read {last - last % 2}"}
    assert others == ["store_unwritable", "store_unwritable"]
    assert not path.with_name("new.sqlite").exists()
    with BookStore.open(path) as store:
        assert text_of(store, 0) == "typed when there was room again"
        assert undone(store, 0).text == typed
        current = store.current(1)
        assert current is not None
        assert current.regions[1].text == read
    assert not path.with_name("copy.incunable").exists()
    assert not path.with_name("copy.incunable.new").exists()


def test_decisions_of_an_older_book_hold_for_each_break_printed_so(tmp_path):
    path = tmp_path / "book.sqlite"

    def fill(db: sqlite3.Connection) -> None:
        insert_book(db, book_of(2))
        page_id, text = 1, "im Ver-\nlag. Ein Ver-\nlag\x01Vorver-\nlag, ver-\nlag"
        db.execute(
            "INSERT INTO reading (id, page_id, by_hand, is_open, begun, date, person,"
            " imported_from, state, reasons, text, value)"
            " VALUES (1, ?, 0, 0, '', '', '', '', 'read', '[]', ?, '{}')",
            (page_id, text),
        )
        db.execute("UPDATE page SET reading_id = 1 WHERE id = ?", (page_id,))
        db.executemany(
            "INSERT INTO hyphen (page_id, printed, choice, date, person)"
            " VALUES (?, ?, ?, '2026-11-03', 'Aldus')",
            [(1, "Ver-\nlag", "keep"), (2, "Neben-\nsache", "apart"), (None, "ver-\nlag", "join")],
        )

    create(path, Form(BOOK.application_id, BOOK.migrations[:7]), fill).close()
    with BookStore.open(path) as store:
        choices = store.hyphen_choices()
        alike = {Break(0, "Ver-\nlag", nth): Choice.KEEP for nth in range(3)}
        assert choices.breaks == {**alike, Break(1, "Neben-\nsache", 0): Choice.APART}
        assert choices.words == {"ver-\nlag": Choice.JOIN}
        store.choose_hyphen(Break(0, "Ver-\nlag", 1), None, person="")
        kept = {Break(0, "Ver-\nlag", nth) for nth in (0, 2)}
        assert store.hyphen_choices().breaks.keys() - kept == {Break(1, "Neben-\nsache", 0)}
