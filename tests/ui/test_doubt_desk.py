"""The way through the doubts with keys: page and cursor go along, answers are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.book import Reading
from app.store.verdicts import Said
from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.windows import close_question, open_with, press_key
from ui import doubt_bar
from ui.studio import Studio

pytestmark = pytest.mark.ui

TEXTS = (
    ("the old bock of the house", {"bock": 0.2}),
    ("a tale of two cifies and of a bock", {"cifies": 0.3, "bock": 0.4}),
    ("nothing to be said here", {}),
)


def scored(text: str, scores: dict[str, float]) -> Reading:
    """A reading of one block whose words have these scores; the others are sure."""
    reading = machine(text)
    region = reading.regions[0]
    words = tuple(
        word._replace(score=scores.get(text[word.start : word.end], 0.99)) for word in region.words
    )
    return replace(reading, regions=(replace(region, words=words),))


@pytest.fixture
def studio(make_studio, qtbot, tmp_path) -> Studio:
    studio = make_studio()
    scan: Path = make_scan(tmp_path / "scan", len(TEXTS))
    open_with(qtbot, studio, scan, [scored(*each) for each in TEXTS])
    return studio


@pytest.fixture
def walking(studio, qtbot) -> Studio:
    """The first doubt is looked at."""
    press_key(studio, "next_doubt")
    doubts = studio.session.doubts
    qtbot.waitUntil(lambda: doubts.at is not None and not doubts.is_building, timeout=10_000)
    arrived(qtbot, studio)
    return studio


def arrived(qtbot, studio: Studio) -> None:
    """The cursor stands on the doubt."""
    qtbot.waitUntil(lambda: stands_on_doubt(studio), timeout=5000)


def stands_on_doubt(studio: Studio) -> bool:
    at, text = studio.session.doubts.at, studio.window.text
    return at is not None and text.page == at.page and text.place == (at.region, at.start)


def test_the_first_key_looks_through_the_book_and_goes_to_the_first_doubt(walking):
    assert walking.window.side.doubts.isVisible()
    assert walking.window.text.editor.hasFocus()
    assert walking.window.side.doubts.left.text() == "3 left"
    assert walking.window.status.run_bar.doubts.text() == "doubts 3"


def test_who_turned_the_page_meanwhile_is_not_taken_to_the_first_doubt(studio, qtbot):
    press_key(studio, "next_doubt")
    studio.orders.turn_to(2)
    doubts = studio.session.doubts
    qtbot.waitUntil(lambda: doubts.left > 0 and not doubts.is_building, timeout=10_000)
    assert studio.session.page == 2
    assert doubts.at is None


def test_the_doubt_is_marked_in_text_and_image_at_once(walking):
    at, side = walking.session.doubts.at, walking.window.side
    region = side.text.regions[at.region]
    word = next(word for word in region.words if word.start == at.start)
    assert side.image._overlay.lit == at.region
    assert side.image._overlay.mark == word
    current = [doubt for doubt in side.text.editor._doubts if doubt.is_current]
    assert [(doubt.region, doubt.start) for doubt in current] == [(at.region, at.start)]


def test_a_book_open_elsewhere_can_be_walked_and_not_answered(walking, monkeypatch):
    monkeypatch.setattr(type(walking.session), "read_only", property(lambda _session: True))
    walking.refresh.show_all()
    commands = walking.window.commands
    assert commands["next_doubt"].isEnabled()
    for command in ("accept_doubt", "accept_doubt_everywhere", "take_other", "defer_doubt"):
        assert not commands[command].isEnabled(), command


def test_a_screen_reader_hears_of_each_doubt(walking, qtbot, monkeypatch):
    heard: list[str] = []
    monkeypatch.setattr(doubt_bar, "announce", lambda _widget, words: heard.append(words))
    press_key(walking, "next_doubt")
    arrived(qtbot, walking)
    at = walking.session.doubts.at
    assert len(heard) == 1
    assert heard[0].startswith(f"{at.word}, {round(100 * at.chance)} % likely an error")


def test_keys_go_on_and_back_over_pages(walking, qtbot):
    first = walking.session.doubts.at
    seen = {walking.session.page}
    for _step in range(2):
        press_key(walking, "next_doubt")
        arrived(qtbot, walking)
        seen.add(walking.session.page)
    assert seen == {0, 1}
    for _step in range(2):
        press_key(walking, "previous_doubt")
        arrived(qtbot, walking)
    assert walking.session.doubts.at == first


def test_one_key_calls_a_word_right_and_goes_on(walking, qtbot):
    first = walking.session.doubts.at
    press_key(walking, "accept_doubt")
    arrived(qtbot, walking)
    assert walking.session.doubts.at != first
    assert walking.window.side.doubts.left.text() == "2 left"
    assert walking.window.side.doubts.found.text() == "0 % were errors"


def test_a_word_called_right_everywhere_is_asked_about_no_more(walking, qtbot):
    while walking.session.doubts.at.word != "bock":
        press_key(walking, "next_doubt")
        arrived(qtbot, walking)
    press_key(walking, "accept_doubt_everywhere")
    assert {doubt.word for doubt in walking.session.doubts.queue} == {"cifies"}


def test_a_word_put_off_comes_last(walking, qtbot):
    first = walking.session.doubts.at
    press_key(walking, "defer_doubt")
    arrived(qtbot, walking)
    assert walking.session.doubts.queue[-1].word == first.word


def test_correcting_the_word_counts_as_an_error_found(walking, qtbot):
    while walking.session.doubts.at.word != "cifies":
        press_key(walking, "next_doubt")
        arrived(qtbot, walking)
    editor = walking.window.text.editor
    for _letter in range(2):
        QTest.keyClick(editor, Qt.Key.Key_Right)
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClicks(editor, "t")
    press_key(walking, "next_doubt")
    assert "two cities and" in walking.session.reading(1).regions[0].text
    qtbot.waitUntil(lambda: walking.session.doubts.found_share == 1, timeout=5000)
    assert walking.window.side.doubts.found.text() == "100 % were errors"


def test_the_threshold_is_set_by_keys_and_its_words_go(walking, qtbot):
    bar = walking.window.side.doubts
    bar.slider.setFocus()
    for _step in range(12):
        QTest.keyClick(bar.slider, Qt.Key.Key_Right)
    assert walking.session.doubts.threshold == pytest.approx(0.6)
    assert bar.limit.text() == "from 60 % on"
    assert walking.session.doubts.left == walking.session.doubts.left_at(0.6)


def test_the_bar_can_be_put_away_and_comes_again(walking, qtbot):
    bar = walking.window.side.doubts
    bar.close_asked.emit()
    assert not bar.isVisible()
    press_key(walking, "next_doubt")
    assert bar.isVisible()


def test_when_no_doubt_is_left_the_bar_says_so(walking, qtbot):
    for _word in range(3):
        press_key(walking, "accept_doubt")
        qtbot.wait(5)
    assert walking.session.doubts.left == 0
    assert walking.window.side.doubts.word.text() == "No doubt is left"
    assert walking.window.status.run_bar.doubts.isHidden()


def test_what_is_said_survives_closing(walking, qtbot, tmp_path):
    press_key(walking, "accept_doubt")
    arrived(qtbot, walking)
    walking.signals.tell(walking.session.close_book())
    walking.opening.open([tmp_path / "scan"])
    qtbot.waitUntil(lambda: walking.window.text.has_text, timeout=10_000)
    press_key(walking, "next_doubt")
    doubts = walking.session.doubts
    qtbot.waitUntil(lambda: doubts.at is not None and not doubts.is_building, timeout=10_000)
    assert doubts.left == 2
    assert doubts._here().queue.looked_at()[Said.RIGHT] == 1


def test_a_book_without_text_has_no_doubt(make_studio, qtbot, tmp_path):
    studio = make_studio()
    studio.opening.open([make_scan(tmp_path / "bare", 2)])
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    studio.orders.carry_out("next_doubt")
    qtbot.waitUntil(lambda: not studio.session.doubts.is_building, timeout=5000)
    assert studio.window.side.doubts.word.text() == "No doubt is left"
    close_question(qtbot)
