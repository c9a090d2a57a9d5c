"""What the network is asked in training: the next token, and which letter stands at each place.

The letters are known to the renderer, so the encoder learns to read them without waiting for the
decoder to find them. These two heads exist in training only.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from model.training.alphabet import ALPHABET
from model.training.trunk import Visual

Tensor = torch.Tensor

LETTERS = len(ALPHABET)
PATCH_LABELS = 4  # two by two in a patch
CELL_ROWS, CELL_COLUMNS = 4, 8  # of labels in a cell that are asked for
ASKED_PATCHES, ASKED_CELLS = 1024, 160  # of a page, mostly those with letters
NUMBER_WEIGHT = 0.35  # a corner of a box against a token of text
NOT_ASKED = -100


class Heads(nn.Module):
    """Letters from patches and from visual tokens."""

    def __init__(self, patch_size: int, cell_size: int) -> None:
        super().__init__()
        self.patch_norm, self.cell_norm = nn.LayerNorm(patch_size), nn.LayerNorm(cell_size)
        self.patch = nn.Linear(patch_size, PATCH_LABELS * LETTERS)
        self.cell = nn.Linear(cell_size, CELL_ROWS * CELL_COLUMNS * LETTERS)
        for layer in (self.patch, self.cell):
            nn.init.zeros_(layer.weight)  # teaches the encoder nothing before it has learnt itself
            nn.init.zeros_(layer.bias)

    def losses(self, visual: Visual, labels: Tensor) -> tuple[Tensor, Tensor]:
        """Loss of patches and of cells. labels: (B, S / 4, S / 4)."""
        side = labels.shape[1]
        fine = labels.view(-1, side // 2, 2, side // 2, 2).permute(0, 1, 3, 2, 4)
        fine = fine.reshape(labels.shape[0], -1, PATCH_LABELS)
        patches = visual.patches.flatten(1, 2)
        coarse = labels.view(-1, side // 8, 8, side // 8, 8)[:, :, 1::2].permute(0, 1, 3, 2, 4)
        coarse = coarse.reshape(labels.shape[0], -1, CELL_ROWS * CELL_COLUMNS)
        return (
            _asked(patches, fine, self.patch_norm, self.patch, ASKED_PATCHES),
            _asked(visual.cells, coarse, self.cell_norm, self.cell, ASKED_CELLS),
        )


class Written(NamedTuple):
    """Loss of the text."""

    total: Tensor
    text: Tensor  # of a token of text, for the curve
    numbers: Tensor  # of a corner of a box


def writing_loss(
    hidden: Tensor, embed: Tensor, ids: Tensor, lengths: Tensor, given: Tensor, first_number: int
) -> Written:
    """Cross entropy of the tokens.

    Args:
        hidden: (B, N + 1, C), behind the prompt and each token.
        embed: (vocabulary, C), which is the head as well.
        ids: (B, N).
        lengths: (B,) tokens of each page, its end among them.
        given: (B,) tokens at the beginning that are not learnt.
        first_number: ids from here on are numbers of boxes.
    """
    places = torch.arange(ids.shape[1], device=ids.device)[None]
    is_asked = (places >= given[:, None]) & (places < lengths[:, None])
    wanted = torch.where(is_asked, ids, NOT_ASKED)
    logits = (hidden[:, :-1].reshape(-1, hidden.shape[-1]) @ embed.T).float()
    each = functional.cross_entropy(
        logits, wanted.reshape(-1), ignore_index=NOT_ASKED, reduction="none"
    ).view_as(wanted)
    is_number = is_asked & (ids >= first_number)
    is_text = is_asked & ~is_number
    weight = is_text.float() + NUMBER_WEIGHT * is_number.float()
    total = (each * weight).sum() / weight.sum().clamp(min=1)
    return Written(total, _mean(each, is_text).detach(), _mean(each, is_number).detach())


def _mean(values: Tensor, mask: Tensor) -> Tensor:
    return (values * mask).sum() / mask.sum().clamp(min=1)


def _asked(
    features: Tensor, labels: Tensor, norm: nn.Module, layer: nn.Module, most: int
) -> Tensor:
    """Loss of a choice of places, mostly those with a letter."""
    has_letter = (labels > 0).any(-1)
    order = torch.rand(has_letter.shape, device=labels.device) + 0.8 * has_letter
    chosen = order.topk(min(most, order.shape[1]), 1).indices[..., None]
    asked = features.gather(1, chosen.expand(-1, -1, features.shape[-1]))
    wanted = labels.gather(1, chosen.expand(-1, -1, labels.shape[-1]))
    return functional.cross_entropy(
        layer(norm(asked)).view(-1, LETTERS).float(), wanted.reshape(-1)
    )
