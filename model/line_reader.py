"""LineReader: finds the printed lines of a page and reads them one after the other, on the CPU.

The networks are those of the rapidocr wheel (`model.bundled`). One detection call finds the strips
of text, `model.layout` orders them, then each strip is read by a recognition call of some 30 ms, so
that text streams line by line and a stop waits for one call only.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Self

import psutil

from model.api import (
    EngineChoice,
    EngineSource,
    Memory,
    PageEnd,
    PageImage,
    Step,
    Stop,
)
from model.bundled import Network, find_bundle
from model.errors import PageUnreadable
from model.layout import lay_out
from model.letters import NO_LINE, LetterReader
from model.line_blocks import PageInWork, Reading
from model.line_finder import LineFinder, finer_side
from model.stray_ink import is_letter, stray_ink

if TYPE_CHECKING:
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray

NICENESS = 10


class LineReader:
    """Reads pages line by line. Belongs to the thread that made it.

    Args:
        choice: the engine's choice; the line reader has no settings of its own.

    Raises:
        EngineUnavailable: the models, or the library that runs them, are not there.
    """

    modes: tuple[str, ...] = ("lines",)
    request_pages = 1

    def __init__(self, choice: EngineChoice) -> None:
        del choice
        _step_back()
        bundle = find_bundle()
        threads = _threads()
        self._finder: LineFinder | None = LineFinder(Network(bundle.detection, threads))
        self._letters: LetterReader | None = LetterReader(Network(bundle.recognition, threads))
        self._bundle = bundle

    @property
    def source(self) -> EngineSource:
        """The wheel's version and the hash of its models."""
        return EngineSource(
            "line-reader",
            f"PP-OCRv6 small, rapidocr {self._bundle.version}",
            checkpoint=self._bundle.checkpoint,
            mode=self.modes[0],
            device="cpu",
            dtype="float32",
        )

    def read(
        self, images: Iterable[PageImage], stop: Stop, *, mode: str | None = None
    ) -> Iterator[Step]:
        """Read pages line by line; see `Recogniser.read`. Stop is tested between model calls."""
        assert mode is None or mode in self.modes, f"unknown mode {mode}"
        pages = iter(images)
        page = 0
        while not stop.asked and (image := next(pages, None)) is not None:
            yield from self._read_page(page, image.pixels, stop)
            page += 1

    def memory(self) -> Memory:
        """Main memory: the models, the rest of this program, other programs, what is free."""
        own = psutil.Process().memory_info().rss
        whole = psutil.virtual_memory()
        weights = min(own, self._bundle.size_bytes if self._finder else 0)
        # The kernel counts shared file pages of ours as available, hence the lower bound.
        other = max(0, whole.total - whole.available - own)
        return Memory(
            device="cpu",
            total_bytes=whole.total,
            weights_bytes=weights,
            work_bytes=own - weights,
            other_bytes=other,
            free_bytes=whole.total - own - other,
            host_bytes=own,
        )

    def close(self) -> None:
        """Free both models."""
        self._finder = self._letters = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read_page(self, page: int, pixels: NDArray[np.uint8], stop: Stop) -> Iterator[Step]:
        if 0 in pixels.shape:
            raise PageUnreadable("the image has no height or no width")
        read = self._find(pixels, stop)
        writing = PageInWork(page)
        for plan in lay_out([part.strip for part in read]):
            writing.begin_block(plan.kind)
            for cells in plan.rows or [(line,) for line in plan.lines]:
                parts = [[self._read(pixels, read[i], stop) for i in cell] for cell in cells]
                if stop.asked:
                    yield writing.finished(PageEnd.STOPPED)
                    return
                yield from writing.add(parts)
        yield writing.finished(PageEnd.STOPPED if stop.asked and not read else PageEnd.DONE)

    def _find(self, pixels: NDArray[np.uint8], stop: Stop) -> list[Reading]:
        """The strips of a page, those that had to be read to be believed with their text."""
        assert self._finder, "read after close"
        strips = self._finder.find(pixels)
        finer = finer_side(strips, pixels.shape[:2])
        if finer is not None and not stop.asked:
            strips = self._finder.find(pixels, finer)
        stray = [self._read(pixels, Reading(strip), stop) for strip in stray_ink(pixels, strips)]
        believed = [part for part in stray if is_letter(part.line.text, part.line.score)]
        return [*(Reading(strip) for strip in strips), *believed]

    def _read(self, pixels: NDArray[np.uint8], part: Reading, stop: Stop) -> Reading:
        """Read a strip that was not read before; not once someone asked to stop."""
        assert self._letters, "read after close"
        if part.line is not NO_LINE or stop.asked:
            return part
        read = [Reading(way, self._letters.read(pixels, way)) for way in part.strip.ways]
        return max(read, key=lambda way: way.certainty)


def _threads() -> int:
    """As many as there are cores, or as this process may use."""
    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0)) if sys.platform == "linux" else cores
    return max(1, min(cores, allowed))


def _step_back() -> None:
    """Let the window's thread go first: the models take whatever the processor has left.

    Linux counts niceness by thread, and threads inherit it, those of onnxruntime too.
    """
    if sys.platform == "linux" and threading.current_thread() is not threading.main_thread():
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
