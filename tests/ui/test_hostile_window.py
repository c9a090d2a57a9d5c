"""The window under bad luck: closed at odd moments, full disks, scans and data that go away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.places import places
from app.session import Session
from model.fake import FakeRecogniser
from tests.app.books import make_scan
from ui.studio import Studio, build
from ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def loop(qapp) -> Iterator[QEventLoop]:
    loop = QEventLoop(qapp, already_running=True)
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)


@pytest.fixture
def make_studio(qapp, qtbot, loop) -> Iterator[Callable[..., Studio]]:
    """Builds windows as the program does, with the scripted engine; closes them at the end."""
    made: list[Studio] = []

    def make(**how) -> Studio:
        def session(where, post):
            return Session(where, post, load=lambda _choice: FakeRecogniser(**how))

        studio = build(places(), Theme(qapp, "light"), make_session=session)
        studio.window.show()
        made.append(studio)
        return studio

    yield make
    for studio in made:
        studio.window.leave()
        studio.close()
        studio.window.deleteLater()


@pytest.fixture
def studio(make_studio) -> Studio:
    return make_studio()


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
