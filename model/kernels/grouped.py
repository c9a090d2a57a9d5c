"""Kernels for several streams: experts run on the tokens that chose them, in one launch.

Tokens are packed by expert without sorting: a program an expert looks at every token's router
logits and notes those that chose it, in their order. The shared experts come last and take every
token. Nothing here depends on what is chosen but how much of the grid has something to do. Twin:
`model.mlp`.
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


@triton.jit
def add_and_norm(
    x,
    norm,
    y,
    place,
    weights,
    out,
    D: tl.constexpr,
    DP: tl.constexpr,
    C: tl.constexpr,
    ADDS: tl.constexpr,
    EPSILON: tl.constexpr,
):
    """ADDS: add to `x` the C experts' rows of `y`, weighted; then its norm into `out`. Grid: B."""
    b = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, DP)
    within = at < D
    kind = x.dtype.element_ty
    value = tl.load(x + b * D + at, mask=within, other=0.0).to(tl.float32)
    if ADDS:
        total = tl.zeros([DP], tl.float32)
        for j in tl.static_range(C):
            line = tl.load(place + b * C + j).to(tl.int64) * D
            part = tl.load(y + line + at, mask=within, other=0.0).to(tl.float32)
            total += part * tl.load(weights + b * C + j)
        value = (value + total.to(kind).to(tl.float32)).to(kind).to(tl.float32)
        tl.store(x + b * D + at, value.to(kind), mask=within)
    scale = 1.0 / tl.sqrt_rn(tl.sum(value * value, 0) / D + EPSILON)
    value = (value * scale).to(kind).to(tl.float32)
    value = value * tl.load(norm + at, mask=within, other=0.0).to(tl.float32)
    tl.store(out + b * D + at, value.to(kind), mask=within)


@triton.jit
def router_logits(
    x,
    w,
    logits,
    count,
    D: tl.constexpr,
    E: tl.constexpr,
    BM: tl.constexpr,
    BE: tl.constexpr,
    BK: tl.constexpr,
):
    """Logits of BE experts for BM tokens, float32. Grid: tokens / BM, E / BE."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    e = tl.program_id(1) * BE + tl.arange(0, BE)
    at = tl.arange(0, BK)
    total = tl.zeros([BM, BE], tl.float32)
    for i in range(D // BK):
        place = m.to(tl.int64)[:, None] * D + (i * BK + at)[None, :]
        mine = tl.load(x + place, mask=(m < count)[:, None], other=0.0)
        rows = tl.load(w + e[:, None] * D + (i * BK + at)[None, :])
        total = tl.dot(mine.to(rows.dtype), tl.trans(rows), total, input_precision="ieee")
    tl.store(logits + m[:, None] * E + e[None, :], total, mask=(m < count)[:, None])


@triton.jit
def pack(
    logits,
    tokens,
    counts,
    place,
    weights,
    count,
    factor,
    E: tl.constexpr,
    K: tl.constexpr,
    C: tl.constexpr,
    BT: tl.constexpr,
):
    """Note the tokens that chose an expert, their places and weights. Grid: E + S.

    Rows of expert e begin at `e * count`. Ranks are counted, equal logits in the experts' order.
    """
    e = tl.program_id(0)
    every = tl.arange(0, E)
    found = 0
    for i in range((count + BT - 1) // BT):
        t = i * BT + tl.arange(0, BT)
        is_token = t < count
        if e < E:
            scores = tl.load(
                logits + t[:, None] * E + every[None, :], mask=is_token[:, None], other=0.0
            )
            mine = tl.load(logits + t * E + e, mask=is_token, other=0.0)
            is_before = (scores > mine[:, None]) | (
                (scores == mine[:, None]) & (every < e)[None, :]
            )
            rank = tl.sum(is_before.to(tl.int32), 1)
            top = tl.max(scores, 1)
            share = tl.exp(mine - top) / tl.sum(tl.exp(scores - top[:, None]), 1) * factor
            is_mine = (rank < K) & is_token
        else:
            rank = tl.zeros([BT], tl.int32) + K + e - E
            share = tl.zeros([BT], tl.float32) + 1.0
            is_mine = is_token
        row = found + tl.cumsum(is_mine.to(tl.int32), 0) - 1
        tl.store(tokens + e * count + row, t, mask=is_mine)
        tl.store(place + t * C + rank, e * count + row, mask=is_mine)
        tl.store(weights + t * C + rank, share, mask=is_mine)
        found += tl.sum(is_mine.to(tl.int32), 0)
    tl.store(counts + e, found)


@triton.jit
def gated_groups(
    x,
    w,
    tokens,
    counts,
    h,
    count,
    I: tl.constexpr,  # noqa: E741
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
):
    """Gate and up of each expert on its tokens. Grid: I / BN, E + S, tokens / BM."""
    e = tl.program_id(1)
    mine = tl.load(counts + e)
    m = tl.program_id(2) * BM + tl.arange(0, BM)
    if tl.program_id(2) * BM < mine:
        n = tl.program_id(0) * BN + tl.arange(0, BN)
        at = tl.arange(0, BK)
        token = tl.load(tokens + e * count + m, mask=m < mine, other=0)
        wide = e.to(tl.int64) * (2 * I * D)
        rows = w + wide + n[None, :] * D + at[:, None]
        inputs = x + token[:, None] * D + at[None, :]
        gate = tl.zeros([BM, BN], tl.float32)
        up = tl.zeros([BM, BN], tl.float32)
        for i in tl.range(D // BK, num_stages=STAGES):
            part = tl.load(inputs + i * BK)
            gate = tl.dot(part, tl.load(rows + i * BK), gate, input_precision="ieee")
            up = tl.dot(part, tl.load(rows + I * D + i * BK), up, input_precision="ieee")
        kind = h.dtype.element_ty
        gate = gate.to(kind).to(tl.float32)
        gate = (gate / (1.0 + tl.exp(-gate))).to(kind).to(tl.float32)
        value = (gate * up.to(kind).to(tl.float32)).to(kind)
        out = h + (e * count + m).to(tl.int64)[:, None] * I + n[None, :]
        tl.store(out, value, mask=(m < mine)[:, None])


@triton.jit
def down_groups(
    h,
    w,
    counts,
    y,
    count,
    I: tl.constexpr,  # noqa: E741
    D: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
):
    """The second product of each expert on its tokens. Grid: D / BN, E + S, tokens / BM."""
    e = tl.program_id(1)
    mine = tl.load(counts + e)
    m = tl.program_id(2) * BM + tl.arange(0, BM)
    if tl.program_id(2) * BM < mine:
        n = tl.program_id(0) * BN + tl.arange(0, BN)
        at = tl.arange(0, BK)
        line = (e * count + m).to(tl.int64)
        rows = w + e.to(tl.int64) * (D * I) + n[None, :] * I + at[:, None]
        inputs = h + line[:, None] * I + at[None, :]
        total = tl.zeros([BM, BN], tl.float32)
        for i in tl.range(I // BK, num_stages=STAGES):
            part = tl.load(inputs + i * BK, mask=(m < mine)[:, None], other=0.0)
            total = tl.dot(part, tl.load(rows + i * BK), total, input_precision="ieee")
        out = y + line[:, None] * D + n[None, :]
        tl.store(out, total.to(y.dtype.element_ty), mask=(m < mine)[:, None])


@triton.jit
def gate(
    gate_up,
    h,
    F,
    FP: tl.constexpr,
):
    """What stands between the two products of a dense MLP. Grid: B, F / FP."""
    b = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * FP + tl.arange(0, FP)
    kind = h.dtype.element_ty
    gates = tl.load(gate_up + b * 2 * F + at, mask=at < F, other=0.0).to(tl.float32)
    ups = tl.load(gate_up + b * 2 * F + F + at, mask=at < F, other=0.0).to(tl.float32)
    gates = (gates / (1.0 + tl.exp(-gates))).to(kind).to(tl.float32)
    tl.store(h + b * F + at, (gates * ups).to(kind), mask=at < F)
