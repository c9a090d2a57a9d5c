"""Which step a device runs: the kernels where they can, else plain PyTorch, which is their twin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.decoder import TorchStep
from model.decoder_weights import Weights
from model.streams import MakeStep

if TYPE_CHECKING:
    import torch


def pick_step(weights: Weights, device: torch.device, dtype: torch.dtype) -> MakeStep:
    """The fastest step that is sound for these weights on this device."""
    return TorchStep
