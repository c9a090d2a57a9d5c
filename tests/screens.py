"""Pictures of the real window on the sample book, truly read by the line reader.

`python -m tests.screens [FOLDER]` (build/screens by default): each screen light and dark, 1280x720
and 2560x1440, and at 200 % font. They are made to be looked at, not compared.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog
from qasync import QEventLoop

import resources
from app.opening_mark import OpeningMark
from app.places import places
from app.settings import Settings, save_settings
from tests import sitting
from ui.studio import Studio, build
from ui.theme import Mode, Theme

SIZES = {"1280": QSize(1280, 720), "2560": QSize(2560, 1440)}
SAMPLE = resources.path("sample/book.pdf")
SHOWN_PAGE = 2
DIALOGS = (
    *(
        "settings",
        "export",
        "details",
        "history",
        "shortcuts",
        "help",
        "replace",
        "progress",
        "page_facts",
        "prepare",
        "characters",
        "hyphens",
    ),
    "letter_test",
)


async def until(holds: Callable[[], object], limit_s: float = 180) -> None:
    """Wait while the window lives."""
    for _ in range(int(limit_s / 0.05)):
        if holds():
            await asyncio.sleep(0.3)  # what follows is painted
            return
        await asyncio.sleep(0.05)
    raise TimeoutError


class Camera:
    """Takes pictures of one window."""

    def __init__(self, studio: Studio, folder: Path, label: str) -> None:
        self._studio = studio
        self._folder = folder
        self._label = label

    def take(self, name: str) -> None:
        path = self._folder / f"{name}-{self._label}.png"
        self._studio.window.grab().save(str(path))
        print(path)

    def take_dialog(self, name: str) -> None:
        dialogs = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
        for dialog in [each for each in dialogs if each.isVisible()]:
            path = self._folder / f"{name}-{self._label}.png"
            dialog.grab().save(str(path))
            print(path)
            dialog.reject()


async def read_once(studio: Studio, camera: Camera) -> None:
    """The first window reads the book; one picture while it does."""
    studio.opening.open([SAMPLE], starts_reading=True)
    await until(lambda: studio.session.book)
    studio.orders.turn_to(SHOWN_PAGE)
    await until(lambda: len(studio.session.stream(SHOWN_PAGE) or ()) > 3)
    camera.take("reading")
    await until(lambda: studio.session.runs.run is None)


async def look(studio: Studio, camera: Camera) -> None:
    """Every screen of a book that was read."""
    studio.signals.tell(studio.session.welcome.load_recent())
    studio.signals.tell(studio.session.welcome.choose_engine(studio.session.settings))
    await until(lambda: studio.window.start.engine.text())
    camera.take("start")
    studio.opening.open([SAMPLE], starts_reading=True)
    await until(lambda: studio.session.book)
    studio.orders.turn_to(SHOWN_PAGE)
    await until(lambda: studio.window.text.has_text)
    studio.window.text.set_cursor(2, 200)
    await asyncio.sleep(0.5)
    camera.take("page")
    for name in DIALOGS:
        studio.window.commands[name].trigger()
        await asyncio.sleep(0.6)
        camera.take_dialog(name)
    OpeningMark(places().data).set([SAMPLE])
    studio.safe.begin(lambda: None)
    await asyncio.sleep(0.3)
    camera.take_dialog("safe_start")
    studio.window.commands["find_book"].trigger()
    studio.window.find_bar.open(in_book=True, text="book")
    await asyncio.sleep(1)
    camera.take("find")
    studio.window.find_bar.close_bar()
    studio.window.commands["palette"].trigger()
    await asyncio.sleep(0.3)
    camera.take("palette")


async def sit(studio: Studio, camera: Camera) -> None:
    """A sitting on a real page, where the folder with real scans is there."""
    await sitting.sit(studio, camera, until)


def show(
    theme: Theme, size: QSize, work: Callable[[Studio, Camera], Awaitable[None]], camera: str
) -> None:
    """Build a window as the program does, let it work, close it."""
    loop = asyncio.get_event_loop()
    studio = build(places(), theme)
    studio.window.resize(size)
    studio.window.show()
    loop.run_until_complete(work(studio, Camera(studio, FOLDER, camera)))
    studio.window.leave()
    studio.close()


def main() -> None:
    application = QApplication([])
    asyncio.set_event_loop(QEventLoop(application))
    theme = Theme(application, "light")
    show(theme, SIZES["1280"], read_once, "light-1280")
    if sitting.PAGE.exists():
        show(theme, SIZES["1280"], sit, "light-1280")
    modes: tuple[Mode, ...] = ("light", "dark")
    for mode in modes:
        save_settings(places().config / "settings.json", Settings(theme=mode))
        for label, size in SIZES.items():
            show(theme, size, look, f"{mode}-{label}")
    font = application.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    application.setFont(font)
    save_settings(places().config / "settings.json", Settings(theme="light"))
    show(theme, SIZES["1280"], look, "light-1280-font200")


def write_screen(folder: str) -> Path:
    """A file that gives the offscreen platform a laptop's screen; by itself it has 800x800."""
    size, dpi = SIZES["1280"], {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    screen = {"name": "laptop", "x": 0, "y": 0, "width": size.width(), "height": size.height()}
    path = Path(folder) / "screen.json"
    path.write_text(json.dumps({"screens": [screen | dpi]}), encoding="utf-8")
    return path


FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "build/screens")

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["INCUNABLE_HOME"] = home
        if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
            os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={write_screen(home)}"
        main()
