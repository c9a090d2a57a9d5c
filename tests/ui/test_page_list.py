"""The page list: what is asked for, what is shown, what is told, with real widgets."""

from __future__ import annotations

import statistics
import time
from concurrent.futures import Future
from datetime import UTC, datetime
from threading import Thread
from typing import TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QComboBox, QListView, QMenu, QWidget
from typing_extensions import override

from app.book import Acceptance, Page, PageState, Reason
from app.errors import SourceError
from app.sources.values import Raster
from ui.page_list import PageList
from ui.page_model import Index, PageModel, Shown, page_words
from ui.thumbnails import Thumbnails

pytestmark = pytest.mark.ui

T = TypeVar("T", bound=QWidget)
RED = bytes((200, 10, 20))


def sheet(width_px: int = 40, height_px: int = 60) -> Raster:
    return Raster(width_px, height_px, 3, RED * (width_px * height_px), 0.1)


class Desk:
    """Answers requests for thumbnails when the test says so."""

    def __init__(self) -> None:
        self.asked: dict[int, Future[Raster]] = {}
        self.sizes: dict[int, int] = {}
        self.order: list[int] = []

    def request(self, page: int, size_px: int) -> Future[Raster]:
        self.asked[page] = Future()
        self.sizes[page] = size_px
        self.order.append(page)
        return self.asked[page]

    def answer(self, page: int, result: Raster | Exception) -> None:
        """From another thread, as the real queue does."""

        def end() -> None:
            future = self.asked[page]
            if future.set_running_or_notify_cancel():
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

        thread = Thread(target=end)
        thread.start()
        thread.join()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def pages() -> list[Page]:
    return [Page(number, label=str(number + 100)) for number in range(300)]


@pytest.fixture
def listed(qtbot, desk, pages):
    shown = PageList()
    qtbot.addWidget(shown)
    shown.set_book(pages, desk.request)
    shown.resize(shown.sizeHint().width(), 600)
    shown.show()
    qtbot.waitUntil(lambda: 0 in desk.asked, timeout=2000)
    return shown


def found(parent: QWidget, kind: type[T]) -> T:
    child = parent.findChild(kind)
    assert child is not None
    return child


def grid(listed: PageList) -> QListView:
    return found(listed, QListView)


def test_only_pages_in_sight_are_asked_for(listed, desk):
    assert 3 <= len(desk.asked) <= 8
    assert sorted(desk.asked) == list(range(len(desk.asked)))


def test_the_topmost_page_is_asked_for_last_as_the_newest_comes_first(listed, desk):
    assert desk.order == sorted(desk.order, reverse=True)


def test_thumbnails_have_a_pixel_for_every_pixel_of_the_screen(listed, desk):
    assert desk.sizes[0] == round(118 * listed.devicePixelRatioF())


def test_requests_out_of_sight_are_taken_back(listed, desk, qtbot):
    grid(listed).verticalScrollBar().setValue(grid(listed).verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: 299 in desk.asked, timeout=2000)
    assert desk.asked[0].cancelled()
    assert not desk.asked[299].cancelled()


def test_a_thumbnail_that_arrives_is_painted(listed, desk, qtbot):
    desk.answer(0, sheet())
    qtbot.waitUntil(lambda: colour_on(listed, 0) == QColor(*RED), timeout=2000)


def colour_on(listed: PageList, row: int) -> QColor:
    """In the middle of the paper."""
    view = grid(listed)
    cell = view.visualRect(view.model().index(row, 0))
    image = view.viewport().grab().toImage()
    return image.pixelColor(cell.center() - QPoint(0, 5))


def test_a_page_without_image_is_not_asked_for_again(listed, desk, qtbot):
    desk.answer(1, SourceError("page_undecodable", page=2, detail="cut short"))
    qtbot.wait(0)
    desk.order.clear()
    grid(listed).verticalScrollBar().setValue(9000)
    qtbot.waitUntil(lambda: bool(desk.order), timeout=2000)
    grid(listed).verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: 0 in desk.order, timeout=2000)
    assert 1 not in desk.order


def test_a_late_answer_of_another_book_is_dropped(listed, desk, pages, qtbot):
    late = desk.asked[0]
    listed.set_book(pages[:2], Desk().request)
    late.cancel()
    desk.answer(0, sheet())
    qtbot.wait(20)
    assert colour_on(listed, 0) != QColor(*RED)


def test_the_cache_is_bounded(qtbot, qapp):
    desk = Desk()
    thumbnails = Thumbnails(cache_bytes=10 * 40 * 60 * 4)
    thumbnails.begin(desk.request)
    thumbnails.want(range(50), size_px=60)
    for page in range(50):
        desk.answer(page, sheet())
    qtbot.waitUntil(lambda: thumbnails.pixmap(49) is not None, timeout=2000)
    assert sum(thumbnails.pixmap(page) is not None for page in range(50)) == 10


def test_choosing_a_page_is_told_once(listed, qtbot):
    with qtbot.waitSignal(listed.page_chosen, timeout=1000) as told:
        click(listed, 2, qtbot)
    assert told.args == [2]


def click(listed: PageList, row: int, qtbot, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    view = grid(listed)
    place = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_showing_the_current_page_tells_nothing_and_brings_it_into_sight(listed, qtbot):
    with qtbot.assertNotEmitted(listed.page_chosen, wait=10):
        listed.show_current(150)
    view = grid(listed)
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center())
    assert listed.chosen_pages() == (150,)


def test_the_keys_walk_the_pages(listed, qtbot):
    listed.show_current(3)
    with qtbot.waitSignal(listed.page_chosen, timeout=1000) as told:
        qtbot.keyClick(grid(listed), Qt.Key.Key_Down)
    assert told.args == [4]


def test_several_pages_can_be_chosen_and_accepted_at_once(listed, qtbot):
    click(listed, 0, qtbot)
    click(listed, 2, qtbot, Qt.KeyboardModifier.ShiftModifier)
    assert listed.chosen_pages() == (0, 1, 2)
    with qtbot.waitSignal(listed.accept_asked, timeout=1000) as told:
        choose_from_menu(listed, 1, qtbot)
    assert told.args == [(0, 1, 2)]


def choose_from_menu(listed: PageList, place: int, qtbot) -> None:
    grid(listed).customContextMenuRequested.emit(QPoint(20, 20))
    menu = found(listed, QMenu)
    orders = [action for action in menu.actions() if not action.isSeparator()]
    orders[place].trigger()
    menu.close()


def test_a_book_open_elsewhere_offers_no_orders(listed):
    listed.set_changeable(is_changeable=False)
    listed.show_current(0)
    grid(listed).customContextMenuRequested.emit(QPoint(20, 20))
    assert listed.findChild(QMenu) is None


def test_turning_to_one_of_several_chosen_pages_keeps_the_choice(listed, qtbot):
    click(listed, 0, qtbot)
    click(listed, 2, qtbot, Qt.KeyboardModifier.ShiftModifier)
    listed.show_current(1)
    assert listed.chosen_pages() == (0, 1, 2)
    listed.show_current(200)
    assert listed.chosen_pages() == (200,)


def test_accepting_under_the_filter_does_not_turn_the_page(listed, pages, qtbot):
    listed.show_only(Shown.UNFINISHED)
    listed.show_current(2)
    done = Page(2, label="102", state=PageState.PROOFREAD)
    with qtbot.assertNotEmitted(listed.page_chosen, wait=10):
        listed.update_pages([done])
    assert grid(listed).model().rowCount() == 299
    assert listed.chosen_pages() == ()
    with qtbot.waitSignal(listed.page_chosen, timeout=1000) as told:
        qtbot.keyClick(grid(listed), Qt.Key.Key_Down)
    assert told.args == [3]


def test_the_filter_lists_the_pages_of_one_state(listed, pages, qtbot):
    listed.update_pages([Page(7, state=PageState.FAILED), Page(9, state=PageState.LOOK)])
    box = found(listed, QComboBox)
    box.setFocus()
    qtbot.keyClicks(box, "Fa")
    model = grid(listed).model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["8"]
    listed.update_pages([Page(7, state=PageState.READ), Page(8, state=PageState.FAILED)])
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["9"]


def test_the_filter_counts_what_it_would_list(listed):
    listed.update_pages([Page(7, state=PageState.FAILED)])
    box = found(listed, QComboBox)
    counts = [box.itemData(place) for place in range(box.count())]
    assert counts == [300, 300, 0, 1, 0]


def test_a_page_says_its_numbers_and_why_it_should_be_looked_at(listed):
    listed.update_pages([Page(1, label="8", state=PageState.LOOK, reasons=(Reason.MAYBE_BLANK,))])
    cell = QAccessible.queryAccessibleInterface(grid(listed)).child(1)
    assert cell.text(QAccessible.Text.Name) == "Page 2, printed 8, to look at: perhaps blank"


def test_the_printed_number_stands_in_front(listed):
    assert grid(listed).model().index(3, 0).data() == "103 (4)"


def test_the_ring_turns_while_a_page_is_read_and_only_then(listed, qtbot):
    listed.update_pages([Page(0, state=PageState.READING)])
    listed.show_reading(0)
    before = grid(listed).viewport().grab().toImage()
    qtbot.waitUntil(lambda: grid(listed).viewport().grab().toImage() != before, timeout=2000)
    listed.show_reading(None)
    before = grid(listed).viewport().grab().toImage()
    qtbot.wait(150)
    assert grid(listed).viewport().grab().toImage() == before


def test_the_ring_turns_also_while_text_streams_in_all_the_time(listed, qtbot):
    listed.update_pages([Page(0, state=PageState.READING)])
    listed.show_reading(0)
    before = grid(listed).viewport().grab().toImage()
    for _piece in range(10):
        qtbot.wait(30)  # sooner than the ring's own step
        listed.show_reading(0)
    assert grid(listed).viewport().grab().toImage() != before


def test_a_page_that_changes_lets_the_others_lie(qtbot, desk, pages, monkeypatch):
    asked: list[int] = []

    class Counted(PageModel):
        @override
        def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
            asked.append(1)
            return super().rowCount(parent)

    monkeypatch.setattr("ui.page_list.PageModel", Counted)
    shown = PageList()
    qtbot.addWidget(shown)
    shown.set_book(pages, desk.request)
    shown.show()
    qtbot.waitUntil(lambda: 0 in desk.asked, timeout=2000)
    asked.clear()
    shown.update_pages([Page(3, state=PageState.READING)])
    shown.show_reading(3)
    assert 0 < len(asked) < 100  # laying out anew asks once for each page


@pytest.mark.parametrize("width_px", [140, 178, 190, 233, 400, 585, 901])
def test_cells_fill_the_width_from_the_very_top(listed, qtbot, width_px):
    listed.resize(width_px, 600)
    view = grid(listed)
    cells = [view.visualRect(view.model().index(row, 0)) for row in range(12)]
    first_row = [cell for cell in cells if cell.top() == cells[0].top()]
    assert cells[0].topLeft() == QPoint(0, 0)
    assert view.viewport().width() - first_row[-1].right() < 12


def test_a_wide_list_shows_several_pages_in_a_row_and_keeps_its_place(listed, qtbot):
    listed.show_current(150)
    listed.resize(600, 600)
    qtbot.waitUntil(lambda: grid(listed).gridSize().width() < 150, timeout=1000)
    view = grid(listed)
    first, second = (view.visualRect(view.model().index(row, 0)) for row in (150, 151))
    assert first.top() == second.top() or first.left() > second.left()
    assert view.viewport().rect().intersects(first)


def test_painting_three_thousand_pages_stays_under_a_frame(qtbot):
    listed = PageList()
    qtbot.addWidget(listed)
    states = list(PageState)
    listed.set_book([Page(n, state=states[n % 7]) for n in range(3000)], Desk().request)
    listed.resize(600, 900)
    listed.show()
    view = grid(listed)
    bar = view.verticalScrollBar()
    taken_s = []
    for step in range(60):
        bar.setValue(bar.maximum() * step // 60)
        begun_s = time.perf_counter()
        view.viewport().repaint()
        taken_s.append(time.perf_counter() - begun_s)
    assert statistics.median(taken_s) < 0.5  # a hang; make bench measures


def test_selection_can_be_made_with_keys_alone(listed, qtbot):
    listed.show_current(0)
    qtbot.keyClick(grid(listed), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(grid(listed), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert listed.chosen_pages() == (0, 1, 2)


def test_a_page_says_who_has_proofread_it():
    anna = Acceptance("Anna", datetime(2026, 11, 3, 12, tzinfo=UTC))
    page = Page(11, label="8", state=PageState.PROOFREAD, acceptances=(anna,))
    assert page_words(page) == "Page 12, printed 8, proofread (Anna, 2026-11-03)"
