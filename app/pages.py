"""`PageQueue`: pages of the open book as images, from any thread, without waiting.

One thread, `pages`, owns the `Source` and serves requests by rank: the page that is looked at
(newest first, for who turns pages quickly waits only for the last one), then what the reader needs
(in its order), then thumbnails (newest first). Several requests for the same image are served by
one decoding. What was looked at lately is kept, within a bound of bytes: thumbnails have a share
of their own, so that scrolling through the page list does not push the pages out, and what the
reader took is not kept, for it reads a page once. Prefetching is the caller's business.
"""

from __future__ import annotations

import heapq
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from app.book import Page, Region
from app.giving_up import GivingUp
from app.prepare.treatment import NO_TREATMENT, Treatment
from app.sources.source import Limits, PageInfo, Raster, Source, SourceInfo
from app.sources.values import PageParts, Place

__all__ = ["PageInfo", "PageQueue", "Priority", "Raster", "SourceInfo", "open_pages"]

CACHE_BYTES = 96 << 20
THUMBNAIL_SHARE = 8  # thumbnails get one part in so many
CLOSE_WITHIN_S = 5.0

_T = TypeVar("_T")


class Priority(IntEnum):
    """Who asks; the lower number is served first."""

    VISIBLE = 0
    READER = 1
    THUMBNAIL = 2


class _Key(NamedTuple):
    """What is asked for; equal keys are one job."""

    what: str  # "image", "prepared", "info", "text", "parts", "archival parts"
    page: int
    fit: tuple[int, int] | None = None
    scale: float = 1.0
    treatment: Treatment = NO_TREATMENT


@dataclass
class _Job:
    """One decoding and all who wait for it."""

    work: Callable[[], Any]
    priority: Priority
    futures: list[Future[Any]] = field(default_factory=list[Future[Any]])


def open_pages(
    paths: Sequence[Path],
    *,
    password: str | None = None,
    limits: Limits | None = None,
    giving_up: GivingUp | None = None,
) -> PageQueue:
    """Open a book's scan and begin to serve its pages; blocks, so call it on `jobs`.

    Raises:
        SourceError, PasswordNeeded: see `Source.open`; any of them when it was given up.
    """
    source = Source(paths, password=password, limits=limits)
    if giving_up is not None:
        giving_up.by(source.kill)
    source.start()
    return PageQueue(source)


class PageQueue:
    """The queue in front of one `Source`, which it owns from now on. Callable from any thread."""

    def __init__(self, source: Source, *, cache_bytes: int = CACHE_BYTES) -> None:
        self.info: SourceInfo = source.info
        self._source = source
        thumbnail_bytes = cache_bytes // THUMBNAIL_SHARE
        self._images = _Cache(cache_bytes - thumbnail_bytes)
        self._thumbnails = _Cache(thumbnail_bytes)
        self._infos: dict[int, PageInfo] = {}
        self._jobs: dict[_Key, _Job] = {}
        self._order: list[tuple[int, int, _Key]] = []  # heap; entries of jobs that moved are stale
        self._count = 0
        self._treatments: tuple[Treatment, ...] = ()
        self._places: tuple[Place, ...] | None = None  # None: as they lie in the scan
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, name="pages", daemon=True)
        self._thread.start()

    def image(
        self,
        page: int,
        *,
        fit: tuple[int, int] | None = None,
        scale: float = 1.0,
        priority: Priority,
    ) -> Future[Raster]:
        """A page's pixels, see `Source.render`; at once if they are kept.

        `cancel()` on the future drops the request unless it has begun. The future fails with
        `SourceError`; after `close` it comes cancelled.
        """
        key = _Key("image", page, fit, scale)
        return self._ask(key, lambda: self._source.render(page, fit=fit, scale=scale), priority)

    def arrange(self, pages: Sequence[Page]) -> None:
        """Let page numbers mean these pages from now on, each with its image and treatment.

        What was kept under numbers that mean other images now is dropped.
        """
        places = tuple(Place(page.scan_index, page.scan_path) for page in pages)
        with self._changed:
            self._treatments = tuple(page.treatment for page in pages)
            if places == self._places:
                return
            self._places = places
            self._images.clear()
            self._thumbnails.clear()
            self._infos.clear()
            self._source.arrange(places)

    def treatment(self, page: int) -> Treatment:
        """What is done to a page's image before it is read or looked at."""
        treatments = self._treatments
        return treatments[page] if page < len(treatments) else NO_TREATMENT

    def prepared(
        self,
        page: int,
        *,
        fit: tuple[int, int] | None = None,
        scale: float = 1.0,
        priority: Priority,
        treatment: Treatment | None = None,
    ) -> Future[Raster]:
        """A page as the reader gets it: as `image`, after its treatment or the one given."""
        chosen = self.treatment(page) if treatment is None else treatment
        if not chosen:
            return self.image(page, fit=fit, scale=scale, priority=priority)
        key = _Key("prepared", page, fit, scale, chosen)
        return self._ask(key, lambda: self._prepare(page, chosen, fit, scale), priority)

    def page_info(self, page: int, *, priority: Priority) -> Future[PageInfo]:
        """A page's size and fingerprint, see `Source.page_info`."""
        return self._ask(_Key("info", page), lambda: self._source.page_info(page), priority)

    def text_layer(self, page: int) -> Future[tuple[Region, ...]]:
        """A page's old text layer, see `Source.text_layer`."""
        return self._ask(_Key("text", page), lambda: self._source.text_layer(page), Priority.READER)

    def parts(self, page: int, *, archival: bool) -> Future[PageParts | None]:
        """A page's image data as they lie in the file, see `Source.parts`."""
        key = _Key("archival parts" if archival else "parts", page)
        return self._ask(key, lambda: self._source.parts(page, archival=archival), Priority.READER)

    def close(self) -> None:
        """Cancel what waits, end the child and the thread; calling it again does nothing."""
        with self._changed:
            self._is_closed = True
            waiting = [future for job in self._jobs.values() for future in job.futures]
            self._jobs.clear()
            self._changed.notify()
        for future in waiting:
            _cancel(future)
        self._source.kill()  # a decoding under way is given up
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_WITHIN_S)

    def _prepare(
        self, page: int, treatment: Treatment, fit: tuple[int, int] | None, scale: float
    ) -> Raster:
        """On the thread `pages`."""
        # OpenCV would hold the first window up
        from app.prepare.treat import prepared

        info = self._source.page_info(page)
        render = partial(self._source.render, page)
        return prepared(render, info.size, treatment, fit=fit, scale=scale)

    def _ask(self, key: _Key, work: Callable[[], _T], priority: Priority) -> Future[_T]:
        future: Future[_T] = Future()
        with self._changed:
            kept = self._kept(key)
            if kept is None and not self._is_closed:
                self._enqueue(key, work, priority).futures.append(future)
                return future
        if kept is None:
            _cancel(future)
        else:
            future.set_result(kept)
        return future

    def _enqueue(self, key: _Key, work: Callable[[], Any], priority: Priority) -> _Job:
        """The job for this key: a new one, or the one that waits, moved up where that is due."""
        job = self._jobs.get(key)
        if job is None or priority <= job.priority:
            job = self._jobs.setdefault(key, _Job(work, priority))
            job.priority = priority
            self._count += 1
            rank = self._count if priority is Priority.READER else -self._count
            heapq.heappush(self._order, (priority, rank, key))
            self._changed.notify()
        return job

    def _kept(self, key: _Key) -> Any:  # noqa: ANN401 - as many kinds as there are keys
        match key.what:
            case "image" | "prepared":
                return self._images.get(key) or self._thumbnails.get(key)
            case "info":
                return self._infos.get(key.page)
            case _:
                return None

    def _keep(self, key: _Key, result: object, priority: Priority) -> None:
        match result:
            case Raster() if priority is Priority.VISIBLE:
                self._images.put(key, result)
            case Raster() if priority is Priority.THUMBNAIL:
                self._thumbnails.put(key, result)
            case PageInfo():
                self._infos[key.page] = result
            case _:
                pass

    def _serve(self) -> None:
        """The thread `pages`."""
        try:
            while taken := self._next():
                self._finish(*taken)
        finally:
            self._source.close()

    def _next(self) -> tuple[_Key, _Job] | None:
        """Wait for a job that someone still wants; None once the queue is closed."""
        with self._changed:
            while not self._is_closed:
                while self._order:
                    _, _, key = heapq.heappop(self._order)
                    job = self._jobs.pop(key, None)
                    if job and self._is_wanted(job):
                        return key, job
                self._changed.wait()
        return None

    def _is_wanted(self, job: _Job) -> bool:
        job.futures = [each for each in job.futures if each.set_running_or_notify_cancel()]
        return bool(job.futures)

    def _finish(self, key: _Key, job: _Job) -> None:
        try:
            result = job.work()
        except Exception as error:  # noqa: BLE001 - the hand-off of `pages`: whoever waits gets it
            given_up = CancelledError() if self._is_closed else error
            for future in job.futures:
                future.set_exception(given_up)
            return
        with self._changed:
            self._keep(key, result, job.priority)
        for future in job.futures:
            future.set_result(result)


def _cancel(future: Future[Any]) -> None:
    """Cancel, and wake who waits for it."""
    if future.cancel():
        future.set_running_or_notify_cancel()


class _Cache:
    """Rasters lately used, bounded by their bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._rasters: OrderedDict[_Key, Raster] = OrderedDict()

    def clear(self) -> None:
        self._rasters.clear()
        self._bytes = 0

    def get(self, key: _Key) -> Raster | None:
        if key in self._rasters:
            self._rasters.move_to_end(key)
        return self._rasters.get(key)

    def put(self, key: _Key, raster: Raster) -> None:
        """Keep it, unless it alone is larger than all there is room for."""
        if key in self._rasters or len(raster.data) > self._most_bytes:
            return
        self._rasters[key] = raster
        self._bytes += len(raster.data)
        while self._bytes > self._most_bytes:
            _, oldest = self._rasters.popitem(last=False)
            self._bytes -= len(oldest.data)
