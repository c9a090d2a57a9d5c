"""The audit log: every way to change a book leaves a row, and no row can be changed."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.answers import CorrectionStored, Done, ExportEnded, PagesStored, Refused
from app.commands import main
from app.exporting import ExportOrder
from app.store.database import BookStore
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return make_scan(tmp_path / "scan", 2)


def log_of(path: Path) -> list[list[str]]:
    """What, page, person and detail of every row."""
    with BookStore.open(path, read_only=True) as store:
        return [row[1:] for row in csv.reader(store.audit_log().splitlines())][1:]


def work(scan: Path, tmp_path: Path) -> Path:
    """Read, correct, accept, take that back, revert and export; the database."""
    with Desk() as desk:
        session = desk.session
        session.set_settings(replace(session.settings, person="A. Reader"))
        desk.open(scan)
        desk.read()
        machine = desk.reading(0).id
        session.proofs.correct(0, 0, "Typed by hand")
        desk.wait_for(CorrectionStored)
        session.proofs.accept((0,))
        desk.wait_for(PagesStored)
        session.proofs.unaccept((0,))
        desk.wait_for(PagesStored)
        session.proofs.revert(0, machine)
        desk.wait_for(PagesStored)
        session.exports.begin(ExportOrder(tmp_path / "out.md", "markdown"))
        desk.wait_for(ExportEnded)
        desk.wait_for(Done, when=lambda done: done.order == "note")
        return desk.store.path


def test_everything_done_to_a_book_stands_in_its_log(scan: Path, tmp_path: Path):
    path = work(scan, tmp_path)
    rows = log_of(path)
    assert [row[:3] for row in rows] == [
        ["opened", "", "A. Reader"],
        ["read", "1", ""],
        ["read", "2", ""],
        ["corrected", "1", "A. Reader"],
        ["accepted", "1", "A. Reader"],
        ["acceptance taken back", "1", "A. Reader"],
        ["earlier reading taken", "1", ""],
        ["exported", "", "A. Reader"],
    ]
    assert '"engine":"fake"' in rows[1][3].replace(" ", "")
    assert rows[-1][3] == "out.md, 2 pages"


def test_no_row_can_be_changed_or_removed(scan: Path, tmp_path: Path):
    path = work(scan, tmp_path)
    before = log_of(path)
    with closing(sqlite3.connect(path)) as db:
        for statement in ("UPDATE audit SET person = 'B'", "DELETE FROM audit WHERE id = 1"):
            with pytest.raises(sqlite3.IntegrityError, match="only added to"):
                db.execute(statement)
    assert log_of(path) == before


def test_the_log_leaves_as_a_table_and_replaces_nothing_unasked(scan: Path, tmp_path: Path):
    with Desk() as desk:
        desk.open(scan)
        desk.session.exports.save_log(tmp_path / "log.csv")
        desk.wait_for(Done, when=lambda done: done.order == "log")
        table = (tmp_path / "log.csv").read_text(encoding="utf-8")
        assert table.splitlines()[0] == "date,what,page,person,detail"
        desk.session.exports.save_log(tmp_path / "log.csv")
        desk.wait_for(Refused)
        assert desk.session.notices[-1].error.code == "export_exists"


def test_the_command_line_prints_it(scan: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["log", str(scan)]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert rows[0] == ["date", "what", "page", "person", "detail"]
