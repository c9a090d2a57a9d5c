"""What the kernels of one step hand to each other, made once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch

from model.decoder_weights import Weights


@dataclass(frozen=True)
class StepBuffers:
    """Of B streams whose head's logits are looked through in so many parts."""

    x: torch.Tensor  # (B, hidden), what the layers add to
    cos: torch.Tensor  # (B, D / 2), of the position
    sin: torch.Tensor
    read: torch.Tensor  # (B, H * D), of the attention
    tops: torch.Tensor  # (B, parts, 4) float32: best allowed, second, wanted, sum of exponentials
    ids: torch.Tensor  # (B, parts, 2) int32: of the best allowed and of the wanted one

    @classmethod
    def make(cls, weights: Weights, streams: int, parts: int) -> Self:
        """Beside the weights."""
        like = weights.embedding
        heads, size = weights.heads.heads, weights.heads.head_size
        return cls(
            x=like.new_zeros(streams, like.shape[1]),
            cos=like.new_zeros(streams, size // 2),
            sin=like.new_zeros(streams, size // 2),
            read=like.new_zeros(streams, heads * size),
            tops=like.new_zeros(streams, parts, 4, dtype=torch.float32),
            ids=like.new_zeros(streams, parts, 2, dtype=torch.int32),
        )


def power_of_two(count: int) -> int:
    """The smallest power of two that is not less."""
    return 1 << max(0, count - 1).bit_length()


def widest(size: int, most: int = 256) -> int:
    """The largest power of two, at most `most`, that divides a size."""
    return min(most, size & -size)
