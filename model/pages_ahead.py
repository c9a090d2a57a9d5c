"""Pages on their way to the decoder: pulled, made into views and encoded while others are decoded.

Images are pulled on the reading thread, made into views by helper threads, and encoded on the
reading thread: on a card on a queue of its own, beside the steps; on a CPU, where there is nothing
beside, when they are needed. `with` ends these threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import torch

from model.api import PageImage, Stop
from model.errors import PageUnreadable
from model.network import StagedViews
from model.page_writer import ImageSize

if TYPE_CHECKING:
    from types import TracebackType

HELPERS = max(2, min(8, (os.cpu_count() or 4) // 2))  # threads; Pillow frees the interpreter

Encode = Callable[[Sequence[StagedViews]], Sequence[torch.Tensor]]


@dataclass(frozen=True)
class Page:
    """A page encoded, waiting to be read."""

    number: int  # index among the images given
    size: ImageSize
    tokens: torch.Tensor  # (visual tokens, hidden)
    encoded: torch.cuda.Event | None = None  # on a card: when they are there

    @property
    def is_encoded(self) -> bool:
        """Whether its tokens are there."""
        return self.encoded is None or self.encoded.query()


class _Prepared(NamedTuple):
    """A page whose views are made, or being made."""

    number: int
    size: ImageSize
    views: Future[StagedViews]


class PagesAhead:
    """The pages of one order, in order."""

    def __init__(
        self,
        images: Iterator[PageImage],
        *,
        prepare: Callable[[PageImage], StagedViews],
        encode: Encode,
        stop: Stop,
        ahead: int,
        together: int,
        device: torch.device,
    ) -> None:
        """Be ready.

        Args:
            images: pulled one by one, none after `stop` was asked.
            prepare: makes the views of one page; called on a helper thread.
            encode: encodes several pages.
            stop: see `images`.
            ahead: pages that may wait.
            together: pages that are encoded in one go.
            device: of the encoder.
        """
        self._images, self._prepare, self._encode, self._stop = images, prepare, encode, stop
        self._ahead, self._together = ahead, together
        self._queue = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._helper = ThreadPoolExecutor(HELPERS, thread_name_prefix="views")
        self._prepared: deque[_Prepared] = deque()
        self._ready: deque[Page] = deque()
        self._error: PageUnreadable | None = None
        self._is_empty = False
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._helper.shutdown(cancel_futures=True)

    @property
    def ready(self) -> int:
        """Pages that can be taken without waiting for the encoder."""
        if self._queue is None:
            return len(self._ready) + len(self._prepared) + (0 if self._is_empty else 1)
        return sum(1 for page in self._ready if page.is_encoded)

    def take(self, most: int) -> list[Page]:
        """The next pages, as many as there are; none at the end or before one without views."""
        while len(self._ready) < most and self._pull(most - len(self._ready)):
            self._encode_some(min(most - len(self._ready), self._together))
        pages = [self._ready.popleft() for _ in range(min(most, len(self._ready)))]
        for page in pages:
            if page.encoded is not None:
                torch.cuda.current_stream().wait_event(page.encoded)
        return pages

    def check(self) -> None:
        """To be called when there are no more pages.

        Raises:
            PageUnreadable: there is one more, and it cannot be read.
        """
        if self._error is not None:
            raise self._error

    def put_back(self, pages: Sequence[Page]) -> None:
        """Give back pages that were not read; they come next."""
        self._ready.extendleft(reversed(pages))

    def advance(self) -> None:
        """Do some of the work for the pages to come; on a card without waiting for any."""
        if self._queue is None or len(self._ready) >= self._ahead:
            return
        in_work = self._together + HELPERS  # more would only hold pixels
        self._pull(min(self._ahead - len(self._ready), in_work))
        done = 0
        while done < len(self._prepared) and self._prepared[done].views.done():
            done += 1
        if done >= min(self._together, len(self._prepared)) > 0:
            self._encode_some(self._together)

    def _pull(self, most: int) -> bool:
        """Have so many pages prepared; whether there is any."""
        while len(self._prepared) < most and not self._is_empty and not self._stop.asked:
            image = next(self._images, None)
            if image is None:
                self._is_empty = True
                break
            height_px, width_px = image.pixels.shape[:2]
            views = self._helper.submit(self._prepare, image)
            self._prepared.append(_Prepared(self._count, ImageSize(width_px, height_px), views))
            self._count += 1
        return bool(self._prepared) and self._error is None and not self._stop.asked

    def _encode_some(self, most: int) -> None:
        """Encode prepared pages; one that cannot be read is the last that is looked at."""
        pages: list[tuple[_Prepared, StagedViews]] = []
        while self._prepared and len(pages) < most and self._error is None:
            page = self._prepared.popleft()
            try:
                pages.append((page, page.views.result()))
            except PageUnreadable as error:
                self._error, self._is_empty = error, True
        if not pages:
            return
        try:
            ready = self._encode_beside([views for _, views in pages])
        except (RuntimeError, MemoryError):  # a full device: with fewer pages it may have room
            self._prepared.extendleft(page for page, _ in reversed(pages))
            self._together = max(1, self._together // 2)
            raise
        for (page, _), (tokens, event) in zip(pages, ready, strict=True):
            self._ready.append(Page(page.number, page.size, tokens, event))

    def _encode_beside(
        self, views: Sequence[StagedViews]
    ) -> list[tuple[torch.Tensor, torch.cuda.Event | None]]:
        """Encode, on a card beside the steps."""
        if self._queue is None:
            return [(tokens, None) for tokens in self._encode(views)]
        main = torch.cuda.current_stream()
        with torch.cuda.stream(self._queue):
            encoded = self._encode(views)
            event = torch.cuda.Event()
            event.record()
        for tokens in encoded:
            tokens.record_stream(main)
        return [(tokens, event) for tokens in encoded]
