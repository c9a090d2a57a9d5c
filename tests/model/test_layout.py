"""Printed lines to blocks in reading order, on layouts made of rectangles."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.api import Box, Kind
from model.furniture import settled
from model.layout import Plan, lay_out
from model.level import skew
from model.strips import Point, Strip, strip_around

pytestmark = pytest.mark.unit

HEIGHT = 40  # of a strip
PITCH = 44


def line(left: float, top: float, width: float, height: float = HEIGHT) -> Strip:
    return strip_around(Box(left, top, left + width, top + height))


def lines(
    left: float, top: float, widths: Sequence[float], pitch: float = PITCH, height: float = HEIGHT
) -> list[Strip]:
    return [line(left, top + i * pitch, width, height) for i, width in enumerate(widths)]


def prose(left: float, top: float, count: int, width: float = 800) -> list[Strip]:
    """Full lines; every fifth begins a paragraph with an indent, the one before it stops short."""
    return [
        line(
            left + (50 if i % 5 == 0 else 0),
            top + i * PITCH,
            width * 0.6 if i % 5 == 4 else width - (50 if i % 5 == 0 else 0),
        )
        for i in range(count)
    ]


def turned(strips: Sequence[Strip], degrees: float) -> list[Strip]:
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def turn(point: Point) -> Point:
        return Point(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine)

    return [Strip(*map(turn, strip.corners), score=1.0) for strip in strips]


def order(plans: Sequence[Plan]) -> list[int]:
    return [i for plan in plans for printed in plan.lines for i in printed]


def kinds(plans: Sequence[Plan]) -> list[Kind]:
    return [plan.kind for plan in plans]


def counts(plans: Sequence[Plan]) -> list[int]:
    return [len(plan.lines) for plan in plans]


boxes = st.builds(
    line,
    left=st.floats(0, 2000),
    top=st.floats(0, 3000),
    width=st.floats(1, 1500),
    height=st.floats(1, 200),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(boxes, max_size=30))
def test_every_strip_stands_in_one_line_of_one_block(strips: list[Strip]):
    plans = lay_out(strips)
    assert sorted(order(plans)) == list(range(len(strips)))
    assert all(plan.lines and all(plan.lines) for plan in plans)
    for plan in plans:
        cells = [[i for cell in row for i in cell] for row in plan.rows]
        assert not cells or [sorted(row) for row in cells] == [sorted(row) for row in plan.lines]


@settings(max_examples=40, deadline=None)
@given(st.lists(boxes, max_size=30), st.randoms(use_true_random=False))
def test_order_of_input_does_not_matter(strips: list[Strip], chance: random.Random):
    strips = list(dict.fromkeys(strips))
    shuffled = strips[:]
    chance.shuffle(shuffled)
    first = [[strips[i] for i in printed] for p in lay_out(strips) for printed in p.lines]
    second = [[shuffled[i] for i in printed] for p in lay_out(shuffled) for printed in p.lines]
    assert first == second


two_columns = [
    line(300, 100, 900),  # a title over both
    *prose(100, 240, 20, width=600),
    *prose(780, 240, 20, width=600),
    line(100, 1150, 1280),  # and a line under both
]


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), st.floats(-3, 3))
def test_jitter_and_skew_do_not_change_the_order(chance: random.Random, degrees: float):
    def shaken(strip: Strip) -> Strip:
        x, y = chance.uniform(-4, 4), chance.uniform(-3, 3)
        moved = [Point(corner.x + x, corner.y + y) for corner in strip.corners]
        return Strip(*moved, score=1.0)

    strips = turned([shaken(strip) for strip in two_columns], degrees)
    assert order(lay_out(strips)) == list(range(len(two_columns)))


@pytest.mark.parametrize("degrees", [-4.0, -1.0, 0.0, 0.3, 5.0])
def test_skew_is_the_slope_of_the_long_lines(degrees: float):
    strips = [*turned(prose(100, 100, 10), degrees), line(0, 0, 40), line(900, 900, 60)]
    assert skew(strips) == pytest.approx(math.radians(degrees), abs=1e-6)


def test_three_columns_are_read_one_after_another():
    strips = [*prose(100, 100, 12, 380), *prose(540, 100, 12, 380), *prose(980, 100, 12, 380)]
    assert order(lay_out(strips)) == list(range(36))


def test_columns_that_are_not_level_are_columns_even_if_ragged():
    left = lines(100, 100, [500, 300, 420, 350, 510, 280])
    right = lines(720, 118, [300, 480, 350, 500, 310, 400])
    assert order(lay_out([*left, *right])) == list(range(12))


def test_heading_between_columns_parts_them():
    upper = [*prose(100, 100, 6, 600), *prose(780, 100, 6, 600)]
    lower = [*prose(100, 600, 6, 600), *prose(780, 600, 6, 600)]
    strips = [*upper, line(400, 480, 660, 60), *lower]
    plans = lay_out(strips)
    assert order(plans) == list(range(25))
    assert Kind.HEADING in kinds(plans)


def test_opened_book_is_read_page_by_page_each_with_its_head():
    def page(left: float) -> list[Strip]:
        return [line(left, 100, 60), line(left + 250, 100, 300), *prose(left, 200, 12)]

    strips = [*page(100), *turned(page(1100), 0.6)]
    plans = lay_out(strips)
    assert order(plans) == list(range(28))
    assert kinds(plans)[:2] == [Kind.RUNNING_HEAD] * 2
    assert kinds(plans).count(Kind.RUNNING_HEAD) == 4


def test_fragments_of_a_printed_line_are_joined_from_left_to_right():
    strips = prose(100, 100, 12)
    broken = [line(100, 100 + 2 * PITCH, 300), line(470, 102 + 2 * PITCH, 430)]
    strips[2:3] = reversed(broken)
    joined = [printed for plan in lay_out(strips) for printed in plan.lines if len(printed) > 1]
    assert joined == [(3, 2)]


def test_indented_lines_begin_paragraphs():
    plans = lay_out(prose(100, 100, 15))
    assert counts(plans) == [5, 5, 5]
    assert set(kinds(plans)) == {Kind.TEXT}


def test_dialogue_of_single_indented_lines_is_a_paragraph_each():
    widths = [500, 400, 300, 620]
    talk = [line(150, 100 + i * PITCH, width) for i, width in enumerate(widths)]
    plans = lay_out([*talk, *prose(100, 100 + 4 * PITCH, 15)])
    assert counts(plans) == [1, 1, 1, 1, 5, 5, 5]


def test_hanging_lines_begin_entries():
    strips = [
        line(100 + 40 * (i % 3 > 0), 100 + i * PITCH, 800 - 40 * (i % 3 > 0) - 200 * (i % 3 == 2))
        for i in range(15)
    ]
    assert counts(lay_out(strips)) == [3] * 5


def test_flush_paragraphs_end_with_a_short_line():
    strips = [line(100, 100 + i * PITCH, 450 if i % 4 == 3 else 800) for i in range(16)]
    assert counts(lay_out(strips)) == [4] * 4


def test_gap_parts_stanzas_and_ragged_lines_do_not():
    first = lines(100, 100, [500, 430, 610, 380])
    second = [line(100 + 40 * (i % 2), 340 + i * PITCH, 400 + 70 * i) for i in range(4)]
    assert counts(lay_out([*first, *second])) == [4, 4]


def test_leaning_margin_is_no_indent():
    strips = [line(100 + i * 2.5, 100 + i * PITCH, 800) for i in range(30)]
    assert counts(lay_out(strips)) == [30]


def test_lines_beside_a_dropped_initial_belong_to_its_paragraph():
    initial = line(100, 96, 120, 130)
    beside = [line(240, 100 + i * PITCH, 660) for i in range(3)]
    strips = [*beside, initial, *prose(100, 100 + 3 * PITCH, 10)[1:]]
    first = lay_out(strips)[0]
    assert first.lines[0] == (3, 0)
    assert first.lines[1:3] == ((1,), (2,))


def test_large_or_centred_short_lines_are_headings():
    strips = [*prose(100, 100, 5), line(350, 420, 300, 56), *prose(100, 560, 5)]
    strips += [line(400, 860, 200), *prose(100, 960, 5)]
    assert kinds(lay_out(strips)) == [Kind.TEXT, Kind.HEADING] * 2 + [Kind.TEXT]


def test_small_lines_at_the_foot_are_notes():
    notes = [line(100, 1100 + i * 34, 790, 33) for i in range(4)]
    plans = lay_out([*prose(100, 100, 20), *notes])
    assert kinds(plans)[-1] is Kind.NOTE
    assert counts(plans)[-1] == 4
    assert Kind.NOTE not in kinds(plans)[:-1]


def test_last_paragraph_in_the_size_of_the_text_is_no_note():
    assert Kind.NOTE not in kinds(lay_out([*prose(100, 100, 15), *prose(100, 900, 5)]))


def test_notes_in_the_margin_are_read_after_the_text():
    text = prose(400, 100, 20)
    margin = [line(100, 117 + i * 30, 180, 27) for i in range(4)]
    margin += [line(100, 520 + i * 30, 180, 27) for i in range(3)]
    plans = lay_out([*margin, *text])
    assert order(plans) == [*range(7, 27), *range(7)]
    assert [plan.kind for plan in plans if plan.lines[0][0] < 7] == [Kind.NOTE, Kind.NOTE]


def test_head_and_number_are_taken_off_the_text():
    strips = [line(100, 100, 50), line(350, 102, 300), *prose(100, 170, 20)]
    assert kinds(lay_out(strips))[:3] == [Kind.RUNNING_HEAD, Kind.RUNNING_HEAD, Kind.TEXT]


def test_number_at_the_foot_and_catchword_are_taken_off_the_text():
    text = prose(100, 100, 20)
    number = line(470, 100 + 22 * PITCH, 50)
    assert kinds(lay_out([*text, number]))[-1] is Kind.FOOTER
    catchword = line(800, 100 + 20 * PITCH, 100)
    assert kinds(lay_out([*text[:19], line(100, 100 + 19 * PITCH, 800), catchword]))[-1] is (
        Kind.FOOTER
    )


def test_heading_at_the_top_is_no_running_head():
    strips = [line(350, 100, 300, 60), *prose(100, 240, 20)]
    assert kinds(lay_out(strips))[0] is Kind.HEADING


@pytest.mark.parametrize(
    ("kind", "text", "becomes"),
    [
        (Kind.RUNNING_HEAD, "— 13 —", Kind.PAGE_NUMBER),
        (Kind.RUNNING_HEAD, "xviii", Kind.PAGE_NUMBER),
        (Kind.FOOTER, "[348]", Kind.PAGE_NUMBER),
        (Kind.FOOTER, "il", Kind.FOOTER),
        (Kind.FOOTER, "B. Monatsschr.", Kind.FOOTER),
        (Kind.FOOTER, "**) Gletscher.", Kind.NOTE),
        (Kind.PAGE_NUMBER, "PART", Kind.HEADING),
        (Kind.HEADING, "XII", Kind.HEADING),
        (Kind.TEXT, "1841", Kind.TEXT),
    ],
)
def test_words_settle_what_furniture_is(kind: Kind, text: str, becomes: Kind):
    assert settled(kind, text) is becomes


def table(
    left: float, top: float, rows: int, columns: Sequence[tuple[float, float]]
) -> list[Strip]:
    """Cells of differing widths that begin at the given places."""
    return [
        line(left + at, top + i * 60, width * (0.6 + 0.4 * ((i * 7 + at) % 5) / 5))
        for i in range(rows)
        for at, width in columns
    ]


def test_cells_that_stand_under_one_another_are_a_table():
    cells = table(100, 700, 6, [(0, 200), (300, 280), (650, 150)])
    plans = lay_out([*prose(100, 100, 10), *cells, *prose(100, 1150, 10)])
    (found,) = [plan for plan in plans if plan.kind is Kind.TABLE]
    assert found.rows == tuple(((10 + 3 * i,), (11 + 3 * i,), (12 + 3 * i,)) for i in range(6))


def test_missing_cell_is_empty():
    cells = table(100, 100, 5, [(0, 200), (300, 280), (650, 150)])
    del cells[7]
    (found,) = lay_out(cells)
    assert found.kind is Kind.TABLE
    assert [len(row) for row in found.rows] == [3] * 5
    assert found.rows[2] == ((6,), (), (7,))


def test_list_with_figures_at_the_right_is_read_row_by_row():
    strips = table(100, 100, 8, [(0, 500), (700, 60)])
    (found,) = lay_out(strips)
    assert order([found]) == list(range(16))


def test_such_a_list_set_in_two_columns_is_read_column_by_column():
    left = table(100, 100, 8, [(0, 400), (500, 60)])
    right = table(760, 100, 8, [(0, 400), (500, 60)])
    assert order(lay_out([*left, *right])) == list(range(32))


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_thousands_of_lines_take_no_age(columns: int):
    strips = [
        strip
        for column in range(columns)
        for strip in prose(100 + 900 * column, 100, 2000 // columns)
    ]
    random.Random(3).shuffle(strips)
    began = time.perf_counter()
    lay_out(strips)
    assert time.perf_counter() - began < 60  # quadratic, not slow
