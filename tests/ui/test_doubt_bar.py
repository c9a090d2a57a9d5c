"""The bar of doubts alone: plain words, steady height, everything named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt

import resources
from app.desk.doubts import Doubt, Why
from ui.commands import DOUBTS
from ui.doubt_bar import DoubtBar, Standing
from ui.doubt_words import WHY_WORDS

pytestmark = pytest.mark.ui

BOCK = Doubt(0, 0, 8, 12, "bock", 0.43, (Why.UNLIKELY, Why.UNKNOWN))
STANDING = Standing(BOCK, 37, 0.42, 0.1)


@pytest.fixture
def bar(qtbot) -> DoubtBar:
    bar = DoubtBar()
    qtbot.addWidget(bar)
    bar.resize(560, 80)
    bar.show_standing(STANDING)
    bar.show()
    return bar


def why(bar: DoubtBar) -> str:
    return bar.why.text() + bar.why_below.text()


REASONS = (Why.UNLIKELY, Why.UNKNOWN, Why.DISAGREES, Why.ALIKE)


@pytest.fixture(params=[1, 2])
def large_bar(qapp, qtbot, request) -> Iterator[DoubtBar]:
    before = qapp.font()
    face = qapp.font()
    face.setPointSizeF(face.pointSizeF() * request.param)
    qapp.setFont(face)
    bar = DoubtBar()
    qtbot.addWidget(bar)
    bar.show()
    yield bar
    qapp.setFont(before)


@pytest.mark.parametrize("width", [1400, 620, 460])
def test_long_reasons_and_offers_can_be_read_whole_at_any_width_and_size(qtbot, large_bar, width):
    bar = large_bar
    doubt = BOCK._replace(why=REASONS, other="Verzeichniſſen", listed="Verzeichnisse")
    bar.show_standing(STANDING._replace(at=doubt))
    bar.resize(width, 80)
    assert why(bar) == ", ".join(WHY_WORDS[each] for each in REASONS)
    assert bar.offer.text().endswith("the word lists have: Verzeichnisse")
    assert bar.width() == width  # or it would push the image aside
    for label in (bar.why if bar.why.text() else bar.why_below, bar.offer):
        room = QRect(0, 0, label.width(), 10_000)
        needed = label.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, label.text())
        assert needed.width() <= label.width()
        assert needed.height() <= label.height()
        assert bar.rect().contains(label.geometry())


def test_it_says_in_plain_words_why_how_likely_and_what_is_left(bar):
    assert bar.word.text() == "bock"
    assert bar.chance.text() == "43 % likely an error"
    assert why(bar) == "the engine was unsure, in no word list"
    assert bar.left.text() == "37 left"
    assert bar.found.text() == "42 % were errors"
    assert bar.limit.text() == "from 10 % on"
    assert bar.slider.value() == 10


def test_all_of_it_is_told_in_one_sentence(bar):
    bar.show_standing(STANDING._replace(at=BOCK._replace(other="book")))
    assert bar.accessibleDescription() == (
        "bock, 43 % likely an error, the engine was unsure, in no word list, "
        "the other reading has: book"
    )


def test_every_reason_has_words_of_its_own():
    assert set(WHY_WORDS) == set(Why)
    assert len(set(WHY_WORDS.values())) == len(Why)


def test_the_other_reading_is_offered_only_where_there_is_one(bar):
    assert not bar.buttons["take_other"].isVisible()
    bar.show_standing(STANDING._replace(at=BOCK._replace(other="bo-\nok")))
    assert bar.buttons["take_other"].isVisible()
    assert bar.buttons["take_other"].text() == "Take “bo- ok” (F2)"


def test_what_the_word_lists_have_is_taken_by_the_same_key_or_by_a_second(bar):
    bar.show_standing(STANDING._replace(at=BOCK._replace(listed="book")))
    assert bar.offer.text() == "the word lists have: book"
    assert bar.buttons["take_other"].text() == "Take “book” (F2)"
    bar.show_standing(STANDING._replace(at=BOCK._replace(other="back", listed="book")))
    assert bar.offer.text() == "the other reading has: back · the word lists have: book"
    assert bar.buttons["take_other"].text() == "Take “back” (F2)"
    assert bar.buttons["take_listed"].text() == "Take “book” (Shift+F2)"
    bar.show_standing(STANDING._replace(at=BOCK._replace(other="book", listed="book")))
    assert bar.offer.text() == "the other reading has: book"
    assert not bar.buttons["take_listed"].isVisible()


def test_it_keeps_its_height_from_word_to_word(bar, qtbot):
    bar.show_standing(STANDING._replace(at=BOCK._replace(other="a long other reading of it")))
    qtbot.wait(20)
    height = bar.height()
    bar.show_standing(STANDING._replace(at=BOCK._replace(why=())))
    qtbot.wait(20)
    assert bar.height() == height


def test_a_very_long_word_is_cut_and_nothing_is_pushed_out(bar):
    long = "x" * 400
    bar.show_standing(STANDING._replace(at=BOCK._replace(word=long, other=long)))
    assert len(bar.word.text()) < 50
    assert bar.accessibleDescription().startswith(long)


def test_dragging_the_threshold_asks_what_would_be_left_and_sets_nothing(bar, qtbot):
    bar.slider.setSliderDown(True)
    with (
        qtbot.assertNotEmitted(bar.threshold_chosen),
        qtbot.waitSignal(bar.threshold_tried) as told,
    ):
        bar.slider.sliderMoved.emit(60)
    assert told.args == [0.6]
    bar.show_count(3, 0.9, 0.6)
    assert (bar.left.text(), bar.found.text(), bar.limit.text()) == (
        "3 left",
        "90 % were errors",
        "from 60 % on",
    )


def test_while_the_book_is_looked_through_it_says_how_far(bar):
    bar.show_standing(Standing(None, 0, None, 0.1, 0.0, is_building=True))
    assert bar.word.text() == "Looking through the book…"
    bar.show_standing(Standing(BOCK, 12, None, 0.1, 0.5, is_building=True))
    assert bar.left.text() == "12 left so far, 50 % of the book looked through"
    assert not bar.found.isVisible()


def test_everything_has_a_name(bar):
    for widget in (*bar.buttons.values(), bar.slider, bar):
        assert widget.accessibleName() or widget.text()


def test_the_guide_names_the_keys_as_the_menus_have_them():
    guide = resources.path("help/04-proofreading.md").read_text()
    missing = [c.id for group in DOUBTS.groups for c in group if c.keys[0] not in guide]
    assert not missing
