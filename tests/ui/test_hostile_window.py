"""The window under bad luck: closed at odd moments, full disks, scans and data that go away."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from qasync import QEventLoop

from app.places import places
from app.session import Session
from model.fake import FakeRecogniser
from tests.app.books import make_scan
from tests.app.desk import Desk
from ui.details_dialog import DetailsDialog
from ui.export_dialog import ExportDialog
from ui.studio import Studio, build
from ui.theme import Theme

pytestmark = pytest.mark.ui

Dialog = TypeVar("Dialog", bound=QDialog)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def loop(qapp) -> Iterator[QEventLoop]:
    loop = QEventLoop(qapp, already_running=True)
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)


class Studios:
    """Builds windows as the program does, with the scripted engine; closes each once."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._open: list[Studio] = []

    def make(self, **how) -> Studio:
        def session(where, post):
            return Session(where, post, load=lambda _choice: FakeRecogniser(**how))

        studio = build(places(), self._theme, make_session=session)
        studio.window.show()
        self._open.append(studio)
        return studio

    def close(self, studio: Studio) -> None:
        self._open.remove(studio)
        studio.window.leave()
        studio.close()
        studio.window.deleteLater()

    def close_all(self) -> None:
        for studio in list(self._open):
            self.close(studio)


@pytest.fixture
def studios(qapp, qtbot, loop) -> Iterator[Studios]:
    studios = Studios(Theme(qapp, "light"))
    yield studios
    studios.close_all()


@pytest.fixture
def studio(studios) -> Studio:
    return studios.make()


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 3)


def open_book(qtbot, studio: Studio, path: Path) -> None:
    studio.opening.open([path], starts_reading=True)
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    qtbot.waitUntil(lambda: studio.session.runs.run is None, timeout=20_000)


def test_one_order_to_quit_is_enough(qtbot, studio):
    studio.window.commands["quit"].trigger()
    qtbot.waitUntil(lambda: not studio.window.isVisible(), timeout=2_000)


def test_a_new_window_is_no_larger_than_the_screen(studio):
    room = QApplication.primaryScreen().availableSize()
    assert studio.window.width() <= room.width()
    assert studio.window.height() <= room.height()


def test_a_book_without_a_title_is_known_by_its_name_on_the_card(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    studio.window.commands["close"].trigger()
    qtbot.waitUntil(lambda: bool(studio.window.start.cards), timeout=5_000)
    (card,) = studio.window.start.cards.values()
    assert "scan" in card.accessibleName()


# --- text that cannot be saved ------------------------------------------------------------------


@contextmanager
def full_disk(studio: Studio) -> Iterator[None]:
    """The book's database may not grow any more, as when the disk is full."""
    assert studio.session.shown is not None
    store = studio.session.shown.store

    def allow(pages: int) -> None:
        studio.session._workers.store.submit(
            lambda: store._db.execute(f"PRAGMA max_page_count = {pages}")
        ).result()

    allow(1)  # SQLite takes it as "no more than there are"
    yield
    allow(1 << 30)


def question(qtbot) -> QMessageBox:
    def found():
        return [
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, QMessageBox) and each.isVisible()
        ]

    qtbot.waitUntil(lambda: len(found()) == 1, timeout=5_000)
    return found()[0]


def press(box: QMessageBox, words: str) -> None:
    (button,) = [each for each in box.buttons() if each.text() == words]
    button.click()


def type_much(studio: Studio) -> None:
    """Type more than fits, and give no time to save it."""
    studio.window.text.set_cursor(2, 0)
    studio.window.text.editor.insertPlainText("Nota bene " * 4000)


def test_what_cannot_be_saved_is_not_lost_by_quitting(qtbot, studios, studio, scan):
    open_book(qtbot, studio, scan)
    with full_disk(studio):
        type_much(studio)
        studio.window.commands["quit"].trigger()
        asked = question(qtbot)
        assert "disk is full" in asked.informativeText()
        press(asked, "Stay")
        assert studio.window.isVisible()
        studio.window.close()
        press(question(qtbot), "Save again and quit")
        asked = question(qtbot)
    press(asked, "Save again and quit")
    qtbot.waitUntil(lambda: not studio.window.isVisible(), timeout=5_000)
    studios.close(studio)
    again = studios.make()
    again.opening.open([scan])
    text = again.window.text.editor
    qtbot.waitUntil(lambda: "Nota bene" in text.toPlainText(), timeout=10_000)


def test_what_cannot_be_saved_can_be_given_up(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    with full_disk(studio):
        type_much(studio)
        studio.window.close()
        press(question(qtbot), "Quit without it")
        qtbot.waitUntil(lambda: not studio.window.isVisible(), timeout=5_000)


# --- dialogs ------------------------------------------------------------------------------------


def shown(qtbot, kind: type[Dialog]) -> list[Dialog]:
    qtbot.wait(50)
    tops = QApplication.topLevelWidgets()
    return [each for each in tops if isinstance(each, kind) and each.isVisible()]


def test_details_asked_for_one_book_are_not_written_into_the_next(qtbot, studio, scan, tmp_path):
    other = make_scan(tmp_path / "other", 1)
    studio.opening.open([scan])
    qtbot.waitUntil(lambda: bool(shown(qtbot, DetailsDialog)), timeout=10_000)
    studio.opening.open([other])
    qtbot.waitUntil(lambda: studio.session.book.paths == (other,), timeout=10_000)
    (asked,) = shown(qtbot, DetailsDialog)
    asked.lines["title"].setText("The other")
    asked.save.click()
    qtbot.waitUntil(lambda: studio.session.book.details.title == "The other", timeout=5_000)
    studio.opening.open([scan])
    qtbot.waitUntil(lambda: studio.session.book.paths == (scan,), timeout=10_000)
    assert studio.session.book.details.title == ""
    assert shown(qtbot, DetailsDialog)  # asked once more, for it was never answered


def test_a_transcript_with_an_impossible_name_is_refused_while_it_is_typed(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    studio.window.commands["export"].trigger()
    (asked,) = shown(qtbot, ExportDialog)
    with qtbot.capture_exceptions() as faults:
        for name in ("a" * 300, "/" + "b/" * 3000, f"{scan}/p1.png/x.md"):
            asked.form.path.setText(name)
    assert not faults
    asked.reject()


# --- signals ------------------------------------------------------------------------------------

TYPIST = """
import signal
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from model.fake import FakeRecogniser
from app.session import Session
from ui import studio as window

for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(ending, signal.SIG_DFL)  # a shell in the background hands them on as ignored

begin = window._begin

def begin_and_type(studio, paths, *, starts_reading):
    begin(studio, paths, starts_reading=True)
    clock = QTimer(studio.window, interval=50)
    def type_when_read():
        text = studio.window.text
        if studio.session.book and not studio.session.runs.run and text.editor.toPlainText():
            clock.stop()
            text.set_cursor(2, 0)
            text.editor.insertPlainText("Nota bene ")
            print("typed", flush=True)
    clock.timeout.connect(type_when_read)
    clock.start()

window._begin = begin_and_type
build = window.build
window.build = lambda where, theme: build(
    where, theme, make_session=lambda *how: Session(*how, load=lambda _choice: FakeRecogniser())
)
sys.exit(window.run_window([Path(sys.argv[1])]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
@pytest.mark.parametrize(
    "ending",
    [
        "SIGTERM",
        pytest.param("SIGINT", marks=pytest.mark.slow),
        pytest.param("SIGHUP", marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_the_window_and_what_was_just_typed_is_saved(tmp_path, ending):
    scan = make_scan(tmp_path / "scan", 1)
    child = subprocess.Popen(
        [sys.executable, "-c", TYPIST, str(scan)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "typed\n"
        children = psutil.Process(child.pid).children()
        child.send_signal(getattr(signal, ending))
        try:
            assert child.wait(20) == 0
        finally:
            child.kill()  # one that asks a question would wait for ever
    _, alive = psutil.wait_procs(children, 5)
    assert not alive
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        assert desk.reading(0).regions[2].text.startswith("Nota bene ")
