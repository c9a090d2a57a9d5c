"""Bursts: steps launched one after the other, whose tokens come to the host when they have ended.

The log of a state is copied as a whole after each burst, into one of a few fixed host buffers; a
burst knows which of its rows are its own. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

BURST_STEPS = 8  # on a card; a stop is obeyed after at most two bursts
AHEAD = 2  # bursts launched before the first of them is looked at
LOG_STEPS = BURST_STEPS * (AHEAD + 2)  # rows of the log: none is written again before it is copied

Numbers = Sequence[Sequence[Sequence[float]]]  # by stream, by step: what the log holds of a token


class Burst(NamedTuple):
    """Steps that were launched."""

    copy: torch.Tensor  # of the log on the host, valid once the event has come
    rows: list[int]
    epochs: list[int]  # of the streams, when it was launched
    event: torch.cuda.Event | None


class Bursts:
    """The bursts in flight, the oldest first."""

    def __init__(self, log: torch.Tensor) -> None:
        """Be ready.

        Args:
            log: (steps, B, numbers) float32, written row after row by the steps.
        """
        self._log = log
        self._is_card = log.device.type == "cuda"
        self._copies = deque(self._host_buffer() for _ in range(AHEAD + 1))
        self._flying: deque[Burst] = deque()
        self._row = 0

    @property
    def steps(self) -> int:
        """Steps of one burst."""
        return BURST_STEPS if self._is_card else 1

    @property
    def is_enough(self) -> bool:
        """Whether so many are in flight that the device has work while one is looked at."""
        return len(self._flying) >= (AHEAD if self._is_card else 1)

    def launched(self, steps: int, epochs: list[int]) -> None:
        """Note that so many steps were launched."""
        copy = self._copies[0]
        self._copies.rotate(-1)
        copy.copy_(self._log, non_blocking=True)
        event = torch.cuda.Event() if self._is_card else None
        if event is not None:
            event.record()
        count = self._log.shape[0]
        rows = [(self._row + n) % count for n in range(steps)]
        self._row = (self._row + steps) % count
        self._flying.append(Burst(copy, rows, epochs, event))

    def wait(self) -> tuple[Numbers, list[int]]:
        """Wait for the oldest one; gives what it logged, and its epochs."""
        burst = self._flying.popleft()
        if burst.event is not None:
            burst.event.synchronize()
        logged: Any = burst.copy[burst.rows].transpose(0, 1)  # (B, steps, numbers)
        return logged.tolist(), burst.epochs

    def _host_buffer(self) -> torch.Tensor:
        buffer = torch.empty(self._log.shape, dtype=self._log.dtype)
        return buffer.pin_memory() if self._is_card else buffer
