"""Where Tab goes in the text of a page: from block to block, or from line to line. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ui.page_text import Place


def next_place(texts: Sequence[str], here: Place, step: int, *, by_line: bool) -> Place | None:
    """The start of the next block or printed line; None where there is none that way.

    Args:
        texts: of the blocks.
        here: where the cursor is.
        step: 1 forward, -1 back.
        by_line: from line to line, over the ends of blocks too.
    """
    if by_line:
        starts = _line_starts(texts[here.region])
        line = bisect_right(starts, here.offset) - 1 + step
        if 0 <= line < len(starts):
            return Place(here.region, starts[line])
    there = here.region + step
    if not 0 <= there < len(texts):
        return None
    return Place(there, _line_starts(texts[there])[-1] if by_line and step < 0 else 0)


def _line_starts(text: str) -> list[int]:
    """Where each printed line begins; an empty text is one line."""
    return [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
