"""The fast attention beside its slow twin with an explicit mask; closed rows never matter."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.attention import attend, attend_by_mask, attend_sparse, choose_blocks
from model.buffers import Heads, KeyValues
from model.cache import BLOCK_TOKENS, Layout, Slots, blocks_to_read

pytestmark = pytest.mark.model

HEADS = Heads(layers=2, heads=3, head_size=8)
LAYOUT = Layout(word_rows=32, window_tokens=40, slot_tokens=64, slots=4)
CPU = torch.device("cpu")


def filled(seed: int, tokens: list[int], ring: int) -> tuple[KeyValues, Slots]:
    """Keys and values at random in one stream: five words, a ring and some pages."""
    generator = torch.Generator().manual_seed(seed)
    kv = KeyValues(LAYOUT, HEADS, streams=1, is_sparse=True, device=CPU, dtype=torch.float32)
    kv.keys.copy_(torch.randn(kv.keys.shape, generator=generator))
    kv.values.copy_(torch.randn(kv.values.shape, generator=generator))
    kv.open_rows(0, range(5))
    kv.open_rows(0, [LAYOUT.ring_row(n) for n in range(ring)])
    slots = Slots(LAYOUT)
    for page, count in enumerate(tokens):
        place = slots.take(page, count)
        slots.admit(page)
        kv.open_page(0, place)
    return kv, slots


def expected_rows(kv: KeyValues, slots: Slots, query: torch.Tensor, own: int, budget: int):
    """The rule of SR-SWA as it is told, page by page and block by block."""
    is_read = torch.zeros(1, HEADS.heads, LAYOUT.rows, dtype=torch.bool)
    is_read[0, :, :5] = True
    ring = kv.bias[0, 32:72] == 0
    is_read[0, :, 32:72] = ring
    for head in range(HEADS.heads):
        scored: list[tuple[float, list[int]]] = []
        for place in slots.resident:
            rows = LAYOUT.page_rows(place.slots, place.tokens)
            for at in range(0, len(rows), BLOCK_TOKENS):
                block = rows[at : at + BLOCK_TOKENS]
                mean = kv.keys[1, 0, head, block].mean(0)
                score = float("inf") if place.page == own else float(mean @ query[0, head])
                scored.append((score, block))
        for _, block in sorted(scored, key=lambda each: -each[0])[:budget]:
            is_read[0, head, block] = True
    return is_read


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    tokens=st.lists(st.integers(1, 64), min_size=1, max_size=4),
    ring=st.integers(1, 90),
    ratio=st.floats(0.05, 1),
    data=st.data(),
)
def test_sparse_attention_is_its_twin(
    seed: int, tokens: list[int], ring: int, ratio: float, data: st.DataObject
):
    kv, slots = filled(seed, tokens, ring)
    own = data.draw(st.integers(0, len(tokens) - 1))
    query = torch.randn(
        1, HEADS.heads, HEADS.head_size, generator=torch.Generator().manual_seed(seed)
    )
    blocks = {place.page: place.blocks for place in slots.resident}
    budget = blocks_to_read(slots.resident_blocks, blocks[own], ratio)
    choice = choose_blocks(
        query,
        kv.means[1],
        kv.page_of_block,
        reading=torch.tensor([own]),
        budget=torch.tensor([budget]),
        most=LAYOUT.reference_blocks,
    )
    found = attend_sparse(
        query, kv.keys[1], kv.values[1], kv.bias, choice=choice, tail_blocks=LAYOUT.tail_blocks
    )
    is_read = expected_rows(kv, slots, query, own, budget)
    twin = attend_by_mask(query, kv.keys[1], kv.values[1], is_read)
    torch.testing.assert_close(found, twin, atol=1e-5, rtol=1e-5)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), tokens=st.lists(st.integers(1, 64), max_size=4))
def test_dense_attention_is_its_twin_and_that_of_a_ratio_of_one(seed: int, tokens: list[int]):
    kv, slots = filled(seed, tokens, 90)
    query = torch.randn(1, HEADS.heads, HEADS.head_size)
    found = attend(query, kv.keys[0], kv.values[0], kv.bias)
    is_open = (kv.bias == 0)[:, None].expand(-1, HEADS.heads, -1)
    twin = attend_by_mask(query, kv.keys[0], kv.values[0], is_open)
    torch.testing.assert_close(found, twin, atol=1e-5, rtol=1e-5)
    choice = choose_blocks(
        query,
        kv.means[0],
        kv.page_of_block,
        reading=torch.tensor([0]),
        budget=torch.tensor([blocks_to_read(slots.resident_blocks, 0, 1)]),
        most=LAYOUT.reference_blocks,
    )
    whole = attend_sparse(
        query, kv.keys[0], kv.values[0], kv.bias, choice=choice, tail_blocks=LAYOUT.tail_blocks
    )
    torch.testing.assert_close(found, whole, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("is_sparse", [True, False])
def test_an_evicted_page_is_never_read(is_sparse: bool):
    """Whatever is written into its rows afterwards, the outcome is the same to the last bit."""
    kv, slots = filled(3, [64, 40, 64], 20)
    query = torch.randn(1, HEADS.heads, HEADS.head_size)

    def read() -> torch.Tensor:
        if not is_sparse:
            return attend(query, kv.keys[0], kv.values[0], kv.bias)
        choice = choose_blocks(
            query,
            kv.means[0],
            kv.page_of_block,
            reading=torch.tensor([2]),
            budget=torch.tensor([slots.resident_blocks]),
            most=LAYOUT.reference_blocks,
        )
        tail = LAYOUT.tail_blocks
        return attend_sparse(
            query, kv.keys[0], kv.values[0], kv.bias, choice=choice, tail_blocks=tail
        )

    before = read()
    (gone,) = slots.evict_for(2, keep=[1, 2])
    kv.close_page(0, gone)
    after = read()
    assert not torch.equal(before, after)
    first = LAYOUT.slot_row(gone.slots[0])
    kv.keys[:, :, :, first : first + 64] = 1e4
    kv.values[:, :, :, first : first + 64] = -1e4
    kv.means[:, :, :, kv.blocks_of(gone)] = 1e4
    assert torch.equal(read(), after)


def test_bytes_are_those_of_the_tensors():
    kv, _ = filled(1, [64], 5)
    kept = kv.keys.nbytes + kv.values.nbytes + kv.means.nbytes
    assert kv.reference_bytes + kv.tail_bytes == kept
