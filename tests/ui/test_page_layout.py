"""Where a page lies: there and back, fits, and what stays in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Box
from ui.page_layout import Fit, Layout, Pan, Point, Size, Zoom, clamped, fitting_scale

pytestmark = pytest.mark.unit

sizes = st.builds(Size, st.integers(50, 9000), st.integers(50, 9000))
rooms = st.builds(Size, st.integers(160, 3000), st.integers(160, 3000))
scales = st.floats(0.02, 8.0)


@st.composite
def layouts(draw) -> tuple[Layout, Pan]:
    layout = Layout(draw(sizes), draw(rooms), draw(scales), margin=12)
    pan = Pan(draw(st.integers(0, layout.reach.x)), draw(st.integers(0, layout.reach.y)))
    return layout, pan


@given(layouts(), st.floats(0, 1), st.floats(0, 1))
def test_places_go_there_and_back(given_layout, across, down):
    layout, pan = given_layout
    point = Point(layout.page.width * across, layout.page.height * down)
    seen = layout.to_room(Box(point.x, point.y, point.x, point.y), pan)
    back = layout.to_page(Point(seen.left, seen.top), pan)
    assert back.x == pytest.approx(point.x, abs=1e-6)
    assert back.y == pytest.approx(point.y, abs=1e-6)


@given(sizes, rooms)
def test_a_fitted_page_is_wholly_seen(page, room):
    scale = fitting_scale(page, room, zoom=Zoom(), margin=12, bar=12)
    layout = Layout(page, room, scale, 12)
    assert layout.reach == (0, 0) or scale == clamped(0)


@given(sizes, rooms)
def test_a_page_fitted_by_width_leaves_room_for_its_scroll_bar(page, room):
    scale = fitting_scale(page, room, zoom=Zoom(Fit.WIDTH), margin=12, bar=12)
    layout = Layout(page, room, scale, 12)
    is_long = layout.reach.y > 0
    width = room.width - (12 if is_long else 0)
    assert layout.paper.width + 24 <= width + 1 or scale == clamped(0)


@given(layouts(), st.floats(0.3, 3.0), st.floats(0, 1), st.floats(0, 1))
def test_what_is_under_the_cursor_stays_there_where_the_page_can_be_scrolled(
    given_layout, factor, across, down
):
    layout, pan = given_layout
    place = Point(layout.room.width * across, layout.room.height * down)
    point = layout.to_page(place, pan)
    after = Layout(layout.page, layout.room, clamped(layout.scale * factor), layout.margin)
    new_pan = after.pan_to(point, place)
    seen = after.to_room(Box(point.x, point.y, point.x, point.y), new_pan)
    if 0 < new_pan.x < after.reach.x:
        assert seen.left == pytest.approx(place.x, abs=1)
    if 0 < new_pan.y < after.reach.y:
        assert seen.top == pytest.approx(place.y, abs=1)


@given(layouts(), st.floats(0, 1), st.floats(0, 1))
def test_a_box_brought_into_sight_is_seen_and_one_that_is_seen_moves_nothing(
    given_layout, across, down
):
    layout, pan = given_layout
    size = 10 / layout.scale  # ten pixels of the screen
    left = max(0.0, layout.page.width - size) * across
    top = max(0.0, layout.page.height - size) * down
    box = Box(left, top, left + size, top + size)
    new_pan = layout.pan_to_show(box, pan, air=4)
    seen = layout.to_room(box, new_pan)
    if layout.page.width > size and layout.page.height > size:
        assert seen.left >= -1
        assert seen.right <= layout.room.width + 1
        assert seen.top >= -1
        assert seen.bottom <= layout.room.height + 1
    assert layout.pan_to_show(box, new_pan, air=4) == new_pan
