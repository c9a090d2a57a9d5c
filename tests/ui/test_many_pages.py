"""Many pages at once in the window: a range chosen with keys or mouse, then one order for all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.book import PageState
from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.scans import found
from tests.ui.windows import open_with, press_key
from ui.page_grid import PageGrid
from ui.studio import Studio

pytestmark = pytest.mark.ui

PAGES = 5
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def studio(make_studio, qtbot, tmp_path) -> Studio:
    studio = make_studio()
    scan = make_scan(tmp_path / "scan", PAGES)
    open_with(qtbot, studio, scan, [machine(f"text of leaf {n}") for n in range(PAGES)])
    return studio


def grid(studio: Studio) -> PageGrid:
    return found(studio.window, PageGrid)


def click(studio: Studio, page: int, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    view = grid(studio)
    index = view.model().index(page, 0)
    view.scrollTo(index)
    place = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, QPoint(place))


def states(studio: Studio) -> list[PageState]:
    assert studio.session.book is not None
    return [page.state for page in studio.session.book.pages]


def are(studio: Studio, state: PageState, pages: set[int]) -> bool:
    return {n for n, each in enumerate(states(studio)) if each is state} == pages


def test_a_range_chosen_with_shift_is_accepted_and_taken_back_at_once(studio, qtbot):
    click(studio, 1)
    click(studio, 3, SHIFT)
    assert studio.window.pages.chosen_pages() == (1, 2, 3)
    press_key(studio, "accept")
    qtbot.waitUntil(lambda: are(studio, PageState.PROOFREAD, {1, 2, 3}), timeout=5000)
    assert studio.session.page == 3  # many at once turn no page
    press_key(studio, "unaccept")
    qtbot.waitUntil(lambda: are(studio, PageState.READ, {0, 1, 2, 3, 4}), timeout=5000)


def test_single_pages_are_added_with_ctrl_and_called_blank(studio, qtbot):
    click(studio, 0)
    click(studio, 4, CTRL)
    studio.orders.carry_out("mark_blank")
    qtbot.waitUntil(lambda: are(studio, PageState.BLANK, {0, 4}), timeout=5000)


def test_a_range_is_chosen_by_keys_alone(studio, qtbot):
    click(studio, 1)
    QTest.keyClick(grid(studio), Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(grid(studio), Qt.Key.Key_Down, SHIFT)
    assert studio.window.pages.chosen_pages() == (1, 2, 3)
    press_key(studio, "accept")
    qtbot.waitUntil(lambda: are(studio, PageState.PROOFREAD, {1, 2, 3}), timeout=5000)


def test_all_pages_are_chosen_by_one_key(studio):
    click(studio, 0)
    QTest.keyClick(grid(studio), Qt.Key.Key_A, CTRL)
    assert studio.window.pages.chosen_pages() == tuple(range(PAGES))


def test_chosen_pages_are_read_again_and_no_other(studio, qtbot):
    click(studio, 2)
    click(studio, 3, SHIFT)
    before = [page.reading_id for page in studio.session.book.pages]
    press_key(studio, "read_page")
    qtbot.waitUntil(lambda: studio.session.runs.run is None, timeout=20_000)
    qtbot.waitUntil(
        lambda: (
            {n for n, p in enumerate(studio.session.book.pages) if p.reading_id != before[n]}
            == {2, 3}
        ),
        timeout=5000,
    )


def test_one_page_not_among_the_chosen_is_meant_alone(studio, qtbot):
    click(studio, 1)
    click(studio, 2, SHIFT)
    studio.orders.turn_to(4)
    studio.orders.carry_out("accept")
    qtbot.waitUntil(lambda: are(studio, PageState.PROOFREAD, {4}), timeout=5000)
