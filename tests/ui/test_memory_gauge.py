"""The memory gauge: parts in order and to scale, the tick, the ghost, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip

from app.events import Memory
from ui import memory_parts as parts
from ui.memory_gauge import MemoryBar, MemoryGauge, lines_of, number_text, tip_of
from ui.memory_parts import Part
from ui.theme import colours

pytestmark = pytest.mark.ui

GB = 2**30
CARD = Memory(
    "NVIDIA H200",
    24 * GB,
    weights_bytes=6 * GB,
    references_bytes=3 * GB,
    window_bytes=1 * GB,
    work_bytes=2 * GB,
    other_bytes=2 * GB,
    free_bytes=10 * GB,
    dense_bytes=11 * GB,
    reference_pages=64,
    host_bytes=3 * GB,
)
PROCESSOR = Memory("cpu", 16 * GB, work_bytes=GB, other_bytes=4 * GB, free_bytes=11 * GB)

sizes = st.integers(0, 200 * GB)
memories = st.builds(
    Memory,
    st.just("card"),
    sizes,
    *(sizes for _ in Part),
    limit_bytes=st.none() | sizes,
    dense_bytes=sizes,
)


@pytest.fixture
def bar(qtbot):
    bar = MemoryBar()
    qtbot.addWidget(bar)
    bar.resize(500, bar.sizeHint().height())
    return bar


@pytest.fixture
def gauge(qtbot):
    gauge = MemoryGauge()
    qtbot.addWidget(gauge)
    gauge.resize(1200, gauge.sizeHint().height())
    gauge.show()
    return gauge


def drawn(widget) -> QImage:
    return widget.grab().toImage()


@given(memories, st.floats(1, 4000))
def test_stretches_stand_side_by_side_in_order_within_the_bar(memory, width):
    found = parts.stretches(memory, width)
    order = list(Part)
    assert [order.index(s.part) for s in found] == sorted(order.index(s.part) for s in found)
    for one, two in pairwise(found):
        assert one.right == two.left
    assert all(0 <= s.left < s.right <= width * (1 + 1e-9) or s.left == s.right for s in found)


def test_parts_are_to_scale_and_empty_ones_left_out():
    assert [(s.part, s.left, s.right) for s in parts.stretches(PROCESSOR, 160)] == [
        (Part.WORK, 0, 10),
        (Part.OTHER, 10, 50),
        (Part.FREE, 50, 160),
    ]


def test_parts_of_nought_draw_an_empty_bar(bar):
    bar.show_memory(Memory("cpu", 0))
    assert drawn(bar).pixelColor(100, bar.height() // 2) == colours(bar.palette()).panel


def test_each_part_has_its_colour(bar):
    bar.show_memory(replace(CARD, dense_bytes=0))
    image, column = drawn(bar), colours(bar.palette())
    rect = bar.bar_rect()

    def colour_at(share: float):
        return image.pixelColor(round(rect.left() + share * rect.width()), bar.height() // 2)

    assert colour_at(7.5 / 24) == column.accent
    assert colour_at(9.5 / 24) == column.accent_soft
    assert colour_at(20 / 24) == column.panel
    hatched = {colour_at((12.3 + step / 40) / 24).name() for step in range(50)}
    assert len(hatched) > 1


def test_the_ghost_begins_after_the_weights_and_runs_off_the_end(bar):
    empty = drawn_columns(bar, replace(CARD, dense_bytes=0))
    rect = bar.bar_rect()
    inside = drawn_columns(bar, CARD) - empty
    assert min(inside) == pytest.approx(rect.left() + 6 / 24 * rect.width(), abs=2)
    assert max(inside) == pytest.approx(rect.left() + 17 / 24 * rect.width(), abs=2)
    off = drawn_columns(bar, replace(CARD, dense_bytes=100 * GB)) - empty
    assert max(off) > rect.right()


def drawn_columns(bar: MemoryBar, memory: Memory) -> set[int]:
    """Where something is drawn in the row above the bar, beside the tick."""
    bar.show_memory(memory)
    image = drawn(bar)
    row = round(bar.bar_rect().top() - 2)
    ground = image.pixelColor(0, row)
    return {x for x in range(bar.width()) if image.pixelColor(x, row) != ground}


def test_the_forecast_stands_where_pages_and_window_will_end(bar):
    bar.show_memory(replace(CARD, forecast_bytes=12 * GB))
    x = bar.bar_rect().left() + bar.bar_rect().width() / 2
    above = bar.grab().toImage().pixelColor(round(x), 1)
    bar.show_memory(CARD)
    assert bar.grab().toImage().pixelColor(round(x), 1) != above


def test_the_tick_stands_at_the_limit_and_warns_from_80_percent(bar):
    column = colours(bar.palette())
    at = round(bar.bar_rect().left() + 20 / 24 * bar.bar_rect().width())
    bar.show_memory(replace(CARD, dense_bytes=0, limit_bytes=20 * GB))
    assert drawn(bar).pixelColor(at, 1) == column.text
    bar.show_memory(replace(CARD, dense_bytes=0, limit_bytes=20 * GB, weights_bytes=10 * GB))
    assert drawn(bar).pixelColor(at, 1) == column.look


def test_without_a_limit_other_programs_count_towards_the_warning():
    assert not parts.is_tight(CARD)
    assert parts.is_tight(replace(CARD, other_bytes=8 * GB, free_bytes=4 * GB))
    assert parts.is_tight(replace(CARD, limit_bytes=15 * GB))
    assert not parts.is_tight(Memory("cpu", 0))


def test_numbers_stand_beside_the_bar(gauge):
    gauge.show_memory(CARD)
    assert gauge.number.text() == "14 GB of 24 GB"
    assert gauge.dense.text() == "dense: 11 GB"
    assert gauge.pages.text() == "64 pages held"
    assert gauge.host.text() == "RAM 3 GB"
    assert not gauge.number.warns
    gauge.show_memory(replace(CARD, limit_bytes=14 * GB))
    assert gauge.number.text() == "12 GB of 14 GB allowed"
    assert gauge.number.warns


def test_on_a_processor_there_is_no_ghost_and_no_second_ram(gauge):
    gauge.show_memory(replace(PROCESSOR, host_bytes=GB))
    assert gauge.dense.text() == gauge.host.text() == gauge.pages.text() == ""
    assert gauge.number.text() == "5 GB of 16 GB"


def test_a_narrow_window_keeps_the_number_and_half_of_the_bar(gauge):
    gauge.show_memory(CARD)
    gauge.resize(420, gauge.height())
    QApplication.processEvents()
    assert gauge.number.isVisible()
    assert not gauge.pages.isVisible()
    assert gauge.bar.width() >= 200


def test_everything_is_named_with_its_bytes_for_those_who_do_not_see_it(gauge):
    assert gauge.accessibleName() == "Memory"
    gauge.show_memory(replace(CARD, limit_bytes=20 * GB))
    said = gauge.accessibleDescription()
    for words in ("Weights of the engine: 6 GB", "Reference pages: 3 GB (64 pages)", "Free: 10 GB"):
        assert words in said
    assert "Limit of the settings: 20 GB" in said
    assert "dense cache of the same pages: 11 GB" in said
    assert len(lines_of(PROCESSOR)) == len(Part)


def test_the_tip_marks_the_part_under_the_pointer():
    assert "<b>Reference pages: 3 GB (64 pages)</b>" in tip_of(CARD, Part.REFERENCES)
    assert "<b>Reference" not in tip_of(CARD, None)
    assert "<b>RAM</b>" in tip_of(PROCESSOR, None)


def test_hovering_shows_the_tip(gauge):
    gauge.show_memory(CARD)
    place = QPoint(gauge.bar.x() + 10, gauge.height() // 2)
    assert gauge.bar.part_at(10) is Part.WEIGHTS
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, gauge.mapToGlobal(place))
    QApplication.sendEvent(gauge, help_event)
    assert "<b>Weights of the engine: 6 GB</b>" in QToolTip.text()
    QToolTip.hideText()


def test_click_and_keys_ask_for_the_plot(gauge, qtbot):
    for act in (
        lambda: qtbot.mouseClick(gauge, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(gauge, Qt.Key.Key_Return),
        lambda: qtbot.keyClick(gauge, Qt.Key.Key_Space),
    ):
        with qtbot.waitSignal(gauge.plot_asked):
            act()


def test_the_bar_stands_still_while_numbers_change(gauge, qtbot):
    gauge.show_memory(replace(CARD, other_bytes=int(2.35 * GB)))
    QApplication.processEvents()
    before = gauge.bar.width()
    gauge.show_memory(replace(CARD, other_bytes=2 * GB))
    QApplication.processEvents()
    assert gauge.bar.width() == before


def test_before_the_first_measure_the_gauge_says_so(gauge):
    assert gauge.number.text() == "Memory is shown while an engine is loaded"
    gauge.show_memory(CARD)
    gauge.show_memory(None)
    assert gauge.number.text() == "Memory is shown while an engine is loaded"
    assert gauge.bar.part_at(50) is None


def test_number_of_a_limit_beyond_the_device_is_the_device():
    assert number_text(replace(CARD, limit_bytes=100 * GB)) == "12 GB of 24 GB allowed"


@given(memories)
def test_any_measure_can_be_drawn_and_said(qapp, memory):
    bar = MemoryBar()
    bar.resize(300, 26)
    bar.show_memory(memory)
    assert not drawn(bar).isNull()
    assert lines_of(memory)
    assert number_text(memory)
