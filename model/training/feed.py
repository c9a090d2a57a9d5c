"""Pages drawn beside the trainer: processes that fill slots of shared memory, and batches of them.

The processes are forked before torch touches a card. A slot is drawn into, queued, copied into a
batch, and free again. Pages of like length go together, so that little is padded.
"""

from __future__ import annotations

import contextlib
import mmap
import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from model.training.lie import NUMBERS
from model.training.manner import Frame
from model.training.renderer import Drawing, Renderer
from model.training.sheet import LABEL_PX

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

LENGTHS = (457, 969, 1609, 2377)  # with 1,335 of a page of 1,152 px: whole blocks of 128
PLACES = NUMBERS + 11
NICE = 5
SEED_STEP = 7919  # between the seeds of two processes


class Slots(NamedTuple):
    """Places for drawings, in memory that processes share."""

    ink: NDArray[np.uint8]  # (slots, S, S)
    labels: NDArray[np.uint8]
    ids: NDArray[np.int16]  # (slots, longest)
    counts: NDArray[np.int32]  # (slots, 3): ids, of which so many are given; number of the book
    places: NDArray[np.float32]  # (slots, PLACES), see `places_of`

    @staticmethod
    def make(count: int, side_px: int) -> Slots:
        """Take the memory."""
        small = side_px // LABEL_PX
        return Slots(
            _shared((count, side_px, side_px), np.uint8),
            _shared((count, small, small), np.uint8),
            _shared((count, LENGTHS[-1]), np.int16),
            _shared((count, 3), np.int32),
            _shared((count, PLACES), np.float32),
        )

    def put(self, slot: int, drawing: Drawing) -> None:
        """Copy a drawing into a slot."""
        self.ink[slot] = drawing.ink
        self.labels[slot] = drawing.labels
        self.ids[slot, : len(drawing.ids)] = drawing.ids
        self.counts[slot] = (len(drawing.ids), drawing.given, drawing.book)
        self.places[slot] = places_of(drawing)


def places_of(drawing: Drawing) -> NDArray[np.float32]:
    """Lie (18), paper (4), picture (4), fold, facing, type size; shares of the side."""
    side = drawing.ink.shape[0]
    first, last = drawing.page[0], drawing.page[-1]
    paper = Frame(first.left, first.top, last.right, first.bottom)
    fold = first.right / side if len(drawing.page) > 1 else -1.0
    shares = [edge / side for edge in (*paper, *drawing.picture)]
    return np.array([*drawing.lie, *shares, fold, drawing.facing, drawing.em / side], np.float32)


@dataclass(frozen=True)
class Batch:
    """Pages of like length, those of one book beside each other."""

    slots: list[int]
    length: int  # ids, padded


class Feed:
    """Renders with `workers` processes until closed. One thread."""

    def __init__(
        self, renderer: Renderer, *, workers: int, slots: int, batch: int, seed: int
    ) -> None:
        context = multiprocessing.get_context("fork")
        self.slots = Slots.make(slots, renderer.side)
        self._batch = batch
        self._free: Any = context.SimpleQueue()
        self._full: Any = context.SimpleQueue()
        self._waiting: dict[int, list[int]] = {length: [] for length in LENGTHS}
        self._workers = [
            context.Process(
                target=_work,
                args=(renderer, self.slots, self._free, self._full, seed + SEED_STEP * number),
                daemon=True,
            )
            for number in range(workers)
        ]
        for worker in self._workers:
            worker.start()
        self.give_back(range(slots))

    def next_batch(self) -> Batch:
        """Wait for enough pages of one length."""
        while True:
            for length, slots in self._waiting.items():
                if len(slots) >= self._batch:
                    self._waiting[length] = slots[self._batch :]
                    return Batch(sorted(slots[: self._batch], key=self._book), length)
            slot = self._full.get()
            count = int(self.slots.counts[slot, 0])
            self._waiting[next(each for each in LENGTHS if count <= each)].append(slot)

    def _book(self, slot: int) -> int:
        return int(self.slots.counts[slot, 2])

    def give_back(self, slots: Sequence[int]) -> None:
        """Say that these slots were copied."""
        for slot in slots:
            self._free.put(slot)

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()


def _work(renderer: Renderer, slots: Slots, free: Any, full: Any, seed: int) -> None:  # noqa: ANN401
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        os.nice(NICE)
        renderer.seed(seed)
        while True:
            slot = free.get()
            slots.put(slot, renderer.draw())
            full.put(slot)


def _shared(shape: tuple[int, ...], kind: DTypeLike) -> NDArray[Any]:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(mmap.mmap(-1, size), dtype=kind).reshape(shape)
