"""An export sees one state of the book, and its first page can be looked at before."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import commands
from app.answers import ExportPreviewed
from app.book import Book, Page, PageState
from app.change import NOTHING
from app.export.document import ExportOptions
from app.exporting import ExportOrder, export_book
from app.previewing import first_page
from app.store.database import BookStore
from model.api import Stop
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import book_of, machine

pytestmark = pytest.mark.unit


@pytest.fixture
def store(tmp_path: Path):
    store = BookStore.create(tmp_path / "book.sqlite", book_of(3))
    for number, text in enumerate(("Leſſing ſah", "the ſecond", "the third")):
        store.save_read(number, reading=machine(text), state=PageState.READ)
    yield store
    store.close()


def order(path: Path, name: str = "text", **options) -> ExportOrder:
    return ExportOrder(path, name, ExportOptions(**options))


def export(store: BookStore, to: ExportOrder, *, at_first=lambda: None):
    """Export; something happens once all pages have gone by for the first time."""

    def progress(done: int, _pages: int) -> None:
        if done == 0:
            at_first()

    return export_book(store.book(), store, to, progress=progress, stop=Stop())


@pytest.mark.parametrize("name", ["text", "tei", "alto"])
def test_what_is_written_meanwhile_is_not_in_it_and_is_not_kept_waiting(store, tmp_path, name):
    def another() -> None:
        store.save_read(2, reading=machine("written meanwhile"), state=PageState.READ)

    report = export(store, order(tmp_path / "out", name), at_first=another)
    assert report
    assert report.pages == 3
    files = sorted((tmp_path / "out").iterdir()) if name == "alto" else [tmp_path / "out"]
    found = " ".join(path.read_text("utf-8") for path in files)
    assert "third" in found
    assert "meanwhile" not in found
    with store.reader() as reader:
        assert reader.current(2).text == "written meanwhile"


def test_the_first_page_with_a_text_is_shown_as_it_will_be(store):
    book = store.book()
    assert first_page(book, store, order(Path())) == "[p. 1, scan 1]\n\nLeſſing ſah"
    levelled = order(Path(), "alto", level=1, pages=(1, 2))
    assert first_page(book, store, levelled) == "the second"
    assert first_page(book, store, order(Path(), states=frozenset({PageState.LOOK}))) == ""


def test_nothing_read_shows_nothing(tmp_path):
    store = BookStore.create(tmp_path / "book.sqlite", book_of(2))
    assert first_page(Book("b", (), "f", pages=(Page(0), Page(1))), store, order(Path())) == ""
    store.close()


def test_a_session_shows_what_an_order_will_write(tmp_path):
    with Desk() as desk:
        desk.open(make_scan(tmp_path / "scan", 2))
        desk.read()
        desk.session.exports.look_at(order(Path(), page_marks="none"))
        desk.wait_for(ExportPreviewed)
        assert desk.session.exports.preview


def test_nothing_is_looked_at_once_the_session_has_ended(tmp_path):
    with Desk() as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
    assert desk.session.exports.look_at(order(Path())) == NOTHING


def test_the_command_line_tells_what_a_level_changed(tmp_path, capsys):
    scan = make_scan(tmp_path / "scan", 1)
    files = tmp_path / "files"
    files.mkdir()
    (files / f"{next(scan.iterdir()).stem}.txt").write_text("Leſſing ſah")
    run = [str(each) for each in ("import", scan, files)]
    assert commands.main(run) == commands.Exit.DONE
    out = tmp_path / "out.txt"
    run = ["export", str(scan), "-o", str(out), "--level", "1", "--state", "read"]
    assert commands.main(run) == commands.Exit.DONE
    assert "OCR-D transcription level 1: long s as s 3." in capsys.readouterr().err
    assert "Lessing sah" in out.read_text("utf-8")
