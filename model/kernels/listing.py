"""Kernels of SR-SWA's choice: every step lists the reference blocks that the next one reads.

Blocks are scored by their mean key against the last token's query, and the best are listed in the
order of the buffers. Twin: `model.attention.list_blocks`, which lists them by score.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

import triton
import triton.language as tl

from model.kernels.early import await_before, let_next_begin


@triton.jit
def score_blocks(
    q,
    means,
    scores,
    blocks,
    most_streams,
    H: tl.constexpr,
    SIZE: tl.constexpr,
    AT_ONCE: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Score AT_ONCE blocks of one head; no step writes mean keys, so they are loaded early.

    Grid: layers * H, blocks / AT_ONCE, B. Buffers have room for `most_streams`.
    """
    let_next_begin(EARLY)
    layer = tl.program_id(0) // H
    head = (layer * most_streams + tl.program_id(2)) * H + tl.program_id(0) % H
    d = tl.arange(0, SIZE)
    n = tl.program_id(1) * AT_ONCE + tl.arange(0, AT_ONCE)
    line = means + (head * blocks + n)[:, None] * SIZE + d[None, :]
    key = tl.load(line, mask=(n < blocks)[:, None], other=0.0).to(tl.float32)
    await_before(EARLY)
    query = tl.load(q + head * SIZE + d).to(tl.float32)
    tl.store(scores + head * blocks + n, tl.sum(key * query[None, :], 1), mask=n < blocks)


@triton.jit
def list_best(
    scores,
    page_of_block,
    reading,
    budget,
    listed,
    blocks,
    most_streams,
    H: tl.constexpr,
    N: tl.constexpr,
    EARLY: tl.constexpr,
):
    """List as many blocks as a step reads: those of its page, then the best; of equals the first.

    Grid: layers * H, B. N is no less than `blocks`.
    """
    let_next_begin(EARLY)
    b = tl.program_id(1)
    layer = tl.program_id(0) // H
    mine = ((layer * most_streams + b) * H + tl.program_id(0) % H) * blocks
    n = tl.arange(0, N)
    is_block = n < blocks
    owner = tl.load(page_of_block + b * blocks + n, mask=is_block, other=-1)
    count = tl.load(budget + b)
    await_before(EARLY)
    score = tl.load(scores + mine + n, mask=is_block, other=0.0)
    score = tl.where(owner == tl.load(reading + b), float("inf"), score)
    score = tl.where(owner < 0, float("-inf"), score)
    is_best = _best_of(score, count) & is_block
    tl.store(listed + mine + tl.cumsum(is_best.to(tl.int32), 0) - 1, n, mask=is_best)


@triton.jit
def _best_of(score, count):
    """Which are the `count` best, exactly so many: by bisection for the score of the last of them.

    It goes over the bits of the scores, which as whole numbers have the order of the scores once
    those of negative ones are turned round.
    """
    bits = tl.where(score == 0.0, 0.0, score).to(tl.int32, bitcast=True)  # -0 equals 0
    key = tl.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    low = tl.min(key, 0)
    high = tl.max(key, 0)
    found = count + 1
    while (low < high) & (found != count):
        middle = (low | high) - ((low ^ high) >> 1)  # rounded up; their sum could overflow
        found = tl.sum((key >= middle).to(tl.int32), 0)
        low = tl.where(found >= count, middle, low)
        high = tl.where(found >= count, high, middle - 1)
    is_better = key > low
    is_last = (key == low).to(tl.int32)
    room = count - tl.sum(is_better.to(tl.int32), 0)
    return is_better | ((is_last > 0) & (tl.cumsum(is_last, 0) <= room))
