from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.book import Book, Details, Page, PageState
from app.errors import StoreError
from app.places import Places, places
from app.store.database import BookStore
from app.store.library import Found, Library
from tests.app.store_books import book_of, machine

pytestmark = pytest.mark.unit


@pytest.fixture
def folders() -> Places:
    return places()


@pytest.fixture
def library(folders):
    library = Library.open(folders.data / "library.sqlite", folders.books)
    yield library
    library.close()


def kept_book(folders: Places, scan: Path, *, fingerprint: str = "f", pages: int = 2) -> Book:
    """A book with a database in the folder of the books."""
    scan.touch()
    book = replace(book_of(pages, paths=(scan,)), fingerprint=fingerprint)
    BookStore.create(store_path(folders, book), book).close()
    return book


def store_path(folders: Places, book: Book) -> Path:
    return folders.books / f"{book.id}.sqlite"


def test_a_scan_is_known_by_its_place_and_its_fingerprint(library, folders, tmp_path):
    book = kept_book(folders, tmp_path / "a.pdf")
    other = kept_book(folders, tmp_path / "b.pdf", fingerprint="g")
    for each in (book, other):
        library.remember(each, store_path(folders, each))
    assert library.find((tmp_path / "a.pdf",), "f") == Found(store_path(folders, book))
    assert library.find((tmp_path / "b.pdf",), "g") == Found(store_path(folders, other))
    assert library.find((tmp_path / "c.pdf",), "h") is None


def test_a_scan_that_was_moved_is_known_by_its_fingerprint_and_its_new_place_is_kept(
    library, folders, tmp_path
):
    book = kept_book(folders, tmp_path / "a.pdf")
    library.remember(book, store_path(folders, book))
    moved = (tmp_path / "a.pdf").rename(tmp_path / "moved.pdf")
    assert library.find((moved,), "f") == Found(store_path(folders, book), is_moved=True)
    assert library.find((moved,), "f") == Found(store_path(folders, book))
    assert library.recent(1)[0].paths == (moved,)


def test_another_scan_that_happens_to_look_alike_is_another_book(library, folders, tmp_path):
    """Two folders of uncompressed images of the same size differ in nothing a quick look sees."""
    book = kept_book(folders, tmp_path / "a")
    library.remember(book, store_path(folders, book))
    assert library.find((tmp_path / "b",), "f") is None


def test_a_scan_that_has_changed_is_known_by_its_place_and_said_to_be_changed(
    library, folders, tmp_path
):
    book = kept_book(folders, tmp_path / "a.pdf")
    library.remember(book, store_path(folders, book))
    assert library.find((tmp_path / "a.pdf",), "new") == Found(
        store_path(folders, book), is_changed=True
    )


def test_a_database_that_is_gone_is_not_found(library, folders, tmp_path):
    book = kept_book(folders, tmp_path / "a.pdf")
    library.remember(book, store_path(folders, book))
    store_path(folders, book).unlink()
    assert library.find(book.paths, book.fingerprint) is None


def test_recent_books_come_newest_first_with_how_far_they_are(library, folders, tmp_path):
    book = replace(
        kept_book(folders, tmp_path / "a.pdf"),
        details=Details(title="Opera"),
        pages=(Page(0, state=PageState.PROOFREAD), Page(1, state=PageState.READ)),
    )
    other = kept_book(folders, tmp_path / "b.pdf", fingerprint="g", pages=5)
    library.remember(other, store_path(folders, other))
    library.remember(book, store_path(folders, book), page=1)
    first, second = library.recent(10)
    assert (first.title, first.pages, first.proofread, first.page) == ("Opera", 2, 1, 1)
    assert (first.paths, first.store_path) == (book.paths, store_path(folders, book))
    assert (second.paths, second.pages, second.page) == (other.paths, 5, 0)
    assert first.opened_at > second.opened_at
    library.remember(other, store_path(folders, other))
    assert [recent.paths for recent in library.recent(1)] == [other.paths]


def test_a_book_forgotten_is_not_recent_but_its_text_is_found_when_it_is_opened(
    library, folders, tmp_path
):
    book = kept_book(folders, tmp_path / "a.pdf")
    library.remember(book, store_path(folders, book))
    library.forget(store_path(folders, book))
    assert library.recent(10) == ()
    assert library.find(book.paths, "f") == Found(store_path(folders, book))
    library.remember(book, store_path(folders, book))
    assert len(library.recent(10)) == 1


def test_a_data_folder_that_was_moved_still_knows_its_books(library, folders, tmp_path):
    book = kept_book(folders, tmp_path / "a.pdf")
    library.remember(book, store_path(folders, book))
    library.close()
    shutil.move(folders.data, tmp_path / "elsewhere")
    library = Library.open(
        tmp_path / "elsewhere" / "library.sqlite", tmp_path / "elsewhere" / "books"
    )
    found = library.find(book.paths, "f")
    assert found == Found(tmp_path / "elsewhere" / "books" / f"{book.id}.sqlite")
    library.close()


def test_a_database_outside_the_data_folder_is_known_by_its_whole_path(library, folders, tmp_path):
    book = kept_book(folders, tmp_path / "a.pdf")
    outside = tmp_path / "book.sqlite"
    store_path(folders, book).rename(outside)
    library.remember(book, outside)
    assert library.find(book.paths, "f") == Found(outside)


@pytest.mark.parametrize("how", ["gone", "damaged"])
@pytest.mark.expects_warning
def test_a_library_that_is_lost_is_made_again_from_the_books(library, folders, tmp_path, how):
    book = kept_book(folders, tmp_path / "a.pdf")
    with BookStore.open(store_path(folders, book)) as store:
        store.save_read(0, reading=machine("read"), state=PageState.READ)
        store.set_state([0], PageState.PROOFREAD)
    (folders.books / "broken.sqlite").write_bytes(b"not a database")
    path = folders.data / "library.sqlite"
    library.close()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(b"not a database at all")
    library = Library.open(path, folders.books)
    assert library.find(book.paths, "f") == Found(store_path(folders, book))
    assert [(recent.pages, recent.proofread) for recent in library.recent(9)] == [(2, 1)]
    assert (folders.books / "broken.sqlite").read_bytes() == b"not a database"
    assert len(list(folders.data.glob("library.sqlite.damaged-*"))) == (how == "damaged")
    library.close()


def test_a_library_of_a_newer_version_is_left_alone(library, folders):
    path = folders.data / "library.sqlite"
    library._db.execute("PRAGMA user_version = 99")
    library.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Library.open(path, folders.books)
    assert caught.value.code == "store_newer"
    assert path.read_bytes() == before


def test_two_programs_use_the_library_at_once(library, folders, tmp_path):
    book, other = kept_book(folders, tmp_path / "a.pdf"), kept_book(folders, tmp_path / "b.pdf")
    second = Library.open(folders.data / "library.sqlite", folders.books)
    library.remember(book, store_path(folders, book))
    second.remember(other, store_path(folders, other))
    assert len(library.recent(9)) == len(second.recent(9)) == 2
    second.close()


OPEN = """
import sys
from pathlib import Path
from app.store.library import Library
Library.open(Path(sys.argv[1]), Path(sys.argv[2])).close()
"""


def test_programs_that_start_at_once_make_one_library(folders, tmp_path):
    book = kept_book(folders, tmp_path / "a.pdf")
    command = [sys.executable, "-c", OPEN, str(folders.data / "library.sqlite"), str(folders.books)]
    programs = [subprocess.Popen(command) for _program in range(4)]
    assert [program.wait(timeout=60) for program in programs] == [0] * 4
    library = Library.open(folders.data / "library.sqlite", folders.books)
    assert library.find(book.paths, "f") == Found(store_path(folders, book))
    library.close()
