"""Runs the step of kernels beside the plain one in Triton's interpreter; prints what was equal."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from model.buffers import Heads, KeyValues
from model.bursts import LOG_STEPS
from model.cache import Layout
from model.choosing import Choosing
from model.decoder import TorchStep
from model.decoder_weights import Dense, Experts, Layer, Weights
from model.encoder import GridAttention, hasten
from model.kernels.seeing import look
from model.kernels.step import KernelStep
from model.state import State
from model.streams import MakeStep, Prompt, Streams
from model.weights import find_checkpoint, load_network
from tests.model.tiny_checkpoint import write_checkpoint

CPU = torch.device("cpu")
HIDDEN, HEADS, SIZE, VOCABULARY, IMAGE = 32, 2, 16, 48, 3
STEPS = 3


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
        listed = (each.kv.listed[..., :most_blocks] for each in (found, twin))
        assert torch.equal(*listed)
    print(f"{streams} streams, {most_blocks or 'all'} blocks: equal")


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
    for case in ((1, None), (1, 4), (3, 4)):  # between them every kernel runs
        compare(*case)
