"""Kernels for one stream: products of a matrix and one vector, with what stands around them.

With one token a layer is a chain of small products, each of which takes as long to start as to run.
So norms, residuals, rotation and the choice of experts are computed inside the products that need
them, and every program norms the whole vector again, which costs less than a launch.

Where the card can (`EARLY`), a kernel starts while the one before it is still at work, loads its
rows of the weights into registers and only then waits for what that one writes. Twins:
`model.decoder` and `model.mlp`.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803, RUF005
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

import triton
import triton.language as tl

from model.kernels.early import await_before, let_next_begin


@triton.jit
def _tiles_of(w, rows, D: tl.constexpr, BK: tl.constexpr):
    """Rows of a matrix (N, D) as tiles of BK columns; every load is begun before the first use."""
    at = tl.arange(0, BK)
    tiles = ()
    for i in tl.static_range((D + BK - 1) // BK):
        place = w + rows[:, None] * D + (i * BK + at)[None, :]
        if D % BK == 0:
            tile = tl.load(place, eviction_policy="evict_first")
        else:
            within = (rows[:, None] >= 0) & (i * BK + at < D)[None, :]
            tile = tl.load(place, mask=within, other=0.0, eviction_policy="evict_first")
        tiles = tiles + (tile,)
    return tiles


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
def _times_normed(tiles, x, norm, scale, D: tl.constexpr, BK: tl.constexpr, R: tl.constexpr):
    """R rows times the normed vector; float32."""
    at = tl.arange(0, BK)
    kind = norm.dtype.element_ty
    total = tl.zeros([R, BK], tl.float32)
    for i in tl.static_range(D // BK):
        part = tl.load(x + i * BK + at).to(tl.float32)
        part = (part * scale).to(kind).to(tl.float32)
        part = (part * tl.load(norm + i * BK + at).to(tl.float32)).to(kind).to(tl.float32)
        total += tiles[i].to(tl.float32) * part[None, :]
    return tl.sum(total, 1)


@triton.jit
def _gate(gate, up, kind: tl.constexpr):
    gate = gate.to(kind).to(tl.float32)
    gate = (gate / (1.0 + tl.exp(-gate))).to(kind).to(tl.float32)
    return (gate * up.to(kind).to(tl.float32)).to(kind)


@triton.jit
def project_heads(
    x,
    norm,
    w,
    cos,
    sin,
    row,
    q,
    keys,
    values,
    rows,
    D: tl.constexpr,
    H: tl.constexpr,
    HALF: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Queries, keys and values, rotated; the latter two into the token's row. Grid: 3H * HALF / R.

    A program makes R values of a head and their R partners of the other half.
    """
    let_next_begin(EARLY)
    each: tl.constexpr = HALF // R
    head = tl.program_id(0) // each
    r = tl.program_id(0) % each * R + tl.arange(0, R)
    line = head * 2 * HALF + r
    firsts = _tiles_of(w, line, D, BK)
    seconds = _tiles_of(w, line + HALF, D, BK)
    await_before(EARLY)
    kind = q.dtype.element_ty
    scale = _scale(x, D, BK, EPSILON)
    first = _times_normed(firsts, x, norm, scale, D, BK, R).to(kind).to(tl.float32)
    second = _times_normed(seconds, x, norm, scale, D, BK, R).to(kind).to(tl.float32)
    place = ((head % H) * rows + tl.load(row)) * 2 * HALF + r
    if head < 2 * H:
        c = tl.load(cos + r).to(tl.float32)
        s = tl.load(sin + r).to(tl.float32)
        turned = (first * c - second * s).to(kind)
        partner = (second * c + first * s).to(kind)
        if head < H:
            tl.store(q + line, turned)
            tl.store(q + line + HALF, partner)
        else:
            tl.store(keys + place, turned)
            tl.store(keys + place + HALF, partner)
    else:
        tl.store(values + place, first.to(kind))
        tl.store(values + place + HALF, second.to(kind))


@triton.jit
def add_product(
    x,
    w,
    out,
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Adds R rows of `w` (N, D) times `x` to `out`. Grid: N / R."""
    let_next_begin(EARLY)
    rows = tl.program_id(0) * R + tl.arange(0, R)
    tiles = _tiles_of(w, rows, D, BK)
    await_before(EARLY)
    at = tl.arange(0, BK)
    total = tl.zeros([R, BK], tl.float32)
    for i in tl.static_range((D + BK - 1) // BK):
        if D % BK == 0:
            part = tl.load(x + i * BK + at)
        else:
            part = tl.load(x + i * BK + at, mask=i * BK + at < D, other=0.0)
        total += tiles[i].to(tl.float32) * part.to(tl.float32)[None, :]
    kind = out.dtype.element_ty
    y = tl.sum(total, 1).to(kind).to(tl.float32)
    tl.store(out + rows, (tl.load(out + rows).to(tl.float32) + y).to(kind))


@triton.jit
def gated(
    x,
    norm,
    w,
    router,
    out,
    logits,
    gates,
    E: tl.constexpr,
    I: tl.constexpr,  # noqa: E741
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Gate and up of MLPs of I values that every token takes, and the router's logits of E experts.

    `w` holds I rows of gates and I of ups for each of them. Grid: gates / R + E / R, the last ones
    for the router.
    """
    let_next_begin(EARLY)
    pid = tl.program_id(0)
    if pid < gates // R:
        j = pid * R + tl.arange(0, R)
        line = j // I * (2 * I) + j % I
        ups_at = line + I
        gate_rows = _tiles_of(w, line, D, BK)
        up_rows = _tiles_of(w, ups_at, D, BK)
        await_before(EARLY)
        scale = _scale(x, D, BK, EPSILON)
        gate = _times_normed(gate_rows, x, norm, scale, D, BK, R)
        up = _times_normed(up_rows, x, norm, scale, D, BK, R)
        tl.store(out + j, _gate(gate, up, out.dtype.element_ty))
    elif E > 0:
        e = (pid - gates // R) * R + tl.arange(0, R)
        router_rows = _tiles_of(router, e, D, BK)
        await_before(EARLY)
        scale = _scale(x, D, BK, EPSILON)
        tl.store(logits + e, _times_normed(router_rows, x, norm, scale, D, BK, R))


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
    I: tl.constexpr,  # noqa: E741
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Gate and up of the expert of rank j. Grid: I / R, K.

    A program ranks the E router logits itself, by counting those that come before.
    """
    let_next_begin(EARLY)
    j = tl.program_id(1)
    every = tl.arange(0, E)
    await_before(EARLY)
    scores = tl.load(logits + every)
    other = tl.load(logits + every)
    is_before = (other[None, :] > scores[:, None]) | (
        (other[None, :] == scores[:, None]) & (every[None, :] < every[:, None])
    )
    rank = tl.sum(is_before.to(tl.int32), 1)
    expert = tl.sum(tl.where(rank == j, every, 0), 0)
    rows = tl.program_id(0) * R + tl.arange(0, R)
    mine = w + expert.to(tl.int64) * (2 * I * D)
    gate_rows = _tiles_of(mine, rows, D, BK)
    up_rows = _tiles_of(mine, rows + I, D, BK)
    scale = _scale(x, D, BK, EPSILON)
    gate = _times_normed(gate_rows, x, norm, scale, D, BK, R)
    up = _times_normed(up_rows, x, norm, scale, D, BK, R)
    tl.store(out + j * I + rows, _gate(gate, up, out.dtype.element_ty))
    if tl.program_id(0) == 0:
        shares = tl.exp(scores - tl.max(scores, 0))
        share = tl.sum(tl.where(rank == j, shares, 0.0), 0) / tl.sum(shares, 0)
        tl.store(chosen + j, expert)
        tl.store(weights + j, share * factor)


@triton.jit
def experts_down(
    h,
    w,
    chosen,
    weights,
    x,
    E: tl.constexpr,
    K: tl.constexpr,
    S: tl.constexpr,
    I: tl.constexpr,  # noqa: E741
    IP: tl.constexpr,
    D: tl.constexpr,
    R: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Adds R rows of the sum over K weighted experts and S shared ones to `x`. Grid: D / R.

    `h` holds the values of the chosen experts, then those of the shared ones.
    """
    let_next_begin(EARLY)
    rows = tl.program_id(0) * R + tl.arange(0, R)
    at = tl.arange(0, IP)
    line = rows[:, None] * I + at[None, :]
    within = (rows[:, None] >= 0) & (at < I)[None, :]
    shared = ()
    for j in tl.static_range(S):
        mine = w + (E + j) * (D * I)
        tile = tl.load(mine + line, mask=within, other=0.0, eviction_policy="evict_first")
        shared = shared + (tile,)
    await_before(EARLY)
    routed = ()
    for j in tl.static_range(K):
        mine = w + tl.load(chosen + j).to(tl.int64) * (D * I)
        tile = tl.load(mine + line, mask=within, other=0.0, eviction_policy="evict_first")
        routed = routed + (tile,)
    total = tl.zeros([R, IP], tl.float32)
    for j in tl.static_range(S):
        hidden = tl.load(h + (K + j) * I + at, mask=at < I, other=0.0).to(tl.float32)
        total += shared[j].to(tl.float32) * hidden[None, :]
    for j in tl.static_range(K):
        hidden = tl.load(h + j * I + at, mask=at < I, other=0.0).to(tl.float32)
        total += routed[j].to(tl.float32) * (hidden * tl.load(weights + j))[None, :]
    y = tl.sum(total, 1).to(x.dtype.element_ty).to(tl.float32)
    tl.store(x + rows, (tl.load(x + rows).to(tl.float32) + y).to(x.dtype.element_ty))


@triton.jit
def best_of_head(
    x,
    norm,
    w,
    banned_at,
    written,
    tops,
    ids,
    vocabulary,
    turns,
    D: tl.constexpr,
    R: tl.constexpr,
    BK: tl.constexpr,
    EPSILON: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Logits of `turns` times R ids; the best of them as `best_of_part` tells them. Grid: parts.

    Logits never reach the memory; they are rounded as if they did.
    """
    let_next_begin(EARLY)
    nothing: tl.constexpr = -1e30
    last: tl.constexpr = 2147483647
    lane = tl.arange(0, R)
    best = tl.full([R], nothing, tl.float32)
    second = tl.full([R], nothing, tl.float32)
    wanted = tl.full([R], nothing, tl.float32)
    sums = tl.zeros([R], tl.float32)
    best_id = tl.full([R], last, tl.int32)
    wanted_id = tl.full([R], last, tl.int32)
    first = tl.program_id(0) * turns * R + lane
    await_before(EARLY)
    scale = _scale(x, D, BK, EPSILON)
    now = tl.load(written)
    for i in range(turns):
        at = first + i * R
        is_id = at < vocabulary
        tiles = _tiles_of(w, tl.minimum(at, vocabulary - 1).to(tl.int64), D, BK)
        z = _times_normed(tiles, x, norm, scale, D, BK, R).to(x.dtype.element_ty).to(tl.float32)
        z = tl.where(is_id, z, nothing)
        is_banned = tl.load(banned_at + at, mask=is_id, other=-1) == now
        allowed = tl.where(is_banned, nothing, z)
        is_better = allowed > best
        second = tl.where(is_better, best, tl.maximum(second, allowed))
        best_id = tl.where(is_better, at, best_id)
        best = tl.maximum(best, allowed)
        wanted_id = tl.where(z > wanted, at, wanted_id)
        higher = tl.maximum(wanted, z)
        sums = sums * tl.exp(wanted - higher) + tl.where(is_id, tl.exp(z - higher), 0.0)
        wanted = higher
    top = tl.max(best, 0)
    top_id = tl.min(tl.where(best == top, best_id, last), 0)
    liked = tl.max(wanted, 0)
    mine = tl.program_id(0)
    tl.store(tops + mine * 4, top)
    tl.store(tops + mine * 4 + 1, tl.max(tl.where(best_id == top_id, second, best), 0))
    tl.store(tops + mine * 4 + 2, liked)
    tl.store(tops + mine * 4 + 3, tl.sum(sums * tl.exp(wanted - liked), 0))
    tl.store(ids + mine * 2, top_id)
    tl.store(ids + mine * 2 + 1, tl.min(tl.where(wanted == liked, wanted_id, last), 0))
