"""The reading thread: orders go in, events come out, one run at a time.

The engine is loaded on this thread at the first order and kept for the next that wants the same.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue

from app.book import Page, Reading
from app.errors import EngineError, SourceError, UserFacing
from app.events import (
    Failed,
    Finished,
    ReadBeside,
    RunEvent,
    SecondFailed,
    Stage,
    StageChanged,
    Started,
    Stopped,
)
from app.read_order import BesideOrder, Order
from app.run_control import RunControl
from model import api

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BesideEnd:
    """What became of an order to read beside; neither reading nor error: it was given up."""

    book_id: str
    page: int
    stored: Page | None = None
    reading: Reading | None = None
    error: UserFacing | None = None


class Reader:
    """Carries out orders on the thread `reading`. Its methods are called on the UI thread.

    Args:
        post: called on the reading thread with every event of a run.
        load: loads an engine; a test hands in its own.
    """

    def __init__(
        self,
        post: Callable[[RunEvent], None],
        *,
        load: Callable[[api.EngineChoice], api.Recogniser] = api.load,
    ) -> None:
        self._post = post
        self._load = load
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._control = RunControl()
        self._beside = RunControl()  # of what is read beside
        self._thread: threading.Thread | None = None
        self._loaded: tuple[api.EngineChoice, api.Recogniser] | None = None
        self._second: tuple[api.EngineChoice, api.Recogniser] | None = None
        self._wanted: api.EngineChoice | None = None

    def read(self, order: Order) -> None:
        """Begin a run; the one before must have ended."""
        self._control = RunControl()
        self._put(partial(self._carry_out, order, self._control))

    def read_beside(self, order: BesideOrder, tell: Callable[[BesideEnd], None]) -> None:
        """Read a page or a part once more, behind whatever is under way.

        Args:
            order: what to read, with which engine.
            tell: called on the reading thread when it is done.
        """
        if self._beside.stop.asked:
            self._beside = RunControl()
        self._put(partial(self._carry_out_beside, order, self._beside, tell))

    def stop_beside(self) -> None:
        """Give up all that was to be read beside."""
        self._beside.ask_stop()

    def stop(self) -> None:
        """End the run at its next step; what was read is kept."""
        self._control.ask_stop()

    def pause(self) -> None:
        """Hold the run at its next step."""
        self._control.ask_pause()

    def resume(self) -> None:
        """Let a held run go on."""
        self._control.ask_resume()

    def close(self, deadline_s: float = 10.0) -> bool:
        """Stop, free the engine and end the thread; False when that took too long."""
        self.stop()
        self.stop_beside()
        if self._thread is None:
            return True
        self._orders.put(None)
        self._thread.join(deadline_s)
        if self._thread.is_alive():
            log.error("the engine did not stop within %.0f s; its pages are saved", deadline_s)
            return False
        self._thread = None
        return True

    def _work(self) -> None:
        try:
            while (carry_out := self._orders.get()) is not None:
                carry_out()
        finally:
            self._unload_second()
            self._unload()

    def _put(self, carry_out: Callable[[], None]) -> None:
        self._orders.put(carry_out)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="reading", daemon=True)
            self._thread.start()

    def _carry_out(self, order: Order, control: RunControl) -> None:
        """Run one order; the one place of this thread that catches everything."""
        self._post(Started(order.run_id, order.book_id, order.pages))
        self._wanted = None
        try:
            self._run(order, control)
        except UserFacing as error:
            self._post(Failed(order.run_id, error))
        except api.ModelError as error:
            self._post(Failed(order.run_id, _as_told(error, self._wanted)))
        except Exception as error:
            log.exception("a run ended by a fault of the program")
            self._post(Failed(order.run_id, EngineError("engine_failed", detail=str(error))))
        else:
            ended = Stopped if control.stop.asked else Finished
            self._post(ended(order.run_id))

    def _run(self, order: Order, control: RunControl) -> None:
        from app.reading_run import ReadingRun  # numpy and OpenCV: not before the first order

        if len(order.pages) > order.most_pages:
            raise EngineError("run_too_long", pages=len(order.pages), most=order.most_pages)
        self._post(StageChanged(order.run_id, Stage.LOADING))
        self._wanted = order.choose()
        recogniser = self._recogniser(self._wanted)
        self._post(StageChanged(order.run_id, Stage.READING, engine=recogniser.source))
        if control.stop.asked:
            return
        run = ReadingRun(order, recogniser, control=control, post=self._post)
        run.go()
        if run.to_look_at and not control.stop.asked:
            self._read_again(order, tuple(run.to_look_at), recogniser.source, control)

    def _read_again(
        self, order: Order, pages: tuple[int, ...], first: api.EngineSource, control: RunControl
    ) -> None:
        """Let a second engine read what still asks for a look; its failure costs a line."""
        choice = order.second(first)
        if choice is None:
            return
        try:
            self._read_each(order, pages, choice, control)
        except Exception as error:  # noqa: BLE001 - the pages are read; this may not undo that
            log.info("the second reading of %d pages was given up", len(pages), exc_info=True)
            detail = str(error) or type(error).__name__
            failed = EngineError("second_reader_failed", engine=choice.engine.value, detail=detail)
            self._post(SecondFailed(order.run_id, failed))
        finally:
            self._unload_second()

    def _read_each(
        self, order: Order, pages: tuple[int, ...], choice: api.EngineChoice, control: RunControl
    ) -> None:
        from app.beside_run import BesideRun

        beside = BesideRun(order.images, self._recogniser_beside(choice), control)
        for page in pages:
            if control.stop.asked:
                return
            self._post(StageChanged(order.run_id, Stage.READING_BESIDE, page))
            wanted = BesideOrder(order.book_id, page, lambda: choice, order.images, order.save)
            try:
                read = beside.read(wanted)
            except SourceError:
                log.info("page %d could not be decoded a second time", page, exc_info=True)
                continue
            if read is not None:
                self._post(ReadBeside(order.run_id, *read))

    def _carry_out_beside(
        self, order: BesideOrder, control: RunControl, tell: Callable[[BesideEnd], None]
    ) -> None:
        """Carry one order out; whatever goes wrong is told and costs nothing else."""
        try:
            tell(self._beside_end(order, control))
        except UserFacing as error:
            tell(BesideEnd(order.book_id, order.page, error=error))
        except api.ModelError as error:
            tell(BesideEnd(order.book_id, order.page, error=_as_told(error, self._wanted)))
        except Exception as error:
            log.exception("a second reading ended by a fault of the program")
            told = EngineError("engine_failed", detail=str(error))
            tell(BesideEnd(order.book_id, order.page, error=told))

    def _beside_end(self, order: BesideOrder, control: RunControl) -> BesideEnd:
        from app.beside_run import BesideRun

        read = None
        if not control.stop.asked:
            self._wanted = order.choose()
            recogniser = self._recogniser_beside(self._wanted)
            read = BesideRun(order.images, recogniser, control).read(order)
        return BesideEnd(order.book_id, order.page, *(read or (None, None)))

    def _recogniser_beside(self, choice: api.EngineChoice) -> api.Recogniser:
        """An engine for a second reading; the one of the runs stays loaded."""
        for kept in (self._loaded, self._second):
            if kept is not None and replace(kept[0], why="") == replace(choice, why=""):
                return kept[1]
        self._unload_second()
        with _uncollected():
            self._second = (choice, self._load(choice))
        return self._second[1]

    def _unload_second(self) -> None:
        if self._second is not None:
            self._second[1].close()
            self._second = None

    def _recogniser(self, choice: api.EngineChoice) -> api.Recogniser:
        if self._loaded is not None and self._loaded[0] != choice:
            self._unload()
        if self._loaded is None:
            with _uncollected():
                self._loaded = (choice, self._load(choice))
        return self._loaded[1]

    def _unload(self) -> None:
        if self._loaded is not None:
            self._loaded[1].close()
            self._loaded = None
            gc.unfreeze()


@contextmanager
def _uncollected() -> Generator[None]:
    """Let the collector pass over what is made here, now and later.

    An engine's libraries bring a million objects that stay. To look through them for garbage, again
    and again while they load, stops every thread, the window's too, for a fifth of a second.
    Without a threshold nobody looks, neither Python by itself nor the window in its stead.
    """
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*before)


def _as_told(error: api.ModelError, choice: api.EngineChoice | None) -> EngineError:
    """What an engine's error means to people; no choice: it failed before there was one."""
    detail = str(error) or type(error).__name__
    folder = str(choice.checkpoint or "") if choice else ""
    device = choice.device if choice else ""
    engine = choice.engine.value if choice else ""
    match error:
        case api.WeightsMissing():
            return EngineError("weights_missing", folder=folder, detail=detail)
        case api.WeightsDamaged():
            return EngineError("weights_damaged", folder=folder, detail=detail)
        case api.OutOfVram():
            return EngineError("out_of_memory", device=device)
        case api.NotCompared():
            return EngineError("engine_not_compared", folder=folder, detail=detail)
        case api.EngineUnavailable():
            return EngineError("engine_unavailable", engine=engine, detail=detail)
        case _:
            return EngineError("engine_failed", detail=detail)
