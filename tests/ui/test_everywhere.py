"""Taking what the word lists have with keys: here, and at every place of the book."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.book import PageState
from tests.app.books import make_scan
from tests.ui.test_doubt_desk import arrived, scored
from tests.ui.windows import open_with, press_key
from ui.studio import Studio

pytestmark = pytest.mark.ui

TEXTS = (
    ("the old hcuse of the town", {"hcuse": 0.2}),
    ("a hcuse and one more hcuse there", {"hcuse": 0.9}),
    ("the last hcuse of all of them", {"hcuse": 0.9}),
    ("this is not a tale that was told of two cifies but of one", {}),
)


@pytest.fixture
def walking(make_studio, qtbot, tmp_path) -> Studio:
    studio = make_studio()
    scan = make_scan(tmp_path / "scan", len(TEXTS))
    open_with(qtbot, studio, scan, [scored(*each) for each in TEXTS])
    press_key(studio, "next_doubt")
    doubts = studio.session.doubts
    qtbot.waitUntil(lambda: doubts.at is not None and not doubts.is_building, timeout=10_000)
    arrived(qtbot, studio)
    return studio


def texts(studio: Studio) -> list[str]:
    assert studio.session.shown is not None
    with studio.session.shown.store.reader() as reader:
        readings = [reader.current(page) for page in range(len(TEXTS))]
    return [reading.regions[0].text for reading in readings if reading is not None]


def previewed(qtbot, studio: Studio) -> str:
    """The line that says what would be done."""
    press_key(studio, "take_everywhere")
    row = studio.window.side.doubts.everywhere
    qtbot.waitUntil(lambda: "Looking" not in row.says.text() and row.isVisible(), timeout=5000)
    return row.says.text()


def replaced(qtbot, studio: Studio) -> None:
    press_key(studio, "take_everywhere")
    finding = studio.session.finding
    qtbot.waitUntil(lambda: finding.ended is not None and not finding.is_replacing, timeout=5000)


def test_the_bar_says_what_the_word_lists_have(walking):
    bar = walking.window.side.doubts
    assert bar.offer.text() == "the word lists have: house"
    assert bar.buttons["take_other"].text() == "Take “house” (F2)"
    assert not bar.buttons["take_listed"].isVisible()
    assert "the word lists have: house" in bar.accessibleDescription()


def test_one_key_takes_it_and_undo_brings_the_word_back(walking, qtbot):
    page = walking.session.doubts.at.page
    press_key(walking, "take_other")
    arrived(qtbot, walking)
    assert "house" in walking.session.reading(page).regions[0].text
    walking.session.turn_to(page)
    walking.session.proofs.undo(page)
    qtbot.waitUntil(lambda: "house" not in walking.session.reading(page).regions[0].text)


def test_the_first_key_says_what_it_would_do_and_changes_nothing(walking, qtbot):
    says = previewed(qtbot, walking)
    assert says == "“house” will stand instead of “hcuse” at 4 places on 3 pages."
    assert texts(walking) == [text for text, _scores in TEXTS]


def test_the_second_takes_it_everywhere_and_goes_on(walking, qtbot):
    previewed(qtbot, walking)
    replaced(qtbot, walking)
    assert texts(walking) == [text.replace("hcuse", "house") for text, _scores in TEXTS]
    doubts, row = walking.session.doubts, walking.window.side.doubts.everywhere
    qtbot.waitUntil(lambda: all(each.word != "hcuse" for each in doubts.queue), timeout=5000)
    assert "was put instead" in row.says.text()
    qtbot.waitUntil(lambda: doubts.at is not None and doubts.at.word == "cifies", timeout=5000)
    assert row.isVisible()
    press_key(walking, "accept_doubt")
    assert doubts.at is None
    assert doubts.left == 0


def test_all_of_it_is_taken_back_at_once(walking, qtbot):
    previewed(qtbot, walking)
    replaced(qtbot, walking)
    row, ended = walking.window.side.doubts.everywhere, walking.session.finding.ended
    qtbot.mouseClick(row.take_back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: walking.session.finding.ended is not ended, timeout=5000)
    assert texts(walking) == [text for text, _scores in TEXTS]


def test_proofread_pages_stay_unless_that_is_asked(walking, qtbot):
    walking.signals.tell(walking.session.proofs.accept([2]))
    session = walking.session
    qtbot.waitUntil(lambda: session.book.pages[2].state is PageState.PROOFREAD, timeout=5000)
    assert "3 places on 2 pages" in previewed(qtbot, walking)
    row = walking.window.side.doubts.everywhere
    assert row.proofread_too.isVisible()
    QTest.keyClick(row.proofread_too, Qt.Key.Key_Space)
    assert "4 places on 3 pages" in row.says.text()
    QTest.keyClick(row.proofread_too, Qt.Key.Key_Space)
    replaced(qtbot, walking)
    assert texts(walking)[2] == TEXTS[2][0]


def test_what_was_called_right_stays(walking, qtbot):
    page = walking.session.doubts.at.page
    press_key(walking, "accept_doubt")
    arrived(qtbot, walking)
    says = previewed(qtbot, walking)
    assert "1 place stays: called right" in says
    replaced(qtbot, walking)
    assert "hcuse" in texts(walking)[page]


def test_escape_leaves_everything_as_it_is(walking, qtbot):
    previewed(qtbot, walking)
    row = walking.window.side.doubts.everywhere
    QTest.keyClick(row, Qt.Key.Key_Escape)
    assert not row.isVisible()
    assert not walking.session.everywhere.is_prepared
    assert texts(walking) == [text for text, _scores in TEXTS]


def test_going_on_leaves_it_too(walking, qtbot):
    previewed(qtbot, walking)
    press_key(walking, "next_doubt")
    arrived(qtbot, walking)
    assert not walking.window.side.doubts.everywhere.isVisible()
