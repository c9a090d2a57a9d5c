"""How large a page is drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import PageSize
from app.sources.scaling import likely_dpi, target_of

pytestmark = pytest.mark.unit

SIDES = st.integers(1, 40_000)


@given(SIDES, SIDES, st.tuples(SIDES, SIDES), st.floats(0.001, 1))
def test_a_page_fits_its_box_keeps_its_shape_and_is_never_enlarged(width, height, fit, scale):
    target = target_of(PageSize(width, height), fit=fit, scale=scale)
    assert 1 <= target.width_px <= min(width, fit[0])
    assert 1 <= target.height_px <= min(height, fit[1])
    assert target.scale <= scale
    assert abs(target.width_px - width * target.scale) <= 1
    assert abs(target.height_px - height * target.scale) <= 1


@given(SIDES, SIDES, st.tuples(SIDES, SIDES))
def test_a_page_is_drawn_as_large_as_the_box_allows(width, height, fit):
    target = target_of(PageSize(width, height), fit=fit, scale=1.0)
    fills = target.width_px == fit[0] or target.height_px == fit[1]
    assert fills or (target.width_px, target.height_px) == (width, height)


@pytest.mark.parametrize(
    ("said", "likely"), [(300, 300), (72.0, 72), (1, None), (0, None), (None, None), (1e9, None)]
)
def test_resolutions_that_no_scanner_has_are_not_believed(said, likely):
    assert likely_dpi(said) == likely
