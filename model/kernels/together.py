"""The layers of several streams: library products of matrices, kernels of ours between them.

Experts are run by groups of tokens where their sizes allow it (`model.kernels.grouped`). Block
sizes were tried on an H200; see `tests/gpu/RESULTS.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import triton  # pyright: ignore[reportMissingTypeStubs]
from torch.nn.functional import linear

from model.buffers import KeyValues
from model.decoder_weights import Dense, Experts, Weights
from model.kernels import choosing as choosing_kernels
from model.kernels import grouped as grouped_kernels
from model.kernels import reading as reading_kernels
from model.kernels.alone import router_of
from model.kernels.buffers import StepBuffers, power_of_two, widest
from model.state import State

grouped: Any = grouped_kernels  # Triton's functions have no types
reading: Any = reading_kernels
choosing: Any = choosing_kernels

PART = 4096  # ids that one program looks through
TOKENS_AT_ONCE = 64  # whose experts one program looks at
MANY_TOKENS = 128
MANY = (64, 128, 64, 4, 8)  # see `blocks_of`
FEW = ((16, 64, 128, 3, 4), (16, 64, 64, 3, 4), (16, 32, 32, 2, 4))  # smaller ones for small cards


@dataclass(frozen=True)
class _Packing:
    """Which tokens each expert takes, where its results lie, and what they weigh."""

    logits: torch.Tensor  # (B, E) float32
    tokens: torch.Tensor  # (E + S, B) int32
    counts: torch.Tensor  # (E + S,) int32
    place: torch.Tensor  # (B, K + S) int32
    weights: torch.Tensor  # (B, K + S) float32
    h: torch.Tensor  # ((E + S) * B, I)
    y: torch.Tensor  # ((E + S) * B, hidden)


class Together:
    """The products of a step of several streams."""

    parts_of = PART

    def __init__(
        self, weights: Weights, kv: KeyValues, state: State, buffers: StepBuffers, *, is_early: bool
    ) -> None:
        """Make what only these kernels need; none is begun early, for the library's are not."""
        del is_early
        self._weights, self._kv, self._state, self._buffers = weights, kv, state, buffers
        self._hidden = weights.embedding.shape[1]
        self._normed = torch.zeros_like(buffers.x)
        self._owes = False  # experts' results that are still to be added to `x`
        self._count, self._number_bytes = buffers.x.shape[0], buffers.x.itemsize
        self._room_bytes = _room_of(buffers.x.device)
        experts = [each.mlp for each in weights.layers if isinstance(each.mlp, Experts)]
        self._packing = self._make_packing(experts[0]) if experts else None
        self._routers = {id(mlp): router_of(mlp, buffers.x.dtype) for mlp in experts}

    def project(self, at: int, q: torch.Tensor) -> None:
        """Make queries, and write keys and values into the tokens' rows."""
        layer, heads, b = self._weights.layers[at], self._weights.heads, self._buffers
        self._norm(layer.norm)
        reading.rotate_and_write[(self._count, heads.heads)](
            linear(self._normed, layer.qkv),
            b.cos,
            b.sin,
            self._state.row,
            q,
            self._kv.keys[at],
            self._kv.values[at],
            self._kv.layout.rows,
            H=heads.heads,
            HALF=heads.head_size // 2,
            num_warps=1,
        )

    def finish(self, at: int) -> None:
        """The rest of a layer, after its attention; the experts' results are added by the next."""
        layer, b = self._weights.layers[at], self._buffers
        b.x.addmm_(b.read, layer.output.t())
        self._norm(layer.mlp_norm)
        if isinstance(layer.mlp, Dense):
            b.x.addmm_(self._gated(layer.mlp), layer.mlp.down.t())
        else:
            self._run_experts(layer.mlp)
            self._owes = True

    def choose(self) -> None:
        """The best ids of each part of the vocabulary."""
        b, state, vocabulary = self._buffers, self._state, self._weights.vocabulary
        self._norm(self._weights.norm)
        choosing.best_of_part[(self._count, b.tops.shape[1])](
            linear(self._normed, self._weights.head),
            state.banned_at,
            state.written,
            b.tops,
            b.ids,
            vocabulary,
            PART=PART,
            num_warps=4,
        )

    def _norm(self, norm: torch.Tensor) -> None:
        """Add what the layer before owes, and norm."""
        b, packing = self._buffers, self._packing if self._owes else None
        self._owes = False
        grouped.add_and_norm[(self._count,)](
            b.x,
            norm,
            packing.y if packing else b.x,
            packing.place if packing else b.x,
            packing.weights if packing else b.x,
            self._normed,
            D=self._hidden,
            DP=power_of_two(self._hidden),
            C=packing.place.shape[1] if packing else 1,
            ADDS=packing is not None,
            EPSILON=self._weights.epsilon,
            num_warps=4,
        )

    def _gated(self, mlp: Dense) -> torch.Tensor:
        size = mlp.down.shape[1]
        h = mlp.down.new_empty(self._count, size)
        both = linear(self._normed, mlp.gate_up)
        part = min(1024, power_of_two(size))
        grouped.gate[(self._count, -(-size // part))](both, h, size, FP=part, num_warps=4)
        return h

    def _run_experts(self, mlp: Experts) -> None:
        packing, count = self._packing, self._count
        assert packing is not None
        size, every = mlp.down.shape[2], mlp.gate_up.shape[0]
        some = min(16, widest(mlp.routed))
        grouped.router_logits[(-(-count // 16), mlp.routed // some)](
            self._normed,
            self._routers[id(mlp)],
            packing.logits,
            count,
            D=self._hidden,
            E=mlp.routed,
            BM=16,
            BE=some,
            BK=widest(self._hidden, 512 // self._number_bytes),
            num_warps=4,
        )
        grouped.pack[(every,)](
            packing.logits,
            packing.tokens,
            packing.counts,
            packing.place,
            packing.weights,
            count,
            mlp.scale,
            E=mlp.routed,
            K=mlp.chosen,
            C=mlp.chosen + every - mlp.routed,
            BT=min(TOKENS_AT_ONCE, power_of_two(count)),
            num_warps=4,
        )
        m, n, k, stages, warps = self._blocks(size, self._hidden)
        grouped.gated_groups[(size // n, every, -(-count // m))](
            self._normed,
            mlp.gate_up,
            packing.tokens,
            packing.counts,
            packing.h,
            count,
            I=size,
            D=self._hidden,
            BM=m,
            BN=n,
            BK=k,
            STAGES=stages,
            num_warps=warps,
        )
        m, n, k, stages, warps = self._blocks(self._hidden, size)
        grouped.down_groups[(self._hidden // n, every, -(-count // m))](
            packing.h,
            mlp.down,
            packing.counts,
            packing.y,
            count,
            I=size,
            D=self._hidden,
            BM=m,
            BN=n,
            BK=k,
            STAGES=stages,
            num_warps=warps,
        )

    def _blocks(self, out: int, within: int) -> tuple[int, int, int, int, int]:
        return blocks_of(
            self._count,
            out,
            within,
            number_bytes=self._number_bytes,
            room_bytes=self._room_bytes,
        )

    def _make_packing(self, mlp: Experts) -> _Packing:
        like, count, every = self._buffers.x, self._count, mlp.gate_up.shape[0]
        each, whole, real = mlp.chosen + every - mlp.routed, torch.int32, torch.float32
        return _Packing(
            logits=like.new_zeros(count, mlp.routed, dtype=real),
            tokens=like.new_zeros(every, count, dtype=whole),
            counts=like.new_zeros(every, dtype=whole),
            place=like.new_zeros(count, each, dtype=whole),
            weights=like.new_zeros(count, each, dtype=real),
            h=like.new_zeros(every * count, mlp.down.shape[2]),
            y=like.new_zeros(every * count, self._hidden),
        )


def blocks_of(
    tokens: int, out: int, within: int, *, number_bytes: int, room_bytes: int
) -> tuple[int, int, int, int, int]:
    """Tokens, outputs and inputs of a block, stages and warps of a grouped product.

    Args:
        tokens: of the step.
        out: values that an expert makes of a token.
        within: values that it makes them of.
        number_bytes: of a value.
        room_bytes: what a program may hold beside its registers.
    """
    wanted = [*([MANY] if tokens > MANY_TOKENS else []), *FEW]
    for m, n, k, stages, warps in wanted[:-1]:
        n, k = widest(out, n), widest(within, k)
        if (m + 2 * n) * k * number_bytes * stages <= room_bytes:
            return m, n, k, stages, warps
    m, n, k, stages, warps = wanted[-1]
    return m, widest(out, n), widest(within, k), stages, warps


def _room_of(device: torch.device) -> int:
    """Bytes of shared memory that a program may have; without end where kernels are interpreted."""
    if device.type != "cuda":
        return 1 << 30
    driver: Any = triton.runtime.driver.active  # no types
    return driver.utils.get_device_properties(device.index or 0)["max_shared_mem"]
