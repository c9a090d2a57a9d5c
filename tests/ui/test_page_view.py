"""The page image through its widget: sharp, still, and telling what was clicked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication, QStyle

from app.book import Box, Kind, PageSize, Region, Span
from app.errors import SourceError
from tests.ui.scans import Scans, grey, notch
from ui import page_view
from ui.page_layout import Fit, Point, Zoom
from ui.page_view import PageView

pytestmark = pytest.mark.ui

SIZE = PageSize(1000, 1500)
UPPER = Region(Kind.TEXT, "upper block", Box(100, 100, 900, 500))
LOWER = Region(Kind.NOTE, "lower block", Box(100, 900, 900, 1400))
NOWHERE = Region(Kind.TEXT, "no box")
INNER = Region(Kind.CAPTION, "inside the upper", Box(200, 200, 300, 300))
REGIONS = (UPPER, NOWHERE, LOWER, INNER)


@pytest.fixture
def scans() -> Scans:
    return Scans()


@pytest.fixture
def view(qtbot, scans) -> PageView:
    return shown(qtbot, scans)


def shown(qtbot, scans: Scans) -> PageView:
    view = PageView()
    qtbot.addWidget(view)
    view.resize(400, 500)
    view.set_book(scans.request)
    view.show()
    return view


def turned(qtbot, view: PageView, page: int = 0) -> PageView:
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        view.show_page(page, SIZE)
    return view


def picture(view: PageView) -> QImage:
    return view.desk.viewport().grab().toImage()


def colour(view: PageView, place: QPoint | None = None) -> tuple[int, int, int]:
    image = picture(view)
    at = image.rect().center() if place is None else place
    return image.pixelColor(at).getRgb()[:3]  # pyright: ignore[reportIndexIssue] - a tuple of four


def on_screen(view: PageView, x: float, y: float) -> QPoint:
    """Where a place of the master is seen; the way there is straight."""
    start, end = (view.desk.point_at(QPointF(at, at)) for at in (0, 100))
    assert start is not None
    assert end is not None
    scale = 100 / (end.x - start.x)
    return QPoint(round((x - start.x) * scale), round((y - start.y) * scale))


# its image


def test_a_page_is_asked_for_as_large_as_it_is_shown(view, scans, qtbot):
    turned(qtbot, view)
    asked = scans.asked[-1]
    assert asked.page == 0
    assert asked.scale == pytest.approx(min((400 - 24) / 1000, (500 - 24) / 1500))
    assert colour(view) == grey(0)


def test_a_page_of_unknown_size_is_asked_for_by_the_room_it_has(view, scans, qtbot):
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        view.show_page(0, None)
    assert scans.asked[0].fit == (400 - 24, 500 - 24)
    assert view.desk.zoom.scale == pytest.approx(476 / 1500, rel=0.01)


def test_nothing_is_asked_for_while_the_view_is_hidden(qtbot, scans):
    view = PageView()
    qtbot.addWidget(view)
    view.set_book(scans.request)
    view.show_page(0, SIZE)
    assert not scans.asked
    view.show()
    qtbot.waitUntil(lambda: bool(scans.asked), timeout=2000)


def test_above_full_size_the_painter_enlarges_what_is_there(view, scans, qtbot):
    turned(qtbot, view)
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        view.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    count = len(scans.asked)
    view.desk.set_zoom(Zoom(Fit.FREE, 2.0))
    qtbot.wait(200)
    assert [asked.scale for asked in scans.asked[count:]] == []
    assert all(asked.scale <= 1.0 for asked in scans.asked)


def test_a_gesture_asks_once_after_it_has_ended(view, scans, qtbot):
    turned(qtbot, view)
    qtbot.wait(150)
    count = len(scans.asked)
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        for _step in range(5):
            view.desk.zoom_in()
    assert len(scans.asked) == count + 1
    assert scans.asked[-1].scale == pytest.approx(view.desk.zoom.scale)


def test_the_previous_page_stays_until_the_next_has_come(qtbot):
    scans = Scans()
    view = turned(qtbot, shown(qtbot, scans), 0)
    scans.at_once = False
    view.show_page(1, SIZE)
    assert colour(view) == grey(0)
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        scans.answer(scans.asked[-1])
    assert colour(view) == grey(1)


def test_a_page_that_is_late_is_paper_and_then_says_so(qtbot):
    scans = Scans()
    view = turned(qtbot, shown(qtbot, scans), 0)
    scans.at_once = False
    view.show_page(1, SIZE)
    paper = QColor(view.palette().base().color())
    qtbot.waitUntil(lambda: colour(view) not in {grey(0)}, timeout=1000)
    blank = picture(view)
    assert blank.pixelColor(200, 100).lightness() > 240 or paper.lightness() < 128
    qtbot.waitUntil(lambda: picture(view) != blank, timeout=1500)  # the word


def test_only_the_last_of_many_pages_turned_is_shown(qtbot):
    scans = Scans(at_once=False)
    view = shown(qtbot, scans)
    for page in range(5):
        view.show_page(page, SIZE)
    assert [asked.future.cancelled() for asked in scans.asked] == [True] * 4 + [False]
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000) as told:
        scans.answer(scans.asked[-1])
    assert told.args == [4]


def test_an_answer_that_comes_too_late_is_dropped(qtbot):
    scans = Scans(at_once=False)
    view = shown(qtbot, scans)
    view.show_page(0, SIZE)
    running = scans.asked[0]
    running.future.set_running_or_notify_cancel()  # it cannot be cancelled any more
    view.show_page(1, SIZE)
    running.future.set_result(scans.raster(running))
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000) as told:
        scans.answer(scans.asked[-1])
    assert told.args == [1]
    assert colour(view) == grey(1)


def test_a_page_without_image_says_why_on_its_paper(qtbot):
    scans = Scans(at_once=False)
    view = shown(qtbot, scans)
    view.show_page(0, SIZE)
    error = SourceError("page_undecodable", page=1, detail="cut short")
    blank = picture(view)
    with qtbot.waitSignal(view.desk.page_failed, timeout=2000) as told:
        scans.answer(scans.asked[-1], error)
    assert told.args == [0, error]
    assert picture(view) != blank


def test_a_changed_scan_is_fetched_anew(view, scans, qtbot):
    turned(qtbot, view)
    count = len(scans.asked)
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        view.desk.reload()
    assert len(scans.asked) > count


@pytest.mark.parametrize("factor", ["1", "1.5", "2"])
def test_full_size_is_one_pixel_for_one_pixel_of_the_screen(factor):
    """In a process of its own, as Qt takes the scale factor at its start only."""
    script = Path(__file__).with_name("full_size.py")
    done = subprocess.run(
        [sys.executable, str(script), factor],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "every pixel as it is in the image", done.stdout + done.stderr


# zoom and pan


def test_the_wheel_with_ctrl_zooms_at_the_cursor(view, qtbot):
    turned(qtbot, view)
    place = QPointF(300, 350)
    view.desk.set_zoom(Zoom(Fit.FREE, 0.6))
    before = view.desk.point_at(place)
    for _notch in range(10):
        wheel(view, place, Qt.KeyboardModifier.ControlModifier)
    after = view.desk.point_at(place)
    assert view.desk.zoom.fit is Fit.FREE
    assert view.desk.zoom.scale > 1.0
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=3)


def wheel(view: PageView, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    QApplication.sendEvent(view.desk.viewport(), notch(view.desk.viewport(), place, modifiers))


def test_pinching_zooms(view, qtbot):
    turned(qtbot, view)
    before = view.desk.zoom.scale
    room, place = view.desk.viewport(), QPointF(200, 200)
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        place,
        place,
        room.mapToGlobal(place),
        0.5,
        QPointF(),
    )
    QApplication.sendEvent(room, pinch)
    assert view.desk.zoom.scale == pytest.approx(before * 1.5)


def test_the_wheel_alone_scrolls(view, qtbot):
    turned(qtbot, view)
    view.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    view.desk.verticalScrollBar().setValue(500)
    wheel(view, QPointF(200, 200), Qt.KeyboardModifier.NoModifier)
    assert view.desk.verticalScrollBar().value() < 500
    assert view.desk.zoom.scale == 1.0


def test_zoom_is_kept_from_page_to_page_which_begins_at_its_top(view, qtbot):
    turned(qtbot, view)
    view.desk.set_zoom(Zoom(Fit.FREE, 0.8))
    view.desk.verticalScrollBar().setValue(300)
    turned(qtbot, view, 1)
    assert view.desk.zoom == Zoom(Fit.FREE, 0.8)
    assert view.desk.verticalScrollBar().value() == 0


def test_zoom_is_told_once_for_each_change(view, qtbot):
    turned(qtbot, view)
    told = []
    view.desk.zoom_changed.connect(told.append)
    view.desk.set_zoom(Zoom(Fit.FREE, 1.5))
    view.desk.set_zoom(Zoom(Fit.FREE, 1.5))
    assert told == [Zoom(Fit.FREE, 1.5)]


def test_a_fitted_page_follows_the_size_of_the_pane(view, scans, qtbot):
    turned(qtbot, view)
    before = view.desk.zoom.scale
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        view.resize(800, 1000)
    assert view.desk.zoom.scale > before
    assert scans.asked[-1].scale == pytest.approx(view.desk.zoom.scale)


def test_fitting_the_page_again_leaves_no_scroll_bar(view, qtbot):
    turned(qtbot, view)
    for zoom in (Zoom(Fit.FREE, 2.0), Zoom(Fit.PAGE)):
        view.desk.set_zoom(zoom)
        qtbot.wait(10)
    assert view.desk.verticalScrollBar().maximum() == 0
    assert not view.desk.verticalScrollBar().isVisible()


@pytest.mark.parametrize("with_space", [True, False], ids=["space", "middle button"])
def test_the_hand_moves_the_page(view, qtbot, with_space):
    turned(qtbot, view)
    view.desk.set_zoom(Zoom(Fit.FREE, 2.0))
    room = view.desk.viewport()
    place = QPointF(200, 200)
    before = view.desk.point_at(place)
    if with_space:
        qtbot.keyPress(view.desk, Qt.Key.Key_Space)
    button = Qt.MouseButton.LeftButton if with_space else Qt.MouseButton.MiddleButton
    with qtbot.assertNotEmitted(view.region_clicked):
        qtbot.mousePress(room, button, pos=QPoint(200, 200))
        qtbot.mouseMove(room, QPoint(150, 120))
        qtbot.mouseRelease(room, button, pos=QPoint(150, 120))
    after = view.desk.point_at(QPointF(150, 120))
    assert (after.x, after.y) == pytest.approx((before.x, before.y), abs=1)
    if with_space:
        qtbot.keyRelease(view.desk, Qt.Key.Key_Space)
    assert room.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_bringing_a_box_into_sight_moves_only_if_it_is_not_seen(view, qtbot):
    turned(qtbot, view)
    view.desk.set_zoom(Zoom(Fit.FREE, 1.0))
    view.desk.verticalScrollBar().setValue(0)
    view.bring_into_sight(Box(100, 50, 200, 80))
    assert view.desk.verticalScrollBar().value() == 0
    view.bring_into_sight(Box(100, 1400, 200, 1430))
    qtbot.waitUntil(lambda: view.desk.verticalScrollBar().value() > 900, timeout=2000)


# blocks


def test_blocks_are_outlined_and_the_lit_one_stands_out(view, qtbot):
    turned(qtbot, view)
    bare = picture(view)
    view.show_regions(REGIONS)
    outlined = picture(view)
    assert outlined != bare
    inside = on_screen(view, 700, 300)
    assert outlined.pixelColor(inside) == bare.pixelColor(inside)
    view.light(0)
    assert picture(view).pixelColor(inside) != bare.pixelColor(inside)


def test_outlines_can_be_put_away_but_for_the_lit_one(view, qtbot):
    turned(qtbot, view)
    bare = picture(view)
    view.show_regions(REGIONS)
    view.set_boxes_shown(is_shown=False)
    assert picture(view) == bare
    view.light(2)
    assert picture(view) != bare


def test_a_block_fills_softly_under_the_mouse(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    outlined = picture(view)
    qtbot.mouseMove(view.desk.viewport(), on_screen(view, 500, 1200))
    assert picture(view) != outlined
    QApplication.sendEvent(view.desk.viewport(), QEvent(QEvent.Type.Leave))
    assert picture(view) == outlined


def test_a_click_tells_the_block_and_the_place_on_the_page(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    with qtbot.waitSignal(view.region_clicked, timeout=1000) as told:
        click(view, qtbot, 500, 1200)
    region, point = told.args
    assert region == 2
    assert (point.x, point.y) == pytest.approx((500, 1200), abs=8)


def click(view: PageView, qtbot, x: float, y: float) -> None:
    place = on_screen(view, x, y)
    qtbot.mouseClick(view.desk.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_innermost_block_is_the_one_clicked(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    with qtbot.waitSignal(view.region_clicked, timeout=1000) as told:
        click(view, qtbot, 250, 250)
    assert told.args[0] == 3


def test_a_click_beside_all_blocks_tells_nothing(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    with qtbot.assertNotEmitted(view.region_clicked, wait=10):
        click(view, qtbot, 500, 700)


def test_a_double_click_opens_the_block_for_editing(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    place = on_screen(view, 500, 1200)
    with qtbot.waitSignal(view.region_opened, timeout=1000) as told:
        qtbot.mouseDClick(view.desk.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args[0] == 2


def test_keys_walk_the_blocks_and_enter_opens_the_lit_one(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    chosen = []
    view.region_clicked.connect(lambda region, _point: (chosen.append(region), view.light(region)))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(view.desk, key, Qt.KeyboardModifier.ControlModifier)
    assert chosen == [0, 2, 3, 2]  # the block without a place is left out
    with qtbot.waitSignal(view.region_opened, timeout=1000) as told:
        qtbot.keyClick(view.desk, Qt.Key.Key_Return)
    assert told.args == [2, Point(100, 900)]


def test_blocks_of_the_next_page_are_not_drawn_on_the_one_before(qtbot):
    scans = Scans()
    view = turned(qtbot, shown(qtbot, scans), 0)
    bare = picture(view)
    scans.at_once = False
    view.show_page(1, SIZE)
    view.show_regions(REGIONS)
    assert picture(view) == bare
    with qtbot.assertNotEmitted(view.region_clicked, wait=10):
        middle = view.desk.viewport().rect().center()
        qtbot.mouseClick(view.desk.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    with qtbot.waitSignal(view.desk.page_shown, timeout=2000):
        scans.answer(scans.asked[-1])
    assert picture(view) != bare


def test_the_word_of_the_cursor_is_marked_and_an_estimate_looks_different(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    view.light(0)
    lit = picture(view)
    word = Span(0, 5, Box(400, 350, 700, 420))
    view.light(0, word)
    exact = picture(view)
    assert exact != lit
    view.light(0, word._replace(origin="estimated"))
    assert picture(view) not in (exact, lit)


def test_a_new_block_fades_in_while_the_page_is_read(view, qtbot):
    turned(qtbot, view)
    view.show_regions((UPPER,), fades=True)
    first = picture(view)
    qtbot.waitUntil(lambda: picture(view) != first, timeout=1000)


def test_nothing_fades_where_motion_is_not_wanted(view, qtbot, monkeypatch):
    monkeypatch.setattr(page_view, "is_motion_wanted", lambda _widget: False)
    turned(qtbot, view)
    view.show_regions((UPPER,), fades=True)
    first = picture(view)
    qtbot.wait(100)
    assert picture(view) == first


def test_the_blocks_are_told_to_those_who_cannot_see_them(view, qtbot):
    turned(qtbot, view)
    view.show_regions(REGIONS)
    told = view.desk.accessibleDescription().split("\n")
    assert told[0] == "4 blocks"
    assert told[3] == "Note: lower block"
    assert view.desk.accessibleName()


def test_a_huge_page_at_double_size_keeps_no_enlarged_copy(qtbot):
    scans = Scans(width_px=5000, height_px=7000)
    view = shown(qtbot, scans)
    with qtbot.waitSignal(view.desk.page_shown, timeout=5000):
        view.show_page(0, PageSize(5000, 7000))
    with qtbot.waitSignal(view.desk.page_shown, timeout=5000):
        view.desk.set_zoom(Zoom(Fit.FREE, 2.0))
    assert scans.asked[-1].scale == 1.0
    assert colour(view) == grey(0)
    assert view.desk.verticalScrollBar().maximum() > 13_000
    assert view.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent) > 0
