"""Which blocks a query reads, chosen by one small router head a layer; and attention to them.

For each query of a layer:

1. its router query is compared with one *summary* of each completed block, in float32;
2. *remote* blocks are those at least `local_blocks` behind the query's own. Scored are the remote
   blocks of the query's page; all remote ones if its page has none;
3. the best `candidates` get shares by entmax-1.5, which gives most of them none at all;
4. the best `kept_blocks` of those with a share are read, by every head, each block's tokens with a
   bias made of the logarithm of its share; and the last `window_tokens` tokens without one.

Sources: arXiv 2605.18753 (summaries, entmax, prior); the public ports of Unlimited-OCR-2 for the
page rule, the candidates and the window. `model.v2.twins` says the same in loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch

from model.v2.config import DashConfig, MixedBlock, Overlap, Prior, Scope, Solver

NONE = -1  # in a list of blocks: none
HALLEY_STEPS = 3
HALLEY_GUARD = 1e-5
LEAST_SHARE = 1e-20


class Routed(NamedTuple):
    """What each query reads besides its window."""

    blocks: torch.Tensor  # (queries, kept) int64, best first, `NONE` where there is no other
    bias: torch.Tensor  # (queries, kept) float32, 0 at `NONE`


class Blocks(NamedTuple):
    """The completed blocks of a context."""

    summaries: torch.Tensor  # (blocks, index_size)
    pages: torch.Tensor  # (blocks, 2) int64: page of the first and of the last token
    prompt: int  # so many of them hold only prompt


class Queries(NamedTuple):
    """Tokens that ask."""

    vectors: torch.Tensor  # (queries, index_size), normed and rotated
    pages: torch.Tensor  # (queries,) int64: the page each writes
    positions: torch.Tensor  # (queries,) int64: row in the context, from 0


def norm_index(index: torch.Tensor, weight: torch.Tensor, config: DashConfig) -> torch.Tensor:
    """RMSNorm of router queries or keys, with the factor (1 + weight).

    Args:
        index: (..., index_size).
        weight: (index_size,).
        config: gives `norm_eps`.
    """
    wide = index.float()
    scale = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + config.norm_eps)
    return (wide * scale * (1.0 + weight.float())).to(index.dtype)


def summarise(keys: torch.Tensor, head_cls: torch.Tensor) -> torch.Tensor:
    """Pool the rotated router keys of completed blocks into one summary each.

    Args:
        keys: (blocks, block_tokens, index_size).
        head_cls: (index_size,), trained; zeros make it the mean.

    Returns:
        (blocks, index_size) float32.
    """
    wide = keys.float()
    shares = torch.softmax(wide @ head_cls.float() / math.sqrt(keys.shape[-1]), dim=-1)
    return (shares.unsqueeze(-1) * wide).sum(dim=1)


def route(queries: Queries, blocks: Blocks, config: DashConfig) -> Routed:
    """Choose blocks for every query; none of a query's results depends on another query."""
    count = len(blocks.summaries)
    if count == 0:
        return _nothing(queries, config)
    may = _may_be_read(queries, blocks, config)
    scale = config.score_scale / math.sqrt(config.index_size)
    scores = (queries.vectors.float() @ blocks.summaries.float().T * scale).masked_fill(
        ~may, -math.inf
    )
    order = torch.argsort(scores, dim=1, descending=True, stable=True)[:, : config.candidates]
    best = scores.gather(1, order)
    shares = entmax(best, config.solver)
    kept = min(config.kept_blocks, order.shape[1])
    is_kept = shares[:, :kept] > 0
    bias = _prior(shares, kept, config).masked_fill(~is_kept, 0.0)
    return _padded(order[:, :kept].masked_fill(~is_kept, NONE), bias, config.kept_blocks)


def entmax(scores: torch.Tensor, solver: Solver) -> torch.Tensor:
    """Shares by entmax-1.5: they add up to 1, and low scores get none.

    Args:
        scores: (rows, candidates) float32, sorted downwards; -inf takes part in nothing.
        solver: how it is solved.

    Returns:
        (rows, candidates); a row of -inf gets zeros.
    """
    half = scores / 2
    is_there = torch.isfinite(half)
    safe = half.masked_fill(~is_there, -1e9)
    threshold = (_exact if solver is Solver.EXACT else _halley)(safe)
    return (safe - threshold).clamp(min=0).square().masked_fill(~is_there, 0.0)


def attend(
    query: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    positions: torch.Tensor,
    routed: Routed,
    config: DashConfig,
) -> torch.Tensor:
    """Attention of each query to its blocks and its window, by gathering their rows.

    Args:
        query: (queries, heads, head_size).
        keys: (tokens, heads, head_size), rotated; values likewise.
        values: see `keys`.
        positions: (queries,) int64, each query's row in the context.
        routed: what `route` chose.
        config: sizes and what is done with an overlap.

    Returns:
        (queries, heads, head_size) float32.
    """
    rows, bias = _rows(positions, routed, config)
    may = rows >= 0
    at = rows.clamp(min=0)
    scores = torch.einsum("qhd,qrhd->qhr", query.float(), keys[at].float())
    scores = scores / math.sqrt(query.shape[-1]) + bias.unsqueeze(1)
    shares = torch.softmax(scores.masked_fill(~may.unsqueeze(1), -math.inf), dim=-1)
    return torch.einsum("qhr,qrhd->qhd", shares, values[at].float())


def _nothing(queries: Queries, config: DashConfig) -> Routed:
    shape = (len(queries.positions), config.kept_blocks)
    device = queries.vectors.device
    return Routed(
        torch.full(shape, NONE, dtype=torch.int64, device=device), torch.zeros(shape, device=device)
    )


def _may_be_read(queries: Queries, blocks: Blocks, config: DashConfig) -> torch.Tensor:
    """(queries, blocks): remote blocks of the page, or all remote ones where the page has none."""
    numbers = torch.arange(len(blocks.summaries), device=queries.positions.device)
    own = queries.positions // config.block_tokens
    remote = numbers <= (own - config.local_blocks).unsqueeze(1)
    if config.scope is Scope.PROMPT:
        remote &= numbers < blocks.prompt
    of_page = remote & _is_of_page(queries.pages, blocks.pages, config.mixed_block)
    return torch.where(of_page.any(dim=1, keepdim=True), of_page, remote)


def _is_of_page(pages: torch.Tensor, blocks: torch.Tensor, mixed: MixedBlock) -> torch.Tensor:
    first, last = (blocks[:, side] == pages.unsqueeze(1) for side in (0, 1))
    match mixed:
        case MixedBlock.FIRST:
            return first
        case MixedBlock.LAST:
            return last
        case MixedBlock.BOTH:
            return first | last


def _prior(shares: torch.Tensor, kept: int, config: DashConfig) -> torch.Tensor:
    logs = shares.clamp(min=LEAST_SHARE).log()
    if config.prior is Prior.LOG:
        return logs[:, :kept]
    counted = logs if config.prior is Prior.CENTRED else logs[:, :kept]
    active = (shares > LEAST_SHARE)[:, : counted.shape[1]]
    total = (counted * active).sum(dim=1, keepdim=True)
    return (logs[:, :kept] - total / active.sum(dim=1, keepdim=True).clamp(min=1)) / (
        config.prior_sigma
    )


def _padded(blocks: torch.Tensor, bias: torch.Tensor, kept: int) -> Routed:
    missing = kept - blocks.shape[1]
    pad = torch.nn.functional.pad
    return Routed(pad(blocks, (0, missing), value=NONE), pad(bias, (0, missing)))


def _exact(x: torch.Tensor) -> torch.Tensor:
    """The threshold by the largest support that bears it; `x` is sorted downwards."""
    support = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)
    shifted = x - x[:, :1]  # squares of large numbers would eat the differences
    mean = shifted.cumsum(dim=1) / support
    spread = shifted.square().cumsum(dim=1) / support - mean.square()
    root = ((1 - support * spread) / support).clamp(min=0).sqrt()
    thresholds = mean - root
    fits = (thresholds <= shifted).sum(dim=1, keepdim=True).clamp(min=1)
    return thresholds.gather(1, fits - 1) + x[:, :1]


def _halley(x: torch.Tensor) -> torch.Tensor:
    threshold = x.amax(dim=1, keepdim=True) - 0.5
    for _ in range(HALLEY_STEPS):
        over = (x - threshold).clamp(min=0)
        value = over.square().sum(dim=1, keepdim=True) - 1
        slope = -2 * over.sum(dim=1, keepdim=True)
        bend = 2.0 * (over > 0).sum(dim=1, keepdim=True)
        below = 2 * slope.square() - value * bend
        threshold = threshold - 2 * value * slope / below.clamp(min=HALLEY_GUARD)
    return threshold


def _rows(
    positions: torch.Tensor, routed: Routed, config: DashConfig
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows that each query reads, -1 for none, and their biases: (queries, rows) each."""
    device = positions.device
    inside = torch.arange(config.block_tokens, device=device)
    of_blocks = routed.blocks.unsqueeze(2) * config.block_tokens + inside
    of_blocks = of_blocks.masked_fill(routed.blocks.unsqueeze(2) == NONE, -1).flatten(1)
    bias = routed.bias.repeat_interleave(config.block_tokens, dim=1)
    back = torch.arange(config.window_tokens, device=device)
    window = positions.unsqueeze(1) - back  # negative before the first token
    if config.overlap is Overlap.WINDOW:
        is_in_window = of_blocks > (positions - config.window_tokens).unsqueeze(1)
        of_blocks = of_blocks.masked_fill(is_in_window, -1)
    elif config.overlap is Overlap.BLOCK:
        own = window // config.block_tokens
        is_read = (own.unsqueeze(2) == routed.blocks.unsqueeze(1)).any(dim=2)
        window = window.masked_fill(is_read, -1)
    rows = torch.cat((of_blocks, window.clamp(min=-1)), dim=1)
    return rows, torch.cat((bias, torch.zeros_like(window, dtype=bias.dtype)), dim=1)
