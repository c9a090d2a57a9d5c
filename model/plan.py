"""What a run will hold, reckoned before it begins: streams, slots and bytes.

Pure arithmetic on sizes. A plan is the largest that the settings ask for and the room allows; where
the device turns out to be fuller than it said, `smaller` is the next one to try.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from model.cache import BLOCK_TOKENS, Layout, blocks_to_read, whole_blocks

STATE_BYTES_OF_AN_ID = 4 + 4 * 4  # when it was banned, and some float32 logits, in every stream


@dataclass(frozen=True)
class EngineSettings:
    """What a user may set; their meaning is told in `model.cache`."""

    window_size: int = 64  # pages resident at one time, in `continuous`
    sparsity_ratio: float = 0.1  # share of the resident blocks that a step reads
    chunk_size: int = 4  # pages prefilled and decoded in one go, in `continuous`
    max_pages: int = 4096  # the longest job accepted
    batch_size: int = 64  # pages side by side, in `parallel`
    request_pages: int = 16  # pages of one prompt, in `request`

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Self:
        """Read the options of an engine choice; those that are not there keep their defaults.

        Raises:
            ValueError: a value that no run could have; named.
        """
        said = {name: options[name] for name in vars(cls()) if name in options}
        ratio = float(said.pop("sparsity_ratio", cls.sparsity_ratio))
        made = cls(sparsity_ratio=ratio, **{name: int(value) for name, value in said.items()})
        for name, value in vars(made).items():
            if value <= 0:
                raise ValueError(f"{name} is {value}, it must be more than 0")
        if made.sparsity_ratio > 1:
            raise ValueError(f"sparsity_ratio is {ratio}, it is a share: at most 1")
        return made


@dataclass(frozen=True)
class Sizes:
    """What a checkpoint's pages and tokens take."""

    token_bytes: int  # keys and values of one token in all layers
    page_tokens: int  # visual tokens of a page in its base form
    most_page_tokens: int  # of a page in the form that is read
    word_tokens: int  # words of a prompt
    window_tokens: int
    most_positions: int
    vocabulary: int


@dataclass(frozen=True)
class Plan:
    """Buffers of one run."""

    sizes: Sizes
    streams: int
    slots: int  # of each stream
    least_slots: int  # without which nothing can be read
    ratio: float = 1.0  # 1: no choice is made

    @property
    def shape(self) -> tuple[int, int]:
        """Streams, and slots of each."""
        return self.streams, self.slots

    @property
    def layout(self) -> Layout:
        """The rows of each stream."""
        return Layout(
            word_rows=whole_blocks(self.sizes.word_tokens),
            window_tokens=self.sizes.window_tokens,
            slot_tokens=whole_blocks(self.sizes.page_tokens),
            slots=self.slots,
        )

    @property
    def is_sparse(self) -> bool:
        """Whether a step chooses among the blocks."""
        return self.ratio < 1

    @property
    def most_blocks(self) -> int | None:
        """The most reference blocks that a step may read; None: all."""
        if not self.is_sparse:
            return None
        own = -(-self.sizes.most_page_tokens // BLOCK_TOKENS)
        return blocks_to_read(self.layout.reference_blocks, own, self.ratio)

    @property
    def reference_bytes(self) -> int:
        """Bytes of all slots, mean keys of their blocks included."""
        slots = self.streams * self.slots * self.layout.slot_tokens * self.sizes.token_bytes
        return slots + (slots // 2 // BLOCK_TOKENS if self.is_sparse else 0)

    @property
    def tail_bytes(self) -> int:
        """Bytes of words and rings."""
        return self.streams * self.layout.tail_rows * self.sizes.token_bytes

    @property
    def state_bytes(self) -> int:
        """Bytes of what else a step keeps."""
        return self.streams * self.sizes.vocabulary * STATE_BYTES_OF_AN_ID

    @property
    def total_bytes(self) -> int:
        """All of it."""
        return self.reference_bytes + self.tail_bytes + self.state_bytes

    def smaller(self) -> Plan | None:
        """Half the streams, else half the slots; None when nothing can be taken away."""
        if self.streams > 1:
            return replace(self, streams=self.streams // 2)
        slots = max(self.slots // 2, self.least_slots)
        return replace(self, slots=slots) if slots < self.slots else None

    def within(self, room_bytes: int) -> Plan:
        """The largest plan not above this one that fits, or the smallest there is."""
        plan = self
        while plan.total_bytes > room_bytes and (less := plan.smaller()) is not None:
            plan = less
        return plan


def plan_side_by_side(sizes: Sizes, settings: EngineSettings) -> Plan:
    """One page a stream."""
    slots = -(-sizes.most_page_tokens // whole_blocks(sizes.page_tokens))
    return Plan(sizes, streams=settings.batch_size, slots=slots, least_slots=slots)


def plan_in_sequence(sizes: Sizes, settings: EngineSettings, *, pages_at_once: int) -> Plan:
    """One stream through the book, a window of pages resident.

    The window is no longer than the checkpoint's positions allow: its pages may take three quarters
    of the length it was trained for, the rest is for text.
    """
    most = sizes.most_positions * 3 // 4 // (sizes.page_tokens + sizes.word_tokens)
    slots = max(min(settings.window_size, most), pages_at_once)
    return Plan(sizes, 1, slots, least_slots=pages_at_once, ratio=settings.sparsity_ratio)


def plan_request(sizes: Sizes, *, pages_at_once: int) -> Plan:
    """One stream, all pages of its one prompt resident and read."""
    return Plan(sizes, 1, pages_at_once, least_slots=pages_at_once)
