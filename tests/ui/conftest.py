"""The whole window for tests: built as the program builds it, with an engine that is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from qasync import QEventLoop

from app.places import places
from app.session import Session
from model.fake import FakeRecogniser
from tests.ui.windows import close
from ui.studio import Studio, build
from ui.theme import Theme


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
    palette, sheet = qapp.palette(), qapp.styleSheet()

    def make(**how) -> Studio:
        def session(where, post):
            return Session(where, post, load=lambda _choice: FakeRecogniser(**how))

        studio = build(places(), Theme(qapp, "light"), make_session=session)
        studio.window.show()
        made.append(studio)
        return studio

    yield make
    for studio in made:
        if studio.window.isVisible():
            close(studio)
        studio.window.deleteLater()
    qapp.setStyleSheet(sheet)  # or it would be in the way of palettes that later tests set
    qapp.setPalette(palette)
