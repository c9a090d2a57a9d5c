"""The report of a bug names the place and holds no page text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.crash_report import LOG_LINES, crash_report, hide_quotes, message_of, traceback_text
from app.errors import SourceError, StoreError

pytestmark = pytest.mark.unit

PAGE_TEXT = "Vnd der Herr ſprach zu Königsberg"


def raised(function) -> BaseException:
    try:
        function()
    except BaseException as error:  # noqa: BLE001 - every kind is tested
        return error
    raise AssertionError("nothing was raised")


def read_a_page() -> None:
    text = PAGE_TEXT
    words = {"one": 1}
    assert text
    words[text]


def test_locals_and_the_quoted_key_are_not_in_the_report():
    report = crash_report(raised(read_a_page), log_lines=[])
    assert "read_a_page" in report
    assert "KeyError" in report
    for word in PAGE_TEXT.split():
        assert word not in report.replace(report.split("Traceback")[0], "")


def test_names_from_the_source_stay_readable():
    session: Any = None
    text = traceback_text(raised(lambda: session.turn_to(3)))
    assert "'NoneType' object has no attribute 'turn_to'" in text


def test_causes_stand_before_what_they_caused():
    def fails() -> None:
        try:
            read_a_page()
        except KeyError as odd:
            raise StoreError("store_unwritable", detail=PAGE_TEXT, folder="x") from odd

    text = traceback_text(raised(fails))
    assert text.index("KeyError") < text.index("StoreError: store_unwritable")
    assert PAGE_TEXT not in text


def test_a_group_shows_each_of_its_errors():
    group = BaseExceptionGroup("two tasks", [ValueError("'a b'"), raised(read_a_page)])
    text = traceback_text(group)
    assert "ValueError: '…'" in text
    assert "KeyError: '…'" in text


def test_an_error_that_caused_itself_is_shown_once():
    error = ValueError("ring")
    error.__context__ = KeyError("x")
    error.__context__.__context__ = error
    assert traceback_text(error).count("ValueError") == 1


def test_known_errors_show_code_and_numbers_only():
    error = SourceError("page_timeout", page=12, seconds=60, detail=PAGE_TEXT)
    assert message_of(error) == "SourceError: page_timeout {'page': 12, 'seconds': 60}"


def test_errors_of_the_disk_show_no_file_name():
    error = raised(lambda: Path("/nowhere/Königsberg.pdf").read_bytes())
    assert message_of(error) == "FileNotFoundError: [Errno 2] No such file or directory"


def test_several_lines_of_a_message_are_cut_to_the_first():
    assert message_of(ValueError("odd\n" + PAGE_TEXT)) == "ValueError: odd"


@given(st.text(alphabet="abcſö 'Ä", min_size=2).filter(lambda text: text.strip("' ")))
def test_whatever_repr_quotes_is_hidden(text):
    shown = hide_quotes(f"cannot place {text!r} here")
    assert shown.startswith("cannot place ")
    assert text not in shown or text in "cannot place here '…'"


def test_only_the_end_of_the_log_is_added_and_home_is_not_named():
    lines = [f"line {n} in {Path.home()}/books" for n in range(LOG_LINES + 50)]
    report = crash_report(ValueError(), log_lines=lines, facts={"Engine": "line-reader"})
    assert "line 49 " not in report
    assert "line 50 in ~/books" in report
    assert "Engine: line-reader" in report
    for fact in ("Incunable: ", "Python: ", "System: ", "Cards: ", "PySide6-Essentials 6."):
        assert fact in report
