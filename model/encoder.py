"""The vision tower on a card: transformers' own modules, but for the attention of its first half.

Attention among the cells of a page is there a kernel that never writes its bias out
(`model.kernels.seeing`). Belongs to the thread that reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tables = tuple[torch.Tensor, torch.Tensor]
Look = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, tuple[int, int]], torch.Tensor]


class GridAttention(torch.nn.Module):
    """Does what SAM's attention does, with the same weights."""

    def __init__(self, attention: Any, look: Look) -> None:  # noqa: ANN401  # no types
        """Take the weights.

        Args:
            attention: transformers' own, with a bias by relative position.
            look: the kernel.
        """
        super().__init__()
        self.qkv, self.proj = attention.qkv, attention.proj
        self._heads: int = attention.num_attention_heads
        self._attention = [attention]  # in a list: its weights are not to be counted twice
        self._look = look
        self._tables: dict[tuple[int, int], Tables] = {}

    def forward(self, hidden_states: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Attention of each image's cells, (N, H, W, hidden)."""
        count, height, width, hidden = hidden_states.shape
        qkv = self.qkv(hidden_states).view(count, height, width, 3, self._heads, -1)
        down, across = self._biases(qkv[:, :, :, 0], (height, width))
        seen = self._look(qkv.flatten(1, 2), down, across, (height, width))
        return self.proj(seen.view(count, height, width, hidden)), None

    def _biases(self, query: torch.Tensor, grid: tuple[int, int]) -> Tables:
        """What each query adds for each row and each column of keys; see `look`."""
        count, height, width, heads, size = query.shape
        by_row, by_column = self._tables_of(grid)
        rows = query.transpose(0, 1).reshape(height, -1, size)  # (H, N * W * heads, D)
        columns = query.permute(2, 0, 1, 3, 4).reshape(width, -1, size)
        down = torch.bmm(rows, by_row).view(height, count, width, heads, height)
        across = torch.bmm(columns, by_column).view(width, count, height, heads, width)
        return down, across

    def _tables_of(self, grid: tuple[int, int]) -> Tables:
        """Positions of a grid as matrices, (H, D, H) and (W, D, W)."""
        if grid not in self._tables:
            attention = self._attention[0]
            weights = (attention.rel_pos_h, attention.rel_pos_w)
            tables = [
                attention.get_rel_pos(side, side, weight).detach().transpose(1, 2).contiguous()
                for side, weight in zip(grid, weights, strict=True)
            ]
            self._tables[grid] = (tables[0], tables[1])
        return self._tables[grid]


def hasten(model: Any, look: Look) -> None:  # noqa: ANN401  # a class of transformers without types
    """Let the tower of a loaded model use the kernel where its attention is of the known kind."""
    for layer in model.model.vision_tower.sam_encoder.layers:
        attention = layer.attn
        size = attention.qkv.out_features // 3 // attention.num_attention_heads
        if attention.use_rel_pos and size >= 16 and size & (size - 1) == 0:
            layer.attn = GridAttention(attention, look)
