from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import resources
from app import commands
from app.accuracy import score
from tests.app.books import make_scan
from tests.app.desk import Desk

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.unit


@pytest.fixture
def scan(tmp_path):
    return make_scan(tmp_path / "scan", 4, blank=(2,))


def run(*arguments: object) -> int:
    return commands.main([str(argument) for argument in arguments])


def read(scan, *more: object) -> int:
    return run("read", scan, "--engine", "fake", *more)


def in_a_process(*arguments: object, **how) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ui.main", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def test_read_writes_every_format_asked_for_and_says_how_the_pages_stand(scan, tmp_path, capsys):
    markdown, docx = tmp_path / "out.md", tmp_path / "out.docx"
    assert read(scan, "-o", markdown, "-o", docx) == commands.Exit.DONE
    said = capsys.readouterr()
    assert said.out.split() == [str(markdown), str(docx)]
    assert "4 pages: 3 read, 1 blank" in said.err
    assert "leaf 4." in " ".join(markdown.read_text(encoding="utf-8").split())
    assert docx.stat().st_size > 5000


def test_reading_again_without_an_order_does_nothing_and_says_so(scan, capsys):
    assert read(scan) == commands.Exit.DONE
    capsys.readouterr()
    assert read(scan) == commands.Exit.DONE
    assert "--again" in capsys.readouterr().err


def test_some_pages_only(scan, tmp_path):
    out = tmp_path / "out.md"
    assert read(scan, "--pages", "2", "-o", out) == commands.Exit.DONE
    text = " ".join(out.read_text(encoding="utf-8").split())
    assert "leaf 1." in text  # the first page that the script was given
    assert "leaf 2." not in text


def test_an_existing_file_is_refused_before_anything_is_read(scan, tmp_path, capsys):
    out = tmp_path / "out.md"
    out.write_text("mine")
    assert read(scan, "-o", out) == commands.Exit.ERROR
    assert "already there" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert read(scan, "-o", out, "--replace") == commands.Exit.DONE
    assert out.read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--pages", "9"], commands.Exit.USAGE, "1 to 4"),
        (["-o", "out.xyz"], commands.Exit.ERROR, ".docx"),
        (["--engine", "unlimited-ocr"], commands.Exit.ERROR, "checkpoint"),
        (["--model", "nowhere", "--engine", "unlimited-ocr"], commands.Exit.ERROR, "nowhere"),
    ],
)
def test_orders_that_make_no_sense_are_refused_in_words(scan, capsys, arguments, code, said):
    assert read(scan, *arguments) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["missing.pdf", "empty.pdf", "notes.txt"])
def test_what_cannot_be_opened_is_told_in_three_sentences(tmp_path, capsys, name):
    path = tmp_path / name
    if name != "missing.pdf":
        path.write_text("")
    assert run("read", path) == commands.Exit.ERROR
    said = capsys.readouterr().err
    assert name in said
    assert said.count(".") >= 3


def test_a_failed_page_makes_an_exit_code_of_its_own(scan, capsys):
    (scan / "p2.png").write_bytes(b"not an image")
    assert read(scan) == commands.Exit.PAGES_FAILED
    assert "page 2: failed" in capsys.readouterr().err


def test_details_are_kept_and_stand_in_the_export(scan, tmp_path, capsys):
    assert run("details", scan, "--title", "Vom Lesen", "--author", "N. N.") == 0
    assert run("details", scan, "--year", "1796") == 0
    shown = capsys.readouterr().out
    assert "Vom Lesen" in shown.rpartition("title")[2]
    assert "1796" in shown
    read(scan)
    out = tmp_path / "out.md"
    assert run("export", scan, "-o", out) == commands.Exit.DONE
    text = out.read_text(encoding="utf-8")
    assert "Vom Lesen" in text
    assert "1796" in text


def test_an_export_of_a_book_that_was_never_read_says_so(scan, tmp_path, capsys):
    assert run("export", scan, "-o", tmp_path / "out.md") == commands.Exit.ERROR
    assert "read" in capsys.readouterr().err
    assert not (tmp_path / "out.md").exists()


@pytest.mark.parametrize("name", ["alto", "page", "hocr"])
def test_a_folder_of_page_files_is_written_where_its_format_is_named(scan, tmp_path, name):
    read(scan)
    assert run("export", scan, "-o", tmp_path / "out", "--format", name) == 0
    assert len(list((tmp_path / "out").iterdir())) == 4 + 1


def test_a_searchable_pdf_is_written_from_the_scan(scan, tmp_path):
    read(scan)
    assert run("export", scan, "-o", tmp_path / "out.pdf", "--pages", "1-2") == 0
    assert run("export", scan, "-o", tmp_path / "a.pdf", "--pages", "1", "--format", "pdfa") == 0
    assert b"pdfaid:part" in (tmp_path / "a.pdf").read_bytes()
    assert b"pdfaid:part" not in (tmp_path / "out.pdf").read_bytes()


def test_accuracy_is_measured_against_the_true_text(scan, capsys):
    for number in (1, 2):
        truth = "OF THE COPYING OF BOOKS" if number == 1 else ""
        (scan / f"p{number}.gt.txt").write_text(truth)
    assert run("measure", "accuracy", scan, "--engine", "fake", "--json") == 0
    (result, *_tesseract) = json.loads(capsys.readouterr().out)
    assert [page["page"] for page in result["pages"]] == ["p1", "p2"]
    assert result["pooled"]["cer_loose"] > 0


def test_a_folder_without_true_texts_cannot_be_measured(scan, capsys):
    assert run("measure", "accuracy", scan, "--engine", "fake") == commands.Exit.ERROR
    assert ".gt.txt" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_keeps_what_was_read_and_has_its_own_exit_code(tmp_path, own_home):
    scan = make_scan(tmp_path / "long", 3000, size=(40, 60))
    child = in_a_process("read", scan, "--engine", "fake")
    deadline_s = time.monotonic() + 30
    while not list(own_home.glob("data/books/*.sqlite")) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert child.returncode == commands.Exit.INTERRUPTED, said
    assert "kept" in said


def test_the_command_line_imports_no_qt(scan):
    code = (
        "import sys; from app import commands;"
        f"commands.main(['read', {str(scan)!r}, '--engine', 'fake']);"
        "sys.exit('PySide6' in sys.modules or 'torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.slow
def test_the_sample_book_is_read_with_under_one_percent_of_letters_wrong(tmp_path, own_home):
    out = tmp_path / "sample.md"
    book = resources.path("sample/book.pdf")
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    child = in_a_process("read", book, "--engine", "line-reader", "-o", out, env=environment)
    _, said = child.communicate(timeout=600)
    assert child.returncode == 0, said
    with Desk() as desk:
        desk.open(book)
        texts = []
        for number in range(len(desk.book.pages)):
            desk.session.turn_to(number)
            desk.settle()
            reading = desk.session.reading(number)
            texts.append(reading.text if reading else "")
    truth = resources.path("sample/book.gt.txt").read_text(encoding="utf-8")
    assert score("\n".join(texts), truth.replace("\f", "\n")).loose.rate < 0.01
    assert out.stat().st_size > 5000


@pytest.mark.parametrize("detail", [("--rounds", "two"), ("--rounds", "0"), ("--direction", "up")])
def test_details_that_no_book_can_have_are_refused(scan, detail, capsys):
    with pytest.raises(SystemExit) as ended:
        run("details", scan, *detail)
    assert ended.value.code == commands.Exit.USAGE
    assert run("details", scan, "--rounds", "2", "--direction", "rtl") == 0
    assert "rounds     2" in capsys.readouterr().out


def test_help_names_the_engines_of_a_person_and_a_wrong_one_is_told(scan, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")  # no line is broken
    for words in (("read", "--help"), ("read", scan, "--engine", "quill")):
        with pytest.raises(SystemExit):
            run(*words)
        said = " ".join("".join(capsys.readouterr()).split())
        assert "line-reader, reader, unlimited-ocr" in said
        assert "fake" not in said


def test_a_refusal_on_the_command_line_names_the_option_that_helps(scan, tmp_path, capsys):
    (tmp_path / "out.md").write_text("mine")
    assert read(scan, "-o", tmp_path / "out.md") == commands.Exit.ERROR
    assert run("read", scan, "--engine", "unlimited-ocr") == commands.Exit.ERROR
    said = capsys.readouterr().err
    assert "--replace" in said
    assert "--model" in said
    assert "  " not in said
