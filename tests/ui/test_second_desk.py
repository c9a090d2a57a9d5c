"""A page read again by another engine: asked for by key, compared, taken by key, marked."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.book import Box, PageState, Reading, Reason, Region, Source
from app.desk.concerns import Concern, Standing
from app.desk.part import part_of
from app.second_readings import Offer
from model.api import Block, Engine, Kind, Span
from tests.app.books import make_scan
from tests.ui.windows import open_with, press_key
from ui.concern_desk import ConcernDesk
from ui.history_dialog import HistoryDialog
from ui.page_layout import Fit, Zoom
from ui.page_text import Place
from ui.second_desk import SecondDesk
from ui.studio import Studio

pytestmark = pytest.mark.ui

BOX = Box(25, 60, 399, 440)
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def words(text, top=60.0):
    spans, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        at = start + len(word)
        spans.append(Span(start, at, Box(40 + start * 7, top, 40 + at * 7, top + 16)))
    return tuple(spans)


MINE = (
    Region(Kind.TEXT, "in tbe old hoxse", Box(25, 60, 399, 90), words=words("in tbe old hoxse")),
    Region(Kind.TEXT, "of a no ble man", Box(25, 100, 399, 130)),
)
OTHER = "in the old house\nof a noble man"


SOURCE = Source("model", datetime(2026, 11, 3, tzinfo=UTC))


def script(_page):
    yield Block(Kind.TEXT, OTHER, BOX, words=words("in the old house"))


@pytest.fixture
def studio(qtbot, make_studio, tmp_path) -> Studio:
    studio = make_studio(script=script)
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 2), [Reading(MINE, SOURCE)])
    studio.window.text.setFocus()
    return studio


def child(studio, kind):
    return next(each for each in studio.window.children() if isinstance(each, kind))


@pytest.fixture
def desk(studio) -> SecondDesk:
    return child(studio, SecondDesk)


def texts(studio):
    return [region.text for region in studio.session.reading(0).regions]


def focus() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def ask_by_key(qtbot, studio, command="read_beside"):
    """Press the key, and Enter on the first engine that is offered."""
    press_key(studio, command)
    card = studio.window.entry_card
    qtbot.waitUntil(card.isVisible)
    QTest.keyClick(focus(), Qt.Key.Key_Return)


@pytest.fixture
def compared(qtbot, studio, desk) -> SecondDesk:
    ask_by_key(qtbot, studio)
    qtbot.waitUntil(desk.pane.table.hasFocus, timeout=5_000)
    return desk


def rows(desk):
    table = desk.pane.table
    return [tuple(table.item(row, at).text() for at in (0, 1)) for row in range(table.rowCount())]


def key(desk, pressed, held=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(desk.pane.table, pressed, held)


def test_what_another_engine_reads_otherwise_is_listed_and_nothing_is_taken(studio, compared):
    assert rows(compared) == [("tbe", "the"), ("hoxse", "house"), ("no ble", "noble")]
    assert texts(studio) == [region.text for region in MINE]
    assert "3 differences" in compared.pane.title.text()


def test_the_cursor_goes_to_the_word_and_the_keys_stay_in_the_list(studio, compared):
    key(compared, Qt.Key.Key_Down)
    assert tuple(studio.window.text.place) == (0, len("in tbe old "))
    assert compared.pane.table.hasFocus()


def test_a_word_is_kept_taken_or_both_by_one_key_and_undone_by_another(qtbot, studio, compared):
    key(compared, Qt.Key.Key_Right)
    assert texts(studio)[0] == "in the old hoxse"
    assert rows(compared) == [("hoxse", "house"), ("no ble", "noble")]
    key(compared, Qt.Key.Key_Left)
    assert rows(compared) == [("no ble", "noble")]
    key(compared, Qt.Key.Key_B)
    assert texts(studio) == ["in the old hoxse", "of a no ble noble man"]
    qtbot.waitUntil(lambda: not studio.session.proofs.has_unsaved)
    press_key(studio, "undo")
    qtbot.waitUntil(lambda: texts(studio)[1] == "of a no ble man", timeout=5_000)


def test_a_whole_block_and_a_whole_page_are_taken_by_key(studio, compared):
    key(compared, Qt.Key.Key_Right, SHIFT)
    assert texts(studio) == ["in the old house", "of a no ble man"]
    key(compared, Qt.Key.Key_Right, SHIFT | CTRL)
    assert texts(studio) == ["in the old house", "of a noble man"]
    assert rows(compared) == []


def test_differing_words_are_marked_in_the_image(compared):
    assert [at for _box, at in compared._marks] == [True, False, False]
    assert compared._marks[0][0] == MINE[0].words[1].box


def test_escape_ends_it_and_the_reading_stays_in_the_history(qtbot, studio, compared):
    key(compared, Qt.Key.Key_Escape)
    assert not compared.pane.isVisible()
    assert QApplication.focusWidget() is studio.window.text.editor
    store = studio.session.shown.store
    kept = studio.session._workers.store.submit(store.history, 0).result()
    assert len(kept) == 2


def test_words_that_it_placed_are_exact_in_a_text_that_is_being_typed(qtbot, make_studio, tmp_path):
    placed = tuple(
        word._replace(start=word.start + 17, end=word.end + 17)
        for word in words("of a noble man", top=104)
    )
    studio = make_studio(
        script=lambda _page: [
            Block(Kind.TEXT, OTHER, BOX, words=(*words("in the old house"), *placed))
        ]
    )
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 1), [Reading(MINE, SOURCE)])
    editor = studio.window.text.editor
    editor.setFocus()
    studio.window.text.set_cursor(1, len("of a no"))
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(studio)[1] == "of a noble man", timeout=5_000)
    place = studio.window.text.place
    assert studio.window.side._mark(place).origin == "estimated"
    ask_by_key(qtbot, studio)
    QTest.keyClicks(editor, "t")
    studio.window.text._rest.stop()  # it is not told yet when the other's words come
    studio.window.text._limit.stop()
    exact = placed[2].box
    qtbot.waitUntil(lambda: studio.window.side._mark(place).box == exact, timeout=5_000)
    assert studio.window.side._mark(place).origin == "exact"
    qtbot.waitUntil(lambda: child(studio, SecondDesk).pane.at is not None, timeout=5_000)
    assert studio.window.text.texts[1] == "of a notble man"
    assert editor.hasFocus()
    assert tuple(studio.window.text.place) == (1, len("of a not"))
    studio.window.flush()
    qtbot.waitUntil(lambda: texts(studio)[1] == "of a notble man", timeout=5_000)
    for text in ("of a noble man", "of a no ble man"):
        qtbot.waitUntil(lambda: not studio.session.proofs.has_unsaved)
        press_key(studio, "undo")
        qtbot.waitUntil(lambda text=text: texts(studio)[1] == text, timeout=5_000)
    assert studio.window.side._mark(Place(1, 1)).box == placed[0].box


def test_a_block_alone_is_read_by_key(qtbot, studio, desk):
    studio.window.text.set_cursor(1, 0)
    ask_by_key(qtbot, studio, "read_block_beside")
    qtbot.waitUntil(lambda: studio.session.second.at is not None, timeout=5_000)
    assert part_of(studio.session.second.at.other) == MINE[1].box


def test_while_it_reads_this_is_said_and_it_can_be_given_up(qtbot, make_studio, tmp_path):
    studio = make_studio(script=script, pieces_per_s=0.01)
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 1), [Reading(MINE, SOURCE)])
    desk = child(studio, SecondDesk)
    ask_by_key(qtbot, studio)
    qtbot.waitUntil(desk.pane.isVisible)
    assert "reads once more" in desk.pane.title.text()
    desk.pane.setFocus()
    key(desk, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not desk.pane.isVisible(), timeout=5_000)
    assert texts(studio) == [region.text for region in MINE]


def test_a_reading_of_a_part_is_not_made_the_text_of_the_page(qtbot, studio, desk):
    studio.window.text.set_cursor(1, 0)
    ask_by_key(qtbot, studio, "read_block_beside")
    qtbot.waitUntil(lambda: studio.session.second.at is not None, timeout=5_000)
    part = studio.session.second.at.other
    dialog = HistoryDialog("page 1", [replace(part, id=7)], current_id=1)
    qtbot.addWidget(dialog)
    assert "a part of the page" in dialog.list.item(0).text()
    assert not dialog.make_current.isEnabled()


def test_the_menu_of_a_block_offers_it(studio):
    menu = studio.window.text._menu(studio.window.text.place)
    assert any("again with" in action.text() for action in menu.actions())


def test_an_area_is_marked_by_keys(qtbot, studio, desk):
    image = studio.window.image
    image.desk.set_zoom(Zoom(Fit.PAGE))
    qtbot.waitUntil(lambda: image.desk.room_of(Box(0, 0, 1, 1)) is not None, timeout=5_000)
    press_key(studio, "read_area")
    before = desk.areas.area
    QTest.keyClick(image.desk, Qt.Key.Key_Down)
    QTest.keyClick(image.desk, Qt.Key.Key_Right, SHIFT)
    area = desk.areas.area
    assert area.top > before.top
    assert area.right <= 420
    QTest.keyClick(image.desk, Qt.Key.Key_Return)
    qtbot.waitUntil(studio.window.entry_card.isVisible)
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: studio.session.second.at is not None, timeout=5_000)
    part = part_of(studio.session.second.at.other)
    assert part is not None
    assert part.top == pytest.approx(area.top, abs=1)


def test_an_area_is_marked_by_a_drag_with_shift(qtbot, studio, desk):
    view = studio.window.image.desk
    view.set_zoom(Zoom(Fit.PAGE))
    qtbot.waitUntil(lambda: view.room_of(Box(0, 0, 1, 1)) is not None, timeout=5_000)
    start, end = (
        view.room_of(Box(x, y, x, y)).topLeft().toPoint() for x, y in ((60, 80), (200, 160))
    )
    port = view.viewport()
    with qtbot.waitSignal(desk.areas.marked) as marked:
        QTest.mousePress(port, Qt.MouseButton.LeftButton, SHIFT, start)
        QTest.mouseMove(port, (start + end) / 2)
        QTest.mouseMove(port, end)
        QTest.mouseRelease(port, Qt.MouseButton.LeftButton, SHIFT, end)
    area = marked.args[0]
    assert area.left == pytest.approx(60, abs=4)
    assert area.bottom == pytest.approx(160, abs=4)
    studio.window.entry_card.hide()


def test_a_click_with_shift_marks_nothing(qtbot, studio, desk):
    view = studio.window.image.desk
    qtbot.waitUntil(lambda: view.room_of(Box(0, 0, 1, 1)) is not None, timeout=5_000)
    with qtbot.assertNotEmitted(desk.areas.marked):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, SHIFT, QPoint(30, 30))


def test_every_engine_that_is_there_is_offered(studio):
    assert Offer(Engine.LINE_READER) in studio.session.second.offers()


# --- why a page is to be looked at --------------------------------------------------------------


def with_concerns(qtbot, studio, *concerns):
    """Let the shown page ask for a look."""
    from app.answers import PagesStored

    shown = studio.session.shown
    reasons = tuple(dict.fromkeys(each.reason for each in concerns))
    reading = replace(studio.session.reading(0), id=0)
    page = studio.session._workers.store.submit(
        shown.store.save_read,
        0,
        reading=reading,
        state=PageState.LOOK,
        reasons=reasons,
        standing=Standing(9, 9, concerns),
    ).result()
    stored = replace(reading, id=page.reading_id)
    studio.signals.post(PagesStored(shown.book.id, (page,), stored))
    qtbot.waitUntil(lambda: studio.session.checking.concerns(0) == concerns, timeout=5_000)
    return child(studio, ConcernDesk)


def test_places_that_speak_against_a_page_are_marked_and_gone_to(qtbot, studio):
    missed = Concern(Reason.MISSING_INK, Box(40, 300, 200, 320))
    bare = Concern(Reason.TEXT_WITHOUT_INK, MINE[1].box, block=1)
    desk = with_concerns(qtbot, studio, missed, bare)
    assert desk._boxes == [missed.box, bare.box]
    assert "print that was not read" in studio.window.side.foot.text
    press_key(studio, "reasons")
    qtbot.waitUntil(studio.window.entry_card.isVisible)
    QTest.keyClicks(focus(), "nothing is printed")
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    assert tuple(studio.window.text.place) == (1, 0)


def test_the_other_page_with_the_same_text_is_gone_to(qtbot, studio):
    with_concerns(qtbot, studio, Concern(Reason.DOUBLED_PAGE, other_page=1))
    press_key(studio, "reasons")
    qtbot.waitUntil(studio.window.entry_card.isVisible)
    QTest.keyClick(focus(), Qt.Key.Key_Return)
    assert studio.session.page == 1
    assert child(studio, ConcernDesk)._boxes == []


def test_an_accepted_page_has_no_marks(qtbot, studio):
    desk = with_concerns(qtbot, studio, Concern(Reason.MISSING_INK, Box(40, 300, 200, 320)))
    studio.signals.tell(studio.session.proofs.accept((0,)))
    qtbot.waitUntil(lambda: desk._boxes == [], timeout=5_000)
