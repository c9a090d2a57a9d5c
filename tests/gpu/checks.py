"""What must hold on a card before anything is timed: it writes what the CPU writes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from model.buffers import KeyValues
from model.bursts import LOG_STEPS
from model.cache import Layout
from model.choosing import Choosing
from model.decoder import TorchStep
from model.decoder_weights import Weights, take_weights
from model.kernels import pick_step
from model.state import State
from model.streams import MakeStep, Prompt, Streams
from model.weights import find_checkpoint, load_network

IMAGE_ID, TOKENS, NEVER = 3, 300, 1 << 30


def run() -> Iterator[dict[str, Any]]:
    """Each check with its outcome; raises where the card writes something else."""
    from tests.model.tiny_checkpoint import write_checkpoint

    with tempfile.TemporaryDirectory() as folder:
        checkpoint = find_checkpoint(write_checkpoint(Path(folder), seed=5))
        found: dict[str, dict[str, list[list[int]]]] = {}
        for device in ("cpu", "cuda"):
            where = torch.device(device)
            model = load_network(checkpoint, device=where, dtype=torch.float32)
            weights = take_weights(model)
            found[device] = texts(weights, where, TorchStep)
            if device == "cuda":
                found["kernels"] = texts(weights, where, pick_step(weights, where))
                assert pick_step(weights, where) is not TorchStep
    for name, expected in found["cpu"].items():
        for way in ("cuda", "kernels"):
            same = found[way][name] == expected
            yield {"what": f"check: {name}, float32, {way} as on the CPU", "is_same": same}
            assert same, f"{way}: {name}"


def texts(
    weights: Weights, device: torch.device, make_step: MakeStep
) -> dict[str, list[list[int]]]:
    """Ids of some streams in some settings."""
    cases: dict[str, tuple[int, int, int | None, float]] = {
        "one page": (1, 1, None, 1.0),
        "eight pages": (1, 8, None, 1.0),
        "eight pages, SR-SWA": (1, 8, 4, 0.2),
        "five streams": (5, 1, None, 1.0),
    }
    return {name: text(weights, device, make_step, *case) for name, case in cases.items()}


def text(
    weights: Weights,
    device: torch.device,
    make_step: MakeStep,
    count: int,
    pages: int,
    most_blocks: int | None,
    ratio: float,
) -> list[list[int]]:
    layout = Layout(32, 40, 64, pages)
    kv = KeyValues(
        layout,
        weights.heads,
        streams=count,
        is_sparse=most_blocks is not None,
        device=device,
        dtype=weights.embedding.dtype,
    )
    state = State.make(
        count, vocabulary=weights.vocabulary, history=128, steps=LOG_STEPS, device=device
    )
    rules = Choosing(
        end_ids=torch.tensor([NEVER], device=device),
        separator=torch.tensor([5, 6], dtype=torch.int32, device=device),
        ngram=4,
        first_ring_row=layout.word_rows,
        window_tokens=40,
    )
    streams = Streams(
        weights,
        kv,
        state,
        rules,
        image_id=IMAGE_ID,
        most_blocks=most_blocks,
        make_step=make_step,
    )
    streams.begin({at: prompt(weights, pages, at, device) for at in range(count)}, ratio=ratio)
    found: dict[int, list[int]] = {at: [] for at in range(count)}
    while any(len(each) < TOKENS for each in found.values()):
        for at, tokens in streams.run().items():
            found[at] += [token.id for token in tokens]
    return [each[:TOKENS] for each in found.values()]


def prompt(weights: Weights, pages: int, seed: int, device: torch.device) -> Prompt:
    generator = torch.Generator().manual_seed(seed)
    shown: Sequence[torch.Tensor] = [
        torch.randn(50, weights.embedding.shape[1], generator=generator).to(
            device, weights.embedding.dtype
        )
        for _ in range(pages)
    ]
    return Prompt([0, *[IMAGE_ID] * (50 * pages), 30, 31], shown)
