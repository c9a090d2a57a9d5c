"""What the host knows of one stream: its pages, its place along the book, what its ring holds.

Arithmetic only; positions are explained in `model.cache`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from model.cache import Layout, Place, Slots, blocks_to_read
from model.decode import Token


@dataclass
class Stream:
    """One stream."""

    layout: Layout
    epoch: int = 0  # tokens of bursts launched in an earlier one are not this prompt's

    def __post_init__(self) -> None:
        self.slots = Slots(self.layout)
        self.written: deque[int] = deque(maxlen=self.layout.window_tokens)  # what the ring holds
        self.is_live = False
        self.end = 0  # the position behind the last prompt
        self.fed = 0  # tokens that the ring has taken since it was empty
        self.carried = 0  # of these, those there before the prompt
        self._since = 0  # tokens of the text since the prompt

    @property
    def last_slot(self) -> int:
        """The last slot in use; 0 if none is."""
        return max((slot for place in self.slots.resident for slot in place.slots), default=0)

    def turn(self, prompt_tokens: int, *, carries: bool) -> int:
        """Begin a prompt; gives by how many positions the ring has to be moved."""
        last = self.end + self.carried + self._since - 1
        self.end += prompt_tokens
        if not carries:
            self.fed = 0
            self.written.clear()
        self.carried = min(self.fed, self.layout.window_tokens)
        self._since = 0
        self.epoch += 1
        self.is_live = True
        return self.end + self.carried - 1 - last

    def budget(self, places: Sequence[Place], ratio: float) -> int:
        """Blocks that a step reads: whole pages of this prompt at least."""
        own = max((place.blocks for place in places), default=0)
        return blocks_to_read(self.slots.resident_blocks, own, ratio)

    def take(self, tokens: Sequence[Token]) -> None:
        """Note the tokens that were read."""
        text = [token.id for token in tokens if not token.is_end]
        self.written.extend(text)
        self.fed += len(text)
        self._since += len(text)
        self.is_live = not any(token.is_end for token in tokens)
