"""Kernels of attention: keys and values into their rows, and rows read.

Twins: `model.attention`, and the writing in `model.decoder`.
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
def begin(
    token,
    row,
    position,
    log_row,
    embedding,
    frequencies,
    bias,
    x,
    cos,
    sin,
    rows,
    log_rows,
    HIDDEN: tl.constexpr,
    HP: tl.constexpr,
    HALF: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Embed each stream's token, open its row, and reckon its angles. Grid: B."""
    let_next_begin(EARLY)
    await_before(EARLY)
    b = tl.program_id(0)
    at = tl.arange(0, HP)
    line = embedding + tl.load(token + b) * HIDDEN
    tl.store(x + b * HIDDEN + at, tl.load(line + at, mask=at < HIDDEN), mask=at < HIDDEN)
    tl.store(bias + b * rows + tl.load(row + b), 0.0)
    half = tl.arange(0, HALF)
    angle = tl.load(position + b).to(tl.float64) * tl.load(frequencies + half)
    tl.store(cos + b * HALF + half, tl.cos(angle).to(cos.dtype.element_ty))
    tl.store(sin + b * HALF + half, tl.sin(angle).to(sin.dtype.element_ty))
    if b == 0:
        tl.store(log_row, (tl.load(log_row) + 1) % log_rows)


@triton.jit
def rotate_and_write(
    qkv,
    cos,
    sin,
    row,
    q,
    keys,
    values,
    rows,
    H: tl.constexpr,
    HALF: tl.constexpr,
):
    """Rotate queries and keys, and write keys and values into the token's row. Grid: B, H."""
    b = tl.program_id(0)
    h = tl.program_id(1)
    half = tl.arange(0, HALF)
    c = tl.load(cos + b * HALF + half).to(tl.float32)
    s = tl.load(sin + b * HALF + half).to(tl.float32)
    size: tl.constexpr = 2 * HALF
    line = qkv + (b * 3 * H + h) * size + half
    out = q + (b * H + h) * size + half
    first = tl.load(line).to(tl.float32)
    second = tl.load(line + HALF).to(tl.float32)
    kind = q.dtype.element_ty
    tl.store(out, (first * c - second * s).to(kind))
    tl.store(out + HALF, (second * c + first * s).to(kind))
    place = ((b * H + h).to(tl.int64) * rows + tl.load(row + b)) * size + half
    line += H * size
    first = tl.load(line).to(tl.float32)
    second = tl.load(line + HALF).to(tl.float32)
    tl.store(keys + place, (first * c - second * s).to(kind))
    tl.store(keys + place + HALF, (second * c + first * s).to(kind))
    line += H * size
    tl.store(values + place, tl.load(line))
    tl.store(values + place + HALF, tl.load(line + HALF))


@triton.jit
def _take(query, key, value, may, top, total, seen):
    """Let each row's softmax go on by one block."""
    score = tl.where(may, tl.sum(key.to(tl.float32) * query[None, :], 1), -1e30)
    higher = tl.maximum(top, score)
    shrink = tl.exp(top - higher)
    share = tl.where(may, tl.exp(score - higher), 0.0)
    total = total * shrink + share
    seen = seen * shrink[:, None] + share[:, None] * value.to(tl.float32)
    return higher, total, seen


@triton.jit
def _meet(
    top,
    total,
    seen,
    partial,
    sums,
    arrived,
    out,
    stream,
    split,
    D: tl.constexpr,
    SPLITS: tl.constexpr,
    SP: tl.constexpr,
):
    """Put the rows together, then the programs: the last to arrive has all parts."""
    d = tl.arange(0, D)
    whole = tl.max(top, 0)
    shrink = tl.exp(top - whole)
    total_ = tl.sum(total * shrink, 0)
    mixed = tl.sum(seen * shrink[:, None], 0)
    if SPLITS == 1:
        tl.store(out + stream * D + d, (mixed / total_).to(out.dtype.element_ty))
    else:
        mine = stream * SPLITS + split
        tl.store(partial + mine * D + d, mixed)
        tl.store(sums + mine * 2, whole)
        tl.store(sums + mine * 2 + 1, total_)
        tl.debug_barrier()
        before = tl.atomic_add(arrived + stream, 1, sem="acq_rel")
        if before == SPLITS - 1:
            s = tl.arange(0, SP)
            first = stream * SPLITS
            is_split = s < SPLITS
            place = sums + (first + s) * 2
            tops = tl.load(place, mask=is_split, other=-1e30, cache_modifier=".cg")
            totals = tl.load(place + 1, mask=is_split, other=0.0, cache_modifier=".cg")
            line = partial + (first + s)[:, None] * D + d[None, :]
            parts = tl.load(line, mask=is_split[:, None], other=0.0, cache_modifier=".cg")
            weight = tl.exp(tops - tl.max(tops, 0))
            y = tl.sum(parts * weight[:, None], 0) / tl.sum(totals * weight, 0)
            tl.store(out + stream * D + d, y.to(out.dtype.element_ty))
            tl.store(arrived + stream, 0)


@triton.jit
def read(
    q,
    keys,
    values,
    bias,
    listed,
    budget,
    partial,
    sums,
    arrived,
    out,
    rows,
    blocks,
    reference_blocks,
    scale,
    H: tl.constexpr,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
    TAIL: tl.constexpr,
    SPLITS: tl.constexpr,
    SP: tl.constexpr,
    CHOOSES: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Attention of one token over blocks of rows, shared among programs. Grid: H, SPLITS, B.

    Each row of a block keeps a softmax of its own along the blocks, so that programs meet only at
    the end.
    """
    h = tl.program_id(0)
    split = tl.program_id(1)
    b = tl.program_id(2)
    d = tl.arange(0, D)
    r = tl.arange(0, BLOCK)
    stream = b * H + h
    base = stream.to(tl.int64) * rows * D
    query = tl.load(q + stream * D + d).to(tl.float32) * scale
    top = tl.full([BLOCK], -1e30, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    seen = tl.zeros([BLOCK, D], tl.float32)
    count = blocks
    if CHOOSES:
        count = TAIL + tl.load(budget + b)
    for t in tl.range(split, count, SPLITS, num_stages=STAGES):
        block = t
        if CHOOSES:
            chosen = tl.load(listed + stream * reference_blocks + t - TAIL, mask=t >= TAIL, other=0)
            block = tl.where(t < TAIL, t, TAIL + chosen)
        row = block * BLOCK + r
        line = base + row[:, None] * D + d[None, :]
        key = tl.load(keys + line)
        value = tl.load(values + line)
        may = tl.load(bias + b * rows + row).to(tl.float32) > -1.0
        top, total, seen = _take(query, key, value, may, top, total, seen)
    _meet(top, total, seen, partial, sums, arrived, out, stream, split, D, SPLITS, SP)


@triton.jit
def read_early(
    q,
    keys,
    values,
    bias,
    listed,
    budget,
    written_row,
    partial,
    sums,
    arrived,
    out,
    rows,
    blocks,
    scale,
    D: tl.constexpr,
    BLOCK: tl.constexpr,
    TAIL: tl.constexpr,
    SPLITS: tl.constexpr,
    SP: tl.constexpr,
    CHOOSES: tl.constexpr,
    SKIPS: tl.constexpr,
    EARLY: tl.constexpr,
):
    """What `read` does, for one stream: the first block is loaded before the query is there.

    Of what it reads, the kernels of this step before it write the query and one row, the token's
    own, which is left for later. SKIPS: closed rows of the other blocks are not loaded, which pays
    where there are many; whether they are is known a block ahead. Grid: H, SPLITS.
    """
    let_next_begin(EARLY)
    h = tl.program_id(0)
    split = tl.program_id(1)
    d = tl.arange(0, D)
    r = tl.arange(0, BLOCK)
    base = h.to(tl.int64) * rows * D
    own = tl.load(written_row)
    count = blocks
    block = split
    if CHOOSES:
        count = TAIL + tl.load(budget)
        listed += h * ((rows // BLOCK) - TAIL)
        chosen = tl.load(listed + split - TAIL, mask=(split >= TAIL) & (split < count), other=0)
        block = tl.where(split < TAIL, split, TAIL + chosen)
    row = block * BLOCK + r
    is_own = row == own
    line = base + row[:, None] * D + d[None, :]
    key = tl.load(keys + line, mask=(row != own)[:, None], other=0.0)
    value = tl.load(values + line, mask=(row != own)[:, None], other=0.0)
    may = (tl.load(bias + row).to(tl.float32) > -1.0) | is_own
    may = may & (split < count)
    await_before(EARLY)
    query = tl.load(q + h * D + d).to(tl.float32) * scale
    own_key = tl.load(keys + base + own * D + d)
    own_value = tl.load(values + base + own * D + d)
    key = tl.where(is_own[:, None], own_key[None, :], key)
    value = tl.where(is_own[:, None], own_value[None, :], value)
    top = tl.full([BLOCK], -1e30, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    seen = tl.zeros([BLOCK, D], tl.float32)
    top, total, seen = _take(query, key, value, may, top, total, seen)
    later = (split + SPLITS) * BLOCK + r
    ahead = tl.load(bias + later, mask=later < rows, other=0.0)
    for t in range(split + SPLITS, count, SPLITS):
        block = t
        if CHOOSES:
            chosen = tl.load(listed + t - TAIL, mask=t >= TAIL, other=0)
            block = tl.where(t < TAIL, t, TAIL + chosen)
        row = block * BLOCK + r
        line = base + row[:, None] * D + d[None, :]
        if SKIPS:
            may = ahead.to(tl.float32) > -1.0
            later = (t + SPLITS) * BLOCK + r
            ahead = tl.load(bias + later, mask=later < rows, other=0.0)
            key = tl.load(keys + line, mask=may[:, None], other=0.0)
            value = tl.load(values + line, mask=may[:, None], other=0.0)
        else:
            key = tl.load(keys + line)
            value = tl.load(values + line)
            may = tl.load(bias + row).to(tl.float32) > -1.0
        top, total, seen = _take(query, key, value, may, top, total, seen)
    _meet(top, total, seen, partial, sums, arrived, out, h, split, D, SPLITS, SP)
