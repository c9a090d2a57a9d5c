"""Kernels for one stream: products of a matrix and one vector, with what stands around them.

With one token a layer is a chain of small products, each of which takes as long to start as to run.
So norms, residuals and the choice of experts are computed inside the products that need them: every
program norms the whole vector again, which costs less than a launch. Twins: `model.decoder` and
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
def _scale(x, D: tl.constexpr, BK: tl.constexpr, EPSILON: tl.constexpr):
    """What the norm divides by, inverted."""
    at = tl.arange(0, BK)
    squares = tl.zeros([BK], tl.float32)
    for i in tl.static_range(D // BK):
        part = tl.load(x + i * BK + at).to(tl.float32)
        squares += part * part
    return 1.0 / tl.sqrt_rn(tl.sum(squares, 0) / D + EPSILON)


@triton.jit
def _products(x, norm, w, rows, scale, D: tl.constexpr, BK: tl.constexpr, NORMED: tl.constexpr):
    """Rows of a matrix times the vector, normed if asked; float32."""
    at = tl.arange(0, BK)
    total = tl.zeros([rows.shape[0], BK], tl.float32)
    for i in tl.static_range(D // BK):
        weights = tl.load(w + rows[:, None] * D + (i * BK + at)[None, :])
        part = tl.load(x + i * BK + at).to(tl.float32)
        if NORMED:
            kind = norm.dtype.element_ty
            part = (part * scale).to(kind).to(tl.float32)
            part = (part * tl.load(norm + i * BK + at).to(tl.float32)).to(kind).to(tl.float32)
        total += weights.to(tl.float32) * part[None, :]
    return tl.sum(total, 1)


@triton.jit
def project(
    x,
    norm,
    w,
    out,
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
    NORMED: tl.constexpr,
    ADDS: tl.constexpr,
):
    """R rows of `w` (N, D) times `x`; ADDS: onto what `out` holds. Grid: N / R."""
    rows = tl.program_id(0) * R + tl.arange(0, R)
    scale = _scale(x, D, BK, EPSILON) if NORMED else 1.0
    y = _products(x, norm, w, rows, scale, D, BK, NORMED)
    if ADDS:
        kind = out.dtype.element_ty
        y = y.to(kind).to(tl.float32) + tl.load(out + rows).to(tl.float32)
    tl.store(out + rows, y.to(out.dtype.element_ty))


@triton.jit
def _gate(gate, up, kind: tl.constexpr):
    gate = gate.to(kind).to(tl.float32)
    gate = (gate / (1.0 + tl.exp(-gate))).to(kind).to(tl.float32)
    return (gate * up.to(kind).to(tl.float32)).to(kind)


@triton.jit
def gated(
    x,
    norm,
    w,
    out,
    F,
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
):
    """Gate and up of a dense MLP of F hidden values; `w` is (2F, D). Grid: F / R."""
    rows = tl.program_id(0) * R + tl.arange(0, R)
    scale = _scale(x, D, BK, EPSILON)
    gate = _products(x, norm, w, rows, scale, D, BK, True)
    up = _products(x, norm, w, rows + F, scale, D, BK, True)
    tl.store(out + rows, _gate(gate, up, out.dtype.element_ty))


@triton.jit
def experts_gated(
    x,
    norm,
    w,
    logits,
    out,
    chosen,
    weights,
    factor,
    E: tl.constexpr,
    K: tl.constexpr,
    I: tl.constexpr,  # noqa: E741
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
):
    """Gate and up of the expert of rank j; ranks from K on are the shared ones. Grid: I / R, K + S.

    A program ranks the E router logits itself, by counting those that come before.
    """
    j = tl.program_id(1)
    every = tl.arange(0, E)
    scores = tl.load(logits + every)
    other = tl.load(logits + every)
    is_before = (other[None, :] > scores[:, None]) | (
        (other[None, :] == scores[:, None]) & (every[None, :] < every[:, None])
    )
    rank = tl.sum(is_before.to(tl.int32), 1)
    routed = tl.sum(tl.where(rank == j, every, 0), 0)
    expert = tl.where(j < K, routed, E + j - K)
    rows = tl.program_id(0) * R + tl.arange(0, R)
    scale = _scale(x, D, BK, EPSILON)
    mine = w + expert.to(tl.int64) * (2 * I * D)
    gate = _products(x, norm, mine, rows, scale, D, BK, True)
    up = _products(x, norm, mine, rows + I, scale, D, BK, True)
    tl.store(out + j * I + rows, _gate(gate, up, out.dtype.element_ty))
    if tl.program_id(0) == 0:
        shares = tl.exp(scores - tl.max(scores, 0))
        share = tl.sum(tl.where(rank == j, shares, 0.0), 0) / tl.sum(shares, 0)
        tl.store(chosen + j, expert)
        tl.store(weights + j, tl.where(j < K, share * factor, 1.0))


@triton.jit
def experts_down(
    h,
    w,
    chosen,
    weights,
    x,
    COUNT: tl.constexpr,
    I: tl.constexpr,  # noqa: E741
    IP: tl.constexpr,
    D: tl.constexpr,
    R: tl.constexpr,
):
    """Adds R rows of the weighted sum over the chosen experts to `x`. Grid: D / R."""
    rows = tl.program_id(0) * R + tl.arange(0, R)
    at = tl.arange(0, IP)
    total = tl.zeros([R, IP], tl.float32)
    for j in tl.static_range(COUNT):
        mine = w + tl.load(chosen + j).to(tl.int64) * (D * I)
        part = tl.load(mine + rows[:, None] * I + at[None, :], mask=(at < I)[None, :], other=0.0)
        hidden = tl.load(h + j * I + at, mask=at < I, other=0.0).to(tl.float32)
        total += part.to(tl.float32) * (hidden * tl.load(weights + j))[None, :]
    y = tl.sum(total, 1).to(x.dtype.element_ty).to(tl.float32)
    tl.store(x + rows, (tl.load(x + rows).to(tl.float32) + y).to(x.dtype.element_ty))
