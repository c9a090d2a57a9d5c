"""Every way of running experts is the same sum; which one is taken is a matter of speed."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import linear, silu

from model.decoder_weights import Experts
from model.mlp import (
    experts_all,
    experts_gathered,
    experts_grouped,
    experts_one_by_one,
    route,
)

pytestmark = pytest.mark.model

HIDDEN, VALUES = 16, 8


def drawn(seed: int, routed: int, shared: int, chosen: int) -> Experts:
    generator = torch.Generator().manual_seed(seed)

    def some(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator)

    return Experts(
        gate_up=some(routed + shared, 2 * VALUES, HIDDEN),
        down=some(routed + shared, HIDDEN, VALUES),
        router=some(routed, HIDDEN),
        chosen=chosen,
        scale=1.5,
    )


def as_told(mlp: Experts, x: torch.Tensor) -> torch.Tensor:
    """Token by token: the chosen ones by their share, the shared ones whole."""
    out = torch.zeros_like(x)
    for at, token in enumerate(x):
        shares = (mlp.router @ token).softmax(0)
        best = shares.argsort(descending=True)[: mlp.chosen].tolist()
        weights = {expert: float(shares[expert]) * mlp.scale for expert in best}
        weights |= dict.fromkeys(range(mlp.routed, mlp.gate_up.shape[0]), 1.0)
        for expert, weight in weights.items():
            gate, up = linear(token, mlp.gate_up[expert]).chunk(2)
            out[at] += weight * linear(silu(gate) * up, mlp.down[expert])
    return out


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    routed=st.integers(2, 6),
    shared=st.integers(0, 2),
    tokens=st.integers(1, 9),
    data=st.data(),
)
def test_every_way_is_the_sum_as_it_is_told(
    seed: int, routed: int, shared: int, tokens: int, data: st.DataObject
):
    mlp = drawn(seed, routed, shared, data.draw(st.integers(1, routed)))
    x = torch.randn(tokens, HIDDEN, generator=torch.Generator().manual_seed(seed))
    expected, routing = as_told(mlp, x), route(mlp, x)
    for way in (experts_one_by_one, experts_gathered, experts_all, experts_grouped):
        torch.testing.assert_close(way(mlp, x, routing), expected, atol=1e-3, rtol=1e-3)
