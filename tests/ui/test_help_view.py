"""The guide inside the program: all chapters, found by a word, nothing fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

import resources
from ui.help_view import MEASURE, Chapter, HelpView, chapters_of

pytestmark = pytest.mark.ui

CHAPTERS = [
    Chapter("01-opening.md", "Opening", "# Opening\n\nA scan. See [keys](06-keys.md)."),
    Chapter("06-keys.md", "Keys", "# Keys\n\n| command | keys |\n|---|---|\n| Open | Ctrl+O |"),
    Chapter("09-odd.md", "Odd", "# Odd\n\n![x](https://example.org/x.png) <b>bold</b>"),
]
LOG = Path("/state/log/incunable.log")


@pytest.fixture
def view(qtbot):
    view = HelpView(CHAPTERS, log=LOG)
    qtbot.addWidget(view)
    view.show()
    return view


def titles(view: HelpView) -> list[str]:
    rows = [view.list.item(row) for row in range(view.list.count())]
    return [row.text() for row in rows if not row.isHidden()]


def test_the_guide_that_ships_has_a_title_for_every_chapter():
    chapters = chapters_of(resources.path("help"))
    assert len(chapters) > 3
    assert all(chapter.title and chapter.title != Path(chapter.name).stem for chapter in chapters)


def test_every_chapter_that_ships_can_be_shown(qtbot):
    view = HelpView(chapters_of(resources.path("help")), log=LOG)
    qtbot.addWidget(view)
    for row in range(view.list.count()):
        view.list.setCurrentRow(row)
        assert view.list.item(row).text() in view.page.toPlainText()


def test_chapters_are_listed_and_turned_to(view):
    assert titles(view) == ["Opening", "Keys", "Odd"]
    assert "A scan." in view.page.toPlainText()
    view.list.setCurrentRow(1)
    assert "Ctrl+O" in view.page.toPlainText()


def test_a_word_finds_its_chapter_and_its_place(view):
    view.search.setText("ctrl+o")
    assert titles(view) == ["Keys"]
    assert view.page.textCursor().selectedText() == "Ctrl+O"
    view.search.setText("nothing of it")
    assert titles(view) == []


def test_a_link_turns_to_its_chapter(view):
    view.search.setText("scan")
    view.page.anchorClicked.emit(QUrl("06-keys.md"))
    assert "Ctrl+O" in view.page.toPlainText()
    assert titles(view) == ["Opening", "Keys", "Odd"]


def test_a_link_into_the_world_goes_to_the_browser_and_no_other_does(view, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    view.page.anchorClicked.emit(QUrl("https://example.org/"))
    view.page.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert opened == ["https://example.org/"]


def test_pictures_are_never_fetched(view):
    view.list.setCurrentRow(2)
    assert view.page.loadResource(2, QUrl("https://example.org/x.png")) is None


def test_lines_keep_their_measure_and_are_never_cut(view):
    letters = view.page.fontMetrics().averageCharWidth()
    view.resize(2000, 600)
    assert view.page.lineWrapColumnOrWidth() <= letters * (MEASURE + 10)
    view.resize(500, 600)
    assert view.page.lineWrapColumnOrWidth() <= view.page.viewport().width()


def test_the_place_of_the_log_is_said(view):
    assert str(LOG) in view.log_place.text()
