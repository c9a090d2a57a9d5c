"""The empty window offers a book at once: dropped, chosen, opened before, or the sample."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QFontMetrics, QImage
from PySide6.QtWidgets import QApplication, QMenu

from app.store.library import RecentBook
from ui.book_card import two_lines
from ui.start_view import StartView
from ui.theme import colours

pytestmark = pytest.mark.ui

LEFT = Qt.MouseButton.LeftButton
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NUBIS = RecentBook((Path("/books/nubis.pdf"),), "Nubis", Path("/data/1"), 348, 312, 12, NOON)
EMPTY = RecentBook((Path("/books/e.pdf"),), "An empty one", Path("/data/2"), 0, 0, 0, NOON)


@pytest.fixture
def view(qtbot):
    view = StartView()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show_recent([NUBIS, EMPTY], missing={EMPTY.store_path})
    view.show()
    return view


def dropped(*urls: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    return data


def drop(view: StartView, data: QMimeData) -> None:
    buttons, keys = LEFT, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, buttons, keys)
    QApplication.sendEvent(view.drop_area, enter)
    if enter.isAccepted():
        event = QDropEvent(QPointF(9, 9), copy, data, buttons, keys)
        QApplication.sendEvent(view.drop_area, event)


def test_books_of_before_are_shown_with_what_is_proofread(view):
    card = view.cards[NUBIS.store_path]
    assert card.accessibleName() == "Nubis"
    assert card.accessibleDescription().startswith("312 of 348 pages proofread, ")


def test_a_book_is_opened_by_its_card_and_by_key(view, qtbot):
    card = view.cards[NUBIS.store_path]
    with qtbot.waitSignal(view.book_chosen) as told:
        qtbot.mouseClick(card, LEFT)
    assert told.args == [NUBIS.paths]
    with qtbot.waitSignal(view.book_chosen):
        qtbot.keyClick(card, Qt.Key.Key_Space)


def test_a_missing_scan_is_told_and_can_still_be_chosen(view, qtbot):
    card = view.cards[EMPTY.store_path]
    assert "The scan is not where it was" in card.accessibleDescription()
    with qtbot.waitSignal(view.book_chosen):
        qtbot.mouseClick(card, LEFT)


def test_the_sample_is_always_there(view, qtbot):
    with qtbot.waitSignal(view.sample_asked):
        qtbot.mouseClick(view.sample, LEFT)
    view.show_recent([])
    assert view.sample.isVisible()


def test_other_books_take_the_place_of_the_first(view):
    view.show_recent([EMPTY])
    assert list(view.cards) == [EMPTY.store_path]
    view.show_picture(NUBIS.store_path, QImage(8, 8, QImage.Format.Format_RGB32))


def test_tab_goes_from_the_buttons_through_the_cards_to_the_sample(view, qtbot):
    view.drop_area.open_button.setFocus()
    reached = []
    for _ in range(4):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    assert reached == [view.drop_area.folder_button, *view.cards.values(), view.sample]


def test_a_picture_takes_the_place_of_the_sign(view):
    card = view.cards[NUBIS.store_path]
    ink = colours(card.palette()).failed
    picture = QImage(64, 88, QImage.Format.Format_RGB32)
    picture.fill(ink)
    view.show_picture(NUBIS.store_path, picture)
    assert card.grab().toImage().pixelColor(40, card.height() // 2) == ink


def test_the_bar_is_as_long_as_the_share_proofread(view):
    card = view.cards[NUBIS.store_path]
    image, done = card.grab().toImage(), colours(card.palette()).proofread
    row = card.height() - 10
    filled = [x for x in range(card.width()) if image.pixelColor(x, row) == done]
    whole = card.width() - filled[0] - 12
    assert len(filled) / whole == pytest.approx(312 / 348, abs=0.03)


def test_files_that_are_dropped_are_told_as_paths(view, qtbot, tmp_path):
    url = QUrl.fromLocalFile(str(tmp_path / "a b.pdf")).toString()
    with qtbot.waitSignal(view.paths_dropped) as told:
        drop(view, dropped(url))
    assert told.args == [(tmp_path / "a b.pdf",)]


def test_what_is_no_file_here_is_not_taken(view, qtbot):
    with qtbot.assertNotEmitted(view.paths_dropped):
        drop(view, dropped("https://example.org/a.pdf"))


def test_buttons_ask_for_the_dialogs(view, qtbot):
    for button, signal in (
        (view.drop_area.open_button, view.open_asked),
        (view.drop_area.folder_button, view.open_folder_asked),
    ):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, LEFT)


def test_a_book_can_be_taken_off_the_list(view, qtbot):
    card = view.cards[NUBIS.store_path]
    card.customContextMenuRequested.emit(QPoint(5, 5))
    menu = card.findChild(QMenu)
    with qtbot.waitSignal(view.forget_asked) as told:
        menu.actions()[0].trigger()
    assert told.args == [NUBIS.store_path]
    menu.close()


def test_the_engine_is_named(view):
    view.show_engine("Line reader on the processor")
    assert view.engine.text() == "Next to read: Line reader on the processor"


@given(st.text(alphabet="abc Ä-", max_size=80), st.integers(20, 300))
def test_titles_take_two_lines_at_most_and_fit(qapp, text, width):
    metrics = QFontMetrics(QFont())
    lines = two_lines(text, metrics, width)
    assert 1 <= len(lines) <= 2
    assert all(metrics.horizontalAdvance(line) <= width for line in lines)
    if len(lines) == 1:
        assert lines[0] == " ".join(text.split())
