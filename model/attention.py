"""What one step reads of the references, and the attention over it: SR-SWA in plain PyTorch.

`attend` reads all rows that are open, `attend_sparse` the tail and chosen blocks of references;
with everything chosen they are the same. `attend_by_mask` is their slow twin, in float32 with an
explicit mask: the definition that fast paths are held to. Why, see `model.cache`.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.nn.functional import scaled_dot_product_attention

from model.buffers import KeyValues
from model.cache import BLOCK_TOKENS


class Choice(NamedTuple):
    """Reference blocks chosen for each head of each stream."""

    blocks: torch.Tensor  # (B, H, most) int64, numbers among the reference blocks
    is_read: torch.Tensor  # (B, H, most) bool; the others are beyond what the step may read


def attend(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    """Attention of one token a stream over all open rows.

    Args:
        query: (B, H, D).
        keys: (B, H, rows, D).
        values: likewise.
        bias: (B, rows), 0 or minus infinity.

    Returns:
        (B, H * D).
    """
    read = scaled_dot_product_attention(
        query[:, :, None], keys, values, attn_mask=bias[:, None, None]
    )
    return read.flatten(1)


def choose_blocks(
    query: torch.Tensor,
    means: torch.Tensor,
    page_of_block: torch.Tensor,
    *,
    reading: torch.Tensor,
    budget: torch.Tensor,
    most: int,
) -> Choice:
    """Choose reference blocks: those of the page being read, then by mean key against the query.

    Of blocks with equal scores the first come first.

    Args:
        query: (B, H, D), rotated.
        means: (B, H, blocks, D).
        page_of_block: (B, blocks) int32; negative: no page there.
        reading: (B,) int32, the page being read.
        budget: (B,) how many to read, at most `most`.
        most: the largest budget there can be; a fixed shape.
    """
    scores = torch.einsum("bhd,bhnd->bhn", query.float(), means.float())
    is_own = page_of_block == reading[:, None]
    scores = scores.masked_fill(is_own[:, None], torch.inf)
    scores = scores.masked_fill((page_of_block < 0)[:, None], -torch.inf)
    blocks = scores.sort(dim=-1, descending=True, stable=True).indices[..., :most]
    rank = torch.arange(most, device=query.device)
    is_read = (rank < budget[:, None])[:, None].expand_as(blocks)
    return Choice(blocks, is_read)


def list_blocks(kv: KeyValues, reading: torch.Tensor) -> None:
    """List the reference blocks of every layer for the next step, by the queries of the last one.

    A step so reads what the token before asked for: choosing is no part of a layer, where every
    kernel waits for the one before, but is done for all layers at once when the next page is known.

    Args:
        kv: its first streams are those of `reading`.
        reading: (B,) int32, the page that the next step reads.
    """
    layers, count = kv.queries.shape[0], reading.shape[0]
    choice = choose_blocks(
        kv.queries[:, :count].flatten(0, 1),
        kv.means[:, :count].flatten(0, 1),
        kv.page_of_block[:count].repeat(layers, 1),
        reading=reading.repeat(layers),
        budget=reading.repeat(layers),  # of no matter: all are listed
        most=kv.listed.shape[-1],
    )
    kv.listed[:, :count].copy_(choice.blocks.view(layers, count, *choice.blocks.shape[1:]))


def attend_sparse(
    query: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    bias: torch.Tensor,
    *,
    choice: Choice,
    tail_blocks: int,
) -> torch.Tensor:
    """Attention of one token a stream over the tail and the chosen blocks.

    Args:
        query: (B, H, D).
        keys: (B, H, rows, D); rows a multiple of 32.
        values: likewise.
        bias: (B, rows), 0 or minus infinity.
        choice: blocks of the references.
        tail_blocks: blocks in front of the references, all of them read.

    Returns:
        (B, H * D).
    """
    count = query.shape[0], query.shape[1]
    tail = torch.arange(tail_blocks, device=query.device).expand(*count, -1)
    blocks = torch.cat([tail, choice.blocks + tail_blocks], dim=-1)  # (B, H, n)
    open_rows = bias.view(count[0], 1, -1, BLOCK_TOKENS).expand(-1, count[1], -1, -1)
    picked = open_rows.gather(2, blocks[..., None].expand(*blocks.shape, BLOCK_TOKENS))
    picked[:, :, tail_blocks:].masked_fill_(~choice.is_read[..., None], -torch.inf)
    read = scaled_dot_product_attention(
        query[:, :, None],
        _rows_of(keys, blocks),
        _rows_of(values, blocks),
        attn_mask=picked.flatten(2)[:, :, None],
    )
    return read.flatten(1)


def attend_by_mask(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, is_read: torch.Tensor
) -> torch.Tensor:
    """The slow twin: softmax over the rows of a mask, in float32, without touching other rows.

    Args:
        query: (B, H, D).
        keys: (B, H, rows, D).
        values: likewise.
        is_read: (B, H, rows) bool.

    Returns:
        (B, H * D) float32.
    """
    read = torch.zeros(query.shape, dtype=torch.float32)
    for stream in range(query.shape[0]):
        for head in range(query.shape[1]):
            rows = is_read[stream, head]
            scores = keys[stream, head, rows].float() @ query[stream, head].float()
            weights = (scores * query.shape[2] ** -0.5).softmax(0)
            read[stream, head] = weights @ values[stream, head, rows].float()
    return read.flatten(1)


def _rows_of(rows: torch.Tensor, blocks: torch.Tensor) -> torch.Tensor:
    """The rows of some blocks of each head: (B, H, rows, D) to (B, H, n * 32, D)."""
    streams, heads, _, size = rows.shape
    parted = rows.view(streams, heads, -1, BLOCK_TOKENS, size)
    where = blocks[..., None, None].expand(-1, -1, -1, BLOCK_TOKENS, size)
    return parted.gather(2, where).flatten(2, 3)
