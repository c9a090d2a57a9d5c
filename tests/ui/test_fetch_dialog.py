"""Fetching a book from a server in the window, by keys; nothing is asked before a button is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.app.test_fetching import IMAGE, library, third
from tests.ui.windows import close_question, letters_behind_alt
from ui.fetch_dialog import FetchDialog
from ui.studio import Studio

pytestmark = pytest.mark.ui

__all__ = ["library"]  # a fixture


@pytest.fixture
def studio(make_studio) -> Studio:
    return make_studio()


def dialog(qtbot, studio: Studio) -> FetchDialog:
    studio.window.commands["fetch"].trigger()
    found = QApplication.activeModalWidget()
    assert isinstance(found, FetchDialog)
    return found


def test_a_book_is_looked_at_fetched_and_opened(qtbot, studio, library):
    address = library.put_manifest(third(library.address, 2))
    for number in range(2):
        library.put(f"/iiif/{number}/full/max/0/default.jpg", IMAGE)
    shown = dialog(qtbot, studio)
    QTest.keyClicks(shown.line, address)
    assert not library.asked
    QTest.keyClick(shown.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.fetch.isVisible() and shown.fetch.isEnabled(), timeout=5_000)
    assert "2 images on 127.0.0.1" in shown.said.text()
    assert sum(library.asked.values()) == 1
    QTest.keyClick(shown.fetch, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    close_question(qtbot)
    assert [page.label for page in studio.session.book.pages] == ["p. 7", "p. 8"]


def test_what_goes_wrong_is_said_in_the_dialog(qtbot, studio, library):
    shown = dialog(qtbot, studio)
    QTest.keyClicks(shown.line, f"{library.address}/none")
    QTest.keyClick(shown.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "404" in shown.said.text(), timeout=5_000)
    assert shown.said.warns
    assert not shown.fetch.isVisible()
    assert shown.line.isEnabled()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_every_letter_behind_alt_does_one_thing(qtbot, studio):
    shown = dialog(qtbot, studio)
    letters = letters_behind_alt(shown)
    assert {"f", "i"} <= set(letters)
    assert sorted(set(letters)) == sorted(letters)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
