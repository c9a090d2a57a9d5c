"""Loads a checkpoint of the second version: routers apart, the rest as the first version's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.v2.network import SecondNetwork
from model.v2.routers import take_routers
from model.weights import Checkpoint, build_network, read_tensors

if TYPE_CHECKING:
    import torch


def load_second(
    checkpoint: Checkpoint, *, device: torch.device, dtype: torch.dtype
) -> SecondNetwork:
    """Load it; whether it may be read is asked elsewhere (`model.parity`).

    Raises:
        WeightsDamaged: a tensor is missing, unknown or of another shape; named.
    """
    second, network = checkpoint.config.second, checkpoint.config.network
    assert second is not None, "a checkpoint of the second version"
    tensors = read_tensors(checkpoint)
    routers = take_routers(
        tensors,
        second.names,
        second.dash,
        layers=checkpoint.config.layers,
        hidden=network.text_config.hidden_size,
    )
    model = build_network(checkpoint, tensors, device=device, dtype=dtype)
    return SecondNetwork(model, checkpoint.config, routers)
