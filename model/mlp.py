"""The MLP of a layer, dense or of experts, in plain PyTorch.

Which way of running experts is fastest depends on how many tokens there are and on the device:

- on a CPU, one chosen expert after the other, since its weights are read where they lie;
- few tokens on a card: the chosen experts' matrices are gathered and multiplied in one go;
- many tokens on a card: every expert is run on every token and weighted with 0 where it was not
  chosen. Nearly every expert is chosen by some token anyway, so no more weights are read; up to
  some 150 tokens reading them takes longer than the arithmetic. Nothing is sorted, and the shape of
  the work does not depend on the routing, as a captured step demands;
- the tokens of prompts, on a card whose library has products of groups: tokens are sorted by expert
  and each expert is run on its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn.functional import grouped_mm, linear, silu

from model.decoder_weights import Dense, Experts

TOKENS_AT_ONCE = 256  # of a prompt; bounds what running every expert takes beside the weights
GROUPS_SINCE = (9, 0)  # compute capability with fast products of groups, in bfloat16


class Routing(NamedTuple):
    """Which experts run for each token, the shared ones included."""

    experts: torch.Tensor  # (N, K + S) int64
    weights: torch.Tensor  # (N, K + S) float32


def run_mlp(mlp: Dense | Experts, x: torch.Tensor) -> torch.Tensor:
    """Run a layer's MLP.

    Args:
        mlp: its weights.
        x: (N, hidden), normalised.

    Returns:
        (N, hidden).
    """
    if isinstance(mlp, Dense):
        return linear(_gated(linear(x, mlp.gate_up)), mlp.down)
    if x.device.type == "cpu":
        return experts_one_by_one(mlp, x, route(mlp, x))
    if x.shape[0] * mlp.chosen < mlp.routed:
        return experts_gathered(mlp, x, route(mlp, x))
    if x.shape[0] <= TOKENS_AT_ONCE:
        return experts_all(mlp, x, route(mlp, x))
    if _has_groups(x):
        return experts_grouped(mlp, x, route(mlp, x))
    firsts = range(0, x.shape[0], TOKENS_AT_ONCE)
    parts = (x[at : at + TOKENS_AT_ONCE] for at in firsts)
    return torch.cat([experts_all(mlp, part, route(mlp, part)) for part in parts])


def route(mlp: Experts, x: torch.Tensor) -> Routing:
    """Choose the experts of each token; the shared ones weigh 1."""
    scores = linear(x.float(), mlp.router).softmax(-1)
    weights, experts = scores.topk(mlp.chosen, dim=-1)
    shared = torch.arange(mlp.routed, mlp.gate_up.shape[0], device=x.device)
    shared = shared.expand(x.shape[0], -1)
    return Routing(
        torch.cat([experts, shared], dim=1),
        torch.cat([weights * mlp.scale, torch.ones_like(shared, dtype=torch.float32)], dim=1),
    )


def experts_one_by_one(mlp: Experts, x: torch.Tensor, routing: Routing) -> torch.Tensor:
    """Run each expert that some token chose on those tokens."""
    total = torch.zeros(x.shape, dtype=torch.float32, device=x.device)
    chosen: Any = routing.experts.flatten()  # its lists have no types
    for expert in sorted(set(chosen.tolist())):
        tokens, place = torch.where(routing.experts == expert)
        hidden = _gated(linear(x[tokens], mlp.gate_up[expert]))
        out = linear(hidden, mlp.down[expert]).float()
        total.index_add_(0, tokens, out * routing.weights[tokens, place, None])
    return total.to(x.dtype)


def experts_gathered(mlp: Experts, x: torch.Tensor, routing: Routing) -> torch.Tensor:
    """Gather the chosen experts' matrices, then two batched products."""
    count, each = routing.experts.shape
    chosen = routing.experts.flatten()
    inputs = x.repeat_interleave(each, 0)[..., None]  # (N * (K + S), hidden, 1)
    hidden = _gated(torch.bmm(mlp.gate_up[chosen], inputs)[..., 0])
    out = torch.bmm(mlp.down[chosen], hidden[..., None]).view(count, each, -1)
    return (out.float() * routing.weights[..., None]).sum(1).to(x.dtype)


def experts_all(mlp: Experts, x: torch.Tensor, routing: Routing) -> torch.Tensor:
    """Run every expert on every token."""
    count, every = x.shape[0], mlp.gate_up.shape[0]
    weights = torch.zeros(count, every, device=x.device)
    weights.scatter_(1, routing.experts, routing.weights)
    hidden = _gated(linear(x, mlp.gate_up.flatten(0, 1)).view(count, every, -1))  # (N, E + S, I)
    hidden = hidden * weights[..., None].to(x.dtype)
    out = torch.bmm(hidden.transpose(0, 1), mlp.down.transpose(1, 2))  # (E + S, N, hidden)
    return out.sum(0, dtype=torch.float32).to(x.dtype)


def experts_grouped(mlp: Experts, x: torch.Tensor, routing: Routing) -> torch.Tensor:
    """Sort by expert what is to be done, then two products of groups."""
    count, each = routing.experts.shape
    chosen, order = routing.experts.flatten().sort()
    every = torch.arange(mlp.gate_up.shape[0], device=x.device)
    ends = torch.searchsorted(chosen, every, right=True).int()  # of each expert's rows
    hidden = _gated(grouped_mm(x[order // each], mlp.gate_up.transpose(1, 2), offs=ends))
    out = grouped_mm(hidden, mlp.down.transpose(1, 2), offs=ends)  # (N * (K + S), hidden)
    back = torch.empty_like(order)
    back[order] = torch.arange(len(order), device=x.device)
    out = out[back].view(count, each, -1).float() * routing.weights[..., None]
    return out.sum(1).to(x.dtype)


def _has_groups(x: torch.Tensor) -> bool:
    is_able = torch.cuda.get_device_capability(x.device) >= GROUPS_SINCE
    return x.dtype is torch.bfloat16 and is_able


def _gated(gate_up: torch.Tensor) -> torch.Tensor:
    gate, up = gate_up.chunk(2, dim=-1)
    return silu(gate) * up
