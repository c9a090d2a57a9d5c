"""The vision tower: transformers' own modules, but for some of its first half.

On a card attention among the cells of a page is a kernel that never writes its bias out
(`model.kernels.seeing`), and patches are embedded by a product of matrices. On a CPU windows go
through the layers a few at a time. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, groupby
from typing import Any

import torch
from torch.nn.functional import linear

Tables = tuple[torch.Tensor, torch.Tensor]
Look = Callable[[torch.Tensor, torch.Tensor, torch.Tensor, tuple[int, int]], torch.Tensor]
WINDOWS_AT_ONCE = 9  # on a CPU; what they need between two layers then stays in its caches


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
        qkv = self.qkv(hidden_states).view(count, height * width, 3, self._heads, -1)
        seen = self._look(qkv, *self._tables_of((height, width)), (height, width))
        return self.proj(seen.view(count, height, width, hidden)), None

    def _tables_of(self, grid: tuple[int, int]) -> Tables:
        """Positions for a grid of this size, (2H - 1, D) and (2W - 1, D)."""
        if grid not in self._tables:
            attention = self._attention[0]
            weights = (attention.rel_pos_h, attention.rel_pos_w)
            # From the first cell distances are at most none, to the first cell at least none.
            each = [
                attention.get_rel_pos(side, side, weight).detach()
                for side, weight in zip(grid, weights, strict=True)
            ]
            rows, columns = (torch.cat([made[0].flip(0)[:-1], made[:, 0]]) for made in each)
            self._tables[grid] = (rows.contiguous(), columns.contiguous())
        return self._tables[grid]


class PatchProduct(torch.nn.Module):
    """Embeds patches by one product; the library's convolution of so large a stride is slow."""

    def __init__(self, projection: torch.nn.Conv2d) -> None:
        """Take the weights of a convolution whose stride is its size."""
        super().__init__()
        self.weight, self.bias = projection.weight, projection.bias
        self._side = projection.kernel_size[0]

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Patches of each image: (N, 3, H, W) to (N, hidden, H / side, W / side)."""
        side, (count, colours, height, width) = self._side, pixels.shape
        parted = pixels.view(count, colours, height // side, side, width // side, side)
        patches = parted.permute(0, 2, 4, 1, 3, 5).flatten(3)  # (N, h, w, colours * side * side)
        return linear(patches, self.weight.flatten(1), self.bias).permute(0, 3, 1, 2)


class WindowsApart(torch.nn.Module):
    """Layers that see no further than a window, run on a few windows after the other.

    To each layer a window is an image of its own; what comes out is the same to the last bit.
    """

    def __init__(self, layers: Sequence[Any]) -> None:
        """Take layers of one window size that follow each other."""
        super().__init__()
        self.layers = torch.nn.ModuleList(layers)
        self._side: int = layers[0].window_size

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        """Run the layers on images, (N, H, W, hidden)."""
        count, height, width, hidden = hidden_states.shape
        side = self._side
        if height % side or width % side:  # padded afresh in each layer: windows are no images
            return self._run(hidden_states)
        grid = (count, height // side, side, width // side, side, hidden)
        windows = hidden_states.view(grid).transpose(2, 3).reshape(-1, side, side, hidden)
        for at in range(0, len(windows), WINDOWS_AT_ONCE):
            some = slice(at, at + WINDOWS_AT_ONCE)
            windows[some] = self._run(windows[some])
        parted = windows.view(count, height // side, width // side, side, side, hidden)
        return parted.transpose(2, 3).reshape(hidden_states.shape)

    def _run(self, images: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            images = layer(images)
        return images


def part_windows(model: Any) -> None:  # noqa: ANN401  # a class of transformers without types
    """Let a loaded model's layers run on a few windows at a time wherever they see no further."""
    encoder = model.model.vision_tower.sam_encoder
    runs = groupby(encoder.layers, key=lambda layer: layer.window_size)
    parted = [[WindowsApart(list(run))] if side else list(run) for side, run in runs]
    encoder.layers = torch.nn.ModuleList(chain.from_iterable(parted))


def hasten(model: Any, look: Look) -> None:  # noqa: ANN401  # a class of transformers without types
    """Let the tower of a loaded model use the kernel where its attention is of the known kind."""
    encoder = model.model.vision_tower.sam_encoder
    patches = encoder.patch_embed.projection
    if patches.kernel_size == patches.stride:
        encoder.patch_embed.projection = PatchProduct(patches)
    for layer in encoder.layers:
        attention = layer.attn
        size = attention.qkv.out_features // 3 // attention.num_attention_heads
        if attention.use_rel_pos and size >= 16 and size & (size - 1) == 0:
            layer.attn = GridAttention(attention, look)
