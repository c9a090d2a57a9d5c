"""The plot over time keeps a long run whole and breaks its curves where nothing is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QWidget

from app.events import Memory
from ui.memory_plot import SAMPLES, MemoryPlot, Sample, curves, thinned
from ui.theme import colours

pytestmark = pytest.mark.ui

MEMORY = Memory("card", 1000, weights_bytes=400, free_bytes=600)


@pytest.fixture
def plot(qtbot):
    plot = MemoryPlot()
    qtbot.addWidget(plot)
    return plot


@given(st.integers(1, 4000))
def test_a_long_run_stays_whole_and_bounded(count):
    samples: list[Sample] = []
    for at in range(count):
        samples = thinned([*samples, Sample(float(at))])
    assert len(samples) <= SAMPLES
    assert samples[0].at_s == 0
    assert samples[-1].at_s == count - 1


def test_curves_break_where_nothing_is_known():
    values = [1.0, 2.0, None, 4.0]
    samples = [Sample(float(at), steps_per_s=value) for at, value in enumerate(values)]
    found = curves(samples, lambda s: s.steps_per_s, QRectF(0, 0, 30, 40), top=4.0)
    assert [[(p.x(), p.y()) for p in curve] for curve in found] == [
        [(0, 30), (10, 20)],
        [(30, 0)],
    ]


@given(st.lists(st.tuples(st.floats(0, 1e5), st.none() | st.floats(0, 1e6)), min_size=1))
def test_curves_stay_within_their_plot(pairs):
    samples = [Sample(at, steps_per_s=value) for at, value in sorted(pairs, key=lambda p: p[0])]
    place = QRectF(10, 10, 200, 50)
    for curve in curves(samples, lambda s: s.steps_per_s, place, top=100.0):
        for point in curve:
            assert place.left() - 1e-6 <= point.x() <= place.right() + 1e-6
            assert place.top() - 1e-6 <= point.y() <= place.bottom() + 1e-6


def test_the_last_numbers_are_said(plot):
    plot.add(Sample(0.0))
    plot.add(Sample(1.0, MEMORY, 8.4, 41.0), step_unit="lines")
    assert plot.accessibleDescription() == (
        "Memory used of 0.98 KB: 400 B; Speed: 8.4 lines/s; Pages a minute: 41"
    )


def test_a_curve_is_drawn_and_cleared(plot):
    def has_accent() -> bool:
        image = plot.grab().toImage()
        accent = colours(plot.palette()).accent.rgb()
        return any(
            image.pixel(x, y) == accent for x in range(image.width()) for y in range(image.height())
        )

    plot.resize(200, 150)
    assert not has_accent()
    for at in range(5):
        plot.add(Sample(float(at), MEMORY, 5.0 + at, 3.0))
    assert has_accent()
    plot.clear()
    assert not has_accent()


def test_it_opens_above_its_gauge_and_closes_by_escape(plot, qtbot):
    gauge = QWidget()
    qtbot.addWidget(gauge)
    gauge.setGeometry(50, 500, 600, 26)
    gauge.show()
    plot.show_above(gauge)
    assert plot.isVisible()
    assert plot.geometry().bottom() < gauge.geometry().top()
    assert gauge.screen().availableGeometry().contains(plot.geometry())
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert not plot.isVisible()
