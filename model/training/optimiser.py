"""Muon for the matrices, AdamW for the rest; float32 masters behind bfloat16 weights.

Matrices of one shape are orthogonalised together. Source: Keller Jordan, Muon (2024), quintic
Newton-Schulz with the coefficients 3.4445, -4.7750, 2.0315; step scaled by 0.2 sqrt(longer side)
as in Moonlight (arXiv 2502.16982), so that both take like learning rates.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch

Tensor = torch.Tensor
Named = tuple[str, torch.nn.Parameter]

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
NOT_MATRICES = (
    "embed_tokens",
    "lm_head",
    "pos_embed",
    "position_embedding",
    "patch_embed",
    "heads.",
)
BETAS = (0.9, 0.97)
MOMENTUM = 0.95
WEIGHT_DECAY = 0.05
MOST_NORM = 2.0


@dataclass
class _Group:
    """Matrices of one shape, one beside the other."""

    weights: list[torch.nn.Parameter]
    parts: list[int]  # a fused q, k, v is three matrices
    master: Tensor  # (matrices, rows, columns) float32
    momentum: Tensor


class Optimiser:
    """Steps of all weights; its state is tensors with names."""

    def __init__(self, named: Iterable[Named], *, matrix_rate: float, other_rate: float) -> None:
        self._rates = (matrix_rate, other_rate)
        self._steps = 0
        self._groups: dict[tuple[int, int], _Group] = {}
        self._others: list[torch.nn.Parameter] = []
        for name, weight in named:
            self._add(name, weight)
        for group in self._groups.values():
            group.master = _stacked(group, group.weights)
            group.momentum = torch.zeros_like(group.master)
        self._masters = [weight.detach().float().clone() for weight in self._others]
        self._means = [torch.zeros_like(master) for master in self._masters]
        self._squares = [torch.zeros_like(master) for master in self._masters]

    @torch.no_grad()
    def step(self, share: float) -> None:
        """Take a step at `share` of the learning rates; gradients are left as they are."""
        self._steps += 1
        for group in self._groups.values():
            self._step_matrices(group, self._rates[0] * share)
        self._step_others(self._rates[1] * share)

    def state(self) -> dict[str, Tensor]:
        """All that a resumed training needs."""
        found: dict[str, Tensor] = {"steps": torch.tensor(self._steps)}
        for (rows, columns), group in self._groups.items():
            found[f"matrices.{rows}x{columns}.master"] = group.master
            found[f"matrices.{rows}x{columns}.momentum"] = group.momentum
        lists = {"master": self._masters, "mean": self._means, "square": self._squares}
        for kind, tensors in lists.items():
            found |= {f"others.{place}.{kind}": tensor for place, tensor in enumerate(tensors)}
        return found

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on where another stopped; `state` is what `state()` gave."""
        mine = self.state()
        for name, tensor in mine.items():
            tensor.copy_(state[name])
        self._steps = int(mine["steps"])

    def _add(self, name: str, weight: torch.nn.Parameter) -> None:
        if weight.dim() < 2 or any(part in name for part in NOT_MATRICES):
            self._others.append(weight)
            return
        parts = 3 if name.endswith("attn.qkv.weight") else 1
        shape = (weight.shape[0] // parts, weight[0].numel())
        empty = torch.empty(0)
        group = self._groups.setdefault(shape, _Group([], [], empty, empty))
        group.weights.append(weight)
        group.parts.append(parts)

    def _step_matrices(self, group: _Group, rate: float) -> None:
        gradient = _stacked(group, [_gradient(weight) for weight in group.weights])
        momentum = min(MOMENTUM, 0.85 + self._steps * (MOMENTUM - 0.85) / 300)
        group.momentum.lerp_(gradient, 1 - momentum)
        step = orthogonal(gradient.lerp(group.momentum, momentum)).float()
        longer = max(group.master.shape[1:])
        group.master.mul_(1 - rate * WEIGHT_DECAY).add_(step, alpha=-rate * 0.2 * longer**0.5)
        place = 0
        for weight, parts in zip(group.weights, group.parts, strict=True):
            weight.copy_(group.master[place : place + parts].reshape(weight.shape))
            place += parts

    def _step_others(self, rate: float) -> None:
        gradients = [_gradient(weight).float() for weight in self._others]
        squares = torch.stack([each.square().sum() for each in gradients])
        short = torch.clamp(MOST_NORM / (squares.sum().sqrt() + 1e-6), max=1.0)
        gradients = [gradient * short for gradient in gradients]
        first, second = BETAS
        for weight, master, mean, square, gradient in zip(
            self._others, self._masters, self._means, self._squares, gradients, strict=True
        ):
            mean.lerp_(gradient, 1 - first)
            square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
            size = square.sqrt().div_((1 - second**self._steps) ** 0.5).add_(1e-9)
            master.addcdiv_(mean, size, value=-rate / (1 - first**self._steps))
            weight.copy_(master)


@torch.no_grad()
def orthogonal(matrices: Tensor, rounds: int = 5) -> Tensor:
    """The nearest orthogonal matrices, roughly; (matrices, rows, columns), bfloat16."""
    a, b, c = COEFFICIENTS
    is_tall = matrices.shape[-2] > matrices.shape[-1]
    x = _upright(matrices.bfloat16(), is_tall=is_tall)
    x = x / (x.square().sum((-2, -1), keepdim=True).sqrt() + 1e-7)
    for _ in range(rounds):
        square = x @ x.transpose(-2, -1)
        x = a * x + (b * square + c * (square @ square)) @ x
    return _upright(x, is_tall=is_tall)


def _upright(x: Tensor, *, is_tall: bool) -> Tensor:
    return x.transpose(-2, -1) if is_tall else x


def _stacked(group: _Group, tensors: Iterable[Tensor]) -> Tensor:
    """Weights or their gradients as (matrices, rows, columns), float32."""
    split = [
        tensor.detach().float().reshape(parts, tensor.shape[0] // parts, -1)
        for tensor, parts in zip(tensors, group.parts, strict=True)
    ]
    return torch.cat(split)


def _gradient(weight: torch.nn.Parameter) -> Tensor:
    return weight.grad if weight.grad is not None else torch.zeros_like(weight)
