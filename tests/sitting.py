"""A sitting on a real page, as one does it: open, read, walk doubts, fix, accept, export.

`python -m tests.screens` takes its pictures where the folder with real scans is there.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ui.export_dialog import ExportDialog
from ui.studio import Studio

PAGE = Path(__file__).resolve().parents[2] / "shared" / "dev" / "fr-nubis-1cz0_1619_1.jpg"
DOUBTS = 10
MISREAD = "fecrets"  # of the print's "\u017fecrets"
Until = Callable[[Callable[[], object]], Awaitable[None]]


class Shutter(Protocol):
    def take(self, name: str) -> None: ...

    def take_dialog(self, name: str) -> None: ...


async def sit(studio: Studio, camera: Shutter, until: Until) -> None:
    """One sitting, a picture after each step; all orders are given by their keys."""
    window, session = studio.window, studio.session
    studio.opening.open([PAGE], starts_reading=True)
    await until(lambda: session.book)
    await until(lambda: session.runs.run is None and window.text.has_text)
    window.activateWindow()
    camera.take("sitting-1-read")
    press(studio, "next_doubt")
    await until(lambda: session.doubts.at and not session.doubts.is_building)
    camera.take("sitting-2-first-doubt")
    for number in range(DOUBTS):
        press(studio, "next_doubt" if number % 2 else "accept_doubt")
        await asyncio.sleep(0.4)
    camera.take("sitting-3-tenth-doubt")
    press(studio, "magnifier")
    await asyncio.sleep(1.5)
    camera.take("sitting-4-magnifier")
    press(studio, "magnifier")
    press(studio, "by_line")
    await asyncio.sleep(1.5)
    _fix(studio)
    await asyncio.sleep(1)
    camera.take("sitting-5-fixed-line-by-line")
    press(studio, "invert_image")
    press(studio, "panel_blocks")
    await asyncio.sleep(0.5)
    camera.take("sitting-6-inverted-with-blocks")
    for command in ("invert_image", "panel_blocks", "by_line", "accept"):
        press(studio, command)
        await asyncio.sleep(0.4)
    camera.take("sitting-7-accepted")
    await _export(studio, camera, until)


def press(studio: Studio, command: str) -> None:
    """Press the key of a command."""
    QTest.keySequence(studio.window, studio.window.commands[command].shortcut())


def _fix(studio: Studio) -> None:
    """Give a word the long s that was read as an f, and go on to the next doubt."""
    text = studio.window.text
    for region, letters in enumerate(text.texts):
        if MISREAD in letters:
            text.set_cursor(region, letters.index(MISREAD))
            QTest.keyClick(text.editor, Qt.Key.Key_Delete)
            text.editor.type_text("\u017f")
            break
    press(studio, "next_doubt")


async def _export(studio: Studio, camera: Shutter, until: Until) -> None:
    press(studio, "export")
    await until(lambda: _dialog() is not None)
    dialog = _dialog()
    assert dialog is not None
    with tempfile.TemporaryDirectory() as folder:
        dialog.form.path.setText(str(Path(folder) / "page.md"))
        dialog.export.click()
        await until(lambda: studio.session.exports.ended is not None)
        await asyncio.sleep(0.5)
        assert (Path(folder) / "page.md").stat().st_size > 0
        camera.take_dialog("sitting-8-exported")


def _dialog() -> ExportDialog | None:
    shown = [each for each in QApplication.topLevelWidgets() if isinstance(each, ExportDialog)]
    return next((each for each in shown if each.isVisible()), None)
