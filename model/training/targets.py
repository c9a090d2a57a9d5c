"""What the reader is to write for a page, as token ids: one block a line, with its box.

`<|det|>kind [x1, y1, x2, y2]<|/det|>words`, the big model's grammar; numbers 0..999 of the
picture's width and height. A kind and a number are one token each, so a box costs seven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from tokenizers import Tokenizer

from model.training.lie import Lie, seen_at
from model.training.manner import Frame
from model.training.sheet import Line, LineKind

FULL = 999
ASCENT, DESCENT = 0.74, 0.24  # of the type size: a line's box over and under its baseline


@dataclass(frozen=True)
class Tokens:
    """Ids of what is not text."""

    start: int
    end: int
    pad: int
    image: int
    page: int
    prompt: int
    opening: int
    closing: int
    kinds: dict[LineKind, int]
    first_number: int  # " [0"; the 999 that follow it are in order
    later_number: int  # ", 0"

    @staticmethod
    def of(vocabulary: Tokenizer) -> Tokens:
        """Find them in a vocabulary.

        Raises:
            ValueError: the vocabulary lacks one.
        """
        return Tokens(
            *(
                _id(vocabulary, name)
                for name in (
                    "<s>",
                    "</s>",
                    "<pad>",
                    "<image>",
                    "<PAGE>",
                    "<|ocr|>",
                    "<|det|>",
                    "]<|/det|>",
                )
            ),
            kinds={kind: _id(vocabulary, kind) for kind in get_args(LineKind)},
            first_number=_id(vocabulary, "Ġ[0"),
            later_number=_id(vocabulary, ",Ġ0"),
        )

    def header(self, kind: LineKind, box: Sequence[int]) -> list[int]:
        """The seven tokens in front of a line."""
        left, *others = box
        numbers = [self.first_number + left, *(self.later_number + each for each in others)]
        return [self.opening, self.kinds[kind], *numbers, self.closing]


def read_vocabulary(path: Path) -> Tokenizer:
    """Read a `tokenizer.json`."""
    return Tokenizer.from_file(str(path))


def page_ids(
    lines: Sequence[Line], tokens: Tokens, lie: Lie, picture: Frame, side_px: int
) -> list[int]:
    """A page as the reader is to write it, its end included.

    Args:
        lines: in reading order.
        tokens: of the vocabulary.
        lie: under which the sheet is seen.
        picture: what of the square is picture and not padding, px.
        side_px: of the square.
    """
    ids: list[int] = []
    for line, box in zip(lines, boxes(lines, lie, picture, side_px), strict=True):
        ids += [*tokens.header(line.kind, box), *line.ids]
    return [*ids, tokens.end]


def boxes(
    lines: Sequence[Line], lie: Lie, picture: Frame, side_px: int
) -> list[tuple[int, int, int, int]]:
    """The box of each line as it is seen: left, top, right, bottom, 0..999 of the picture."""
    if not lines:
        return []
    left, right, base, em = np.array(
        [(line.left, line.right, line.baseline, line.em) for line in lines], float
    ).T
    points = [
        seen_at(x / side_px, y / side_px, lie)
        for x in (left, (left + right) / 2, right)
        for y in (base - ASCENT * em, base + DESCENT * em)
    ]
    x = np.stack([point[0] for point in points]) * side_px  # (6, lines)
    y = np.stack([point[1] for point in points]) * side_px
    across = _shares(x, picture.left, picture.width)
    down = _shares(y, picture.top, picture.height)
    corners = np.stack([across.min(0), down.min(0), across.max(0), down.max(0)], axis=1)
    return [tuple(box) for box in corners.tolist()]


def _shares(values: np.ndarray, start: float, length: float) -> np.ndarray:
    return np.clip(np.round((values - start) / length * FULL), 0, FULL).astype(int)


def _id(vocabulary: Tokenizer, name: str) -> int:
    found = vocabulary.token_to_id(name)
    if found is None:
        raise ValueError(f"the vocabulary has no {name!r}")
    return found
