from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Mark, Reading, Region, Source
from app.store.readings import (
    REGION_END,
    from_json,
    region_from_json,
    region_to_json,
    searched_text,
    to_json,
)
from model.api import Box, Cell, Kind, Span, Style

pytestmark = pytest.mark.unit

text = st.text(st.characters(codec="utf-8"), max_size=20)
number = st.floats(allow_nan=False, width=64)
offset = st.integers(0, 10**6)
score = st.none() | st.floats(0, 1)
box = st.builds(Box, number, number, number, number)
span = st.builds(Span, offset, offset, box, score, st.sampled_from(["exact", "estimated"]))
style = st.builds(Style, offset, offset, st.sampled_from(["italic", "small_caps"]))
mark = st.builds(Mark, offset, offset, st.sampled_from(["gap", "unclear", "note"]), text)
cell = st.builds(Cell, text, st.integers(1, 9), st.integers(1, 9), st.booleans())


def several(of: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(of, max_size=3).map(tuple)


region = st.builds(
    Region,
    kind=st.sampled_from(Kind),
    text=text,
    box=st.none() | box,
    lines=several(span),
    words=several(span),
    styles=several(style),
    rows=several(several(cell)),
    marks=several(mark),
    score=score,
    by_hand=st.booleans(),
)


@given(several(region))
def test_what_is_written_is_read_back_the_same(regions):
    assert from_json(to_json(regions)) == regions
    assert all(region_from_json(region_to_json(each)) == each for each in regions)


@given(several(region))
def test_letters_stand_at_their_offsets_in_the_searched_text(regions):
    searched = searched_text(Reading(regions, Source("model", datetime.now(UTC))))
    assert searched.count(REGION_END) == max(len(regions) - 1, 0)
    parts = searched.split(REGION_END) if regions else []
    assert parts == [each.text.replace(REGION_END, " ") for each in regions]


def test_the_value_says_its_version_and_leaves_out_what_is_empty():
    value = json.loads(to_json((Region(Kind.NOTE, "1. Ibid."),)))
    assert value == {
        "version": 1,
        "regions": [{"kind": "note", "text": "1. Ibid.", "score": None}],
    }


def test_half_a_surrogate_pair_does_not_keep_a_page_from_being_saved():
    (saved,) = from_json(to_json((Region(Kind.TEXT, "ab\ud83dcd"),)))
    assert saved.text == "ab?cd"
