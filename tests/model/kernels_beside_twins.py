"""Runs the step of kernels beside the plain one in Triton's interpreter; prints what was equal."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.attention import choose_blocks
from model.buffers import Heads, KeyValues
from model.bursts import LOG_STEPS
from model.cache import Layout
from model.choosing import Choosing
from model.decoder import TorchStep
from model.decoder_weights import Dense, Experts, Layer, Weights
from model.encoder import GridAttention, hasten
from model.kernels import listing as listing_kernels
from model.kernels.buffers import power_of_two
from model.kernels.seeing import look
from model.kernels.step import KernelStep
from model.state import State
from model.streams import MakeStep, Prompt, Streams
from model.weights import find_checkpoint, load_network
from tests.model.tiny_checkpoint import write_checkpoint

listing: Any = listing_kernels  # Triton's functions have no types

CPU = torch.device("cpu")
HIDDEN, HEADS, SIZE, VOCABULARY, IMAGE = 32, 2, 16, 48, 3
STEPS = 3
NO_PAGE, PAGES, MOST_BLOCKS = -1, 3, 40
SCORES = st.one_of(st.sampled_from([0.0, -0.0, 1.0, -1.0]), st.floats(width=32, allow_nan=False))


def weights(generator: torch.Generator) -> Weights:
    """Two layers, the first dense."""

    def drawn(*shape: int, scale: float = 0.3) -> torch.Tensor:
        return torch.randn(shape, generator=generator) * scale

    def layer(mlp: Dense | Experts) -> Layer:
        return Layer(
            norm=1 + drawn(HIDDEN, scale=0.1),
            qkv=drawn(3 * HEADS * SIZE, HIDDEN),
            output=drawn(HIDDEN, HEADS * SIZE),
            mlp_norm=1 + drawn(HIDDEN, scale=0.1),
            mlp=mlp,
        )

    experts = Experts(
        gate_up=drawn(6, 64, HIDDEN),
        down=drawn(6, HIDDEN, 32),
        router=drawn(4, HIDDEN, scale=1.0),
        chosen=2,
        scale=1.5,
    )
    return Weights(
        embedding=drawn(VOCABULARY, HIDDEN, scale=1.0),
        layers=(layer(Dense(drawn(80, HIDDEN), drawn(HIDDEN, 40))), layer(experts)),
        norm=1 + drawn(HIDDEN, scale=0.1),
        head=drawn(VOCABULARY, HIDDEN, scale=1.0),
        frequencies=1.0 / 10_000 ** (torch.arange(0, SIZE, 2).double() / SIZE),
        epsilon=1e-6,
        heads=Heads(2, HEADS, SIZE),
    )


def run(made: Weights, make_step: MakeStep, streams: int, most_blocks: int | None) -> Streams:
    """Begin some streams and let them write."""
    layout = Layout(32, 20, 64, 3)
    kv = KeyValues(
        layout,
        made.heads,
        streams=streams,
        is_sparse=most_blocks is not None,
        device=CPU,
        dtype=torch.float32,
    )
    state = State.make(streams, vocabulary=VOCABULARY, history=32, steps=LOG_STEPS, device=CPU)
    rules = Choosing(
        end_ids=torch.tensor([VOCABULARY + 5]),
        separator=torch.tensor([5, 6], dtype=torch.int32),
        ngram=2,
        first_ring_row=32,
        window_tokens=20,
    )
    found = Streams(
        made, kv, state, rules, image_id=IMAGE, most_blocks=most_blocks, make_step=make_step
    )
    for at in range(streams):
        generator = torch.Generator().manual_seed(at)
        pages = [torch.randn(40, HIDDEN, generator=generator) for _ in range(3)]
        prompt = Prompt([0, *[IMAGE] * 120, 7, 8], pages)
        found.begin({at: prompt}, ratio=0.4)
    return found


def compare(streams: int, most_blocks: int | None) -> None:
    """Ids, scores and the whole state, step by step."""
    made = weights(torch.Generator().manual_seed(1))
    twin, found = (run(made, make, streams, most_blocks) for make in (TorchStep, KernelStep))
    for _ in range(STEPS):
        expected, tokens = twin.run(), found.run()
        for at, each in expected.items():
            assert [token.id for token in tokens[at]] == [token.id for token in each]
            ours = [token[1:] for token in tokens[at]]
            torch.testing.assert_close(torch.tensor(ours), torch.tensor([t[1:] for t in each]))
    for name, value in vars(twin.state).items():
        other = getattr(found.state, name)
        if name not in {"log", "banned_at"}:
            assert torch.equal(value, other), name
    torch.testing.assert_close(found.kv.keys, twin.kv.keys, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(found.kv.values, twin.kv.values, atol=1e-5, rtol=1e-4)
    if most_blocks:
        for at, count in enumerate(twin.state.budget.tolist()):
            listed = (each.kv.listed[:, at, :, :count] for each in (found, twin))
            assert torch.equal(*(each.sort().values for each in listed))
    print(f"{streams} streams, {most_blocks or 'all'} blocks: equal")


@settings(max_examples=60, deadline=None, database=None)
@given(
    blocks=st.lists(
        st.tuples(st.integers(NO_PAGE, PAGES - 1), SCORES), min_size=1, max_size=MOST_BLOCKS
    ),
    reading=st.integers(0, PAGES - 1),
    count=st.integers(0, MOST_BLOCKS),
)
def compare_choice(blocks: list[tuple[int, float]], reading: int, count: int) -> None:
    """Which blocks are listed, many of them with equal scores; nothing else is written."""
    owners, scores = zip(*blocks, strict=True)
    page_of_block = torch.tensor([owners], dtype=torch.int32)
    page, budget = (torch.tensor([n], dtype=torch.int32) for n in (reading, count))
    means = torch.tensor(scores)[None, None, :, None]  # with a query of 1 they are the scores
    choice = choose_blocks(
        torch.ones(1, 1, 1),
        means,
        page_of_block,
        reading=page,
        budget=budget,
        most=len(blocks),
    )
    listed = torch.full((MOST_BLOCKS,), -1, dtype=torch.int32)
    listing.list_best[(1, 1)](
        means.flatten(),
        page_of_block,
        page,
        budget,
        listed,
        len(blocks),
        1,
        H=1,
        N=power_of_two(len(blocks)),
        EARLY=False,
    )
    expected = choice.blocks[choice.is_read].sort().values
    assert listed[: len(expected)].tolist() == expected.tolist()
    assert (listed[len(expected) :] == -1).all()


def compare_tower() -> None:
    """The vision tower with our attention beside that of transformers, at two sizes of views."""
    with tempfile.TemporaryDirectory() as folder, torch.inference_mode():
        checkpoint = find_checkpoint(write_checkpoint(Path(folder), seed=5))
        model = load_network(checkpoint, device=CPU, dtype=torch.float32)
        encoder = model.model.vision_tower.sam_encoder
        views = [torch.randn(2, 3, side, side) for side in (64, 32)]
        expected = [encoder(each).last_hidden_state for each in views]
        hasten(model, look)
        assert all(isinstance(layer.attn, GridAttention) for layer in encoder.layers)
        for each, seen in zip(views, expected, strict=True):
            torch.testing.assert_close(encoder(each).last_hidden_state, seen, atol=1e-4, rtol=1e-4)
    print("vision tower: equal")


if __name__ == "__main__":
    compare_tower()
    compare_choice()
    print("choice of blocks: equal")
    for case in ((1, None), (1, 4), (3, 4)):  # between them every kernel runs
        compare(*case)
