"""Where keys and values lie: the theory of slots, ring and blocks, and their bookkeeping.

No tensors here: this module says which row of a buffer holds what, `model.buffers` holds the rows.

**Two sets and nothing else.** A step that writes one token reads, in every layer,

- *references*: keys and values of page images, written once, when a page is prefilled;
- *the window*: those of the last tokens written, the one being read included.

**Rows.** The rows of one stream lie in one buffer, cut into blocks of 32:

    | words | ring ... | slot 0 ... | slot 1 ... | ...
      the tail           the references

The words of the prompt around the page images (its start, the instruction) lie in front and are
replaced with every prompt. The ring holds the window: the token written as the n-th lies in row
`n % window`, so the newest takes the place of the one that has just left the window. A slot is a
whole number of blocks; a page takes as many slots as its tokens need. In which order slots are used
does not matter: attention does not see rows, only the position that is rotated into each key.

**States of a slot.**

    free --take--> encoding --admit--> resident --evict--> evicted --settle--> free

- *free*: nobody reads it, nobody writes it;
- *encoding*: the keys and values of a page are being written into it;
- *resident*: steps may read it;
- *evicted*: no later step reads it, but one that was begun before may still do so. It is free once
  these are known to have ended.

Pages leave in the order in which they came; those of the chunk being read never do.

**What must never happen.** A step that reads a slot in another state than resident; a slot freed
while its page is being written; a page evicted that the step under way is about to read; a row of
the ring read that was written for an earlier page after the ring was emptied. Whether a row may be
read is one number per row (`KeyValues.bias`): nothing else decides it, and whoever evicts closes
the rows before anyone may write them.

**SR-SWA.** Of the resident blocks a step reads a share (`sparsity_ratio`): those of the page being
read in any case, and as many others as the share allows, chosen for each head by the mean of their
keys against the query of the token before. With a ratio of 1 it reads every resident block, which
is R-SWA.

**Positions** grow along the book: a chunk's prompt begins where the prompt before it ended, its
text follows it. Text does not count for the next chunk, since it is not kept; what the ring carries
over is moved on, to stand behind the new prompt as if it had been written there. So pages stand to
each other as in one long request of the resident pages, and no distance exceeds that request's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

BLOCK_TOKENS = 32  # what SR-SWA chooses by


class SlotState(StrEnum):
    """What may be done with a slot now; see the head of this module."""

    FREE = "free"
    ENCODING = "encoding"
    RESIDENT = "resident"
    EVICTED = "evicted"


@dataclass(frozen=True)
class Layout:
    """Which rows of a stream's buffer hold what."""

    word_rows: int  # a multiple of 32
    window_tokens: int
    slot_tokens: int  # a multiple of 32
    slots: int

    @property
    def ring_rows(self) -> int:
        """Rows of the ring; those beyond the window stay closed."""
        return whole_blocks(self.window_tokens)

    @property
    def tail_rows(self) -> int:
        """Rows that every step reads: words and ring."""
        return self.word_rows + self.ring_rows

    @property
    def rows(self) -> int:
        """All rows."""
        return self.tail_rows + self.slots * self.slot_tokens

    @property
    def tail_blocks(self) -> int:
        """Blocks that every step reads."""
        return self.tail_rows // BLOCK_TOKENS

    @property
    def reference_blocks(self) -> int:
        """Blocks of all slots."""
        return self.slots * self.slot_tokens // BLOCK_TOKENS

    def ring_row(self, token: int) -> int:
        """The row of the n-th token written, from 0."""
        return self.word_rows + token % self.window_tokens

    def slot_row(self, slot: int) -> int:
        """The first row of a slot."""
        return self.tail_rows + slot * self.slot_tokens

    def page_rows(self, slots: Iterable[int], tokens: int) -> list[int]:
        """The row of each token of a page that lies in these slots."""
        rows = [self.slot_row(slot) + at for slot in slots for at in range(self.slot_tokens)]
        assert len(rows) >= tokens, "a page has the slots that it needs"
        return rows[:tokens]

    def slots_for(self, tokens: int) -> int:
        """How many slots a page needs."""
        return -(-tokens // self.slot_tokens)


def whole_blocks(tokens: int) -> int:
    """Tokens rounded up to whole blocks."""
    return -(-tokens // BLOCK_TOKENS) * BLOCK_TOKENS


def blocks_to_read(resident: int, own: int, ratio: float) -> int:
    """How many reference blocks a step reads.

    Args:
        resident: blocks of all resident pages.
        own: blocks of the page being read.
        ratio: `sparsity_ratio`, above 0 and at most 1.
    """
    share = -int(-resident * ratio // 1)  # rounded up
    return min(resident, max(own, share))


@dataclass(frozen=True)
class Place:
    """Where a page lies."""

    page: int  # number along the run, from 0, never used twice
    slots: tuple[int, ...]
    tokens: int

    @property
    def blocks(self) -> int:
        """Blocks that hold something."""
        return -(-self.tokens // BLOCK_TOKENS)


class Slots:
    """Which page lies where. Belongs to the thread that reads."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._states = [SlotState.FREE] * layout.slots
        self._free = deque(range(layout.slots))
        self._places: dict[int, Place] = {}  # encoding and resident pages, the oldest first
        self._evicted: list[int] = []

    @property
    def states(self) -> tuple[SlotState, ...]:
        """The state of every slot."""
        return tuple(self._states)

    @property
    def resident(self) -> tuple[Place, ...]:
        """Pages that steps may read, the oldest first."""
        return tuple(p for p in self._places.values() if self._is(p, SlotState.RESIDENT))

    @property
    def resident_blocks(self) -> int:
        """Blocks of all pages that steps may read."""
        return sum(place.blocks for place in self.resident)

    @property
    def free(self) -> int:
        """Slots that can be taken now."""
        return len(self._free)

    def take(self, page: int, tokens: int) -> Place:
        """Free to encoding: give a page its slots.

        Raises:
            LookupError: too few are free.
        """
        assert page not in self._places, "a page is read once"
        needed = self._layout.slots_for(tokens)
        if needed > len(self._free):
            raise LookupError(f"{needed} slots are needed, {len(self._free)} are free")
        place = Place(page, tuple(self._free.popleft() for _ in range(needed)), tokens)
        self._places[page] = place
        self._move(place, SlotState.FREE, SlotState.ENCODING)
        return place

    def admit(self, page: int) -> None:
        """Encoding to resident: the page is written, steps may read it."""
        self._move(self._places[page], SlotState.ENCODING, SlotState.RESIDENT)

    def evict_for(self, slots: int, *, keep: Iterable[int] = ()) -> tuple[Place, ...]:
        """Resident to evicted: the oldest pages, until so many slots are or will be free.

        Args:
            slots: how many are needed.
            keep: pages that are being read; they stay.

        Raises:
            LookupError: there are not so many slots, even without all pages that may go.
        """
        kept, going = frozenset(keep), list[Place]()
        room = len(self._free) + len(self._evicted)
        for place in self.resident:
            if room < slots and place.page not in kept:
                going.append(place)
                room += len(place.slots)
        if room < slots:
            raise LookupError(f"{slots} slots are needed, only {room} can be freed")
        for place in going:
            self._move(place, SlotState.RESIDENT, SlotState.EVICTED)
            self._evicted += place.slots
            del self._places[place.page]
        return tuple(going)

    def settle(self) -> None:
        """Evicted to free: every step that might read them has ended."""
        for slot in self._evicted:
            self._states[slot] = SlotState.FREE
        self._free.extend(self._evicted)
        self._evicted.clear()

    def _is(self, place: Place, state: SlotState) -> bool:
        return self._states[place.slots[0]] is state

    def _move(self, place: Place, before: SlotState, after: SlotState) -> None:
        for slot in place.slots:
            assert self._states[slot] is before, f"slot {slot} is {self._states[slot]}"
            self._states[slot] = after
