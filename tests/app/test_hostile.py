"""Bad luck and bad files, through the session: each is told, and nothing typed or read is lost."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

import resources
from app import commands, doctor
from app.answers import BookOpened, CorrectionStored, Done, OpeningFailed, Refused
from app.book import PageState
from app.errors import SourceError
from app.events import Failed, Finished, PageFinished
from app.finding_values import Asked
from app.log import Log
from app.opening import Opener, OpenOrder
from app.pages import Priority
from app.places import places
from app.run_view import run_sentence
from app.settings import Settings, load_settings, save_settings
from app.store.database import BookStore
from app.workers import Worker
from model.fake import FakeRecogniser
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
LONG = "a long note " * 4000


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 3)


def read_and_turned_to(desk: Desk, scan: Path, page: int = 0) -> None:
    desk.open(scan)
    desk.read()
    desk.session.turn_to(page)
    desk.settle()


def correct(desk: Desk, text: str, page: int = 0) -> None:
    desk.session.proofs.correct(page, 2, text)
    desk.settle()


def told(desk: Desk) -> list[str]:
    return [notice.error.code for notice in desk.session.notices]


@contextmanager
def full_disk(desk: Desk) -> Iterator[None]:
    """The book's database may not grow any more, as when the disk is full."""
    store = desk.store

    def allow(pages: int) -> None:
        desk.session._workers.store.submit(
            lambda: store._db.execute(f"PRAGMA max_page_count = {pages}")
        ).result()

    allow(1)  # SQLite takes it as "no more than there are"
    yield
    allow(1 << 30)


# --- the same book twice ------------------------------------------------------------------------


def test_opening_the_shown_book_once_more_changes_nothing(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan, 1)
        children = psutil.Process().children()
        threads = threading.active_count()
        desk.open(scan)
        desk.settle()
        assert told(desk) == []
        assert desk.session.page == 1
        assert not desk.session.read_only
        assert psutil.Process().children() == children
        assert threading.active_count() == threads


def test_two_programs_that_open_a_new_book_at_once_share_one_database(scan, monkeypatch):
    create = BookStore.create.__func__
    opened: dict[str, BookOpened] = {}
    others: list[threading.Thread] = []

    def open_book(name: str, store: Worker) -> None:
        opener = Opener(places(), store)
        opened[name] = opener.open(OpenOrder((scan,)), page_limit_megapixels=250)
        store.submit(opener.close)

    def create_slowly(cls, path, book):
        """The moment between looking for a database and making one, with the other in it."""
        if not others:
            others.append(threading.Thread(target=open_book, args=("second", second)))
            others[0].start()
            time.sleep(0.5)
        return create(cls, path, book)

    monkeypatch.setattr(BookStore, "create", classmethod(create_slowly))
    first, second = Worker("store"), Worker("store")
    open_book("first", first)
    others[0].join(20)
    try:
        stores = [opened[name].opened.store for name in ("first", "second")]
        assert stores[0].path == stores[1].path
        assert [store.read_only for store in stores] == [False, True]
    finally:
        for name, worker in (("first", first), ("second", second)):
            opened[name].opened.images.close()
            worker.submit(opened[name].opened.store.close)
            assert worker.close()


# --- the scan goes away -------------------------------------------------------------------------


def test_a_page_that_is_in_the_scan_no_more_keeps_its_text_and_is_told_of(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
    (scan / "p3.png").unlink()
    with Desk() as desk:
        desk.open(scan)
        assert desk.session.shown is not None
        images = desk.session.shown.images
        asked = images.image(2, fit=(50, 50), priority=Priority.VISIBLE)
        failure = asked.exception(10)
        assert isinstance(failure, SourceError)
        assert failure.code == "page_not_in_scan"
        assert isinstance(desk.read(0, 1, 2, again=True), Finished)
        assert [page.state for page in desk.book.pages] == [PageState.READ] * 3
        assert not desk.session.runs.start((2,), again=True)


def test_a_scan_that_goes_away_ends_the_run_and_fails_no_page(tmp_path):
    scan = make_scan(tmp_path / "scan", 30)
    with Desk(lambda: FakeRecogniser(pieces_per_s=400)) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(PageFinished)
        shutil.rmtree(scan)
        end = desk.wait_for_end()
        assert isinstance(end, Failed)
        assert end.error.code == "source_gone"
        assert {page.state for page in desk.book.pages} == {PageState.READ, PageState.UNREAD}


# --- the disk is full ---------------------------------------------------------------------------


def test_what_cannot_be_saved_is_told_once_and_saved_when_there_is_room(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        with full_disk(desk):
            for count in range(4):
                correct(desk, f"{count} {LONG}")
            assert told(desk) == ["store_unwritable"]
            assert desk.session.proofs.has_unsaved
        correct(desk, "short again")
        assert told(desk) == []
        assert not desk.session.proofs.has_unsaved
        desk.session.proofs.undo(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == f"3 {LONG}"


def test_a_book_put_away_with_unsaved_text_is_kept_until_that_is_saved(scan, tmp_path):
    other = make_scan(tmp_path / "other", 1)
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        kept = desk.book.id
        with full_disk(desk):
            desk.session.proofs.correct(0, 2, LONG)
            desk.open(other)
            desk.settle()
            assert desk.session.proofs.has_unsaved
        desk.session.proofs.save_again()
        desk.settle()
        assert not desk.session.proofs.has_unsaved
        assert desk.session._shelf.get(kept) is None
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == LONG


def test_a_later_text_that_was_saved_is_not_overwritten_by_an_earlier_one_that_was_not(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        with full_disk(desk):
            desk.session.proofs.correct(0, 2, LONG)
            desk.session._workers.store.submit(lambda: None).result()
        desk.session.proofs.correct(0, 2, "newer")  # before it is known that the first failed
        desk.settle()
        desk.session.proofs.save_again()
        desk.settle()
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == "newer"


def test_the_text_of_a_page_that_is_called_blank_goes_from_the_screen_and_comes_back(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        text = desk.reading(0).text
        desk.session.proofs.mark_blank((0,))
        desk.settle()
        assert desk.session.reading(0) is None
        assert desk.session.proofs.is_loaded(0)
        desk.session.proofs.unaccept((0,))
        desk.settle()
        desk.settle()
        assert desk.reading(0).text == text


# --- data that go away, or rot ------------------------------------------------------------------


def test_a_database_that_was_removed_under_the_program_takes_no_correction_for_saved(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        for file in places().books.iterdir():
            file.unlink()
        correct(desk, "typed for nothing")
        assert told(desk) == ["store_unwritable"]
        assert desk.session.proofs.has_unsaved
        desk.session.finding.find(Asked("leaf"))
        desk.settle()


def test_a_database_that_was_replaced_under_the_program_is_told(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        path = desk.store.path
        shutil.copy(path, path.with_name("other"))
        path.with_name("other").replace(path)
        correct(desk, "typed for nothing")
        assert told(desk) == ["store_unwritable"]
        assert desk.session.proofs.has_unsaved


@pytest.mark.parametrize(
    "rot",
    [
        "UPDATE reading SET value = '{'",
        """UPDATE reading SET value = '{"version": 1, "regions": [{"kind": "zzz"}]}'""",
    ],
)
def test_a_text_that_is_no_text_any_more_is_told_and_the_page_can_be_read_again(scan, rot):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        path = desk.store.path
    change(path, rot)
    with Desk() as desk:
        desk.open(scan)
        desk.settle()
        assert told(desk) == ["store_failing"]
        assert desk.session.proofs.is_loaded(0)
        desk.read(0, again=True)
        assert desk.reading(0).text


@pytest.mark.parametrize(
    "rot",
    [
        "UPDATE book SET details = '[]'",
        "DELETE FROM book",
        "UPDATE page SET reasons = '{'",
    ],
)
def test_a_book_whose_data_make_no_sense_is_refused_and_left_alone(scan, rot):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        path = desk.store.path
    change(path, rot)
    with Desk() as desk:
        answer = desk.open(scan)
        assert isinstance(answer, OpeningFailed)
        assert answer.error.code == "store_failing"
    assert path.exists()


def test_a_lost_view_of_a_book_is_not_worth_a_word(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        path = desk.store.path
    change(path, "UPDATE book SET view = '[1]'")
    with Desk() as desk:
        assert isinstance(desk.open(scan), BookOpened)


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


# --- read only ----------------------------------------------------------------------------------


def test_a_book_that_cannot_be_locked_says_that_its_folder_cannot_be_written(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        path = desk.store.path
    lock = path.with_name(f"{path.name}.lock")
    lock.unlink()
    lock.mkdir()  # as little to be opened for writing as a file on a disk that is read-only
    with Desk() as desk:
        desk.open(scan)
        assert desk.session.read_only
        assert told(desk) == ["store_unwritable"]


# --- portable copies ----------------------------------------------------------------------------


def test_the_scan_of_a_portable_copy_can_be_shown_to_it(scan, tmp_path):
    copy = tmp_path / "book.incunable"
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        correct(desk, "by a colleague")
        desk.session.exports.save_copy(copy)
        desk.wait_for(Done)
    shutil.rmtree(places().data)
    moved = scan.rename(tmp_path / "moved")
    with Desk() as desk:
        assert isinstance(desk.open(copy), OpeningFailed)
        assert desk.session.lost_store == copy
        desk.open(moved, store_path=desk.session.lost_store)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == "by a colleague"


def test_a_copy_replaces_no_file_that_nobody_was_asked_about(scan, tmp_path):
    copy = tmp_path / "book.incunable"
    copy.write_text("of another book")
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        desk.session.exports.save_copy(copy)
        assert desk.wait_for(Refused).error.code == "export_exists"
        assert copy.read_text() == "of another book"
        desk.session.exports.save_copy(copy, replace=True)
        desk.wait_for(Done, when=lambda done: done.order == "copy")
    assert copy.read_bytes().startswith(b"SQLite")


def test_a_copy_of_a_copy_over_itself_cuts_nobody_off(scan, tmp_path):
    copy = tmp_path / "book.incunable"
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        desk.session.exports.save_copy(copy)
        desk.wait_for(Done, when=lambda done: done.order == "copy")
    with Desk() as desk:
        desk.open(copy)
        desk.session.turn_to(0)
        desk.settle()
        desk.session.exports.save_copy(copy, replace=True)
        desk.wait_for(Done, when=lambda done: done.order == "copy")
        correct(desk, "after the copy")
        assert told(desk) == []
    with Desk() as desk:
        desk.open(copy)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text == "after the copy"


@pytest.mark.parametrize("content", [b"", b"a letter to a friend", b"SQLite format 3\0" * 400])
def test_a_damaged_copy_stays_where_it_is_and_nothing_is_begun_in_its_place(tmp_path, content):
    copy = tmp_path / "book.incunable"
    copy.write_bytes(content)
    with Desk() as desk:
        answer = desk.open(copy)
        assert isinstance(answer, OpeningFailed)
        assert answer.error.code == "copy_damaged"
    assert copy.read_bytes() == content


def test_every_correction_that_was_told_to_be_saved_is_saved(scan):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        desk.session.proofs.correct(0, 2, "typed in the last moment")
        assert desk.session.proofs.has_unsaved
        desk.wait_for(CorrectionStored)
        assert not desk.session.proofs.has_unsaved


# --- opening that takes too long ----------------------------------------------------------------


def slow_pdf(path: Path) -> Path:
    """A small PDF whose one page writes a billion words, and so takes long to open."""
    kids = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    kids.append(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Contents 4 0 R"
        b"/Resources<</XObject<</F 5 0 R>>/Font<</G 15 0 R>>>>>>"
    )
    kids.append(b"<</Length 5>>stream\n/F Do\nendstream")
    for number in range(5, 15):
        content = b"/F Do " * 10 if number < 14 else b"0 0 10 10 re f "
        below = b"/Resources<</XObject<</F %d 0 R>>>>" % (number + 1) if number < 14 else b""
        form = b"<</Type/XObject/Subtype/Form/BBox[0 0 500 500]%s/Length %d>>stream\n%s\nendstream"
        kids.append(form % (below, len(content), content))
    kids.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    objects = b"".join(b"%d 0 obj%s\nendobj\n" % each for each in enumerate(kids, 1))
    path.write_bytes(b"%PDF-1.4\n" + objects + b"trailer<</Root 1 0 R/Size 16>>")
    return path


def wait_for_child() -> psutil.Process:
    deadline_s = time.monotonic() + 10
    while not (children := psutil.Process().children()) and time.monotonic() < deadline_s:
        time.sleep(0.02)
    (child,) = children
    time.sleep(0.6)  # until it is at work
    return child


def test_an_opening_that_takes_long_is_told_and_given_up_at_the_end(tmp_path):
    with Desk() as desk:
        desk.session.open((slow_pdf(tmp_path / "slow.pdf"),))
        assert run_sentence(desk.session.runs.view()) == "Opening slow.pdf…"
        child = wait_for_child()
        ends_s = time.monotonic() + 4
    assert time.monotonic() < ends_s
    assert not child.is_running()


def test_an_opening_that_takes_long_makes_way_for_another(tmp_path, scan):
    with Desk() as desk:
        desk.session.open((slow_pdf(tmp_path / "slow.pdf"),))
        wait_for_child()
        desk.session.open((scan,))
        desk.wait_for(BookOpened)
        assert desk.book.paths == (scan,)
        assert told(desk) == []
        assert run_sentence(desk.session.runs.view()) == "0 of 3 pages read"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere an alarm ends it, in a minute")
def test_a_decoder_does_not_outlive_a_program_that_was_killed(tmp_path):
    slow_pdf(tmp_path / "slow.pdf")
    code = [sys.executable, "-m", "ui.main", "read", str(tmp_path / "slow.pdf")]
    with subprocess.Popen(code, cwd=ROOT) as program:
        deadline_s = time.monotonic() + 20
        while not (children := psutil.Process(program.pid).children()):
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        time.sleep(1)  # until it is at work
        program.kill()
    _, alive = psutil.wait_procs(children, 3)
    assert not alive


def test_a_drawing_that_takes_long_does_not_keep_the_book_from_opening(tmp_path):
    path = slow_pdf(tmp_path / "slow.pdf")
    path.write_bytes(path.read_bytes().replace(b"/Font<</G 15 0 R>>", b""))
    with Desk() as desk:
        assert isinstance(desk.open(path), BookOpened)


# --- odd names and archives ---------------------------------------------------------------------


def test_a_pdf_whose_name_is_no_unicode_is_opened(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff\xfe.pdf"))
    shutil.copy(resources.path("sample/book.pdf"), path)
    with Desk() as desk:
        assert isinstance(desk.open(path), BookOpened)
        assert len(desk.book.pages) == 10


def test_an_archive_with_a_nameless_file_is_opened_without_it(tmp_path, scan):
    path = tmp_path / "book.cbz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(scan / "p1.png", "p1.png")
        archive.writestr(zipfile.ZipInfo(""), b"nothing")
    with Desk() as desk:
        assert isinstance(desk.open(path), BookOpened)
        assert [page.name for page in desk.book.pages] == ["p1.png"]


# --- the command line ---------------------------------------------------------------------------


def command(*arguments: object) -> int:
    return commands.main([str(argument) for argument in arguments])


def test_a_log_that_cannot_be_written_keeps_nobody_from_working(scan, own_home, capsys):
    (own_home / "log" / "incunable.log").mkdir(parents=True)
    assert command("read", scan, "--engine", "fake") == commands.Exit.DONE
    assert "3 pages: 3 read" in capsys.readouterr().err


@pytest.mark.expects_warning
def test_a_log_on_a_full_disk_says_nothing_in_the_terminal(tmp_path, capsys):
    log = Log(tmp_path)
    handler = log._handler
    assert isinstance(handler, logging.FileHandler)
    assert handler.stream is not None
    handler.stream.close()
    full = Path("/dev/full")
    handler.stream = full.open("w", encoding="utf-8")  # noqa: SIM115 - the handler closes it
    logging.getLogger("app").warning("nothing of this reaches the disk")
    with contextlib.suppress(OSError):
        log.close()
    assert capsys.readouterr().err == ""


def test_a_folder_that_is_not_there_is_told_before_the_reading(scan, tmp_path, capsys):
    target = tmp_path / "nowhere" / "out.md"
    assert command("read", scan, "--engine", "fake", "-o", target) == commands.Exit.ERROR
    said = capsys.readouterr().err
    assert "out.md cannot be written" in said
    assert "3 pages" not in said


def test_one_file_named_twice_is_written_once(scan, tmp_path, capsys):
    target = tmp_path / "out.md"
    ended = command("read", scan, "--engine", "fake", "-o", target, "-o", target)
    assert ended == commands.Exit.DONE
    assert capsys.readouterr().out.split() == [str(target)]


def test_a_name_that_is_no_unicode_is_printed_as_it_is(scan, tmp_path):
    target = os.fsencode(tmp_path) + b"/out-\xff.md"
    code = [sys.executable, "-m", "ui.main", "read", os.fsencode(scan), "--engine", "fake"]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        [*code, "-o", target], cwd=ROOT, env=strict, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, target + b"\n")


def test_pages_that_failed_count_only_where_they_were_asked_for(scan, capsys):
    (scan / "p2.png").write_bytes(b"no image")
    assert command("read", scan, "--engine", "fake") == commands.Exit.PAGES_FAILED
    ended = command("read", scan, "--engine", "fake", "--pages", "1", "--again")
    assert ended == commands.Exit.DONE


def test_a_command_for_a_book_that_cannot_be_written_says_why(scan, capsys):
    with Desk() as desk:
        read_and_turned_to(desk, scan)
        lock = desk.store.path.with_name(f"{desk.store.path.name}.lock")
    lock.unlink()
    lock.mkdir()
    assert command("details", scan, "--title", "x") == commands.Exit.ERROR
    assert "cannot be written" in capsys.readouterr().err


def test_an_output_that_nobody_reads_any_more_makes_no_noise(scan):
    with subprocess.Popen(
        [sys.executable, "-m", "ui.main", "details", str(scan)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == commands.Exit.ERROR


@pytest.mark.parametrize("words", [["raed", "book.pdf"], ["--usage"]])
def test_a_word_that_is_no_command_and_no_file_is_told(words):
    done = subprocess.run(
        [sys.executable, "-m", "ui.main", *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == commands.Exit.USAGE
    assert words[0].strip("-") in done.stderr


def test_ctrl_c_while_the_program_starts_ends_it_without_a_traceback():
    code = (
        "import os, signal, sys\n"
        "from ui import main\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'app.commands':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['incunable', 'doctor']\n"
        "sys.exit(main.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (commands.Exit.INTERRUPTED, "")


def test_doctor_looks_at_the_checkpoint_of_the_settings_and_says_in_words_what_will_read(
    own_home, tmp_path, capsys, monkeypatch
):
    page = doctor.Finding("test page", True, "read elsewhere")  # noqa: FBT003 - a row of its table
    monkeypatch.setattr(doctor, "_test_page", lambda: page)
    settings = Settings(checkpoint=tmp_path / "nowhere")
    save_settings(own_home / "config" / "settings.json", settings)
    assert command("doctor") == commands.Exit.ERROR
    said = capsys.readouterr().out
    assert f"there is no folder {tmp_path / 'nowhere'}" in said
    assert "Line reader on the processor" in said


def test_a_home_that_cannot_be_made_is_told(scan, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("INCUNABLE_HOME", str(tmp_path / "file" / "home"))
    assert command("read", scan) == commands.Exit.ERROR
    said = capsys.readouterr().err
    assert f"{tmp_path / 'file' / 'home' / 'data'} cannot be made" in said
    assert "on the screen" not in said


# --- settings -----------------------------------------------------------------------------------


@pytest.mark.expects_warning
def test_settings_nested_without_end_are_kept_aside(tmp_path, caplog):
    path = tmp_path / "settings.json"
    path.write_text("[" * 200_000)
    assert load_settings(path) == Settings()
    assert not path.exists()
    assert "not JSON" in caplog.text


def test_a_checkpoint_whose_name_is_no_unicode_can_be_kept(tmp_path):
    path = tmp_path / "settings.json"
    chosen = Settings(checkpoint=Path(os.fsdecode(b"/models/\xff")))
    save_settings(path, chosen)
    assert load_settings(path) == chosen


@pytest.mark.expects_warning
@pytest.mark.parametrize("scale", ["1e-9", "1e308", "0"])
def test_a_text_too_small_or_too_large_to_be_read_has_its_default(tmp_path, scale):
    path = tmp_path / "settings.json"
    path.write_text(f'{{"text_scale": {scale}}}')
    assert load_settings(path) == Settings()
