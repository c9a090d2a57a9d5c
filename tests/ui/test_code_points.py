"""Offsets as the book counts and as Qt counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.code_points import to_code_points, to_units

pytestmark = pytest.mark.unit

texts = st.text(st.sampled_from("aſé\u0301 \n字\U00010330\U0001f4d6"), max_size=40)


@given(texts, st.data())
def test_offsets_go_there_and_back(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert to_code_points(text, to_units(text, offset)) == offset


@given(texts, st.data())
def test_units_are_those_of_utf_16(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert to_units(text, offset) == len(text[:offset].encode("utf-16-le")) // 2


def test_the_middle_of_a_pair_is_the_letter_itself():
    assert to_code_points("a\U0001f4d6b", 2) == 1
