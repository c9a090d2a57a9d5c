"""The decoder, top to bottom, in plain PyTorch: prompts into the cache, then one token a step.

Everything a step reads or writes lies in buffers that were there before (`KeyValues`, `State`), so
the same code runs on a CPU and, captured as a CUDA graph, on a card. It is also the twin of the
kernels in `model.kernels`. On a CPU what goes from layer to layer, and the logits of the few best
ids, are float32 even where weights, keys and values are bfloat16: reading those takes the time.
Belongs to the thread that reads.
"""

from __future__ import annotations

import torch
from torch.nn.functional import embedding, linear, rms_norm, scaled_dot_product_attention

from model.attention import Choice, attend, attend_sparse, list_blocks
from model.buffers import KeyValues
from model.choosing import Choosing, choose
from model.decoder_weights import Layer, Weights
from model.mlp import run_mlp
from model.state import State

Angles = tuple[torch.Tensor, torch.Tensor]  # cosines and sines
WEIGHED_EXACTLY = 8  # ids of each stream, the most probable; the ban forbids hardly ever so many


def prefill(
    weights: Weights,
    kv: KeyValues,
    embedded: torch.Tensor,
    *,
    streams: torch.Tensor,
    rows: torch.Tensor,
    first_positions: torch.Tensor,
) -> None:
    """Write the keys and values of prompts of equal length; each token sees those before it.

    Args:
        weights: the decoder.
        kv: written to; opening the rows is the caller's part.
        embedded: (N, S, hidden).
        streams: (N,) int64.
        rows: (N, S) int64.
        first_positions: (N,) int64, of the first token of each.
    """
    count, length, hidden = embedded.shape
    positions = first_positions[:, None] + torch.arange(length, device=embedded.device)  # (N, S)
    x = _carried(embedded.reshape(-1, hidden))
    angles = rotary(weights, positions, x.dtype)
    for at, layer in enumerate(weights.layers):
        q, k, v = _heads(weights, layer, x.view(count, length, hidden), angles)
        kv.write(at, streams, rows, k, v)
        kv.queries[at, streams] = q[:, :, -1]
        if at + 1 < len(weights.layers):  # nothing reads what the last layer would add
            read = scaled_dot_product_attention(q, k, v, is_causal=True)
            x = _finish(weights, layer, x, read.transpose(1, 2).reshape(count * length, -1))


class TorchStep:
    """One step of some streams: takes each one's token, chooses the next."""

    def __init__(
        self,
        weights: Weights,
        kv: KeyValues,
        state: State,
        rules: Choosing,
        *,
        most_blocks: int | None,
        rows: int | None = None,
    ) -> None:
        """Be ready.

        Args:
            weights: the decoder.
            kv: keys and values; its first streams are those of the state.
            state: of the streams.
            rules: how tokens are chosen.
            most_blocks: reference blocks that a step may choose; None: it reads all open rows.
            rows: rows of the buffers that are in use; None: all.
        """
        self._weights, self._kv, self._state, self._rules = weights, kv, state, rules
        self._most_blocks, self._rows = most_blocks, rows or kv.layout.rows
        self._streams = torch.arange(state.token.shape[0], device=state.token.device)
        self.logits = torch.empty(0)  # (B, vocabulary) float32, of the last step

    @torch.inference_mode()
    def __call__(self) -> None:
        """Do one step."""
        weights, state = self._weights, self._state
        self._kv.bias[: len(self._streams)].scatter_(1, state.row[:, None], 0.0)
        x = _carried(embedding(state.token, weights.embedding))  # (B, hidden)
        angles = rotary(weights, state.position[:, None], x.dtype)
        for at, layer in enumerate(weights.layers):
            q, k, v = (each[:, :, 0] for each in _heads(weights, layer, x[:, None], angles))
            self._kv.keys[at][self._streams, :, state.row] = k  # (B, H, D)
            self._kv.values[at][self._streams, :, state.row] = v
            x = _finish(weights, layer, x, self._read(at, q))
        self.logits = _logits(weights, x)
        choose(state, self.logits, self._rules)
        if self._most_blocks is not None:
            list_blocks(self._kv, state.reading)

    def _read(self, at: int, query: torch.Tensor) -> torch.Tensor:
        kv, state = self._kv, self._state
        count = len(self._streams)
        keys = kv.keys[at][:count, :, : self._rows]
        values = kv.values[at][:count, :, : self._rows]
        bias = kv.bias[:count, : self._rows]
        if self._most_blocks is None:
            return attend(query, keys, values, bias)
        kv.queries[at, :count] = query
        blocks = kv.listed[at, :count, :, : self._most_blocks].long()
        rank = torch.arange(self._most_blocks, device=query.device)
        is_read = (rank < state.budget[:, None])[:, None].expand_as(blocks)
        choice, tail = Choice(blocks, is_read), kv.layout.tail_blocks
        return attend_sparse(query, keys, values, bias, choice=choice, tail_blocks=tail)


def rotary(weights: Weights, positions: torch.Tensor, dtype: torch.dtype) -> Angles:
    """Cosines and sines of positions, (..., D / 2); exact however far along the book."""
    angles = positions[..., None].double() * weights.frequencies
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x: torch.Tensor, angles: Angles) -> torch.Tensor:
    """Rotate the two halves of each head against each other: (..., D)."""
    cos, sin = angles
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def _heads(
    weights: Weights, layer: Layer, x: torch.Tensor, angles: Angles
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values, (N, H, S, D) each, the first two rotated; x is (N, S, hidden)."""
    count, length, _ = x.shape
    normed = _normed(weights, x, layer.norm).to(layer.qkv.dtype)
    parts = linear(normed, layer.qkv).view(count, length, 3, weights.heads.heads, -1)
    q, k, v = parts.permute(2, 0, 3, 1, 4)
    cos, sin = (each.unsqueeze(-3) for each in angles)  # one for all heads
    return rotate(q, (cos, sin)).to(v.dtype), rotate(k, (cos, sin)).to(v.dtype), v


def _finish(weights: Weights, layer: Layer, x: torch.Tensor, read: torch.Tensor) -> torch.Tensor:
    """The rest of a layer, after its attention: (N, hidden)."""
    x = x + linear(read, layer.output)
    normed = _normed(weights, x, layer.mlp_norm).to(layer.output.dtype)
    return x + run_mlp(layer.mlp, normed)


def _logits(weights: Weights, x: torch.Tensor) -> torch.Tensor:
    """What the ids weigh, (N, vocabulary) float32; the few best exactly where x is finer."""
    normed = _normed(weights, x, weights.norm)
    logits = linear(normed.to(weights.head.dtype), weights.head).float()
    if normed.dtype is weights.head.dtype:
        return logits
    best = logits.topk(min(WEIGHED_EXACTLY, logits.shape[1])).indices
    exact = weights.head[best].to(normed.dtype) @ normed[..., None]  # (N, best, 1)
    return logits.scatter_(1, best, exact[..., 0])


def _carried(x: torch.Tensor) -> torch.Tensor:
    """What goes from layer to layer: on a CPU float32, which costs nothing there."""
    return x.float() if x.device.type == "cpu" else x


def _normed(weights: Weights, x: torch.Tensor, norm: torch.Tensor) -> torch.Tensor:
    """Normalised, in the numbers of x."""
    return rms_norm(x, x.shape[-1:], norm.to(x.dtype), weights.epsilon)
