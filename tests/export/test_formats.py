"""An export is complete or is not there, never half, and never over another file unasked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.book import PageState
from app.errors import ExportError
from app.export import formats
from app.export.blocks import Block, Heading, Paragraph
from app.export.document import Document, ExportOptions
from app.export.formats import FLOWING, FORMATS, ExportReport, Format, PageFormat, export
from model.api import Kind, Stop
from tests.export.samples import TABLE, Leaves, book, leaf, small_book, text

pytestmark = pytest.mark.unit

EVERY = pytest.mark.parametrize("kind", FLOWING.values(), ids=FLOWING)


def write(
    path: Path, kind: Format | PageFormat, leaves: Leaves | None = None, **more
) -> ExportReport | None:
    leaves = small_book() if leaves is None else leaves
    order = {
        "options": ExportOptions(),
        "progress": lambda _done, _all: None,
        "stop": Stop(),
        "replace": False,
        **more,
    }
    return export(book(leaves), lambda: iter(leaves), path, format=kind, **order)


def only(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name != "home")


@EVERY
@pytest.mark.parametrize("marks", ["marks", "breaks", "none"])
@pytest.mark.parametrize("furniture", [True, False])
def test_all_pages_and_words_are_found_again(tmp_path, kind, marks, furniture):
    options = ExportOptions(page_marks=marks, running_heads=furniture, doubts_as_comments=True)
    report = write(tmp_path / "book", kind, options=options)
    assert report
    assert report.pages == 12
    assert report.words > 150
    assert report.provenance.states[PageState.FAILED] == 1
    assert only(tmp_path) == ["book"]


@EVERY
def test_progress_is_told_page_by_page(tmp_path, kind):
    told = []
    write(tmp_path / "book", kind, progress=lambda done, pages: told.append((done, pages)))
    assert [done for done, _pages in told] == sorted(done for done, _pages in told)
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)


@EVERY
@pytest.mark.parametrize("after", [0, 5, 12])
def test_a_stopped_export_leaves_nothing(tmp_path, kind, after):
    stop = Stop()

    def progress(done: int, _pages: int) -> None:
        if done >= after:
            stop.ask()

    assert write(tmp_path / "book", kind, progress=progress, stop=stop) is None
    assert only(tmp_path) == []


def test_a_stop_before_the_first_page_leaves_nothing(tmp_path):
    stop = Stop()
    stop.ask()
    assert write(tmp_path / "book.md", FORMATS["markdown"], stop=stop) is None
    assert only(tmp_path) == []


@EVERY
def test_an_existing_file_is_replaced_only_if_asked(tmp_path, kind):
    path = tmp_path / "book"
    path.write_text("mine")
    with pytest.raises(ExportError) as refused:
        write(path, kind)
    assert refused.value.code == "export_exists"
    assert path.read_text() == "mine"
    assert write(path, kind, replace=True)
    assert path.read_bytes() != b"mine"
    assert only(tmp_path) == ["book"]


def test_a_file_that_comes_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "book.md"

    def progress(done: int, pages: int) -> None:
        if done == pages:
            path.write_text("mine")

    with pytest.raises(ExportError) as refused:
        write(path, FORMATS["markdown"], progress=progress)
    assert refused.value.code == "export_exists"
    assert path.read_text() == "mine"
    assert only(tmp_path) == ["book.md"]


def test_the_link_of_a_replaced_file_stays_a_link(tmp_path):
    there, link = tmp_path / "there.md", tmp_path / "link.md"
    there.write_text("old")
    link.symlink_to(there)
    assert write(link, FORMATS["markdown"], replace=True)
    assert link.is_symlink()
    assert "scan 12" in there.read_text("utf-8")


@EVERY
@pytest.mark.parametrize("parent", ["missing", "a file"])
def test_a_folder_that_cannot_be_written_is_said(tmp_path, kind, parent):
    (tmp_path / "a file").write_text("x")
    with pytest.raises(ExportError) as refused:
        write(tmp_path / parent / "book", kind)
    assert refused.value.code == "export_unwritable"
    assert "book" in str(refused.value)
    assert only(tmp_path) == ["a file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(ExportError) as refused:
        write(locked / "book.md", FORMATS["markdown"])
    assert refused.value.code == "export_unwritable"


def test_a_folder_in_place_of_the_file_is_said(tmp_path):
    (tmp_path / "book.md").mkdir()
    with pytest.raises(ExportError) as refused:
        write(tmp_path / "book.md", FORMATS["markdown"], replace=True)
    assert refused.value.code == "export_unwritable"
    assert only(tmp_path) == ["book.md"]


FULL_DISK = """
import resource, sys
from pathlib import Path
from app.errors import ExportError
from app.export.formats import FORMATS
from tests.export.test_formats import write
from tests.export.samples import leaf, text
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
leaves = [leaf(n, text(*(f"line {n} of {k}" for k in range(100)))) for n in range(40)]
try:
    write(Path(sys.argv[1]), FORMATS[sys.argv[2]], leaves)
except ExportError as error:
    print(error.code)
"""


@pytest.mark.parametrize("name", FLOWING)
def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, name):
    """A limit on the size of files stands for a full disk: the write fails in the same place."""
    order = [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path / "book"), name]
    root = Path(__file__).parents[2]
    child = subprocess.run(order, cwd=root, capture_output=True, text=True, check=False)
    assert (child.stdout, child.stderr) == ("export_unwritable\n", "")
    assert only(tmp_path) == []


def test_nothing_read_is_nothing_to_export(tmp_path):
    unread = [leaf(0, state=PageState.UNREAD), leaf(1, state=PageState.FAILED)]
    for leaves, options in ((unread, ExportOptions()), (small_book(), ExportOptions(pages=(5,)))):
        with pytest.raises(ExportError) as refused:
            write(tmp_path / "book.md", FORMATS["markdown"], leaves, options=options)
        assert refused.value.code == "export_nothing"
    assert only(tmp_path) == []


def test_a_page_that_does_not_come_is_noticed(tmp_path):
    leaves = small_book()
    with pytest.raises(ExportError) as refused:
        export(
            book(leaves),
            lambda: (pair for pair in leaves if pair[0].number != 3),
            tmp_path / "book.md",
            format=FORMATS["markdown"],
            options=ExportOptions(),
            progress=lambda _done, _all: None,
            stop=Stop(),
            replace=False,
        )
    assert refused.value.code == "export_differs"


def losing(lost: type[Block]):
    """The Markdown writer, but it loses one kind of block."""

    def lossy(document: Document, path: Path) -> None:
        kept = (block for block in document.blocks() if not isinstance(block, lost))
        FLOWING["markdown"].write(formats.replace(document, stream=lambda: kept), path)

    return Format("lossy", ".md", lossy, FORMATS["markdown"].read_back)


@pytest.mark.parametrize("lost", [Heading, Paragraph])
def test_a_writer_that_loses_words_is_found_out(tmp_path, lost):
    with pytest.raises(ExportError) as refused:
        write(tmp_path / "book.md", losing(lost))
    assert refused.value.code == "export_differs"
    assert only(tmp_path) == []


def test_the_file_may_be_read_by_those_who_may_read_others(tmp_path):
    (tmp_path / "other").write_text("x")
    write(tmp_path / "book.md", FORMATS["markdown"])
    assert (tmp_path / "book.md").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_only_the_chosen_pages_are_written_and_counted(tmp_path):
    options = ExportOptions(pages=(0, 2, 8))
    report = write(tmp_path / "book.md", FORMATS["markdown"], options=options)
    assert report
    assert report.pages == 3
    assert report.provenance.book_pages == 12
    shown = (tmp_path / "book.md").read_text("utf-8")
    assert [f"scan {n}\\]" in shown for n in (1, 2, 3, 9)] == [True, False, True, True]


@EVERY
def test_awkward_words_are_found_again(tmp_path, kind):
    awkward = text(
        "a*b*c _d_ \\e <f>g</f> h|i j&amp;k [l] 12*3 \u05d0\u05d1 天地 𝔘𝔫 é\u0301 a\u00adb"
    )
    tables = text(kind=Kind.TABLE, rows=TABLE)
    assert write(tmp_path / "book", kind, [leaf(0, awkward, tables)])
