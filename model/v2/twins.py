"""The parts of the second version once more, in loops over single tokens: what they must equal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from model.v2.config import (
    DashConfig,
    FrameConfig,
    GuardConfig,
    GuardMode,
    InstructionPage,
    MixedBlock,
    Overlap,
    Prior,
    Scope,
    TextFrame,
)
from model.v2.dash_router import Blocks, Queries

Choice = list[tuple[int, float]]
"""Blocks with their biases, the best first."""


def route_one(queries: Queries, at: int, blocks: Blocks, config: DashConfig) -> Choice:
    """What one query reads besides its window."""
    remote = [b for b in range(len(blocks.summaries)) if _is_remote(queries, at, b, blocks, config)]
    of_page = [b for b in remote if _is_of_page(int(queries.pages[at]), blocks.pages[b], config)]
    scores = {
        b: _score(queries.vectors[at], blocks.summaries[b], config) for b in of_page or remote
    }
    best = sorted(scores, key=lambda b: (-scores[b], b))[: config.candidates]
    shares = entmax_one([scores[b] for b in best])
    logs = [math.log(share) if share > 0 else None for share in shares]
    kept = [(b, log) for b, log in zip(best, logs, strict=True)][: config.kept_blocks]
    middle = _middle(logs, [log for _, log in kept], config)
    sigma = 1.0 if config.prior is Prior.LOG else config.prior_sigma
    return [(b, (log - middle) / sigma) for b, log in kept if log is not None]


def entmax_one(scores: Sequence[float]) -> list[float]:
    """Shares by entmax-1.5, its threshold found by halving an interval."""
    if not scores:
        return []
    half = [score / 2 for score in scores]
    low, high = max(half) - 1, max(half)
    for _ in range(100):
        middle = (low + high) / 2
        total = sum(max(x - middle, 0) ** 2 for x in half)
        low, high = (middle, high) if total > 1 else (low, middle)
    return [max(x - low, 0) ** 2 for x in half]


def attend_one(
    query: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    position: int,
    choice: Choice,
    config: DashConfig,
) -> torch.Tensor:
    """Dense attention of one query, what may not be seen masked by minus infinity.

    Args:
        query: (heads, head_size).
        keys: (tokens, heads, head_size); values likewise.
        values: see `keys`.
        position: the query's row.
        choice: blocks with their biases.
        config: see `model.v2.config`.
    """
    bias = torch.full((len(keys),), -math.inf)
    for token in range(position + 1):
        prior = dict(choice).get(token // config.block_tokens)
        bias[token] = _token_bias(position - token < config.window_tokens, prior, config)
    scores = torch.einsum("hd,thd->ht", query.float(), keys.float())
    shares = torch.softmax(scores / math.sqrt(query.shape[-1]) + bias, dim=1)
    return torch.einsum("ht,thd->hd", shares, values.float())


def frames_one_by_one(
    ids: Sequence[int], prompt: int, config: FrameConfig
) -> list[tuple[int, int]]:
    """Index and page of every token."""
    asked = list(ids[:prompt])
    pages = asked.count(config.page_token_id)
    images = [at for at, token in enumerate(asked) if token == config.image_token_id]
    last = images[-1] + 1 if images else 0
    found, heights, page = list[tuple[int, int]](), dict[int, int](), 0
    for token in ids[:last]:
        page += token == config.page_token_id
        found.append((heights.get(page, 0), page))
        heights[page] = heights.get(page, 0) + 1
    page = pages if config.instruction_page is InstructionPage.LAST else 0
    found += [(heights.get(page, 0) + at, page) for at in range(prompt - last)]
    page, inside = 0, 0
    for token in ids[prompt:]:
        before = page
        page = min(page + (token == config.page_token_id), pages)
        inside = 0 if page != before else inside
        base = heights.get(page, 0) if config.text_frame is TextFrame.CONTINUE else 0
        found.append((base + inside, page))
        inside += 1
    return found


def allowed_now(
    generated: Sequence[int], pages: int, config: GuardConfig
) -> tuple[str, int | None]:
    """What the guard says after these tokens: ('any' | 'only' | 'not', token)."""
    page, end, mode = config.page_token_id, config.end_token_id, config.mode
    begun = list(generated).count(page)
    since = len(generated) - max((at + 1 for at, t in enumerate(generated) if t == page), default=0)
    if mode is GuardMode.OFF:
        return "any", None
    if mode is GuardMode.LIMIT and since >= config.max_page_tokens:
        return "only", page if begun < pages else end
    if begun >= pages:
        return "not", page
    return ("any", None) if mode is GuardMode.FORBID_EXTRA else ("not", end)


def _is_remote(queries: Queries, at: int, block: int, blocks: Blocks, config: DashConfig) -> bool:
    own = int(queries.positions[at]) // config.block_tokens
    is_prompt = block < blocks.prompt or config.scope is Scope.ALL
    return is_prompt and block <= own - config.local_blocks


def _is_of_page(page: int, ends: torch.Tensor, config: DashConfig) -> bool:
    first, last = (int(end) == page for end in ends)
    either = {MixedBlock.FIRST: first, MixedBlock.LAST: last, MixedBlock.BOTH: first or last}
    return either[config.mixed_block]


def _score(query: torch.Tensor, summary: torch.Tensor, config: DashConfig) -> float:
    dot = float(query.float() @ summary.float())
    return dot * config.score_scale / math.sqrt(config.index_size)


def _middle(
    logs: Sequence[float | None], kept: Sequence[float | None], config: DashConfig
) -> float:
    if config.prior is Prior.LOG:
        return 0.0
    counted = [x for x in (logs if config.prior is Prior.CENTRED else kept) if x is not None]
    return sum(counted) / len(counted) if counted else 0.0


def _token_bias(is_near: bool, prior: float | None, config: DashConfig) -> float:  # noqa: FBT001
    if prior is None:
        return 0.0 if is_near else -math.inf
    if not is_near or config.overlap is Overlap.BLOCK:
        return prior
    return 0.0 if config.overlap is Overlap.WINDOW else math.log(1 + math.exp(prior))
