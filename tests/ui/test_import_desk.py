"""Import readings in the window: a folder is chosen, a question is asked where texts are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog, QPushButton

from app.book import PageState
from app.importing.taking import ImportReport
from app.imports import ImportEnded, ImportProgressed
from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.windows import close_question, open_with
from ui.studio import Studio

pytestmark = pytest.mark.ui


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    """Texts for the two pages of the scan, and one of no page."""
    scan = make_scan(tmp_path / "scan", 2)
    folder = tmp_path / "files"
    folder.mkdir()
    for path in scan.iterdir():
        (folder / f"{path.stem}.txt").write_text(f"What another read in {path.stem}.")
    (folder / "stray.txt").write_text("Of no page.")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_given: str(folder))
    return folder


def said(studio: Studio) -> list[str]:
    return [notice.error.code for notice in studio.session.notices]


def answer(qtbot, studio: Studio, words: str) -> None:
    box = studio.window.findChild(QMessageBox)
    assert box is not None
    button = next(each for each in box.findChildren(QPushButton) if words in each.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("words", "shown"), [("Keep", "ours"), ("instead", "another")])
def test_a_person_says_which_text_is_shown(make_studio, qtbot, tmp_path, files, words, shown):
    studio = make_studio()
    open_with(qtbot, studio, tmp_path / "scan", [machine("ours")])
    studio.window.commands["import_readings"].trigger()
    answer(qtbot, studio, words)
    qtbot.waitUntil(lambda: said(studio) == ["import_ended_in_part"], timeout=10_000)
    assert "stray.txt" in str(studio.session.notices[0].error)
    reading = studio.session.reading(0)
    assert reading is not None
    assert shown in reading.text
    assert studio.session.page_at(1).state is PageState.READ  # it had no text
    with studio.session.shown.store.reader() as reader:
        taken = reader.current(1)
    assert taken.source.imported_from == f"text files {files.name}"


def test_without_any_text_nothing_is_asked(make_studio, qtbot, tmp_path, files):
    studio = make_studio()
    studio.opening.open([tmp_path / "scan"])
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    close_question(qtbot)
    (files / "stray.txt").unlink()
    studio.window.commands["import_readings"].trigger()
    assert studio.window.findChild(QMessageBox) is None
    qtbot.waitUntil(lambda: said(studio) == ["import_ended"], timeout=10_000)
    qtbot.waitUntil(lambda: studio.session.reading(0) is not None, timeout=10_000)
    reading = studio.session.reading(0)
    assert reading is not None
    assert "another" in reading.text


def test_an_import_shows_how_far_it_is_and_can_be_stopped(make_studio, qtbot, tmp_path, files):
    studio = make_studio()
    open_with(qtbot, studio, tmp_path / "scan", [machine("ours")])
    studio.signals.tell(studio.session.apply(ImportProgressed(3, 9)))
    dialog = studio.window.findChild(QProgressDialog)
    assert dialog is not None
    assert (dialog.value(), dialog.maximum()) == (3, 9)
    qtbot.waitUntil(dialog.isVisible, timeout=5000)
    dialog.cancel()
    studio.signals.tell(studio.session.apply(ImportEnded(ImportReport(9, current=(0, 1, 2)))))
    assert said(studio) == ["import_ended"]
    qtbot.waitUntil(lambda: studio.window.findChild(QProgressDialog) is None, timeout=5000)
