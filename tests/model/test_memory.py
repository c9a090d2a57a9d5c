"""The parts of a device's memory add up, whatever it says."""

from __future__ import annotations

import psutil
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.memory import Held, Taken, kv_bytes, measure, split

pytestmark = pytest.mark.model

BYTES = st.integers(0, 1 << 40)


def test_a_token_of_the_published_network_holds_61440_bytes():
    assert kv_bytes(layers=12, key_heads=10, head_size=128, value_bytes=2) == 61_440


@given(st.builds(Held, BYTES, BYTES, BYTES, BYTES), BYTES, st.floats(0, 1), st.floats(0, 1))
def test_parts_add_up(held: Held, total: int, share_free: float, share_ours: float):
    kept = held.weights_bytes + held.references_bytes + held.window_bytes
    total += kept  # what is held lies on the device
    free = int(total * share_free)
    taken = Taken("card", total, free, int((total - free) * share_ours))
    memory = split(held, taken, limit_bytes=None, host_bytes=1)
    parts = (
        memory.weights_bytes,
        memory.references_bytes,
        memory.window_bytes,
        memory.work_bytes,
        memory.other_bytes,
        memory.free_bytes,
    )
    assert all(part >= 0 for part in parts)
    assert sum(parts) == memory.total_bytes == total
    assert memory.weights_bytes + memory.work_bytes + memory.references_bytes >= min(
        taken.ours_bytes - held.window_bytes, kept
    )


def test_what_is_taken_is_parted_between_us_and_others():
    held = Held(weights_bytes=60, references_bytes=10, window_bytes=5)
    memory = split(held, Taken("card", 200, 80, 90), limit_bytes=150, host_bytes=7)
    assert (memory.work_bytes, memory.other_bytes, memory.free_bytes) == (15, 30, 80)
    assert (memory.limit_bytes, memory.host_bytes) == (150, 7)


def test_weights_in_a_mapped_file_count_before_they_are_read():
    memory = split(
        Held(weights_bytes=60), Taken("cpu", 200, 180, 20), limit_bytes=None, host_bytes=20
    )
    assert (memory.weights_bytes, memory.work_bytes) == (60, 0)
    assert (memory.other_bytes, memory.free_bytes) == (0, 140)


def test_this_machine_is_measured():
    memory = measure(Held(), torch.device("cpu"))
    assert memory.device == "cpu"
    assert memory.total_bytes == psutil.virtual_memory().total
    assert memory.work_bytes > 10_000_000  # the interpreter and torch
    assert memory.host_bytes == pytest.approx(psutil.Process().memory_info().rss, rel=0.1)
