"""A book that takes the program with it is not opened a second time without asking."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.opening_mark import MARK_NAME
from app.places import places
from model.api import Engine
from tests.app.books import make_scan
from ui.studio import Studio

pytestmark = pytest.mark.ui

ROOT = Path(__file__).parents[2]


@pytest.fixture
def studio(make_studio) -> Studio:
    return make_studio()


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return make_scan(tmp_path / "scan", 2)


def mark() -> Path:
    return places().data / MARK_NAME


def question(qtbot) -> QMessageBox:
    def found() -> list[QMessageBox]:
        boxes = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]
        return [box for box in boxes if box.isVisible()]

    qtbot.waitUntil(lambda: bool(found()), timeout=5_000)
    return found()[0]


def press(qtbot, box: QMessageBox, text: str) -> None:
    (button,) = [b for b in box.findChildren(QPushButton) if b.text().replace("&", "") == text]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def crash_while_opening(scan: Path) -> None:
    """Run the program itself on a book and kill it while the opening is marked."""
    program = subprocess.Popen(
        [sys.executable, "-m", "ui.main", str(scan)], cwd=ROOT, env=os.environ
    )
    try:
        until_s = time.monotonic() + 30
        while not mark().exists() and time.monotonic() < until_s:
            time.sleep(0.01)
    finally:
        program.kill()
        program.wait()


def test_after_a_crash_at_an_opening_the_second_start_asks(scan, qtbot, make_studio):
    crash_while_opening(scan)
    assert mark().exists()
    studio, begun = make_studio(), []
    studio.safe.begin(lambda: begun.append(True))
    box = question(qtbot)
    assert "scan" in box.text()
    press(qtbot, box, "Start in safe mode")
    assert begun == []
    assert studio.session.runs.settings.engine is Engine.LINE_READER
    assert studio.session.settings.engine is None  # nothing of it is kept
    assert studio.window.windowTitle().endswith("(safe mode)")
    assert not mark().exists()


def test_the_usual_start_is_one_key_away(scan, qtbot, studio):
    mark().write_text('["/books/a.pdf"]')
    begun: list[bool] = []
    studio.safe.begin(lambda: begun.append(True))
    press(qtbot, question(qtbot), "Start as usual")
    assert begun == [True]
    assert "safe mode" not in studio.window.windowTitle()


@pytest.mark.parametrize("text", ["", "[", '{"a": 1}'])
def test_a_mark_that_makes_no_sense_keeps_nobody_from_working(qtbot, studio, text):
    mark().write_text(text)
    begun: list[bool] = []
    studio.safe.begin(lambda: begun.append(True))
    if not begun:
        press(qtbot, question(qtbot), "Start as usual")
    assert begun == [True]


def test_the_mark_goes_when_the_book_stands_or_is_refused(scan, qtbot, studio, tmp_path):
    studio.opening.open([tmp_path / "not there.pdf"])
    qtbot.waitUntil(lambda: studio.session.openings.failed is not None, timeout=5_000)
    assert not mark().exists()
    studio.opening.open([scan])
    qtbot.waitUntil(mark().exists, timeout=5_000)
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    qtbot.waitUntil(lambda: not mark().exists(), timeout=6_000)


def test_an_orderly_end_takes_the_mark_away(scan, qtbot, studio):
    studio.opening.open([scan])
    qtbot.waitUntil(mark().exists, timeout=5_000)
    studio.safe.end()
    assert not mark().exists()
