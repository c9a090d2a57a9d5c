"""The layers of one stream: every product is a kernel of ours, begun before the last has ended.

Rows a program and warps were tried on an H200; see `tests/gpu/RESULTS.md`.
"""

from __future__ import annotations

from typing import Any

import torch

from model.buffers import KeyValues
from model.decoder_weights import Dense, Experts, Weights
from model.kernels import single as single_kernels
from model.kernels.buffers import StepBuffers, power_of_two, widest
from model.state import State

single: Any = single_kernels  # Triton's functions have no types

HEADS, OUTPUT, DENSE_DOWN = (4, 2), (8, 4), (2, 4)  # rows of a program, and its warps
GATED, EXPERTS, DOWN = (2, 2), (2, 1), (4, 4)
HEAD_ROWS, HEAD_TURNS = 32, 4
WIDE = 1024  # columns of a row whose length has no large power of two in it


class Alone:
    """The products of one stream's step."""

    parts_of = HEAD_ROWS * HEAD_TURNS  # ids that one part of the choice looks through

    def __init__(
        self, weights: Weights, kv: KeyValues, state: State, buffers: StepBuffers, *, is_early: bool
    ) -> None:
        """Make what only these kernels need."""
        self._weights, self._kv, self._state, self._buffers = weights, kv, state, buffers
        hidden = weights.embedding.shape[1]
        self._early: dict[str, Any] = {"EARLY": is_early}
        if is_early:
            self._early["launch_pdl"] = True
        norming = {"D": hidden, "BK": widest(hidden), "EPSILON": weights.epsilon}
        self._norming: dict[str, Any] = {**norming, **self._early}
        like = weights.embedding
        self._h = like.new_zeros(max(_values_of(layer.mlp) for layer in weights.layers))
        experts = [layer.mlp for layer in weights.layers if isinstance(layer.mlp, Experts)]
        routed = max((mlp.routed for mlp in experts), default=1)
        chosen = max((mlp.chosen for mlp in experts), default=1)
        self._logits = like.new_zeros(routed, dtype=torch.float32)
        self._chosen = like.new_zeros(chosen, dtype=torch.int32)
        self._shares = like.new_zeros(chosen, dtype=torch.float32)
        self._routers = {id(mlp): router_of(mlp, like.dtype) for mlp in experts}

    def project(self, at: int, q: torch.Tensor) -> None:
        """Make queries, and write keys and values into the token's row."""
        layer, heads, b = self._weights.layers[at], self._weights.heads, self._buffers
        half, (rows, warps) = heads.head_size // 2, HEADS
        single.project_heads[(3 * heads.heads * half // rows,)](
            b.x,
            layer.norm,
            layer.qkv,
            b.cos,
            b.sin,
            self._state.row,
            q,
            self._kv.keys[at],
            self._kv.values[at],
            self._kv.layout.rows,
            H=heads.heads,
            HALF=half,
            R=rows,
            num_warps=warps,
            **self._norming,
        )

    def finish(self, at: int) -> None:
        """The rest of a layer, after its attention."""
        layer = self._weights.layers[at]
        self._add_product(self._buffers.read, layer.output, OUTPUT)
        if isinstance(layer.mlp, Dense):
            size = layer.mlp.down.shape[1]
            self._gate(layer.mlp_norm, layer.mlp.gate_up, None, self._h, values=size, size=size)
            self._add_product(self._h, layer.mlp.down, DENSE_DOWN)
        else:
            self._run_experts(layer.mlp, layer.mlp_norm)

    def choose(self) -> None:
        """The best ids of each part of the vocabulary."""
        b, state, vocabulary = self._buffers, self._state, self._weights.vocabulary
        single.best_of_head[(b.tops.shape[1],)](
            b.x,
            self._weights.norm,
            self._weights.head,
            state.banned_at,
            state.written,
            b.tops,
            b.ids,
            vocabulary,
            HEAD_TURNS,
            R=HEAD_ROWS,
            num_warps=4,
            **self._norming,
        )

    def _add_product(self, x: torch.Tensor, matrix: torch.Tensor, by: tuple[int, int]) -> None:
        columns, (rows, warps) = matrix.shape[1], by
        width = widest(columns)
        single.add_product[(matrix.shape[0] // rows,)](
            x,
            matrix,
            self._buffers.x,
            D=columns,
            R=rows,
            BK=width if width * 8 >= columns else WIDE,
            num_warps=warps,
            **self._early,
        )

    def _gate(
        self,
        norm: torch.Tensor,
        matrix: torch.Tensor,
        router: torch.Tensor | None,
        out: torch.Tensor,
        *,
        values: int,
        size: int,
    ) -> None:
        experts, (rows, warps) = 0 if router is None else router.shape[0], GATED
        single.gated[(values // rows + experts // rows,)](
            self._buffers.x,
            norm,
            matrix,
            matrix if router is None else router,
            out,
            self._logits,
            values,
            E=experts,
            I=size,
            R=rows,
            num_warps=warps,
            **self._norming,
        )

    def _run_experts(self, mlp: Experts, norm: torch.Tensor) -> None:
        size, shared = mlp.down.shape[2], mlp.gate_up.shape[0] - mlp.routed
        beside = self._h[mlp.chosen * size :]
        router = self._routers[id(mlp)]
        matrix = mlp.gate_up[mlp.routed :]
        self._gate(norm, matrix, router, beside, values=shared * size, size=size)
        rows, warps = EXPERTS
        single.experts_gated[(size // rows, mlp.chosen)](
            self._buffers.x,
            norm,
            mlp.gate_up,
            self._logits,
            self._h,
            self._chosen,
            self._shares,
            mlp.scale,
            E=mlp.routed,
            I=size,
            R=rows,
            num_warps=warps,
            **self._norming,
        )
        rows, warps = DOWN
        single.experts_down[(mlp.down.shape[1] // rows,)](
            self._h,
            mlp.down,
            self._chosen,
            self._shares,
            self._buffers.x,
            E=mlp.routed,
            K=mlp.chosen,
            S=shared,
            I=size,
            IP=power_of_two(size),
            D=mlp.down.shape[1],
            R=rows,
            num_warps=warps,
            **self._early,
        )


def _values_of(mlp: Dense | Experts) -> int:
    """Values between the two products of an MLP, of one token."""
    if isinstance(mlp, Dense):
        return mlp.down.shape[1]
    return (mlp.chosen + mlp.gate_up.shape[0] - mlp.routed) * mlp.down.shape[2]


def router_of(mlp: Experts, dtype: torch.dtype) -> torch.Tensor:
    """The router in the decoder's own numbers where that loses nothing, as with published files."""
    small = mlp.router.to(dtype)
    return small if torch.equal(small.float(), mlp.router) else mlp.router
