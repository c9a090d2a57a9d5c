"""Unlimited-OCR in its published size with weights at random, straight on the card."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from model.api import PageImage
from model.buffers import KeyValues
from model.bursts import LOG_STEPS
from model.choosing import Choosing
from model.config import CheckpointConfig, Prompts, ViewSizes
from model.decoder_weights import Weights, take_weights
from model.kernels import pick_step
from model.network import Network
from model.plan import EngineSettings, Plan, Sizes, plan_in_sequence, plan_side_by_side
from model.state import State
from model.streams import MakeStep, Prompt, Streams

CARD = torch.device("cuda")
IMAGE_ID, PAGE_TOKENS, NEVER = 128815, 273, 1 << 30
WORDS = (7, 8, 9)  # behind the pages, as the published prompts have a few


class FullSize(NamedTuple):
    """The network, and what our decoder took of it."""

    model: Any
    network: Network
    weights: Weights
    config: CheckpointConfig


def build(dtype: torch.dtype = torch.bfloat16) -> FullSize:
    """Make it; the decoder's weights are held twice, for the peer needs its own."""
    from transformers import UnlimitedOcrConfig, UnlimitedOcrForConditionalGeneration

    shape: Any = UnlimitedOcrConfig(text_config={}, vision_config={})
    with torch.device("meta"):
        model: Any = UnlimitedOcrForConditionalGeneration(shape)
    model = model.to(dtype).to_empty(device=CARD).eval()
    _fill(model)
    text = shape.text_config
    config = CheckpointConfig(
        network=shape,
        layers=text.num_hidden_layers,
        key_heads=text.num_key_value_heads,
        head_size=text.head_dim,
        most_positions=text.max_position_embeddings,
        window_tokens=text.sliding_window,
        image_id=IMAGE_ID,
        start_id=0,
        end_ids=frozenset({NEVER}),
        views=ViewSizes(),
        prompts=Prompts(),
    )
    return FullSize(model, Network(model, config), take_weights(model), config)


def _fill(model: Any) -> None:
    """Weights at random, norms near 1; the rotary frequencies as they must be."""
    torch.manual_seed(0)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.normal_(0, 0.02)
            if "norm" in name and name.endswith("weight"):
                weight.add_(1)
        for module in model.modules():
            if hasattr(module, "compute_default_rope_parameters"):
                frequencies, _ = module.compute_default_rope_parameters(module.config)
                module.inv_freq = frequencies.to(CARD)
            elif isinstance(getattr(module, "position_ids", None), torch.Tensor):
                module.position_ids = torch.arange(module.position_ids.shape[-1], device=CARD)[None]


def streams_of(
    full: FullSize, plan: Plan, *, make_step: MakeStep | None = None, history: int = 1024
) -> Streams:
    """Buffers and steps of a plan, as the engine makes them."""
    layout, dtype = plan.layout, full.network.dtype
    kv = KeyValues(
        layout,
        full.weights.heads,
        streams=plan.streams,
        is_sparse=plan.is_sparse,
        device=CARD,
        dtype=dtype,
    )
    state = State.make(
        plan.streams,
        vocabulary=full.weights.vocabulary,
        history=history,
        steps=LOG_STEPS,
        device=CARD,
    )
    rules = Choosing(
        end_ids=torch.tensor([NEVER], device=CARD),
        separator=torch.tensor([5, 6], dtype=torch.int32, device=CARD),
        ngram=35,
        first_ring_row=layout.word_rows,
        window_tokens=layout.window_tokens,
    )
    return Streams(
        full.weights,
        kv,
        state,
        rules,
        image_id=IMAGE_ID,
        most_blocks=plan.most_blocks,
        make_step=make_step or pick_step(full.weights, CARD),
    )


def sizes(full: FullSize) -> Sizes:
    """Of the published checkpoint's base form."""
    return Sizes(
        token_bytes=full.weights.heads.token_bytes(full.network.dtype),
        page_tokens=PAGE_TOKENS,
        most_page_tokens=PAGE_TOKENS,
        word_tokens=1 + len(WORDS),
        window_tokens=full.config.window_tokens,
        most_positions=1 << 20,
        vocabulary=full.weights.vocabulary,
    )


def side_by_side(full: FullSize, streams: int) -> Plan:
    """One page in each of so many streams."""
    return plan_side_by_side(sizes(full), EngineSettings(batch_size=streams))


def in_sequence(full: FullSize, pages: int, ratio: float) -> Plan:
    """One stream with a window of so many pages."""
    settings = EngineSettings(window_size=pages, sparsity_ratio=ratio)
    return plan_in_sequence(sizes(full), settings, pages_at_once=1)


def prompt(full: FullSize, pages: int, first_page: int = 0) -> Prompt:
    """A prompt with pages at random."""
    hidden = full.weights.embedding.shape[1]
    shown = [
        torch.randn(PAGE_TOKENS, hidden, device=CARD, dtype=full.network.dtype) * 0.02
        for _ in range(pages)
    ]
    return Prompt([0, *[IMAGE_ID] * (pages * PAGE_TOKENS), *WORDS], shown, first_page)


def page_image(seed: int) -> PageImage:
    """A page of noise, 300 dpi of an octavo."""
    pixels = np.random.default_rng(seed).integers(0, 255, (2550, 1650, 3), np.uint8)
    return PageImage(pixels)


def vocabulary_file(folder: Path, size: int) -> Path:
    """A vocabulary in which every id is a word, so that what is made of tokens takes its time."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = [*alphabet, *(f"\u0120w{number}" for number in range(size - len(alphabet)))]
    tokenizer = Tokenizer(models.BPE(vocab={word: n for n, word in enumerate(words)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    path = folder / "tokenizer.json"
    tokenizer.save(str(path))
    return path
