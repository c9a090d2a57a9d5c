"""How well weights read pages of the renderer that training never saw: other faces, another book.

`python -m model.training.evaluate --data FOLDER --weights FOLDER`. Pages are read side by side and
greedily, with no guard against loops, so what is wrong with the weights is seen.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein
from torch.nn import functional

from model.training.feed import places_of
from model.training.renderer import MATTERS, MOST_TOKENS, Drawing, Renderer
from model.training.scan import scan, seeded, sheets_of
from model.training.state import load_tensors, make_config, make_network
from model.training.targets import Tokens
from model.training.trunk import Attention, rotary, see, text_layer

Tensor = torch.Tensor

log = logging.getLogger("model.training")

SEED = 20_000
HEADER = re.compile(r"<\|det\|>\w+ \[\d+, \d+, \d+, \d+\]<\|/det\|>")
TIDY = str.maketrans("ſ‘’“”„«»–—⸗", 's\'\'"""""---')


class SideBySide:
    """Greedy reading of several pages at once, with the reader's attention, on any device."""

    def __init__(self, network: Any, tokens: Tokens) -> None:  # noqa: ANN401  # transformers: no types
        self._network = network
        self._tokens = tokens
        self._text = network.config.text_config
        self._layers = network.model.language_model.layers

    @torch.inference_mode()
    def read(self, pixels: Tensor, most: int) -> list[list[int]]:
        """Ids of each page without its end. pixels: (B, 3, S, S), on any device."""
        pixels = pixels.to(self._network.model.image_newline.device)
        visual = see(self._network, pixels).tokens
        embed = self._network.model.language_model.embed_tokens.weight
        count, prefix = visual.shape[0], visual.shape[1] + 2
        ends = (
            embed[id_].expand(count, 1, -1) for id_ in (self._tokens.start, self._tokens.prompt)
        )
        x = torch.cat([next(ends), visual, next(ends)], 1)
        shape = (
            len(self._layers), count, self._text.num_key_value_heads,
            prefix + self._text.sliding_window, self._text.head_dim,
        )  # fmt: skip
        keys, values = (torch.zeros(shape, dtype=x.dtype, device=x.device) for _ in range(2))
        turns = rotary(self._text, torch.arange(prefix + most, device=x.device), x.dtype)
        written: list[Tensor] = []
        is_done = torch.zeros(count, dtype=torch.bool, device=x.device)
        for step in range(most):
            attend = [_into(keys[n], values[n], prefix, step) for n in range(len(self._layers))]
            ids = self._run(x, turns, attend, prefix, step)
            is_done |= ids == self._tokens.end
            if bool(is_done.all()):
                break
            written.append(torch.where(is_done, self._tokens.end, ids))
            x = functional.embedding(written[-1], embed)[:, None]
        if not written:
            return [[] for _ in range(count)]
        stacked: Any = torch.stack(written, 1)
        rows: list[list[int]] = stacked.tolist()
        return [[id_ for id_ in row if id_ != self._tokens.end] for row in rows]

    def _run(
        self,
        x: Tensor,
        turns: tuple[Tensor, Tensor],
        attend: list[Attention],
        prefix: int,
        step: int,
    ) -> Tensor:
        """One pass; the id that follows, (B,)."""
        places = slice(0, prefix) if step == 0 else slice(prefix + step - 1, prefix + step)
        cos, sin = (each[places] for each in turns)
        for layer, attention in zip(self._layers, attend, strict=True):
            x = text_layer(layer, x, cos, sin, attention)
        hidden = self._network.model.language_model.norm(x[:, -1])
        return (hidden @ self._network.model.language_model.embed_tokens.weight.T).argmax(-1)


def read_text(ids: Sequence[int], renderer: Renderer) -> str:
    """The words of a page without the headers of their lines."""
    text = renderer.vocabulary.decode(list(ids), skip_special_tokens=False)
    return "\n".join(HEADER.split(text)[1:])


def error(text: str, truth: str) -> tuple[int, int]:
    """Edits, and letters of the truth; long s, quotes, dashes and white space folded."""
    one, other = (" ".join(each.translate(TIDY).split()) for each in (text, truth))
    return Levenshtein.distance(one, other), len(other)


def scanned(drawings: Sequence[Drawing], seed: int) -> Tensor:
    """Scan drawings on the CPU, always in the same way; (B, 3, S, S)."""
    places = torch.as_tensor(np.stack([places_of(each) for each in drawings]))
    ink, labels = (
        torch.as_tensor(np.stack(images))
        for images in ([each.ink for each in drawings], [each.labels for each in drawings])
    )
    return scan(sheets_of(ink, labels, places), seeded(seed, torch.device("cpu"))).pixels


def load_network(folder: Path) -> Any:  # noqa: ANN401  # transformers has no types
    """The network of a checkpoint folder, float32, on the card if there is one."""
    weights = load_tensors(folder / "model.safetensors")
    raw = make_config(folder, None)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return make_network(raw, weights).float().to(device).eval()


def main(arguments: list[str] | None = None) -> None:
    """Read pages of each matter and tell the errors."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    asks = argparse.ArgumentParser(prog="python -m model.training.evaluate", description=__doc__)
    asks.add_argument("--data", type=Path, required=True)
    asks.add_argument("--weights", type=Path, required=True)
    asks.add_argument("--pages", type=int, default=6, help="of each matter")
    asks.add_argument("--most", type=int, default=MOST_TOKENS, help="tokens of a page")
    said: Any = asks.parse_args(arguments)
    network = load_network(said.weights)
    side: int = network.config.vision_config.sam_config.image_size
    renderer = Renderer(said.data, side_px=side, is_held_out=True)
    reader = SideBySide(network, renderer.tokens)
    for matter in MATTERS:
        drawings = [_drawn(renderer, matter, number) for number in range(said.pages)]
        read = reader.read(scanned(drawings, SEED), said.most)
        log.info("%s", _told(matter, [read_text(ids, renderer) for ids in read], drawings))


def _drawn(renderer: Renderer, matter: str, number: int) -> Drawing:
    """A page of a book of its own."""
    renderer.seed(SEED + number)
    return renderer.draw(matter=matter)


def _told(matter: str, texts: Sequence[str], drawings: Sequence[Drawing]) -> str:
    """Error of all pages and of each."""
    pairs = [error(text, drawing.text) for text, drawing in zip(texts, drawings, strict=True)]
    edits, letters = (sum(column) for column in zip(*pairs, strict=True))
    each = " ".join(f"{100 * wrong / max(true, 1):.1f}" for wrong, true in pairs)
    return f"{matter:<10} {letters:6} letters  {100 * edits / max(letters, 1):6.2f} %  ({each})"


def _into(keys: Tensor, values: Tensor, prefix: int, step: int) -> Attention:
    """Attention of one layer that keeps keys and values: the prefix, and a ring behind it."""
    window = keys.shape[2] - prefix

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        if step == 0:
            keys[:, :, :prefix], values[:, :, :prefix] = key, value
            return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        place, seen = prefix + (step - 1) % window, prefix + min(step, window)
        keys[:, :, place], values[:, :, place] = key[:, :, 0], value[:, :, 0]
        return functional.scaled_dot_product_attention(
            query, keys[:, :, :seen], values[:, :, :seen]
        )

    return attend


if __name__ == "__main__":
    main()
