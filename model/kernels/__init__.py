"""Which step a device runs: the kernels where they can, else plain PyTorch, which is their twin."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from model.decoder import TorchStep
from model.decoder_weights import Dense, Weights
from model.streams import MakeStep

if TYPE_CHECKING:
    import torch

LEAST = 16  # what products of blocks need of each side
ROUTED = 4  # experts, as many as rows of a program


def pick_step(weights: Weights, device: torch.device) -> MakeStep:
    """The fastest step that is sound for these weights on this device."""
    if device.type != "cuda" or not importlib.util.find_spec("triton") or not fits(weights):
        return TorchStep
    from model.kernels.step import KernelStep

    return KernelStep


def fits(weights: Weights) -> bool:
    """Whether the sizes are such that kernels need no remainders."""
    size = weights.heads.head_size
    is_whole = size & (size - 1) == 0 and size >= LEAST
    for layer in weights.layers:
        rows = [layer.qkv.shape[1], layer.output.shape[1], layer.mlp.down.shape[-1]]
        if not isinstance(layer.mlp, Dense):
            routed = layer.mlp.routed
            is_whole = is_whole and routed & (routed - 1) == 0 and routed >= ROUTED
        is_whole = is_whole and all(each % LEAST == 0 for each in rows)
    return is_whole
