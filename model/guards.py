"""Signs that the text of a page goes round in circles, and where it began to.

Two signs. The n-gram ban had to overrule the network several times within a short stretch: it
wants to write the same 35 tokens again and again, and a ban puts it off its path only for a moment.
Or one block after the other has the same text, though its box differs, which the ban cannot see.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

OVERRULED = 3  # times ...
WITHIN_TOKENS = 256  # ... in so many tokens make a loop
SAME_BLOCKS = 5  # blocks of the same text in a row
SAME_LETTERS = 12  # shorter texts may come again: ditto marks, figures in a column


class LoopGuard:
    """Watches the tokens of one page."""

    def __init__(self, ngram: int) -> None:
        self._ngram = ngram
        self._seen = 0
        self._overruled: deque[int] = deque(maxlen=OVERRULED)

    def add(self, *, is_overruled: bool) -> None:
        """Take the next token."""
        if is_overruled:
            self._overruled.append(self._seen)
        self._seen += 1

    @property
    def loop_start(self) -> int | None:
        """How many tokens of the page came before the repetition; None while there is none."""
        if len(self._overruled) < OVERRULED:
            return None
        if self._seen - self._overruled[0] > WITHIN_TOKENS:
            return None
        return max(0, self._overruled[0] - (self._ngram - 1))


def count_repeats(texts: Sequence[str]) -> int:
    """How many of a page's last blocks only repeat the one before them.

    Args:
        texts: of the last blocks that are complete, `SAME_BLOCKS` of them if there are so many.

    Returns:
        0 unless the last `SAME_BLOCKS` texts are equal and not too short.
    """
    last = texts[-SAME_BLOCKS:]
    is_loop = len(last) == SAME_BLOCKS and len(set(last)) == 1 and len(last[0]) >= SAME_LETTERS
    return SAME_BLOCKS - 1 if is_loop else 0
