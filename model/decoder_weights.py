"""The decoder's weights in the layout that the step reads: what belongs together lies together.

Taken from transformers' own module, layer by layer; with `keep=False` each layer's originals are
let go as soon as they are copied, so that the weights are never held twice. Query, key and value
are one matrix, gate and up are one, and the shared experts stand behind the routed ones in the same
tensor, so that a step treats them alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import torch

from model.buffers import Heads
from model.errors import EngineUnavailable


@dataclass(frozen=True)
class Dense:
    """A plain MLP with F hidden values."""

    gate_up: torch.Tensor  # (2F, hidden)
    down: torch.Tensor  # (hidden, F)


@dataclass(frozen=True)
class Experts:
    """E routed experts and S shared ones behind them, of I hidden values each."""

    gate_up: torch.Tensor  # (E + S, 2I, hidden)
    down: torch.Tensor  # (E + S, hidden, I)
    router: torch.Tensor  # (E, hidden), float32 as the checkpoint's own code holds it
    chosen: int  # routed experts of one token
    scale: float  # of their weights

    @property
    def routed(self) -> int:
        """How many experts the router chooses among."""
        return self.router.shape[0]


@dataclass(frozen=True)
class Layer:
    """One layer."""

    norm: torch.Tensor  # (hidden,)
    qkv: torch.Tensor  # (3 * H * D, hidden): queries, keys, values
    output: torch.Tensor  # (hidden, H * D)
    mlp_norm: torch.Tensor  # (hidden,)
    mlp: Dense | Experts


@dataclass(frozen=True)
class Weights:
    """The whole decoder."""

    embedding: torch.Tensor  # (vocabulary, hidden)
    layers: tuple[Layer, ...]
    norm: torch.Tensor  # (hidden,)
    head: torch.Tensor  # (vocabulary, hidden); may be the embedding itself
    frequencies: torch.Tensor  # (D / 2,) float64, of the rotary embedding
    epsilon: float  # of every norm
    heads: Heads

    @property
    def vocabulary(self) -> int:
        """How many ids there are."""
        return self.head.shape[0]

    @property
    def layer_bytes(self) -> int:
        """Bytes of all layers; embedding and head remain the checkpoint's own tensors."""
        return sum(tensor.nbytes for tensor in _tensors(self.layers))


def take_weights(model: Any, *, keep: bool = True) -> Weights:  # noqa: ANN401  # no types
    """Take the decoder out of transformers' `UnlimitedOcrForConditionalGeneration`.

    Args:
        model: loaded, on its device.
        keep: leave the module whole; else its decoder layers are gone afterwards.

    Raises:
        EngineUnavailable: a kind of network that this decoder does not run; said why.
    """
    text, config = model.model.language_model, model.config.text_config
    _check(config)
    layers: list[Layer] = []
    for at, module in enumerate(text.layers):
        layers.append(_layer(module))
        if not keep:
            text.layers[at] = torch.nn.Identity()
    return Weights(
        embedding=text.embed_tokens.weight.detach(),
        layers=tuple(layers),
        norm=text.norm.weight.detach(),
        head=model.lm_head.weight.detach(),
        frequencies=text.rotary_emb.inv_freq.double(),
        epsilon=config.rms_norm_eps,
        heads=Heads(config.num_hidden_layers, config.num_attention_heads, config.head_dim),
    )


def _check(config: Any) -> None:  # noqa: ANN401  # a class of transformers without types
    wanted = {
        "num_key_value_heads": config.num_attention_heads,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "topk_method": "greedy",
        "layer_types": ["reference_sliding_attention"] * config.num_hidden_layers,
    }
    for name, value in wanted.items():
        if getattr(config, name) != value:
            raise EngineUnavailable(f"config.json: {name} is {getattr(config, name)!r}")
    if config.rope_parameters["rope_type"] != "default":
        raise EngineUnavailable(f"config.json: rope_type is {config.rope_parameters['rope_type']}")


def _layer(module: Any) -> Layer:  # noqa: ANN401  # a class of transformers without types
    attention = module.self_attn
    parts = (attention.q_proj, attention.k_proj, attention.v_proj)
    return Layer(
        norm=module.input_layernorm.weight.detach(),
        qkv=torch.cat([part.weight.detach() for part in parts]),
        output=attention.o_proj.weight.detach(),
        mlp_norm=module.post_attention_layernorm.weight.detach(),
        mlp=_experts(module.mlp) if hasattr(module.mlp, "experts") else _dense(module.mlp),
    )


def _dense(mlp: Any) -> Dense:  # noqa: ANN401  # a class of transformers without types
    gate_up = torch.cat([mlp.gate_proj.weight.detach(), mlp.up_proj.weight.detach()])
    return Dense(gate_up, mlp.down_proj.weight.detach())


def _experts(mlp: Any) -> Experts:  # noqa: ANN401  # a class of transformers without types
    routed, shared = mlp.experts, mlp.shared_experts
    size: int = routed.down_proj.shape[2]
    hidden: int = routed.down_proj.shape[1]
    gates = shared.gate_proj.weight.detach().view(-1, size, hidden)
    ups = shared.up_proj.weight.detach().view(-1, size, hidden)
    downs = shared.down_proj.weight.detach().view(hidden, -1, size).transpose(0, 1)
    return Experts(
        gate_up=torch.cat([routed.gate_up_proj.detach(), torch.cat([gates, ups], dim=1)]),
        down=torch.cat([routed.down_proj.detach(), downs]),
        router=mlp.gate.weight.detach().float(),
        chosen=mlp.gate.top_k,
        scale=float(mlp.gate.routed_scaling_factor),
    )


def _tensors(part: object) -> Iterator[torch.Tensor]:
    """All tensors of a tree of dataclasses and tuples."""
    if isinstance(part, torch.Tensor):
        yield part
    elif isinstance(part, tuple):
        for each in part:  # pyright: ignore[reportUnknownVariableType]  # of layers
            yield from _tensors(each)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(part, (Layer, Dense, Experts)):
        for each in fields(part):
            yield from _tensors(getattr(part, each.name))
