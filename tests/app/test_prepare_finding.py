"""What preparation finds on drawn pages, and what tones it changes; real pages are in the bench."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

import resources
from app.book import PageSize
from app.prepare.curves import find_bend
from app.prepare.edges import find_content, find_paper
from app.prepare.gutter import find_gutter
from app.prepare.look import look_at
from app.prepare.page_map import PageMap
from app.prepare.propose import propose
from app.prepare.skew import find_skew
from app.prepare.tones import binarised, despeckled, evened, without_show_through
from app.prepare.treat import moved
from app.prepare.treatment import STEPS, Side, Treatment
from app.prepare.turn import find_turn
from model.api import Box

pytestmark = pytest.mark.unit

SIZE = (900, 1300)
PAPER, INK, TABLE = 232, 40, 25
WORDS = "The copyist began the day with a good light, and before the bell had finished half a leaf."
FONT = ImageFont.truetype(str(resources.path("fonts/JunicodeTwoBeta-Regular.otf")), 30)


def drawn(*, lines: int = 28, size=SIZE, paper: int = PAPER) -> np.ndarray:
    """A page of print, grey; its lines lie level."""
    image = Image.new("L", size, paper)
    draw = ImageDraw.Draw(image)
    words = WORDS.split()
    for line in range(lines):
        text = " ".join(words[(line * 3 + at) % len(words)] for at in range(12))
        draw.text((110, 110 + line * 38), text[:56], fill=INK, font=FONT)
    return np.asarray(image)


def rotated(pixels: np.ndarray, degrees: float, fill: int = TABLE) -> np.ndarray:
    """Clockwise, whole, on a table."""
    image = Image.fromarray(pixels)
    bicubic = Image.Resampling.BICUBIC
    return np.asarray(image.rotate(-degrees, resample=bicubic, expand=True, fillcolor=fill))


@pytest.mark.parametrize("degrees", [-4.0, -1.0, -0.2, 0.0, 0.35, 1.5, 6.0])
def test_the_lean_of_lines_is_found(degrees):
    skew = find_skew(look_at(rotated(drawn(), degrees)))
    assert abs(skew.degrees - degrees) < 0.1
    assert skew.confidence > 0.9


def test_a_page_without_lines_has_no_lean():
    assert find_skew(look_at(np.full((600, 400), PAPER, np.uint8))).confidence == 0


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_way_up_is_found(quarters):
    lying = np.ascontiguousarray(np.rot90(drawn(), quarters))
    turn = find_turn(look_at(lying))
    assert turn.quarters == quarters
    assert turn.confidence > 0.7


def spread(shadow: float = 0.4) -> tuple[np.ndarray, int]:
    joined = np.hstack([drawn(), drawn(lines=24)]).astype(np.float32)
    fold = SIZE[0]
    off = (np.arange(joined.shape[1]) - fold) / 25
    return (joined * (1 - shadow * np.exp(-(off**2)))).astype(np.uint8), fold


def test_the_fold_of_a_spread_is_found():
    pixels, fold = spread()
    look = look_at(pixels)
    gutter = find_gutter(look)
    assert gutter is not None
    assert abs((gutter.top + gutter.bottom) / 2 / look.scale - fold) < 0.01 * pixels.shape[1]
    assert gutter.confidence > 0.9


def test_a_fold_without_shadow_is_doubtful():
    gutter = find_gutter(look_at(spread(shadow=0)[0]))
    assert gutter is not None
    assert gutter.confidence < 0.7


def test_a_single_page_has_no_fold():
    assert find_gutter(look_at(drawn())) is None


def test_the_paper_is_found_on_its_table():
    pixels = np.pad(drawn(), ((60, 90), (120, 40)), constant_values=TABLE)
    look = look_at(pixels)
    found = find_paper(look)
    edges = [edge / look.scale for edge in found.box]
    expected = [120, 60, 120 + SIZE[0], 60 + SIZE[1]]
    assert np.allclose(edges, expected, atol=14)
    assert found.confidence > 0.9


def test_the_print_is_found_within_the_paper():
    look = look_at(drawn())
    content = find_content(look, Box(0, 0, look.width_px, look.height_px))
    assert content is not None
    left, top, right, bottom = (edge / look.scale for edge in content.box)
    assert 60 < left < 112
    assert 70 < top < 122
    assert 700 < right < 880
    assert 1150 < bottom < 1240


def bent(pixels: np.ndarray, drop_px: float) -> np.ndarray:
    height, width = pixels.shape
    drops = np.round(drop_px * np.linspace(-1, 1, width) ** 2).astype(int)
    rows = np.clip(np.arange(height)[:, None] - drops[None], 0, height - 1)
    return pixels[rows, np.arange(width)[None]]


def test_bent_lines_are_levelled():
    pixels = bent(drawn(), 24)
    size = PageSize(*SIZE, 300)
    found = propose(pixels, size, steps=frozenset({"dewarp"}))
    level = moved(pixels, PageMap(size, found.treatment), found.treatment, scale=1.0)
    before, after = (_line_sharpness(each) for each in (pixels, level))
    assert after > 1.5 * before
    assert after > 0.6 * _line_sharpness(drawn())  # pixels computed anew are softer


def test_level_lines_are_left_alone():
    bend = find_bend(look_at(drawn()))
    assert bend is None or bend.confidence < 0.3


def _line_sharpness(pixels: np.ndarray) -> float:
    profile = (pixels < 128).sum(axis=1).astype(float)
    return float(np.square(np.diff(profile)).sum())


def test_a_leaning_page_on_a_table_is_proposed_straight_and_cut():
    pixels = rotated(drawn(), 2.5)
    size = PageSize(pixels.shape[1], pixels.shape[0], 300)
    proposal = propose(pixels, size)
    assert proposal.second is None
    assert abs(proposal.treatment.skew_degrees - 2.5) < 0.1
    page = PageMap(size, proposal.treatment)
    assert abs(page.size.width_px - SIZE[0]) < 30
    assert abs(page.size.height_px - SIZE[1]) < 30
    assert not proposal.doubtful


@pytest.mark.parametrize(("rtl", "first"), [(False, Side.LEFT), (True, Side.RIGHT)])
def test_a_spread_is_proposed_as_two_pages_in_the_order_of_reading(rtl, first):
    pixels, _fold = spread()
    proposal = propose(pixels, PageSize(pixels.shape[1], pixels.shape[0]), rtl=rtl)
    assert proposal.treatment.side is first
    assert proposal.second is not None
    assert {proposal.treatment.side, proposal.second.side} == {Side.LEFT, Side.RIGHT}


def test_nothing_is_proposed_for_a_straight_clean_page():
    proposal = propose(drawn(), PageSize(*SIZE, 300))
    assert proposal.treatment == Treatment()
    assert proposal.confidence == ()


def test_uneven_light_is_proposed_only_when_asked():
    pixels = (drawn() * np.linspace(0.55, 1, SIZE[0])[None]).astype(np.uint8)
    size = PageSize(*SIZE, 300)
    assert not propose(pixels, size).treatment.even_light
    assert propose(pixels, size, steps=frozenset(STEPS)).treatment.even_light


def test_light_is_evened_and_print_kept():
    pixels = (drawn() * np.linspace(0.55, 1, SIZE[0])[None]).astype(np.uint8)
    even = evened(pixels)
    paper = even[40:80]
    assert np.ptp(np.percentile(paper, (5, 95))) < 12
    assert abs(int((even < 128).sum()) - int((drawn() < 128).sum())) < 0.15 * (drawn() < 128).sum()


def test_specks_go_and_full_stops_stay():
    pixels = drawn().copy()
    pixels[60:62, 300:302] = INK  # a speck
    pixels[60:66, 500:506] = INK  # as large as a full stop
    clean = despeckled(pixels, dpi=300)
    assert clean[60:62, 300:302].min() > 200
    assert clean[60:66, 500:506].max() < 60
    changed = clean.astype(int) != pixels
    assert not changed[100:].any()


def test_the_print_of_the_other_side_fades_and_its_own_stays():
    pixels = drawn(lines=12).copy()
    other = np.fliplr(drawn())[700:]
    pixels[700:] = np.where(other < 128, PAPER - 50, PAPER)
    clean = without_show_through(pixels)
    assert clean[720:].min() > PAPER - 20
    own = pixels[:600] < 90
    assert np.array_equal(clean[:600][own], pixels[:600][own])


def test_black_on_white_has_two_tones_and_the_same_print():
    black = binarised(drawn(), dpi=300)
    assert set(np.unique(black)) == {0, 255}
    assert abs(int((black == 0).sum()) - int((drawn() < 128).sum())) < 0.25 * (black == 0).sum()


def test_the_master_is_not_touched():
    pixels = rotated(drawn(), 1.0)
    before = pixels.copy()
    pixels.setflags(write=False)
    size = PageSize(pixels.shape[1], pixels.shape[0])
    treatment = propose(pixels, size).treatment
    moved(pixels, PageMap(size, treatment), treatment, scale=1.0)
    despeckled(evened(without_show_through(pixels)), dpi=300)
    assert np.array_equal(pixels, before)
