"""Block sizes of grouped products: they divide what they cut, and fit the card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("triton")

from model.kernels.together import blocks_of

pytestmark = pytest.mark.model

SMALL_CARD, LARGE_CARD = 64 << 10, 227 << 10  # bytes of shared memory of a program


@given(
    tokens=st.integers(2, 512),
    out=st.integers(1, 200).map(lambda n: 16 * n),
    within=st.integers(1, 200).map(lambda n: 16 * n),
    number_bytes=st.sampled_from([2, 4]),
    room=st.sampled_from([SMALL_CARD, 99 << 10, LARGE_CARD]),
)
def test_blocks_divide_what_they_cut_and_fit_the_card(
    tokens: int, out: int, within: int, number_bytes: int, room: int
):
    m, n, k, stages, _ = blocks_of(tokens, out, within, number_bytes=number_bytes, room_bytes=room)
    assert out % n == within % k == 0
    assert min(m, n, k) >= 16, "products of blocks need as much"
    assert (m + 2 * n) * k * number_bytes * stages <= room


def test_a_large_card_takes_many_tokens_at_a_time():
    few, many = (
        blocks_of(tokens, 896, 1280, number_bytes=2, room_bytes=LARGE_CARD) for tokens in (64, 256)
    )
    assert few == (16, 64, 128, 3, 4)
    assert many == (64, 128, 64, 4, 8)
