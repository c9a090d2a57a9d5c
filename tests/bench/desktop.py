"""The real window, offscreen, driven by a bench on its own event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop
from typing_extensions import override

from app.places import places
from app.session import Session
from model import api
from ui.studio import Studio, build, keep_lively
from ui.theme import Theme

Load = Callable[[api.EngineChoice], api.Recogniser]
PATIENCE_S = 60.0

T = TypeVar("T")


class Desktop(QObject):
    """Built by `run_on_desktop`; lives in the UI thread."""

    page_painted = Signal(int)  # a page's image stands on the screen

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.studio = studio
        self.session = studio.session
        self.window = studio.window
        self._desk = studio.window.image.desk
        self._awaits_paint = False
        self._desk.page_shown.connect(self._on_page_shown)
        self._desk.viewport().installEventFilter(self)

    async def open(self, path: Path) -> float:
        """Open a book as the menu does, and wait for its first page; how long that took."""
        begun_s = time.monotonic()
        self.studio.opening.open([path])
        await self.until_painted(None)
        return time.monotonic() - begun_s

    async def turn_to(self, page: int) -> float:
        """Turn to a page and wait until it is seen; how long that took."""
        if self._desk.page == page:
            return 0.0
        begun_s = time.monotonic()
        self.studio.orders.turn_to(page)
        await self.until_painted(page)
        return time.monotonic() - begun_s

    async def until_painted(self, page: int | None) -> None:
        """Wait until a page is on the screen, any page for None."""
        painted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def on_painted(which: int) -> None:
            if page in (None, which) and not painted.done():
                painted.set_result(None)

        self.page_painted.connect(on_painted)
        try:
            await asyncio.wait_for(painted, PATIENCE_S)
        finally:
            self.page_painted.disconnect(on_painted)

    async def close_questions(self) -> None:
        """Leave every dialog, as one does with Escape."""
        await asyncio.sleep(0.1)
        while (dialog := QApplication.activeModalWidget()) is not None:
            dialog.close()
            await asyncio.sleep(0.05)
        self.window.activateWindow()  # there is no window manager to do it
        await until(self.window.isActiveWindow)

    def press(self, command_id: str) -> None:
        """Press the key of a command."""
        QTest.keySequence(self.window, self.window.commands[command_id].shortcut())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._awaits_paint:
            self._awaits_paint = False
            QTimer.singleShot(0, self._tell_painted)
        return False

    def _on_page_shown(self, _page: int) -> None:
        self._awaits_paint = True

    def _tell_painted(self) -> None:
        if self._desk.page is not None:
            self.page_painted.emit(self._desk.page)


async def until(is_so: Callable[[], bool], *, within_s: float = PATIENCE_S) -> None:
    """Look every few milliseconds until it is so."""
    ends_s = time.monotonic() + within_s
    while not is_so():  # noqa: ASYNC110 - what is waited for has no event of its own
        if time.monotonic() > ends_s:
            raise TimeoutError
        await asyncio.sleep(0.005)


def run_on_desktop(scenario: Callable[[Desktop], Awaitable[T]], *, load: Load = api.load) -> T:
    """Build the window as the program does, show it, and run a scenario on its loop."""
    application = QApplication([])
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)

    def make_session(where, post) -> Session:
        return Session(where, post, load=load)

    studio = build(places(), Theme(application, "light"), make_session=make_session)
    studio.window.show()
    keep_lively()

    async def whole() -> T:
        await asyncio.sleep(0.3)  # the window is drawn
        return await scenario(Desktop(studio))

    try:
        with loop:
            return loop.run_until_complete(whole())
    finally:
        studio.window.leave()
        studio.close()
