"""Rows of widgets: nothing overlaps, nothing leaves the width, hidden ones take no room."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from ui.flow import Flow

pytestmark = pytest.mark.ui


def filled(widths: list[int]) -> tuple[QWidget, list[QWidget]]:
    owner = QWidget()
    flow = Flow(owner, across_px=8, down_px=4)
    parts: list[QWidget] = []
    for width in widths:
        part = QWidget(owner)
        part.setFixedSize(width, 10 + width % 7)
        flow.addWidget(part)
        parts.append(part)
    return owner, parts


@given(st.lists(st.integers(1, 90), min_size=1, max_size=12), st.integers(90, 400))
def test_nothing_overlaps_and_all_stay_inside(qapp, widths, width):
    owner, parts = filled(widths)
    flow = owner.layout()
    assert isinstance(flow, Flow)
    place = QRect(0, 0, width, flow.heightForWidth(width))
    flow.setGeometry(place)
    assert all(place.contains(part.geometry()) for part in parts)
    assert not any(one.geometry().intersects(two.geometry()) for one, two in combinations(parts, 2))


def test_a_row_is_filled_before_the_next_begins(qtbot):
    owner, parts = filled([40, 40, 40])
    qtbot.addWidget(owner)
    owner.resize(90, 60)
    owner.show()
    assert parts[0].y() == parts[1].y() < parts[2].y()
    assert [part.x() for part in parts] == [0, 48, 0]


def test_a_hidden_widget_takes_no_room(qtbot):
    owner, parts = filled([40, 40, 40])
    qtbot.addWidget(owner)
    parts[1].hide()
    owner.resize(90, 60)
    owner.show()
    assert [part.x() for part in (parts[0], parts[2])] == [0, 48]


def test_rows_begin_at_the_right_where_people_read_that_way(qtbot):
    owner, parts = filled([40, 30])
    qtbot.addWidget(owner)
    owner.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    owner.resize(100, 60)
    owner.show()
    assert [part.x() for part in parts] == [60, 22]
