"""The lines of a prepared page: which one the mouse takes, how far each goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Box
from app.prepare.treatment import Fold
from ui.prepare_handles import LEAST_PX, Handle, Handles

pytestmark = pytest.mark.unit

HANDLES = Handles(Box(100, 100, 900, 1200), Box(200, 250, 800, 1100), height=1300)


def test_tab_goes_over_what_is_there_only():
    assert all(not each.is_fold for each in HANDLES.there)
    assert Handles(fold=Fold(5, 6)).there == (Handle.FOLD_TOP, Handle.FOLD_BOTTOM)
    assert Handles().there == ()


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (104, 600, Handle.CROP_LEFT),
        (500, 253, Handle.CONTENT_TOP),
        (500, 600, None),
        (104, 1290, None),  # beyond the end of the edge
    ],
)
def test_the_nearest_line_is_taken(x, y, expected):
    assert HANDLES.near(x, y, within=8) is expected


def test_each_end_of_the_fold_is_taken_in_its_half():
    handles = Handles(fold=Fold(600, 640), height=1000)
    assert handles.near(605, 100, within=8) is Handle.FOLD_TOP
    assert handles.near(636, 900, within=8) is Handle.FOLD_BOTTOM
    assert handles.moved(Handle.FOLD_TOP, 12, 99).fold == Fold(612, 640)


@given(st.sampled_from(HANDLES.there), st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_no_edge_goes_past_the_one_opposite(handle, dx, dy):
    moved = HANDLES.moved(handle, dx, dy)
    for box in (moved.crop, moved.content):
        assert box is not None
        assert box.width >= LEAST_PX
        assert box.height >= LEAST_PX
