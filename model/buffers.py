"""The tensors behind `model.cache`: keys and values of all layers, and which rows may be read.

Allocated once for a number of streams and never again; what lies in a row is decided by
`model.cache`. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from model.cache import BLOCK_TOKENS, Layout, Place
from model.device import sent

NO_PAGE = -1


@dataclass(frozen=True)
class Heads:
    """How keys and values are shaped."""

    layers: int
    heads: int
    head_size: int

    def token_bytes(self, dtype: torch.dtype) -> int:
        """Bytes of keys and values of one token in all layers."""
        return self.layers * self.heads * self.head_size * 2 * dtype.itemsize


class KeyValues:
    """Keys and values of some streams, by rows.

    Attributes:
        keys, values: (layers, B, H, rows, D).
        bias: (B, rows), 0 where a row may be read, minus infinity where not; added to the scores.
        means: (layers, B, H, reference blocks, D), the mean key of each written block; one block
            where nothing is chosen by it.
        queries: (layers, B, H, D), of the last token; kept where blocks are chosen by it.
        listed: (layers, B, H, reference blocks) int32, in front the blocks that the next step
            reads, as many as its budget; see `model.attention.list_blocks`.
        page_of_block: (B, reference blocks) int32, the page a block belongs to, `NO_PAGE` for none.
    """

    def __init__(
        self,
        layout: Layout,
        heads: Heads,
        *,
        streams: int,
        is_sparse: bool,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        self.layout, self.heads = layout, heads
        shape = (heads.layers, streams, heads.heads, layout.rows, heads.head_size)
        blocks = max(1, layout.reference_blocks)
        chosen_among = blocks if is_sparse else 1
        means = (*shape[:3], chosen_among, shape[4])
        # Zeros: a closed row has weight 0, and 0 times what an unwritten row may hold is no number.
        self.keys = torch.zeros(shape, device=device, dtype=dtype)
        self.values = torch.zeros(shape, device=device, dtype=dtype)
        self.bias = torch.full((streams, layout.rows), -torch.inf, device=device, dtype=dtype)
        self.means = torch.zeros(means, device=device, dtype=dtype)
        self.queries = torch.zeros((*shape[:3], shape[4]), device=device, dtype=dtype)
        self.listed = torch.zeros((*shape[:3], chosen_among), device=device, dtype=torch.int32)
        self.page_of_block = torch.full(
            (streams, blocks), NO_PAGE, device=device, dtype=torch.int32
        )
        self.is_sparse = is_sparse

    @property
    def streams(self) -> int:
        """How many streams there is room for."""
        return self.keys.shape[1]

    @property
    def reference_bytes(self) -> int:
        """Bytes of all slots."""
        references = self.layout.slots * self.layout.slot_tokens
        means = self.means.nbytes if self.is_sparse else 0
        return self._row_bytes * references * self.streams + means

    @property
    def tail_bytes(self) -> int:
        """Bytes of words and rings."""
        return self._row_bytes * self.layout.tail_rows * self.streams

    def write(
        self,
        layer: int,
        streams: torch.Tensor,
        rows: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
    ) -> None:
        """Write the keys and values of prompts.

        Args:
            layer: which.
            streams: (N,) int64.
            rows: (N, S) int64.
            keys: (N, H, S, D).
            values: likewise.
        """
        where = (streams[:, None], slice(None), rows)
        self.keys[layer][where] = keys.transpose(1, 2)  # (N, S, H, D)
        self.values[layer][where] = values.transpose(1, 2)

    def open_rows(self, stream: int, rows: Sequence[int]) -> None:
        """Let steps read these rows."""
        self.bias[stream].index_fill_(0, sent(rows, self.bias.device), 0)

    def close_rows(self, stream: int, rows: slice) -> None:
        """Let no step read these rows."""
        self.bias[stream, rows] = -torch.inf

    def close_stream(self, stream: int) -> None:
        """Let no step read anything of a stream."""
        self.bias[stream] = -torch.inf
        self.page_of_block[stream] = NO_PAGE

    def open_page(self, stream: int, place: Place) -> None:
        """Let steps read a page that has been written, and choose among its blocks."""
        self.open_rows(stream, self.layout.page_rows(place.slots, place.tokens))
        blocks = sent(self.blocks_of(place), self.bias.device)
        self.page_of_block[stream].index_fill_(0, blocks, place.page)
        if self.is_sparse:
            self._take_means(stream, place, blocks)

    def close_page(self, stream: int, place: Place) -> None:
        """Let no step read a page."""
        for slot in place.slots:
            first = self.layout.slot_row(slot)
            self.close_rows(stream, slice(first, first + self.layout.slot_tokens))
        blocks = sent(self.blocks_of(place), self.bias.device)
        self.page_of_block[stream].index_fill_(0, blocks, NO_PAGE)

    def blocks_of(self, place: Place) -> list[int]:
        """Numbers of the blocks that hold a page, among the reference blocks."""
        each = self.layout.slot_tokens // BLOCK_TOKENS
        blocks = [slot * each + at for slot in place.slots for at in range(each)]
        return blocks[: place.blocks]

    def _take_means(self, stream: int, place: Place, blocks: torch.Tensor) -> None:
        rows = sent(self.layout.page_rows(place.slots, place.tokens), self.keys.device)
        keys = self.keys[:, stream, :, rows]  # (layers, H, tokens, D)
        missing = len(blocks) * BLOCK_TOKENS - place.tokens
        padded = torch.nn.functional.pad(keys.float(), (0, 0, 0, missing))
        counts = torch.full((len(blocks), 1), float(BLOCK_TOKENS), device=keys.device)
        counts[-1] -= missing
        sums = padded.view(*padded.shape[:2], len(blocks), BLOCK_TOKENS, -1).sum(3)
        self.means[:, stream].index_copy_(2, blocks, (sums / counts).to(self.means.dtype))

    @property
    def _row_bytes(self) -> int:
        return self.heads.token_bytes(self.keys.dtype)
