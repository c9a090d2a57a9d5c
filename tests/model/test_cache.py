"""Slots, ring and blocks: what may be read, in which order pages leave, and how much is read."""

from __future__ import annotations

import math
from collections import deque
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from model.cache import BLOCK_TOKENS, Layout, Slots, SlotState, blocks_to_read, whole_blocks

pytestmark = pytest.mark.unit

LAYOUT = Layout(word_rows=32, window_tokens=100, slot_tokens=64, slots=5)


@given(st.integers(1, 300), st.integers(0, 2000))
def test_the_ring_holds_the_last_tokens_and_no_other(window: int, written: int):
    layout = Layout(word_rows=32, window_tokens=window, slot_tokens=32, slots=1)
    rows: dict[int, int] = {}
    for token in range(written):
        rows[layout.ring_row(token)] = token
    last = range(max(0, written - window), written)
    assert sorted(rows.values()) == list(last)
    assert all(layout.word_rows <= row < layout.word_rows + window for row in rows)
    assert layout.tail_rows == 32 + whole_blocks(window)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_words_ring_and_slots_do_not_overlap(words: int, slot_blocks: int, slots: int):
    layout = Layout(words * 32, 70, slot_blocks * 32, slots)
    pages = [layout.page_rows([slot], layout.slot_tokens) for slot in range(slots)]
    rows = [*range(words * 32), *(layout.ring_row(n) for n in range(70)), *chain(*pages)]
    assert len(rows) == len(set(rows))
    assert max(rows) == layout.rows - 1
    assert layout.rows == BLOCK_TOKENS * (layout.tail_blocks + layout.reference_blocks)


@given(st.integers(0, 5000), st.integers(0, 60), st.floats(0.001, 1))
def test_a_step_reads_its_page_and_never_less_than_the_share(resident: int, own: int, ratio: float):
    own = min(own, resident)
    read = blocks_to_read(resident, own, ratio)
    assert own <= read <= resident
    assert read == max(own, math.ceil(resident * ratio))


def test_all_blocks_are_read_at_a_ratio_of_one():
    assert [blocks_to_read(n, 9, 1) for n in (9, 36, 576)] == [9, 36, 576]
    assert blocks_to_read(576, 9, 0.1) == 58
    assert blocks_to_read(36, 9, 0.1) == 9


class SlotLife(RuleBasedStateMachine):
    """Any order of taking, admitting, evicting and settling, beside a plain queue of pages."""

    def __init__(self) -> None:
        super().__init__()
        self.slots = Slots(LAYOUT)
        self.encoding: list[int] = []
        self.resident: deque[int] = deque()
        self.owner: dict[int, int] = {}
        self.pages = 0

    @rule(tokens=st.integers(1, 200))
    def take(self, tokens: int) -> None:
        needed = LAYOUT.slots_for(tokens)
        if needed > self.slots.free:
            with pytest.raises(LookupError):
                self.slots.take(self.pages, tokens)
            return
        place = self.slots.take(self.pages, tokens)
        assert not set(place.slots) & set(self.owner), "no slot of another page is given away"
        self.owner |= dict.fromkeys(place.slots, self.pages)
        self.encoding.append(self.pages)
        self.pages += 1

    @precondition(lambda self: self.encoding)
    @rule()
    def admit(self) -> None:
        page = self.encoding.pop(0)
        self.slots.admit(page)
        self.resident.append(page)

    @rule(slots=st.integers(0, 5), kept=st.integers(0, 2))
    def evict(self, slots: int, kept: int) -> None:
        keep = list(self.resident)[len(self.resident) - kept :] if kept else []
        before = [place.page for place in self.slots.resident]
        try:
            gone = [place.page for place in self.slots.evict_for(slots, keep=keep)]
        except LookupError:
            assert [place.page for place in self.slots.resident] == before, "nothing was evicted"
            return
        assert gone == [page for page in before if page not in keep][: len(gone)], "oldest first"
        for page in gone:
            self.resident.remove(page)

    @rule()
    def settle(self) -> None:
        self.slots.settle()
        alive = {*self.encoding, *self.resident}
        self.owner = {slot: page for slot, page in self.owner.items() if page in alive}

    @invariant()
    def states_are_those_of_the_pages(self) -> None:
        for slot, state in enumerate(self.slots.states):
            page = self.owner.get(slot)
            match state:
                case SlotState.FREE:
                    assert page is None
                case SlotState.ENCODING:
                    assert page in self.encoding
                case SlotState.RESIDENT:
                    assert page in self.resident
                case SlotState.EVICTED:
                    assert page is not None
                    assert page not in self.encoding
                    assert page not in self.resident
        assert [place.page for place in self.slots.resident] == sorted(self.resident)


TestSlotLife = SlotLife.TestCase


def test_a_page_being_written_or_read_is_never_evicted():
    slots = Slots(LAYOUT)
    for page in range(3):
        slots.take(page, 64)
    slots.admit(0)
    slots.admit(1)
    with pytest.raises(LookupError):
        slots.evict_for(4, keep=[1])
    assert [place.page for place in slots.evict_for(3, keep=[1])] == [0]
    assert slots.states[0] is SlotState.EVICTED
    assert slots.free == 2
    slots.settle()
    assert slots.free == 3
