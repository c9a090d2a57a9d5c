"""Letters that no strip holds are proposed; dirt, rules and pictures are not."""

from __future__ import annotations

import numpy as np
import pytest

from model.api import Box
from model.stray_ink import is_letter, stray_ink
from model.strips import Strip, strip_around
from tests.model.drawn_pages import DrawnPage, Sheet

pytestmark = pytest.mark.unit


def chapters() -> Sheet:
    """Eight lines with a figure far to the right of each."""
    sheet = Sheet(1000, 800)
    for i in range(8):
        sheet.line(80, 120 + i * 70, "one of the chapters")
        sheet.line(780, 120 + i * 70, str(9 - i))
    return sheet


def strips_of(page: DrawnPage, *but: str) -> list[Strip]:
    """Strips as the detector draws them, a word each, without the words given."""
    return [
        strip_around(Box(box.left - 8, box.top - 12, box.right + 8, box.top + 45))
        for word, box in page.words
        if word not in but
    ]


def covers(strip: Strip, box: Box) -> bool:
    held = strip.box
    return (
        held.left <= box.left
        and held.top <= box.top
        and held.right >= box.right
        and held.bottom >= box.bottom
    )


@pytest.mark.parametrize("degrees", [0.0, 1.5])
def test_figures_that_were_passed_over_are_proposed(degrees: float):
    page = chapters().page()
    missed = ("7", "5", "1")
    strips = strips_of(page, *missed)
    if degrees:
        page = chapters().page(degrees=degrees)
        strips = [_turned(strip, degrees) for strip in strips]
    proposed = stray_ink(page.image.pixels, strips)
    assert len(proposed) == 2  # 9 to 2 stand on the page
    if not degrees:
        figures = [box for word, box in page.words if word in missed]
        assert all(any(covers(strip, box) for strip in proposed) for box in figures)


def test_nothing_is_proposed_where_strips_hold_everything():
    page = chapters().page()
    assert stray_ink(page.image.pixels, strips_of(page)) == ()


def test_page_without_strips_proposes_nothing():
    assert stray_ink(chapters().page().image.pixels, []) == ()


def test_initial_before_several_lines_is_proposed():
    sheet = Sheet(1000, 700)
    sheet.line(80, 110, "W", size=150)
    for i in range(3):
        sheet.line(260, 120 + i * 60, "hen the book was bound")
    page = sheet.page()
    (initial,) = stray_ink(page.image.pixels, strips_of(page, "W"))
    assert covers(initial, page.words[0][1])


def test_rules_dots_and_far_dirt_are_not_proposed():
    page = chapters().page()
    pixels = page.image.pixels.copy()
    pixels[150:153, 500:760] = 20  # a rule
    pixels[300:304, 600:604] = 20  # a leader's dot
    pixels[400:430, 975:990] = 20  # dirt beyond the margin
    pixels[765:800, 20:60] = 20
    assert stray_ink(pixels, strips_of(page)) == ()


def test_picture_of_many_shapes_is_left_alone():
    page = chapters().page()
    pixels = page.image.pixels.copy()
    chance = np.random.default_rng(5)
    for _ in range(120):
        y, x = chance.integers(120, 640), chance.integers(430, 740)
        pixels[y : y + 22, x : x + 10] = 20
    for y in range(120, 680, 40):
        for x in range(430, 760, 45):
            pixels[y : y + 24, x : x + 12] = 20
            pixels[y : y + 24, x + 12 : x + 33] = 245
    assert stray_ink(pixels, strips_of(page)) == ()


@pytest.mark.parametrize(
    ("text", "score", "is_print"),
    [
        ("7", 0.95, True),
        ("W", 0.91, True),
        ("29", 0.99, True),
        ("7", 0.85, False),
        ("1", 0.96, False),
        ("1", 0.99, True),
        ("", 0.0, False),
        ("—", 0.99, False),
    ],
)
def test_a_single_stroke_must_be_read_more_surely(text: str, score: float, is_print: bool):
    assert is_letter(text, score) is is_print


def _turned(strip: Strip, degrees: float) -> Strip:
    """The strip as it stands on a sheet of 1000 x 800 turned about its middle."""
    from tests.model.test_layout import turned

    moved = [corner._replace(x=corner.x - 500, y=corner.y - 400) for corner in strip.corners]
    (about,) = turned([Strip(*moved, score=1.0)], degrees)
    back = [corner._replace(x=corner.x + 500, y=corner.y + 400) for corner in about.corners]
    return Strip(*back, score=1.0)
