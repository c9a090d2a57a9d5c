"""Decoding on the CPU: eight pages side by side by our engine, one by transformers' `generate`.

Weights and sizes of the bundled reader, pages of noise, numbers as our reader takes them on this
machine; `generate` is timed in these and in float32, and its faster time counts. All take turns in
one process on one core, and the time that the core worked counts, so that it matters little what
else the machine does.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.bench.numbers import seconds
from tests.bench.report import Measured

if TYPE_CHECKING:
    import torch

    from model.streams import Prompt, Streams

READER = Path(__file__).parents[2] / "resources" / "reader"
STREAMS, ROUNDS, STEPS, NEVER = 8, 4, 12, 1 << 30
WORDS = (30, 31, 32)  # behind the page, as prompts have a few


def measure_decode_cpu(folder: Path) -> Measured:
    """The time of a token of ours as a share of that of `generate`."""
    import torch

    from model.decoder_weights import take_weights
    from model.device import pick_dtype
    from model.views import count_tokens
    from model.weights import find_checkpoint, load_network

    torch.set_num_threads(1)
    checkpoint, cpu = find_checkpoint(READER), torch.device("cpu")
    dtype = pick_dtype(cpu, is_stored_so=checkpoint.is_bfloat16)
    models = [load_network(checkpoint, device=cpu, dtype=each) for each in {dtype, torch.float32}]
    weights = take_weights(next(model for model in models if model.dtype is dtype))
    tokens = count_tokens(None, checkpoint.config.views)
    prompt = _prompt(tokens, weights.embedding.shape[1], checkpoint.config.image_id)
    streams = _streams(weights, tokens, checkpoint.config)
    streams.begin(dict.fromkeys(range(STREAMS), _as(prompt, dtype)))
    ours, theirs = list[float](), list[float]()
    for _ in range(ROUNDS):
        ours.append(_by_streams(streams))
        theirs.append(min(_by_generate(model, _as(prompt, model.dtype)) for model in models))
    share = min(ours) / min(theirs)
    each = f"{seconds(min(ours))} against {seconds(min(theirs))} a token"
    numbers = str(dtype).removeprefix("torch.")
    told = f"{share:.0%}: {each} (best of {ROUNDS} rounds each, {STREAMS} pages, {numbers})"
    return Measured(share, told)


def _as(prompt: Prompt, dtype: torch.dtype) -> Prompt:
    return prompt._replace(pages=[page.to(dtype) for page in prompt.pages])


def _prompt(tokens: int, hidden: int, image_id: int) -> Prompt:
    import torch

    from model.streams import Prompt

    page = torch.randn(tokens, hidden, generator=torch.Generator().manual_seed(0)) * 0.5
    return Prompt([0, *[image_id] * tokens, *WORDS], [page])


def _streams(weights: Any, tokens: int, config: Any) -> Streams:  # noqa: ANN401  # of one checkpoint
    import torch

    from model.buffers import KeyValues
    from model.bursts import LOG_STEPS
    from model.cache import Layout, whole_blocks
    from model.choosing import Choosing
    from model.state import State
    from model.streams import Streams

    cpu, layout = torch.device("cpu"), Layout(32, config.window_tokens, whole_blocks(tokens), 1)
    kv = KeyValues(
        layout,
        weights.heads,
        streams=STREAMS,
        is_sparse=False,
        device=cpu,
        dtype=weights.embedding.dtype,
    )
    state = State.make(
        STREAMS, vocabulary=weights.vocabulary, history=128, steps=LOG_STEPS, device=cpu
    )
    rules = Choosing(
        end_ids=torch.tensor([NEVER]),
        separator=torch.tensor([5, 6], dtype=torch.int32),
        ngram=35,
        first_ring_row=layout.word_rows,
        window_tokens=layout.window_tokens,
    )
    return Streams(weights, kv, state, rules, image_id=config.image_id)


def _by_streams(streams: Streams) -> float:
    """Seconds of a token, of all pages together."""
    times: list[float] = []
    for _ in range(STEPS):
        began = time.process_time()
        count = sum(map(len, streams.run().values()))
        times.append((time.process_time() - began) / count)
    return median(times)


class _Stamps:
    """Takes the tokens of `generate` and notes when each came."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def put(self, _tokens: torch.Tensor) -> None:
        self.times.append(time.process_time())

    def end(self) -> None:
        pass


def _by_generate(model: Any, prompt: Prompt) -> float:  # noqa: ANN401  # transformers has no types
    """Seconds of a token, with its own cache."""
    import torch

    ids, stamps = torch.tensor([list(prompt.ids)]), _Stamps()
    embedded = model.get_input_embeddings()(ids).detach()
    embedded[0, 1 : 1 + len(prompt.pages[0])] = prompt.pages[0]
    count = STEPS + 2
    model.generate(
        inputs_embeds=embedded,
        max_new_tokens=count,
        min_new_tokens=count,
        do_sample=False,
        pad_token_id=2,
        streamer=stamps,
    )
    return median(b - a for a, b in pairwise(stamps.times[2:]))
