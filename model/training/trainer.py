"""Steps on one card: a batch scanned and read, gradients shared between cards, weights moved."""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import distributed

from model.training.feed import LENGTHS, Batch, Feed
from model.training.heads import Heads, writing_loss
from model.training.optimiser import Optimiser
from model.training.scan import Sheets, scan, seeded, sheets_of
from model.training.state import (
    load_progress,
    load_tensors,
    make_config,
    make_network,
    save_training,
)
from model.training.targets import Tokens
from model.training.trunk import (
    PLAIN,
    Attention,
    Others,
    Parts,
    block_attention,
    plain_attention,
    see,
    write,
)

if TYPE_CHECKING:
    from model.training.leg import Leg

Tensor = torch.Tensor

MATRIX_RATE, OTHER_RATE = 2.5e-3, 1.5e-3
LETTERS_WEIGHT = 0.15  # of the heads that exist in training only
MOST_GAP = 8000  # positions between a page and its text, as other pages of a chunk lie between
OTHERS = 0.3  # share of steps in which earlier pages are in sight
OTHER_PAGES, BLOCKS, BLOCK_TOKENS = 3, 10, 128  # of so many pages some blocks, as SR-SWA reads
FARTHEST = 63  # pages back, the longest window but one


class _Copied(NamedTuple):
    """A batch on the device."""

    sheets: Sheets
    ids: Tensor  # (B, N)
    counts: Tensor  # (B, 3): ids, of which so many are given; number of the book
    is_there: Any  # the event after the copy; None on the CPU


class Trainer:
    """The network, its optimiser and where it stands."""

    def __init__(self, leg: Leg, tokens: Tokens) -> None:
        self._leg = leg
        self._tokens = tokens
        self._device = _device()
        if leg.cards > 1:
            distributed.init_process_group("nccl" if self._device.type == "cuda" else "gloo")
        start = leg.out if (leg.out / "model.safetensors").exists() else leg.data / "start"
        self.progress = load_progress(leg.out)
        self.progress.leg += 1
        seed = leg.seed + 100 * self.progress.leg + leg.rank
        self._dice = random.Random(leg.seed + self.progress.leg)  # the same on every card
        everywhere: Any = torch
        everywhere.manual_seed(leg.seed)
        self._generator = seeded(seed, self._device)
        config = make_config(start, leg.side)
        network = make_network(config, load_tensors(start / "model.safetensors"))
        self._vocabulary = start / "tokenizer.json"
        self._dtype = torch.bfloat16 if self._device.type == "cuda" else torch.float32
        self.network: Any = network.to(self._device, self._dtype).train()
        self._heads = _heads(config).to(self._device, self._dtype)
        self._weights = _weights(self.network, self._heads)
        self._optimiser = Optimiser(
            self._weights.items(), matrix_rate=MATRIX_RATE, other_rate=OTHER_RATE
        )
        self._load_optimiser()
        self._parts = _parts(self._device)
        self._attention: dict[tuple[int, int], Attention] = {}
        self._losses: list[Tensor] = []
        self._copier = ThreadPoolExecutor(1, "copier")
        self._coming: Future[_Copied] | None = None
        self._stream: Any = torch.cuda.Stream() if self._device.type == "cuda" else None

    def step(self, feed: Feed, share: float) -> Callable[[], dict[str, float]]:
        """Take one step; gives what tells the losses since it was called last."""
        batch = self._next(feed)
        loss = self._loss(batch.sheets, batch.ids, batch.counts)
        torch.autograd.backward(loss)
        self._share_gradients()
        self._optimiser.step(share)
        for weight in self._weights.values():
            weight.grad = None
        self.progress.steps += 1
        self.progress.pages += len(batch.ids) * self._leg.cards
        return self._tell

    def agree(self, is_over: bool) -> bool:  # noqa: FBT001  # the one thing that it says
        """Whether any card says that the leg is over."""
        if self._leg.cards == 1:
            return is_over
        said = torch.tensor(float(is_over), device=self._device)
        between: Any = distributed
        between.all_reduce(said)
        return bool(said > 0)

    def save(self) -> None:
        """Write the training; the first card does."""
        if self._leg.rank == 0:
            state = self._optimiser.state() | self._heads_state()
            save_training(self._leg.out, self.network, state, self.progress, self._vocabulary)

    def close(self) -> None:
        """End what works beside it."""
        self._copier.shutdown(wait=False, cancel_futures=True)
        if self._leg.cards > 1:
            between: Any = distributed
            between.barrier()
            between.destroy_process_group()

    def _loss(self, sheets: Sheets, ids: Tensor, counts: Tensor) -> Tensor:
        with torch.no_grad():
            seen = scan(sheets, self._generator)
        visual = see(self.network, seen.pixels.to(self._dtype), self._parts)
        others = self._others(visual.tokens, ids.shape[1])
        before = 0 if others is None else len(others.places)
        prefix = before + visual.tokens.shape[1] + 2
        hidden = write(
            self.network,
            visual.tokens,
            ids,
            start=self._tokens.start,
            prompt=self._tokens.prompt,
            gap=self._dice.randint(0, MOST_GAP) if self._dice.random() < 0.3 else 0,
            attention=self._attend(prefix, prefix + ids.shape[1], before),
            others=others,
            parts=self._parts,
        )
        embed = self.network.model.language_model.embed_tokens.weight
        written = writing_loss(
            hidden, embed, ids, counts[:, 0], counts[:, 1], self._tokens.first_number
        )
        patches, cells = self._heads.losses(visual, seen.labels)
        told = (written.text, written.numbers, patches.detach(), cells.detach())
        self._losses.append(torch.stack(told))
        return written.total + LETTERS_WEIGHT * (patches + cells)

    def _next(self, feed: Feed) -> _Copied:
        """The next batch, copied while the card was busy with the last."""
        coming = self._coming or self._copier.submit(self._copy, feed)
        batch = coming.result()
        self._coming = self._copier.submit(self._copy, feed)
        if batch.is_there is not None:
            stream = torch.cuda.current_stream()
            stream.wait_event(batch.is_there)
            for tensor in (*vars(batch.sheets).values(), batch.ids, batch.counts):
                tensor.record_stream(stream)
        return batch

    def _copy(self, feed: Feed) -> _Copied:
        """Copy a batch in a stream of its own; slots are given back once they are copied."""
        batch = feed.next_batch()
        if self._device.type != "cuda":
            return self._taken(feed, batch)
        torch.cuda.set_device(self._device)
        with torch.cuda.stream(self._stream):
            taken = self._taken(feed, batch)
            event = torch.cuda.Event()
            event.record()
            return taken._replace(is_there=event)

    def _taken(self, feed: Feed, batch: Batch) -> _Copied:
        slots, device = feed.slots, self._device
        ink, labels = (
            torch.as_tensor(source[batch.slots]).to(device) for source in (slots.ink, slots.labels)
        )
        ids = torch.as_tensor(slots.ids[batch.slots, : batch.length].astype(np.int64)).to(device)
        counts = torch.as_tensor(slots.counts[batch.slots].astype(np.int64)).to(device)
        places = torch.as_tensor(slots.places[batch.slots]).to(device)
        feed.give_back(batch.slots)
        is_there = torch.arange(batch.length, device=device)[None] < counts[:, :1]
        ids = torch.where(is_there, ids, self._tokens.pad)
        sheets = sheets_of(ink, labels, places)
        return _Copied(sheets, ids, counts, None)

    def _others(self, visual: Tensor, length: int) -> Others | None:
        """Blocks of pages beside these in the batch, as if they were earlier ones; mostly none.

        Pages beside each other are mostly of one book and look alike. Not with the longest text:
        each length is compiled for itself.
        """
        if len(visual) == 1 or length > LENGTHS[2] or self._dice.random() > OTHERS:
            return None
        backs = sorted(self._dice.sample(range(1, FARTHEST + 1), OTHER_PAGES))
        pages = [visual.roll(number, 0) for number in range(1, OTHER_PAGES + 1)]
        places = torch.arange(visual.shape[1], device=visual.device)
        chosen = [self._dice.randrange(OTHER_PAGES) for _ in range(BLOCKS)]
        blocks = [slice(n * BLOCK_TOKENS, (n + 1) * BLOCK_TOKENS) for n in range(BLOCKS)]
        some = list(zip(chosen, blocks, strict=True))
        return Others(
            torch.cat([pages[page][:, block] for page, block in some], 1),
            torch.cat([places[block] - backs[page] * (len(places) + 2) for page, block in some]),
        )

    def _attend(self, prefix: int, length: int, before: int) -> Attention:
        key = (prefix, length)
        if key not in self._attention:
            window: int = self.network.config.text_config.sliding_window
            make = block_attention if self._device.type == "cuda" else plain_attention
            self._attention[key] = make(prefix, length, window, self._device, before)
        return self._attention[key]

    def _share_gradients(self) -> None:
        if self._leg.cards == 1:
            return
        gradients = [weight.grad for weight in self._weights.values() if weight.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        between: Any = distributed
        between.all_reduce(flat)
        flat /= self._leg.cards
        parts = torch.split(flat, [gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))

    def _tell(self) -> dict[str, float]:
        mean: Any = torch.stack(self._losses).mean(0)
        told: list[float] = mean.tolist()
        text, numbers, patches, cells = told
        self._losses.clear()
        return {
            "step": self.progress.steps,
            "pages": self.progress.pages,
            "text": text,
            "numbers": numbers,
            "patches": patches,
            "cells": cells,
        }

    def _heads_state(self) -> dict[str, Tensor]:
        return {
            f"heads.{name}": each.contiguous() for name, each in self._heads.state_dict().items()
        }

    def _load_optimiser(self) -> None:
        path = self._leg.out / "optimiser.safetensors"
        if not path.exists():
            return
        state = load_tensors(path)
        heads = {
            name.removeprefix("heads."): each for name, each in state.items() if "heads." in name
        }
        self._heads.load_state_dict(heads)
        self._optimiser.load(state)


def _device() -> torch.device:
    if not torch.cuda.is_available():
        return torch.device("cpu")
    card = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(card)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    return torch.device("cuda", card)


def _heads(config: Any) -> Heads:  # noqa: ANN401  # transformers has no types
    return Heads(config.vision_config.sam_config.hidden_size, config.text_config.hidden_size)


def _weights(network: Any, heads: Heads) -> dict[str, torch.nn.Parameter]:  # noqa: ANN401
    """All weights by name; the tied one once."""
    named = dict(network.named_parameters())
    return named | {f"heads.{name}": weight for name, weight in heads.named_parameters()}


def _parts(device: torch.device) -> Parts:
    """Layers compiled for the card, each shape for itself."""
    if device.type != "cuda":
        return PLAIN
    settings: Any = importlib.import_module("torch._dynamo.config")
    settings.cache_size_limit = 16 * len(LENGTHS) * 8  # noqa: SLF001 # the way to set it
    compiler: Any = torch
    compiled: Any = [compiler.compile(part, dynamic=False) for part in PLAIN]
    return Parts(*compiled)
