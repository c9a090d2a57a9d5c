"""One order to read pages, carried out: images in, events out, each page saved as it ends.

Runs on the thread `reading` and on no other. Knows the engine only through `model.api`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from app.book import Page, PageState, Reading, Reason, Source
from app.chunks import chunks
from app.desk.honesty import standing
from app.desk.ink import print_on
from app.desk.verdict import Tried, better_of, has_content, is_unsure, verdict
from app.errors import EngineError, SourceError, UserFacing
from app.events import MemoryMeasured, PageFinished, PageStarted, Paused, Resumed, RunEvent
from app.read_order import Order, Outcome
from app.regions import standing_on_page, to_page_piece, to_regions
from app.run_control import KEEP_WHILE_PAUSED_S, RunControl
from app.sheets import Sheet, Sheets
from app.text_stream import TextStream
from app.there import is_there
from model.api import (
    EngineUnavailable,
    OutOfVram,
    PageEnd,
    PageImage,
    PageRead,
    Piece,
    Recogniser,
    Step,
)

log = logging.getLogger(__name__)

MEMORY_INTERVAL_S = 0.5

BROKEN_AFTER = 3
"""When the engine fails on this many pages in a row, it is the engine and not the pages."""


@dataclass
class _Request:
    """One call of the engine: the pages wanted of it and how far it has come."""

    pages: tuple[int, ...]
    sheets: list[Sheet] = field(default_factory=list[Sheet])  # given to the engine so far
    read: int = 0  # how many of them the engine has ended
    closed: set[int] = field(default_factory=set[int])  # pages with an end, failed ones included
    began_s: float = 0.0  # when the page under way was begun
    doubtful: list[tuple[int, Tried]] = field(default_factory=list[tuple[int, Tried]])
    let_go: bool = False  # a long pause ended it; what is left is read anew

    @property
    def under_way(self) -> Sheet | None:
        """The page that the engine writes now, if it was given one."""
        return self.sheets[self.read] if self.read < len(self.sheets) else None

    @property
    def left(self) -> tuple[int, ...]:
        """Pages that have no end yet."""
        return tuple(page for page in self.pages if page not in self.closed)


class ReadingRun:
    """Carries out one order with a loaded engine."""

    def __init__(
        self,
        order: Order,
        recogniser: Recogniser,
        *,
        control: RunControl,
        post: Callable[[RunEvent], None],
    ) -> None:
        self._order = order
        self._recogniser = recogniser
        self._control = control
        self._post = post
        self._sheets = Sheets(order.images, order.pages)
        self._stream = TextStream(order.run_id, post)
        self._failed_in_a_row = 0
        self._measured_s = 0.0
        self.to_look_at: dict[int, None] = {}  # by a second engine: doubtful pages, in their order

    def go(self) -> None:
        """Read every page of the order, or those before a stop.

        Raises:
            UserFacing: the run cannot go on; the pages that ended are saved.
        """
        self._measure_memory()  # the forecast, before the first page
        try:
            for chunk in chunks(self._order.pages, self._recogniser.request_pages):
                self._read_chunk(chunk)
        finally:
            self._sheets.close()

    def _read_chunk(self, chunk: tuple[int, ...]) -> None:
        left = chunk
        while left and not self._control.stop.asked:
            request = _Request(left)
            try:
                self._follow(request)
            except OutOfVram as error:
                self._read_with_less(request.left, error)
                return
            if request.let_go:
                self._wait_for_resume()
            self._try_again(request)
            left = request.left

    def _read_with_less(self, pages: tuple[int, ...], error: OutOfVram) -> None:
        if len(pages) == 1:
            raise EngineError("out_of_memory", device=self._recogniser.source.device) from error
        log.info("not enough memory for %d pages at once, reading one by one", len(pages))
        for page in pages:
            self._read_chunk((page,))

    def _follow(self, request: _Request) -> None:
        """Take the steps of one request; a page on which the engine fails ends as failed."""
        steps = self._recogniser.read(self._images(request), self._control.stop)
        try:
            for step in self._held_while_paused(steps, request):
                self._take(step, request)
        except (UserFacing, EngineUnavailable, OutOfVram):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, one page must not end the run
            self._fail(request, error)
        else:
            self._mind_missing_pages(request)

    def _take(self, step: Step, request: _Request) -> None:
        match step:
            case Piece():
                sheet = request.sheets[step.page]
                self._stream.add(_piece_on_page(step, sheet))
            case PageRead():
                self._end(request, step)
        self._measure_memory()

    def _images(self, request: _Request) -> Iterator[PageImage]:
        """The images of a request, as the engine asks for them; pages without one are failed."""
        for page in request.pages:
            try:
                sheet = self._sheets.fetch(page)
            except SourceError as error:
                self._see_that_the_scan_is_there()
                request.closed.add(page)
                self._finish(Outcome(page, PageState.FAILED, failure=error))
                continue
            request.sheets.append(sheet)
            self._tell_page_started(request)
            yield sheet.image

    def _see_that_the_scan_is_there(self) -> None:
        """A disk that was taken out must not fail page after page of the book."""
        paths = self._order.images.info.paths
        if not any(map(is_there, paths)):
            raise SourceError("source_gone", name=paths[0].name)

    def _tell_page_started(self, request: _Request) -> None:
        sheet = request.under_way
        if sheet is not None and sheet is request.sheets[-1]:
            request.began_s = time.monotonic()
            self._post(PageStarted(self._order.run_id, sheet.page))

    def _end(self, request: _Request, read: PageRead) -> None:
        self._stream.flush()
        sheet = request.sheets[read.page]
        request.read = read.page + 1
        request.closed.add(sheet.page)
        self._failed_in_a_row = 0
        request.sheets[read.page] = sheet.without_image()  # hundreds may be read in one request
        if read.end is PageEnd.STOPPED and not has_content(read.blocks):
            return  # nothing was read of it: the page stays as it was
        outcome = self._outcome(sheet, read, time.monotonic() - request.began_s)
        self._finish(outcome, steps=read.steps)
        if outcome.state is PageState.LOOK and read.end is not PageEnd.STOPPED:
            request.doubtful.append((sheet.page, Tried(read, outcome.reasons)))
        self._tell_next_page(request)

    def _tell_next_page(self, request: _Request) -> None:
        """With several pages in a request the next one's image is there already."""
        if request.under_way is not None:
            request.began_s = time.monotonic()
            self._post(PageStarted(self._order.run_id, request.under_way.page))

    def _try_again(self, request: _Request) -> None:
        """Read doubtful pages once more in another mode; the better reading becomes current."""
        if len(self._recogniser.modes) < 2:
            return
        for page, first in request.doubtful:
            if self._control.stop.asked:
                return
            try:
                self._try_page_again(self._sheets.fetch_again(page), first)
            except SourceError:
                log.info("page %d could not be decoded a second time", page, exc_info=True)

    def _try_page_again(self, sheet: Sheet, first: Tried) -> None:
        began_s = time.monotonic()
        second = self._read_once_more(sheet)
        if second is None or second.end is PageEnd.STOPPED:
            return
        outcome = self._outcome(
            sheet, second, time.monotonic() - began_s, mode=self._recogniser.modes[1]
        )
        tried = Tried(second, outcome.reasons)
        better = better_of(first, tried) is tried
        self._finish(replace(outcome, make_current=better), steps=second.steps)

    def _read_once_more(self, sheet: Sheet) -> PageRead | None:
        mode = self._recogniser.modes[1]
        again = _Request((sheet.page,), sheets=[sheet])
        try:
            steps = self._recogniser.read([sheet.image], self._control.stop, mode=mode)
            for step in self._held_while_paused(steps, again):
                if isinstance(step, PageRead):
                    return step
                self._take(step, again)
        except (UserFacing, EngineUnavailable):
            raise
        except Exception:
            log.info("a second try in mode %s failed on page %d", mode, sheet.page, exc_info=True)
        return None

    def _outcome(
        self, sheet: Sheet, read: PageRead, seconds: float, *, mode: str | None = None
    ) -> Outcome:
        """What became of a page; read in this mode, None: in the usual one."""
        engine = self._recogniser.source
        engine = engine if mode is None else replace(engine, mode=mode)
        seen = print_on(sheet.image.pixels)
        stands = standing(read.blocks, seen)
        state, reasons = verdict(
            read, has_ink=seen.is_print, concerns=stands.concerns, engine=engine.engine
        )
        source = Source("model", datetime.now(UTC), engine=engine)
        reading = Reading(
            to_regions(read.blocks, scale=sheet.scale, page_map=sheet.page_map), source
        )
        return Outcome(
            sheet.page,
            state,
            reasons,
            reading,
            seconds=seconds,
            size=sheet.size,
            fingerprint=sheet.fingerprint,
            standing=standing_on_page(stands, sheet.scale, sheet.page_map),
            is_unsure=is_unsure(read, engine=engine.engine),
        )

    def _finish(self, outcome: Outcome, *, steps: int = 0) -> None:
        """Save a page, then tell of it."""
        page = self._order.save(outcome)
        reading = outcome.reading
        is_current = reading is not None and _is_of(page, outcome)
        self._note_look(page, is_unsure=is_current and outcome.is_unsure)
        if reading is not None and is_current:
            reading = replace(reading, id=page.reading_id)
        self._post(
            PageFinished(
                self._order.run_id,
                page=page,
                reading=reading,
                is_current=is_current,
                failure=outcome.failure,
                steps=steps,
            )
        )

    def _note_look(self, page: Page, *, is_unsure: bool) -> None:
        is_cut = Reason.STOPPED in page.reasons
        is_doubtful = page.state is PageState.LOOK or is_unsure
        if is_doubtful and not page.by_hand and not is_cut:
            self.to_look_at[page.number] = None
        else:
            self.to_look_at.pop(page.number, None)

    def _mind_missing_pages(self, request: _Request) -> None:
        """An engine that ends without a stop has ended every page; else it is at fault."""
        if request.left and not (self._control.stop.asked or request.let_go):
            self._fail(request, RuntimeError("the engine ended before the page did"))

    def _fail(self, request: _Request, error: Exception) -> None:
        """Mark the page under way as failed; too many in a row and the engine is at fault."""
        self._stream.flush()
        if not request.left:
            log.info("the engine failed after the last page had ended", exc_info=error)
            return
        page = request.under_way.page if request.under_way else request.left[0]
        log.info("the engine failed on page %d", page, exc_info=error)
        detail = str(error) or type(error).__name__
        request.closed.add(page)
        failure = EngineError("page_failed", page=page + 1, detail=detail)
        self._finish(Outcome(page, PageState.FAILED, failure=failure))
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= BROKEN_AFTER:
            raise EngineError("engine_failed", detail=detail) from error

    def _held_while_paused(self, steps: Iterator[Step], request: _Request) -> Iterator[Step]:
        """Pass steps on; a pause holds between two, a long one lets the request go."""
        try:
            for step in steps:
                yield step
                if self._control.is_paused and not self._hold():
                    request.let_go = True
                    return
        finally:
            _close(steps)  # frees the engine's caches on every way out

    def _hold(self) -> bool:
        """Wait out a pause; False when it was so long that the caches had better be freed."""
        self._stream.flush()
        self._post(Paused(self._order.run_id))
        in_time = self._control.wait(KEEP_WHILE_PAUSED_S)
        if in_time:
            self._post(Resumed(self._order.run_id))
        return in_time

    def _wait_for_resume(self) -> None:
        self._control.wait()
        self._post(Resumed(self._order.run_id))

    def _measure_memory(self) -> None:
        now = time.monotonic()
        if now - self._measured_s >= MEMORY_INTERVAL_S:
            self._measured_s = now
            self._post(MemoryMeasured(self._order.run_id, self._recogniser.memory()))


def _piece_on_page(piece: Piece, sheet: Sheet) -> Piece:
    return to_page_piece(piece, page=sheet.page, scale=sheet.scale, page_map=sheet.page_map)


def _close(steps: Iterator[Step]) -> None:
    if isinstance(steps, Generator):
        steps.close()


def _is_of(page: Page, outcome: Outcome) -> bool:
    """Whether the stored page has taken the outcome's reading, and not kept what it had.

    It keeps what a person wrote, accepted or called blank, and a whole text where this one was cut.
    """
    if not outcome.make_current or page.by_hand or not page.reading_id:
        return False
    return (page.state, page.reasons) == (outcome.state, outcome.reasons)
