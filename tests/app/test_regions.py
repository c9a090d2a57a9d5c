from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.regions import to_page_piece, to_region, with_pieces
from model.api import Block, Box, Kind, Piece, Span

pytestmark = pytest.mark.unit

EDGES = st.floats(0, 5000)
BOXES = st.builds(Box, EDGES, EDGES, EDGES, EDGES)
SCALES = st.floats(0.05, 1.0)


@given(BOXES, SCALES)
def test_boxes_come_back_when_the_page_is_drawn_at_the_scale_it_was_read(box, scale):
    region = to_region(Block(Kind.TEXT, "a", box, words=(Span(0, 1, box),)), scale=scale)
    for back in filter(None, (region.box, region.words[0].box)):
        assert [edge * scale for edge in back] == pytest.approx(list(box), abs=1e-6)


def test_a_block_without_a_box_stays_without_one():
    assert to_region(Block(Kind.NOTE, "1 see above"), scale=0.5).box is None


def test_a_piece_gets_the_books_page_number():
    piece = to_page_piece(Piece(2, 0, "und", box=Box(10, 10, 20, 20)), page=14, scale=0.5)
    assert (piece.page, piece.box) == (14, Box(20, 20, 40, 40))


@given(st.lists(st.tuples(st.integers(0, 3), st.text(max_size=5)), max_size=30))
def test_streamed_text_is_the_pieces_of_each_block_joined(parts):
    parts.sort(key=lambda part: part[0])
    one_by_one: tuple = ()
    for block, text in parts:
        one_by_one = with_pieces(one_by_one, [Piece(0, block, text)])
    at_once = with_pieces((), [Piece(0, block, text) for block, text in parts])
    assert [region.text for region in one_by_one] == [region.text for region in at_once]


def test_letters_and_accents_that_come_apart_are_composed():
    regions = with_pieces((), [Piece(0, 0, "cafe"), Piece(0, 0, "\u0301")])
    assert regions[0].text == "caf\u00e9"
