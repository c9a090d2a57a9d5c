"""Coordinates of prepared pages and their masters, there and back; treatments to JSON and back."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import PageSize, Region
from app.prepare.page_map import PageMap
from app.prepare.treat import prepared, raster_of
from app.prepare.treatment import Curve, Fold, Side, Treatment, from_plain, to_plain
from app.regions import on_prepared, to_region
from model.api import Block, Box, Kind, Span

pytestmark = pytest.mark.unit

SIZE = PageSize(900, 1300, 300)
shares = st.floats(-0.2, 1.2)


@st.composite
def curves(draw) -> Curve:
    box = Box(100, 150, 750, 1100)
    columns, rows = 5, 4
    drops = draw(st.lists(st.floats(-60, 60), min_size=columns * rows, max_size=columns * rows))
    return Curve(box, columns, tuple(drops))


@st.composite
def treatments(draw) -> Treatment:
    side = draw(st.sampled_from(Side))
    fold = Fold(draw(st.floats(380, 460)), draw(st.floats(380, 460)))
    return Treatment(
        quarters=draw(st.integers(0, 3)),
        fold=None if side is Side.WHOLE else fold,
        side=side,
        skew_degrees=draw(st.floats(-12, 12)),
        crop=draw(st.none() | st.just(Box(30.5, 41, 800, 1200.25))),
        content=draw(st.none() | st.just(Box(60, 80, 700, 1100))),
        curve=draw(st.none() | curves()),
        even_light=draw(st.booleans()),
    )


@given(treatments(), shares, shares)
def test_a_point_comes_back_from_the_master(treatment, across, down):
    page = PageMap(SIZE, treatment)
    point = np.array([[across * page.size.width_px, down * page.size.height_px]])
    assert np.allclose(page.to_prepared(page.to_master(point)), point, atol=1e-6)


@given(treatments(), shares, shares)
def test_a_point_comes_back_from_the_prepared_page(treatment, across, down):
    page = PageMap(SIZE, treatment)
    point = np.array([[across * SIZE.width_px, down * SIZE.height_px]])
    assert np.allclose(page.to_master(page.to_prepared(point)), point, atol=1e-6)


@given(treatments(), st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_a_region_is_stored_on_the_master_and_shown_where_it_was_read(treatment, across, down):
    page, scale = PageMap(SIZE, treatment), 0.5
    left, top = across * page.size.width_px, down * page.size.height_px
    box = Box(left, top, left + 120, top + 24)
    on_image = Box(*(edge * scale for edge in box))
    block = Block(Kind.TEXT, "und", on_image, words=(Span(0, 3, on_image),))
    stored = to_region(block, scale=scale, page_map=page)
    (shown,) = on_prepared([stored], page)
    assert shown.box is not None
    assert np.allclose(shown.box, box, atol=1e-6)
    assert np.allclose(shown.words[0].box, box, atol=1e-6)
    assert stored.box is not None
    sides = sorted((stored.box.width, stored.box.height))
    assert np.allclose(sides, (24, 120))


def test_regions_without_a_place_stay_without():
    page = PageMap(SIZE, Treatment(skew_degrees=2))
    assert on_prepared([Region(Kind.TEXT, "a")], page) == (Region(Kind.TEXT, "a"),)


@given(treatments())
def test_a_treatment_is_kept_as_json(treatment):
    assert from_plain(json.loads(json.dumps(to_plain(treatment)))) == treatment


def test_names_of_a_later_version_are_passed_over():
    assert from_plain({"skew_degrees": 1.5, "unheard_of": 3}) == Treatment(skew_degrees=1.5)


@pytest.mark.parametrize(
    "treatment",
    [
        Treatment(crop=Box(20, 30, 700, 1000)),
        Treatment(quarters=1),
        Treatment(quarters=2, crop=Box(20, 30, 700, 1000)),
        Treatment(quarters=3, skew_degrees=-1.5),
        Treatment(skew_degrees=3.2),
        Treatment(skew_degrees=2, crop=Box(50, 60, 800, 1200), fold=Fold(880, 890), side=Side.LEFT),
        Treatment(
            quarters=1,
            skew_degrees=1,
            curve=Curve(Box(0, 0, 1300, 900), 3, (0, 12, 0, 5, 20, 3)),
        ),
    ],
)
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_pixels_go_where_coordinates_say(treatment, scale):
    """A dark spot on the master is found on the prepared image where the map has it."""
    spot = np.array([[371.0, 442.0]])
    height, width = round(SIZE.height_px * scale), round(SIZE.width_px * scale)
    pixels = np.full((height, width), 255, np.uint8)
    x, y = (int(each * scale) for each in spot[0])
    pixels[y - 4 : y + 4, x - 4 : x + 4] = 0
    master = raster_of(pixels, scale=scale)
    done = prepared(lambda *, scale: master, SIZE, treatment, fit=None, scale=scale)
    shown = np.frombuffer(done.data, np.uint8).reshape(done.height_px, done.width_px)
    rows, columns = np.nonzero(shown < 90)
    page = PageMap(SIZE, treatment)
    where = page.to_prepared(np.array([[x / scale, y / scale]]))[0] * scale
    assert (done.width_px, done.height_px) == (
        round(page.frame.width * scale),
        round(page.frame.height * scale),
    )
    assert abs(columns.mean() + 0.5 - where[0]) < 0.7
    assert abs(rows.mean() + 0.5 - where[1]) < 0.7
