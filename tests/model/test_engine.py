"""The engine's modes on small checkpoints: what they hold, and how they answer a full device."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.api import Engine, EngineChoice, PageEnd, PageImage, PageRead, Piece, Step, Stop, load
from model.buffers import KeyValues
from model.decoder import TorchStep
from model.errors import OutOfVram
from model.plan import EngineSettings, Plan, Sizes, plan_in_sequence, plan_side_by_side
from model.recogniser import UnlimitedOcr
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("one_thread")]

CAP = 30  # tokens of a page of noise


@pytest.fixture(scope="module")
def noise(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("noise"), seed=5)


def build(folder: Path, **options: str) -> UnlimitedOcr:
    said = {"page_tokens": str(CAP), **options}
    choice = EngineChoice(Engine.UNLIMITED_OCR, folder, device="cpu", options=tuple(said.items()))
    recogniser = load(choice)
    assert isinstance(recogniser, UnlimitedOcr)
    return recogniser


def images(count: int) -> Iterator[PageImage]:
    for seed in range(count):
        pixels = np.random.default_rng(seed).integers(0, 255, (60, 40, 3), np.uint8)
        yield PageImage(pixels)


def pages_of(steps: Sequence[Step]) -> list[PageRead]:
    return [step for step in steps if isinstance(step, PageRead)]


def told(pages: Sequence[PageRead]) -> list[tuple[str, PageEnd, int]]:
    return [("".join(block.text for block in p.blocks), p.end, p.steps) for p in pages]


def test_pages_side_by_side_are_read_as_by_transformers(noise: Path):
    """Eight streams for eleven pages, each page token for token as alone in the slow decoder."""
    with build(noise) as fast, build(noise, decoder="transformers") as slow:
        found = pages_of(list(fast.read(images(11), Stop(), mode="parallel")))
        expected = pages_of(list(slow.read(images(11), Stop(), mode="base")))
        tiled = pages_of(list(fast.read(images(3), Stop(), mode="tiled")))
        slowly_tiled = pages_of(list(slow.read(images(3), Stop(), mode="tiled")))
    assert [page.page for page in found] == list(range(11))
    assert told(found) == told(expected)
    assert told(tiled) == told(slowly_tiled)
    assert len({text for text, _, _ in told(found)}) > 5


def test_continuous_in_one_chunk_at_a_ratio_of_one_is_a_request(noise: Path):
    """The page that ends the chunk at its cap leaves the others to chunks of their own."""
    with build(noise, chunk_size="3", sparsity_ratio="1", window_size="3") as fast:
        once = list(fast.read(images(3), Stop(), mode="continuous"))
        request = list(fast.read(images(3), Stop(), mode="request"))
    assert [step for step in once if isinstance(step, Piece) and step.page == 0] == [
        step for step in request if isinstance(step, Piece) and step.page == 0
    ]
    assert told(pages_of(once)[:1]) == told(pages_of(request)[:1])


@pytest.mark.parametrize("mode", ["continuous", "parallel"])
def test_memory_is_flat_over_200_pages(noise: Path, mode: str):
    seen: set[tuple[int, int]] = set()
    resident: list[int] = []
    with build(noise, page_tokens="3", window_size="6", chunk_size="2", batch_size="4") as fast:
        count = 0
        for step in fast.read(images(200), Stop(), mode=mode):
            memory = fast.memory()
            seen.add((memory.references_bytes, memory.window_bytes))
            resident.append(memory.reference_pages)
            count += isinstance(step, PageRead)
        assert fast.memory().references_bytes == fast.memory().window_bytes == 0
    assert count == 200
    assert len(seen) == 1
    assert max(resident) == (6 if mode == "continuous" else 4)


def test_what_is_held_is_what_was_planned(noise: Path):
    with build(noise, window_size="5", chunk_size="2", sparsity_ratio="0.5") as fast:
        steps = fast.read(images(1), Stop(), mode="continuous")
        next(steps)
        memory = fast.memory()
        token_bytes = 3 * 2 * 32 * 2 * 4  # layers, heads, size of a head, two, float32
        slots = 5 * 32 * token_bytes  # a page of 21 tokens takes a slot of 32
        assert memory.references_bytes == slots + slots // 64  # and its mean keys
        assert memory.window_bytes == (32 + 128) * token_bytes
        assert memory.reference_pages == 1
        list(steps)


def test_what_will_be_held_is_told_before_the_first_page(noise: Path):
    with build(noise, mode="continuous", window_size="5", sparsity_ratio="0.5") as fast:
        before = fast.memory()
        steps = fast.read(images(1), Stop())
        next(steps)
        during = fast.memory()
        list(steps)
        after = fast.memory()
    held = during.weights_bytes + during.references_bytes + during.window_bytes
    assert before.references_bytes == 0
    assert before.forecast_bytes == during.forecast_bytes == after.forecast_bytes
    assert held <= before.forecast_bytes < held * 1.1  # what is kept of each token comes on top


def test_a_run_in_sequence_is_one_order(noise: Path):
    with build(noise, mode="continuous", max_pages="900") as fast:
        assert fast.request_pages == 900


def test_a_full_device_is_answered_with_half_the_streams(
    noise: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    with build(noise) as fast:
        expected = list(fast.read(images(9), Stop(), mode="parallel"))
        step, made = TorchStep.__call__, KeyValues.__init__

        def full(self: TorchStep) -> None:
            if self._state.log.shape[1] > 2 and self._state.since.max() > 5:  # noqa: SLF001
                raise torch.OutOfMemoryError("CUDA out of memory")
            step(self)

        monkeypatch.setattr(TorchStep, "__call__", full)
        with caplog.at_level(logging.INFO):
            found = list(fast.read(images(9), Stop(), mode="parallel"))
    assert made is KeyValues.__init__
    assert "going on with 2 streams" in caplog.text
    assert told(pages_of(found)) == told(pages_of(expected))
    blocks = [step.block for step in found if isinstance(step, Piece) and step.page == 0]
    assert blocks == sorted(blocks), "pieces of a page never go back"


def test_a_device_that_stays_full_is_told(noise: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: TorchStep) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(TorchStep, "__call__", full)
    with build(noise) as fast:
        with pytest.raises(OutOfVram, match="full"):
            list(fast.read(images(2), Stop(), mode="parallel"))
        assert fast.memory().references_bytes == 0


SIZES = Sizes(
    token_bytes=61_440,
    page_tokens=273,
    most_page_tokens=273,
    word_tokens=5,
    window_tokens=128,
    most_positions=32_768,
    vocabulary=129_280,
)


def test_references_of_the_published_sizes_are_those_of_the_design():
    hundred = Plan(SIZES, 1, 100, 1)
    assert hundred.reference_bytes == 100 * 288 * 61_440  # 1.7695 GB
    assert hundred.tail_bytes == 160 * 61_440
    window = plan_in_sequence(SIZES, EngineSettings(), pages_at_once=4)
    assert window.slots == 64
    assert window.most_blocks == 58
    keys_and_values = 64 * 288 * 61_440
    assert window.reference_bytes == keys_and_values + keys_and_values // 64  # mean keys


def test_a_window_is_no_longer_than_the_trained_length_allows():
    short = replace(SIZES, most_positions=8192)
    assert plan_in_sequence(short, EngineSettings(), pages_at_once=4).slots == 22


@given(
    st.integers(1, 300),
    st.integers(1, 4096),
    st.integers(0, 1 << 40),
)
def test_a_plan_fits_or_is_the_smallest(streams: int, window: int, room: int):
    sized = EngineSettings(batch_size=streams, window_size=window)
    for plan in (
        plan_side_by_side(SIZES, sized),
        plan_in_sequence(SIZES, sized, pages_at_once=1),
    ):
        found = plan.within(room)
        assert found.total_bytes <= room or found.smaller() is None
        assert found.streams <= plan.streams
        assert found.least_slots <= found.slots <= plan.slots


def test_a_prompt_that_ends_with_the_pages_is_left_to_transformers(tmp_path: Path):
    folder = write_checkpoint(tmp_path, seed=5)
    (folder / "manifest.json").write_text('{"prompts": {"page": "<image>", "pages": null}}')
    with build(folder) as recogniser:
        assert recogniser.modes == ("tiled", "base")
        assert len(pages_of(list(recogniser.read(images(1), Stop())))) == 1


def test_settings_that_no_run_could_have_are_refused():
    assert EngineSettings.of({"window_size": "8", "hash_cache": "x"}).window_size == 8
    for name, value in (("chunk_size", "0"), ("sparsity_ratio", "1.5"), ("window_size", "-3")):
        with pytest.raises(ValueError, match=name):
            EngineSettings.of({name: value})


def test_a_checkpoint_that_knows_one_page_has_one_in_sight(tmp_path: Path):
    folder = write_checkpoint(tmp_path, seed=5)
    (folder / "manifest.json").write_text('{"prompts": {"page": "<image>read.", "pages": null}}')
    with build(folder, page_tokens="3", window_size="6") as fast:
        resident = [
            fast.memory().reference_pages for _ in fast.read(images(4), Stop(), mode="continuous")
        ]
    assert max(resident) == 1
