"""Keys and commands at random over the whole window: nothing breaks, nothing typed is lost.

Each seed is one sitting on a book with awkward pages. What came to pass is in the message of the
failure, so that the sitting can be followed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget
from shiboken6 import isValid

from app.book import Kind, Mark, Reading, Region
from model.api import Box, Cell
from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.windows import open_with
from ui.commands import COMMANDS
from ui.page_text import PageText
from ui.studio import Studio

pytestmark = [pytest.mark.ui, pytest.mark.slow]

STEPS = 200
LONGEST_S = 1.0  # of computing, in one step

FILES = frozenset(
    {
        *("open", "open_folder", "open_recent", "open_sample", "fetch", "locate", "queue_book"),
        *("save_copy", "save_log", "export", "insert_scan", "replace_scan", "quit"),
        *("show_log", "copy_report"),
    }
)
"""Commands that ask the system for a file or a place, or leave."""

KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home),
    *(Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Tab),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Insert, Qt.Key.Key_Space),
    *(Qt.Key.Key_Escape, Qt.Key.Key_F6),
)
MODIFIERS = (
    *(Qt.KeyboardModifier.NoModifier,) * 3,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
)
LETTERS = "abcſé -¬12.'"


def awkward() -> tuple[Reading, ...]:
    """Six pages: plain, a table, without boxes, from right to left and Chinese, odd signs, none."""
    plain = machine("the old bock of the house\nand its cel-\nlar 1", "1 a note below")
    note = replace(plain.regions[1], kind=Kind.NOTE)
    rows = ((Cell("year"), Cell("pages")), (Cell("1619"), Cell("12")))
    table = Region(Kind.TABLE, "year\tpages\n1619\t12", Box(40, 40, 400, 200), rows=rows)
    bare = (Region(Kind.HEADING, "Of books"), Region(Kind.TEXT, "no box is known here"))
    other = (
        Region(Kind.TEXT, "ספר ישן מאוד", Box(10, 10, 410, 90)),
        Region(Kind.TEXT, "古籍之書", Box(-40, 90, 900, 2000)),
    )
    odd = Region(
        Kind.TEXT,
        "a\x00b\x0bc\u2029d\ufffce\U0001d51e",
        Box(0, 0, 0, 0),
        marks=(Mark(1, 2, "gap", "x"),),
    )
    made = (regions for regions in ((plain.regions[0], note), (table,), bare, other, (odd,), ()))
    return tuple(replace(plain, regions=tuple(regions)) for regions in made)


class Monkey:
    """Does one thing after another at random; what it did is remembered."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self.studio = studio
        self.chance = random.Random(seed)
        self.did: list[str] = []
        self.slowest_s = 0.0
        self._commands = [each for each in COMMANDS if each not in FILES]

    def sit(self, steps: int, *, open_again: Callable[[], None]) -> None:
        for _step in range(steps):
            act = self.chance.choice(
                (self._order, self._order, self._press, self._press, self._type)
            )
            began_s = time.thread_time()
            act()
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            self.slowest_s = max(self.slowest_s, time.thread_time() - began_s)
            assert self.slowest_s < LONGEST_S, self.did[-3:]
            if not self.studio.window.isVisible():
                self.studio.window.show()  # it was left by way of the palette
            if self.studio.session.book is None and self.studio.session.openings.order is None:
                self.put_dialogs_away()
                open_again()

    def put_dialogs_away(self) -> None:
        """Close whatever lies over the window."""
        for _try in range(10):
            dialog = QApplication.activeModalWidget() or QApplication.activePopupWidget()
            if dialog is None:
                break
            dialog.close()
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.reject()

    def _order(self) -> None:
        if QApplication.activeModalWidget() is not None and self.chance.random() < 0.7:
            self.did.append("put away")
            self.put_dialogs_away()
        command = self.chance.choice(self._commands)
        action = self.studio.window.commands[command]
        if action.isEnabled():
            self.did.append(command)
            action.trigger()

    def _press(self) -> None:
        key, with_key = self.chance.choice(KEYS), self.chance.choice(MODIFIERS)
        target = self._target()
        self.did.append(f"{with_key.name} {key.name} in {type(target).__name__}")
        self._send(target, partial(QTest.keyClick, target, key, with_key))

    def _type(self) -> None:
        for letter in self.chance.choices(LETTERS, k=self.chance.randint(1, 6)):
            target = self._target()  # each time: a letter may be a mnemonic that closes something
            self.did.append(f"{letter!r} in {type(target).__name__}")
            self._send(target, partial(_type_letter, target, letter))

    def _send(self, target: QWidget, keys: Callable[[], None]) -> None:
        """Press keys in a widget that may be gone before they are up again."""
        try:
            keys()
        except RuntimeError:
            assert not isValid(target)

    def _target(self) -> QWidget:
        """Mostly what has the focus, else the text."""
        over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if over is not None:
            return over.focusWidget() or over
        focus = QApplication.focusWidget()
        if focus is None or self.chance.random() < 0.5:
            return self.studio.window.text.editor
        return focus


def _type_letter(target: QWidget, letter: str) -> None:
    if letter.isascii():
        QTest.keyClicks(target, letter)
        return
    down = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter)
    QCoreApplication.sendEvent(target, down)  # `QTest` knows no key for it


@pytest.fixture
def no_files(monkeypatch) -> None:
    """Nothing is chosen in the system's own dialogs, which would wait for a person."""
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_given, **_more: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_given, **_more: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_given, **_more: "")
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_breaks_and_nothing_typed_is_lost(seed, make_studio, qtbot, tmp_path, no_files):
    scan: Path = make_scan(tmp_path / "scan", len(awkward()), blank=(5,))
    studio = make_studio()
    open_with(qtbot, studio, scan, awkward())
    monkey = Monkey(studio, seed)

    def open_again() -> None:
        studio.opening.open([scan])
        qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)

    try:
        monkey.sit(STEPS, open_again=open_again)
        end(qtbot, studio, monkey)
    except BaseException as error:
        error.add_note("\n".join(monkey.did[-40:]))
        raise


def end(qtbot, studio: Studio, monkey: Monkey) -> None:
    """Let everything come to rest and compare each page of the window with the disk."""
    session = studio.session
    monkey.put_dialogs_away()
    if session.book is None:
        return
    studio.window.flush()
    qtbot.waitUntil(
        lambda: session.openings.order is None and not session.runs.stop(), timeout=10_000
    )
    qtbot.waitUntil(lambda: session.runs.run is None, timeout=10_000)
    busy = (session.finding, "is_replacing"), (session.preparing, "is_arranging")
    for part, name in busy:
        qtbot.waitUntil(lambda part=part, name=name: not getattr(part, name), timeout=10_000)
    qtbot.waitUntil(lambda: not session.proofs.has_unsaved, timeout=10_000)
    assert session.shown is not None
    for page in range(len(session.shown.book.pages)):
        studio.orders.turn_to(page)
        qtbot.waitUntil(lambda page=page: studio.window.text.page == page, timeout=10_000)
        rest(qtbot, studio)
        assert in_window(studio) == on_disk(studio, page), page


def rest(qtbot, studio: Studio) -> None:
    """Wait for what is under way on `store`."""
    future = studio.session._workers.store.submit(lambda: None)
    qtbot.waitUntil(future.done, timeout=10_000)
    QCoreApplication.processEvents()


def in_window(studio: Studio) -> list[str]:
    text: PageText = studio.window.text.editor.text
    assert not text.untold()
    return list(text.texts)


def on_disk(studio: Studio, page: int) -> list[str]:
    assert studio.session.shown is not None
    with studio.session.shown.store.reader() as reader:
        reading = reader.current(page)
    regions = reading.regions if reading is not None else ()
    shown = {0x00: "\ufffd", 0x2029: "\n", 0xFFFC: "\ufffd", 0x0D: "\n"}
    return [region.text.translate(shown) for region in regions]
