"""The weights of the routers: one small head a layer, beside the first version's weights."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, NamedTuple

from model.errors import WeightsDamaged
from model.v2.config import LAYER, DashConfig, DashNames

if TYPE_CHECKING:
    import torch


class Router(NamedTuple):
    """Of one layer."""

    weight: torch.Tensor  # (2 * index_size, hidden): rows of the query, then those of the key
    query_norm: torch.Tensor  # (index_size,)
    key_norm: torch.Tensor  # (index_size,)
    head_cls: torch.Tensor  # (index_size,)


def take_routers(
    tensors: MutableMapping[str, torch.Tensor],
    names: DashNames,
    dash: DashConfig,
    *,
    layers: int,
    hidden: int,
) -> list[Router]:
    """Take the routers' tensors out of those of a checkpoint.

    Args:
        tensors: of the checkpoint; what is taken is no longer in it.
        names: of the routers' tensors.
        dash: gives `index_size`.
        layers: how many the decoder has.
        hidden: size of what it hands from layer to layer.

    Raises:
        WeightsDamaged: one is missing or of another shape; named.
    """
    size = dash.index_size

    def take(name: str, layer: int, *shape: int) -> torch.Tensor:
        whole = name.replace(LAYER, str(layer))
        tensor = tensors.pop(whole, None)
        if tensor is None:
            raise WeightsDamaged(f"the checkpoint lacks {whole}")
        if tuple(tensor.shape) != shape:
            raise WeightsDamaged(f"the checkpoint has other sizes for {whole}")
        return tensor

    return [
        Router(
            weight=take(names.weight, layer, 2 * size, hidden),
            query_norm=take(names.query_norm, layer, size),
            key_norm=take(names.key_norm, layer, size),
            head_cls=take(names.head_cls, layer, size),
        )
        for layer in range(layers)
    ]
