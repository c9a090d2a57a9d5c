"""The log file, and what never stands in it."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.book import Reading, Region, Source
from app.crash_report import crash_report
from app.errors import EngineError
from app.events import Piece, Stage
from app.log import FILE_BYTES, FILES_KEPT, Log, last_lines
from model.api import Kind

pytestmark = pytest.mark.unit

log = logging.getLogger("app.test")
PAGE_TEXT = "Vnd der Herr ſprach"
READING = Reading((Region(Kind.TEXT, PAGE_TEXT),), Source("hand", datetime.now(UTC)))


@pytest.fixture
def log_file(tmp_path):
    opened = Log(tmp_path)
    yield opened.path
    opened.close()


def test_numbers_names_paths_and_codes_are_written(log_file):
    log.info("page %d %s %s %s", 12, Stage.READING, "line-reader", Path("/books/a b.pdf"))
    assert last_lines(log_file, 1)[0].endswith(
        "MainThread app.test: page 12 reading line-reader /books/a b.pdf"
    )


def test_no_form_of_page_text_is_written(log_file):
    log.info("read %s %s", PAGE_TEXT, READING)
    log.info("pieces %s", (Piece(0, 0, PAGE_TEXT),))
    log.info("named %(text)s", {"text": PAGE_TEXT})
    log.info("bytes %s", PAGE_TEXT.encode())
    log.info("failed: %s", EngineError("engine_failed", detail=PAGE_TEXT))
    log.info("failed: %s", KeyError(PAGE_TEXT))
    written = log_file.read_text()
    assert "ſprach" not in written
    assert "Herr" not in written
    assert "read <text, 19 letters> <Reading>" in written
    assert "failed: EngineError: engine_failed" in written


@pytest.mark.expects_warning
def test_a_logged_error_has_its_place_but_no_text(log_file):
    try:
        {}[PAGE_TEXT]
    except KeyError:
        log.exception("a page could not be kept")
    written = log_file.read_text()
    assert "a page could not be kept\nTraceback" in written
    assert "test_a_logged_error_has_its_place_but_no_text" in written
    assert "ſprach" not in written


def test_libraries_are_heard_from_warnings_on_and_their_quotes_hidden(log_file):
    logging.getLogger("rapidocr").info("recognised %s", PAGE_TEXT)
    logging.getLogger("rapidocr").warning("odd line '%s' here", PAGE_TEXT)
    assert [line.partition(": ")[2] for line in last_lines(log_file, 9)] == ["odd line '…' here"]
    assert "Herr" not in log_file.read_text()


def test_other_handlers_see_the_record_as_it_was(log_file, caplog):
    log.info("read %s", "two words")
    assert caplog.messages == ["read two words"]


def test_the_file_is_rotated_and_bounded(tmp_path):
    opened = Log(tmp_path)
    for _ in range(60):
        log.info("a" * 100_000)
    opened.close()
    files = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("incunable"))
    assert len(files) == FILES_KEPT + 1
    assert sum((tmp_path / name).stat().st_size for name in files) <= (FILES_KEPT + 1) * FILE_BYTES


def test_after_closing_nothing_is_written(tmp_path):
    opened = Log(tmp_path)
    opened.close()
    log.info("late")
    assert opened.path.read_text() == ""


def test_a_missing_log_has_no_lines(tmp_path):
    assert last_lines(tmp_path / "none.log", 5) == []


def test_the_log_can_stand_in_a_crash_report(log_file):
    log.info("opened %s", PAGE_TEXT)
    report = crash_report(ValueError(), log_lines=last_lines(log_file, 200))
    assert "opened <text" in report
    assert PAGE_TEXT not in report
