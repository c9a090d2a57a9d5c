"""One step of some streams by kernels: what `model.decoder.TorchStep` does, in fewer launches.

What is the same however many streams there are stands here: the start, attention, the choice of
tokens and of blocks; the products of a layer are `Alone`'s for one stream and `Together`'s for
several. Everything lies in buffers made once.
"""

from __future__ import annotations

from typing import Any

import torch

from model.buffers import KeyValues
from model.cache import BLOCK_TOKENS
from model.choosing import Choosing
from model.decoder_weights import Weights
from model.kernels import choosing as choosing_kernels
from model.kernels import listing as listing_kernels
from model.kernels import reading as reading_kernels
from model.kernels.alone import Alone
from model.kernels.buffers import StepBuffers, power_of_two
from model.kernels.together import Together
from model.state import State

reading: Any = reading_kernels  # Triton's functions have no types
choosing: Any = choosing_kernels
listing: Any = listing_kernels

EARLY_SINCE = (9, 0)  # compute capability whose kernels can begin before the last has ended
PROGRAMS = 528  # of attention, four for each multiprocessor of a large card
CHOOSING_PROGRAMS = 640  # of it where blocks are chosen
FEW_BLOCKS = 4  # to a program: so few are read whole, closed rows too
SCORED_AT_ONCE = 32  # blocks whose mean keys one program holds
LISTED_BY_A_WARP = 128  # blocks
MOST_WARPS = 32  # of a program


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
        is_early = self._streams == 1 and can_begin_early(state.token.device)
        self._early: dict[str, Any] = {"EARLY": is_early}
        if is_early:
            self._early["launch_pdl"] = True
        kind = Alone if self._streams == 1 else Together
        parts = -(-weights.vocabulary // kind.parts_of)
        self._buffers = StepBuffers.make(weights, self._streams, parts)
        self._products = kind(weights, kv, state, self._buffers, is_early=is_early)
        heads, size, count = weights.heads.heads, weights.heads.head_size, self._streams
        self._splits = self._how_many_splits()

        def made(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, device=state.token.device, dtype=dtype)

        self._q = made(count, heads * size, dtype=weights.embedding.dtype)
        self._partial = made(count * heads * self._splits, size)
        self._sums = made(count * heads * self._splits, 2)
        self._arrived = made(count * heads, dtype=torch.int32)
        self._scores = made(*kv.listed.shape)

    @torch.inference_mode()
    def __call__(self) -> None:
        """Do one step."""
        self._begin()
        for at in range(len(self._weights.layers)):
            q = self._kv.queries[at] if self._most else self._q
            self._products.project(at, q)
            self._read(at, q)
            self._products.finish(at)
        self._products.choose()
        self._go_on()
        if self._most:
            self._list_blocks()

    def _begin(self) -> None:
        state, kv, b = self._state, self._kv, self._buffers
        hidden = b.x.shape[1]
        reading.begin[(self._streams,)](
            state.token,
            state.row,
            state.position,
            state.log_row,
            self._weights.embedding,
            self._weights.frequencies,
            kv.bias,
            b.x,
            b.cos,
            b.sin,
            kv.layout.rows,
            state.log.shape[0],
            HIDDEN=hidden,
            HP=power_of_two(hidden),
            HALF=self._weights.heads.head_size // 2,
            **self._early,
        )

    def _read(self, at: int, q: torch.Tensor) -> None:
        kv, heads = self._kv, self._weights.heads
        common: dict[str, Any] = {
            "D": heads.head_size,
            "BLOCK": BLOCK_TOKENS,
            "TAIL": kv.layout.tail_blocks,
            "SPLITS": self._splits,
            "SP": power_of_two(self._splits),
            "CHOOSES": bool(self._most),
        }
        meeting = (self._partial, self._sums, self._arrived, self._buffers.read, kv.layout.rows)
        given = (q, kv.keys[at], kv.values[at], kv.bias, kv.listed[at], self._state.budget)
        if self._streams > 1:
            reading.read[(heads.heads, self._splits, self._streams)](
                *given,
                *meeting,
                self._blocks,
                kv.listed.shape[-1],
                heads.head_size**-0.5,
                H=heads.heads,
                STAGES=3 if q.itemsize <= 2 else 1,  # small cards have room for no more
                num_warps=4,
                **common,
            )
            return
        are_few = self._read_blocks <= FEW_BLOCKS * self._splits
        reading.read_early[(heads.heads, self._splits)](
            *given,
            self._state.row,
            *meeting,
            self._blocks,
            heads.head_size**-0.5,
            SKIPS=not self._most and not are_few,
            num_warps=2 if are_few else 4,
            **common,
            **self._early,
        )

    def _list_blocks(self) -> None:
        """What `model.attention.list_blocks` does, for as many blocks as a step reads."""
        kv, heads, blocks = self._kv, self._weights.heads, self._kv.listed.shape[-1]
        every, room = heads.layers * heads.heads, power_of_two(blocks)
        listing.score_blocks[(every, -(-blocks // SCORED_AT_ONCE), self._streams)](
            kv.queries,
            kv.means,
            self._scores,
            blocks,
            kv.streams,
            H=heads.heads,
            SIZE=heads.head_size,
            AT_ONCE=SCORED_AT_ONCE,
            num_warps=4,
            **self._early,
        )
        listing.list_best[(every, self._streams)](
            self._scores,
            kv.page_of_block,
            self._state.reading,
            self._state.budget,
            kv.listed,
            blocks,
            kv.streams,
            H=heads.heads,
            N=room,
            num_warps=min(max(room // LISTED_BY_A_WARP, 1), MOST_WARPS),
            **self._early,
        )

    def _go_on(self) -> None:
        state, rules, b = self._state, self._rules, self._buffers
        parts = b.tops.shape[1]
        choosing.go_on[(self._streams,)](
            b.tops,
            b.ids,
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
            parts,
            state.log.stride(0) // state.log.shape[2],
            state.log.shape[0],
            self._weights.vocabulary,
            rules.end_ids.shape[0],
            PARTS=power_of_two(parts),
            ENDS=power_of_two(rules.end_ids.shape[0]),
            WINDOW=state.history.shape[1],
            SEPARATOR=rules.separator.shape[0],
            SP=power_of_two(rules.separator.shape[0]),
            NGRAM=rules.ngram,
            FIRST_ROW=rules.first_ring_row,
            RING=rules.window_tokens,
            num_warps=4,
            **self._early,
        )

    @property
    def _read_blocks(self) -> int:
        """Blocks that a step reads at most."""
        return self._kv.layout.tail_blocks + self._most if self._most else self._blocks

    def _how_many_splits(self) -> int:
        programs = CHOOSING_PROGRAMS if self._most else PROGRAMS
        each = programs // (self._weights.heads.heads * self._streams)
        return max(1, min(self._read_blocks, each))


def can_begin_early(device: torch.device) -> bool:
    """Whether a kernel can begin before the one before it has ended."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= EARLY_SINCE
