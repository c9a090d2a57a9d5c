"""The kernel of the vision tower's attention, whose bias depends on where query and key stand.

The bias of SAM's attention is a sum: one number for the rows of the grid that query and key stand
in, one for the columns. Written out it is a matrix of tokens by tokens for every head, gigabytes
for some pages; here it is put together where it is used. Twin: transformers' own attention.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import triton
import triton.language as tl

from model.kernels.buffers import power_of_two

if TYPE_CHECKING:
    import torch

LARGE = 1024  # cells, from which on a grid is a whole page
BIASED = 64  # queries whose biases one program makes
WHOLE, WINDOW = (64, 64, 3, 4), (64, 64, 1, 4)  # queries and keys of a block, stages, warps


def look(
    qkv: torch.Tensor, by_row: torch.Tensor, by_column: torch.Tensor, grid: tuple[int, int]
) -> torch.Tensor:
    """Attention among the cells of a grid.

    Args:
        qkv: (N, H * W, 3, heads, D), D a power of two.
        by_row: (2H - 1, D), what a query is multiplied with for the bias of keys so many rows
            above, from H - 1 below to H - 1 above.
        by_column: (2W - 1, D), likewise for columns.
        grid: H, W.

    Returns:
        (N, H * W, heads, D).
    """
    count, cells, _, heads, size = qkv.shape
    out = qkv.new_empty(count, cells, heads, size)
    down = qkv.new_empty(count * heads, cells, grid[0])
    across = qkv.new_empty(count * heads, cells, grid[1])
    lean: Any = _lean  # Triton's functions have no types
    lean[(-(-cells // BIASED), count * heads)](
        qkv,
        by_row,
        by_column,
        down,
        across,
        H=grid[0],
        W=grid[1],
        HP=max(16, power_of_two(2 * grid[0] - 1)),
        WP=max(16, power_of_two(2 * grid[1] - 1)),
        HEADS=heads,
        D=size,
        BM=BIASED,
        num_warps=4,
    )
    queries, keys, stages, warps = WHOLE if cells >= LARGE else WINDOW
    most = max(16, power_of_two(cells))
    launch: Any = _look  # Triton's functions have no types
    launch[(-(-cells // min(queries, most)), count * heads)](
        qkv,
        down,
        across,
        out,
        size**-0.5,
        H=grid[0],
        W=grid[1],
        HEADS=heads,
        D=size,
        BM=min(queries, most),
        BN=min(keys, most),
        STAGES=stages,
        num_warps=warps,
    )
    return out


@triton.jit
def _lean(
    qkv,
    by_row,
    by_column,
    down,
    across,
    H: tl.constexpr,
    W: tl.constexpr,
    HP: tl.constexpr,
    WP: tl.constexpr,
    HEADS: tl.constexpr,
    D: tl.constexpr,
    BM: tl.constexpr,
):
    """What some queries add for each row and each column of keys. Grid: H * W / BM, images * HEADS.

    A query is multiplied with every distance; those to the rows that there are, are kept.
    """
    cells: tl.constexpr = H * W
    wide: tl.constexpr = 3 * HEADS * D
    image = (tl.program_id(1) // HEADS).to(tl.int64)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    is_cell = m < cells
    place = qkv + image * cells * wide + tl.program_id(1) % HEADS * D
    query = tl.load(place + m[:, None] * wide + d[None, :], mask=is_cell[:, None], other=0.0)
    queries = tl.program_id(1).to(tl.int64) * cells + m
    far = tl.arange(0, HP)
    table = tl.load(
        by_row + far[None, :] * D + d[:, None], mask=(far < 2 * H - 1)[None, :], other=0
    )
    bias = tl.dot(query, table, input_precision="ieee").to(down.dtype.element_ty)
    key = (m // W)[:, None] + H - 1 - far[None, :]
    is_there = (key >= 0) & (key < H) & is_cell[:, None]
    tl.store(down + queries[:, None] * H + key, bias, mask=is_there)
    far = tl.arange(0, WP)
    place = by_column + far[None, :] * D + d[:, None]
    table = tl.load(place, mask=(far < 2 * W - 1)[None, :], other=0)
    bias = tl.dot(query, table, input_precision="ieee").to(across.dtype.element_ty)
    key = (m % W)[:, None] + W - 1 - far[None, :]
    is_there = (key >= 0) & (key < W) & is_cell[:, None]
    tl.store(across + queries[:, None] * W + key, bias, mask=is_there)


@triton.jit
def _look(
    qkv,
    down,
    across,
    out,
    scale,
    H: tl.constexpr,
    W: tl.constexpr,
    HEADS: tl.constexpr,
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Some queries of one head of one image. Grid: H * W / BM, images * HEADS.

    Where a block of keys is a row of the grid, the bias of its columns is the same for all of them.
    """
    cells: tl.constexpr = H * W
    wide: tl.constexpr = 3 * HEADS * D
    image = (tl.program_id(1) // HEADS).to(tl.int64)
    head = tl.program_id(1) % HEADS
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    base = qkv + image * cells * wide + head * D
    is_cell = m < cells
    query = tl.load(base + m[:, None] * wide + d[None, :], mask=is_cell[:, None], other=0.0)
    queries = tl.program_id(1).to(tl.int64) * cells + m
    downs = down + queries * H
    acrosses = across + queries * W
    beside = tl.zeros([BM, BN], tl.float32)
    if W == BN:
        beside = tl.load(acrosses[:, None] + n[None, :], mask=is_cell[:, None], other=0.0)
        beside = beside.to(tl.float32)
    top = tl.full([BM], -1e30, tl.float32)
    total = tl.zeros([BM], tl.float32)
    seen = tl.zeros([BM, D], tl.float32)
    for first in tl.range(0, cells, BN, num_stages=STAGES):
        k = first + n
        is_key = k < cells
        place = base + HEADS * D + k[None, :] * wide + d[:, None]
        key = tl.load(place, mask=is_key[None, :], other=0.0)
        place = base + 2 * HEADS * D + k[:, None] * wide + d[None, :]
        value = tl.load(place, mask=is_key[:, None], other=0.0)
        score = tl.dot(query, key, input_precision="ieee") * scale
        if W == BN:
            above = tl.load(downs + first // W, mask=is_cell, other=0.0).to(tl.float32)
            score += beside + above[:, None]
        else:
            both = is_cell[:, None] & is_key[None, :]
            score += tl.load(downs[:, None] + (k // W)[None, :], mask=both, other=0.0)
            score += tl.load(acrosses[:, None] + (k % W)[None, :], mask=both, other=0.0)
            score = tl.where(is_key[None, :], score, -1e30)
        higher = tl.maximum(top, tl.max(score, 1))
        share = tl.exp(score - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(share, 1)
        seen = seen * shrink[:, None]
        seen = tl.dot(share.to(value.dtype), value, seen, input_precision="ieee")
        top = higher
    seen = seen / total[:, None]
    place = out + ((image * cells + m[:, None]) * HEADS + head) * D + d[None, :]
    tl.store(place, seen.to(out.dtype.element_ty), mask=is_cell[:, None])
