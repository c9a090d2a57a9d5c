"""LineReader: finds the printed lines of a page and reads them one after the other, on the CPU.

The networks are those of the rapidocr wheel (`model.bundled`). One detection call finds the strips
of text, `model.layout` orders them, then each strip is read by a recognition call of some 30 ms, so
that text streams line by line and a stop waits for one call only.
"""

from __future__ import annotations

import os
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
from model.letters import LetterReader, Line
from model.line_blocks import PageInWork, Reading
from model.line_finder import LineFinder, finer_side
from model.strips import Strip

if TYPE_CHECKING:
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray


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
        bundle = find_bundle()
        threads = psutil.cpu_count(logical=False) or os.cpu_count() or 1
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
        strips = self._find(pixels, stop)
        writing = PageInWork(page)
        for plan in lay_out(strips):
            writing.begin_block(plan.kind)
            for cells in plan.rows or [(line,) for line in plan.lines]:
                read = [[self._read_strip(pixels, strips[i], stop) for i in cell] for cell in cells]
                if stop.asked:
                    break
                yield from writing.add(read)
            if stop.asked:
                break
        yield writing.finished(PageEnd.STOPPED if stop.asked else PageEnd.DONE)

    def _find(self, pixels: NDArray[np.uint8], stop: Stop) -> tuple[Strip, ...]:
        assert self._finder, "read after close"
        strips = self._finder.find(pixels)
        finer = finer_side(strips, pixels.shape[:2])
        if finer is None or stop.asked:
            return strips
        return self._finder.find(pixels, finer)

    def _read_strip(self, pixels: NDArray[np.uint8], strip: Strip, stop: Stop) -> Reading:
        """Read a strip; nothing once someone asked to stop."""
        assert self._letters, "read after close"
        if stop.asked:
            return Reading(strip, Line("", 0.0, ()))
        return Reading(strip, self._letters.read(pixels, strip))
