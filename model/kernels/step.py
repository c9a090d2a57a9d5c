"""One step of some streams by kernels: what `model.decoder.TorchStep` does, in fewer launches.

With one stream everything is a kernel of ours. With several, products of matrices are left to the
library and what stands between them is ours. Everything lies in buffers made once.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import linear, rms_norm

from model.buffers import KeyValues
from model.cache import BLOCK_TOKENS
from model.choosing import Choosing
from model.decoder_weights import Dense, Experts, Layer, Weights
from model.kernels import choosing as choosing_kernels
from model.kernels import reading as reading_kernels
from model.kernels import single as single_kernels
from model.mlp import run_mlp
from model.state import State

single: Any = single_kernels  # Triton's functions have no types
reading: Any = reading_kernels
choosing: Any = choosing_kernels

PART = 4096  # ids that one program looks through
PROGRAMS = 264  # of attention, two for each multiprocessor of a large card
SCORED_AT_ONCE = 32  # blocks whose mean keys one program holds
RANKED_AT_ONCE = 32  # blocks that one program ranks among all


def power_of_two(count: int) -> int:
    """The smallest power of two that is not less."""
    return 1 << max(0, count - 1).bit_length()


class KernelStep:
    """One step of some streams: takes each one's token, chooses the next."""

    def __init__(
        self,
        weights: Weights,
        kv: KeyValues,
        state: State,
        rules: Choosing,
        *,
        most_blocks: int | None,
        rows: int | None = None,
    ) -> None:
        """Make the buffers; arguments as those of `TorchStep`."""
        self._weights, self._kv, self._state, self._rules = weights, kv, state, rules
        self._most = most_blocks or 0
        self._blocks = (rows or kv.layout.rows) // BLOCK_TOKENS
        self._streams = state.token.shape[0]
        self._hidden = weights.embedding.shape[1]
        self._width = widest(self._hidden)
        device, dtype = state.token.device, weights.embedding.dtype
        heads, size, count = weights.heads.heads, weights.heads.head_size, self._streams

        def made(*shape: int, kind: torch.dtype = dtype) -> torch.Tensor:
            return torch.zeros(shape, device=device, dtype=kind)

        self._x = made(count, self._hidden)
        self._cos, self._sin = made(count, size // 2), made(count, size // 2)
        self._qkv, self._q = made(count, 3 * heads * size), made(count, heads * size)
        self._out = made(count, heads * size)
        self._splits = self._how_many_splits()
        self._partial = made(count * heads * self._splits, size, kind=torch.float32)
        self._sums = made(count * heads * self._splits, 2, kind=torch.float32)
        self._arrived = made(count * heads, kind=torch.int32)
        blocks = kv.layout.reference_blocks if self._most else 1
        self._scores = made(count * heads, blocks, kind=torch.float32)
        self._chosen = made(count * heads, max(1, self._most), kind=torch.int32)
        self.logits = made(count, weights.vocabulary)
        self._parts = -(-weights.vocabulary // PART)
        self._tops = made(count, self._parts, 4, kind=torch.float32)
        self._ids = made(count, self._parts, 2, kind=torch.int32)
        most = max((hidden_of(layer) for layer in weights.layers), default=1)
        self._h = made(most)
        experts = next((e.mlp for e in weights.layers if isinstance(e.mlp, Experts)), None)
        self._router_logits = made(experts.routed if experts else 1, kind=torch.float32)
        self._experts = made(experts_of(experts), kind=torch.int32)
        self._shares = made(experts_of(experts), kind=torch.float32)

    @torch.inference_mode()
    def __call__(self) -> None:
        """Do one step."""
        self._begin()
        for at, layer in enumerate(self._weights.layers):
            if self._streams == 1:
                self._project(self._x, layer.norm, layer.qkv, self._qkv, rows=4, warps=2)
                self._attend(at)
                self._project(self._out, None, layer.output, self._x, rows=8, adds=True)
                self._run_mlp(layer)
            else:
                self._qkv = linear(self._normed(layer.norm), layer.qkv)
                self._attend(at)
                self._x.addmm_(self._out, layer.output.t())
                self._x.add_(run_mlp(layer.mlp, self._normed(layer.mlp_norm)))
        if self._streams == 1:
            head = self._weights.head
            self._project(self._x, self._weights.norm, head, self.logits, rows=16)
        else:
            self.logits = linear(self._normed(self._weights.norm), self._weights.head)
        self._choose()

    def _normed(self, norm: torch.Tensor) -> torch.Tensor:
        return rms_norm(self._x, (self._hidden,), norm, self._weights.epsilon)

    def _begin(self) -> None:
        state, kv = self._state, self._kv
        reading.begin[(self._streams,)](
            state.token,
            state.row,
            state.position,
            state.log_row,
            self._weights.embedding,
            self._weights.frequencies,
            kv.bias,
            self._x,
            self._cos,
            self._sin,
            kv.layout.rows,
            state.log.shape[0],
            HIDDEN=self._hidden,
            HP=power_of_two(self._hidden),
            HALF=self._weights.heads.head_size // 2,
        )

    def _attend(self, at: int) -> None:
        kv, state, heads = self._kv, self._state, self._weights.heads
        keys, values = kv.keys[at], kv.values[at]
        shape: Any = {"H": heads.heads}
        reading.rotate_and_write[(self._streams, heads.heads)](
            self._qkv,
            self._cos,
            self._sin,
            state.row,
            self._q,
            keys,
            values,
            kv.layout.rows,
            HALF=heads.head_size // 2,
            num_warps=1,
            **shape,
        )
        if self._most:
            self._choose_blocks(at)
        reading.read[(heads.heads, self._splits, self._streams)](
            self._q,
            keys,
            values,
            kv.bias,
            self._chosen,
            state.budget,
            self._partial,
            self._sums,
            self._arrived,
            self._out,
            kv.layout.rows,
            self._blocks,
            self._most,
            heads.head_size**-0.5,
            D=heads.head_size,
            BLOCK=BLOCK_TOKENS,
            TAIL=kv.layout.tail_blocks,
            SPLITS=self._splits,
            SP=power_of_two(self._splits),
            CHOOSES=bool(self._most),
            num_warps=4,
            **shape,
        )

    def _choose_blocks(self, at: int) -> None:
        kv, state, heads = self._kv, self._state, self._weights.heads
        blocks = kv.layout.reference_blocks
        grid = (self._streams, heads.heads, -(-blocks // SCORED_AT_ONCE))
        reading.score_blocks[grid](
            self._q,
            kv.means[at],
            kv.page_of_block,
            state.reading,
            self._scores,
            blocks,
            H=heads.heads,
            D=heads.head_size,
            AT_ONCE=SCORED_AT_ONCE,
            num_warps=4,
        )
        grid = (self._streams, heads.heads, -(-blocks // RANKED_AT_ONCE))
        reading.rank_blocks[grid](
            self._scores,
            self._chosen,
            blocks,
            self._most,
            H=heads.heads,
            BLOCKS=power_of_two(blocks),
            AT_ONCE=RANKED_AT_ONCE,
            num_warps=8,
        )

    def _project(
        self,
        x: torch.Tensor,
        norm: torch.Tensor | None,
        matrix: torch.Tensor,
        out: torch.Tensor,
        *,
        rows: int,
        warps: int = 4,
        adds: bool = False,
    ) -> None:
        single.project[(matrix.shape[0] // rows,)](
            x,
            x if norm is None else norm,
            matrix,
            out,
            D=matrix.shape[1],
            R=rows,
            BK=widest(matrix.shape[1]),
            EPSILON=self._weights.epsilon,
            NORMED=norm is not None,
            ADDS=adds,
            num_warps=warps,
        )

    def _run_mlp(self, layer: Layer) -> None:
        shape: Any = {"D": self._hidden, "BK": self._width, "EPSILON": self._weights.epsilon}
        mlp = layer.mlp
        if isinstance(mlp, Dense):
            size = mlp.down.shape[1]
            single.gated[(size // 4,)](
                self._x, layer.mlp_norm, mlp.gate_up, self._h, size, R=4, num_warps=4, **shape
            )
            self._project(self._h, None, mlp.down, self._x, rows=4, adds=True)
            return
        self._project(self._x, layer.mlp_norm, mlp.router, self._router_logits, rows=2)
        size, count = mlp.down.shape[2], experts_of(mlp)
        single.experts_gated[(size // 2, count)](
            self._x,
            layer.mlp_norm,
            mlp.gate_up,
            self._router_logits,
            self._h,
            self._experts,
            self._shares,
            mlp.scale,
            E=mlp.routed,
            K=mlp.chosen,
            I=size,
            R=2,
            num_warps=1,
            **shape,
        )
        single.experts_down[(self._hidden // 4,)](
            self._h,
            mlp.down,
            self._experts,
            self._shares,
            self._x,
            COUNT=count,
            I=size,
            IP=power_of_two(size),
            D=self._hidden,
            R=4,
            num_warps=4,
        )

    def _choose(self) -> None:
        state, rules = self._state, self._rules
        vocabulary = self._weights.vocabulary
        choosing.best_of_part[(self._streams, self._parts)](
            self.logits,
            state.banned_at,
            state.written,
            self._tops,
            self._ids,
            vocabulary,
            PART=PART,
            num_warps=4,
        )
        choosing.go_on[(self._streams,)](
            self._tops,
            self._ids,
            state.token,
            state.row,
            state.fed,
            state.position,
            state.is_done,
            state.since,
            state.reading,
            state.last_page,
            state.history,
            state.matches,
            state.written,
            state.banned_at,
            state.log,
            state.log_row,
            rules.end_ids,
            rules.separator,
            self._parts,
            state.log.stride(0) // state.log.shape[2],
            state.log.shape[0],
            vocabulary,
            rules.end_ids.shape[0],
            PARTS=power_of_two(self._parts),
            ENDS=power_of_two(rules.end_ids.shape[0]),
            WINDOW=state.history.shape[1],
            SEPARATOR=rules.separator.shape[0],
            SP=power_of_two(rules.separator.shape[0]),
            NGRAM=rules.ngram,
            FIRST_ROW=rules.first_ring_row,
            RING=rules.window_tokens,
            num_warps=4,
        )

    def _how_many_splits(self) -> int:
        heads = self._weights.heads.heads
        tail = self._kv.layout.tail_blocks
        blocks = tail + self._most if self._most else self._blocks
        return max(1, min(blocks, PROGRAMS * 2 // (heads * self._streams)))


def widest(size: int) -> int:
    """The largest power of two, at most 256, that divides a row."""
    return min(256, size & -size)


def experts_of(mlp: Experts | None) -> int:
    """How many experts run for a token."""
    return mlp.chosen + mlp.gate_up.shape[0] - mlp.routed if mlp else 1


def hidden_of(layer: Layer) -> int:
    """Values between the two products of a layer's MLP, of one token."""
    mlp = layer.mlp
    return mlp.down.shape[1] if isinstance(mlp, Dense) else experts_of(mlp) * mlp.down.shape[2]
