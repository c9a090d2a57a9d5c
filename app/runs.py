"""Reading: the run under way, the books that wait, and what the engine writes at the moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from app.awake import Awake
from app.book import DONE_STATES, Region
from app.change import NOTHING, Change
from app.events import (
    Failed,
    Finished,
    MemoryMeasured,
    PageFinished,
    PageStarted,
    ReadBeside,
    RunEvent,
    Started,
    Stopped,
    TextAdded,
)
from app.open_book import OpenBook
from app.proofs import Proofs
from app.read_order import Order, saver
from app.reader import Reader
from app.regions import with_pieces
from app.run import Run, follow, view_of_run
from app.run_view import RunState, RunView
from app.settings import Settings
from app.shelf import Shelf
from app.workers import Workers
from model.api import (
    Engine,
    EngineChoice,
    EngineSource,
    Memory,
    ModelError,
    choose,
    engines_there,
    is_second_version,
)

SUMS_NAME = "checkpoint-sums.json"
VERDICTS_NAME = "checkpoint-verdicts.json"
BEST = "gpu_and_checkpoint"  # why an engine is chosen: it is the best there is


@dataclass(frozen=True)
class Waiting:
    """A book in the queue."""

    paths: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What the queue shows."""
        return self.paths[0].name if self.paths else ""


class Runs:
    """Belongs to the UI thread. One run at a time; its events come through `apply`."""

    def __init__(
        self,
        shelf: Shelf,
        proofs: Proofs,
        workers: Workers,
        reader: Reader,
        *,
        settings: Settings,
        cache: Path,
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._reader = reader
        self._cache = cache
        self._awake = Awake()
        self._streams: dict[int, tuple[Region, ...]] = {}
        self._last_id = 0
        self.settings = settings
        self.opening = ""  # name of the book that is being opened to be shown
        self.run: Run | None = None
        self.memory: Memory | None = None
        self.queue: tuple[Waiting, ...] = ()
        self.next_engine: EngineSource | None = None  # what will read, while nothing does
        self.failed: Failed | None = None  # how the last run ended, if it ended badly

    def start(
        self,
        pages: tuple[int, ...] | None = None,
        *,
        again: bool = False,
        engine: Engine | None = None,
    ) -> Change:
        """Read the book that is shown: pages without a result, or the chosen ones again.

        Returns:
            `NOTHING` when a run is under way, the book is read-only, or no page wants reading.
        """
        opened = self._shelf.shown
        return NOTHING if opened is None else self.read(opened, pages, again=again, engine=engine)

    def read(
        self,
        opened: OpenBook,
        pages: tuple[int, ...] | None = None,
        *,
        again: bool = False,
        engine: Engine | None = None,
    ) -> Change:
        """Read an open book, shown or not."""
        wanted = opened.pages_to_read(pages, again=again)
        if self.run is not None or opened.read_only or not wanted or self._proofs.is_renumbering:
            return NOTHING
        self._begin(opened, wanted, engine)
        return Change(run=True)

    def has_unread(self) -> bool:
        """Whether an order to read the shown book would find a page to read."""
        opened = self._shelf.shown
        return opened is not None and opened.tally.to_read > 0

    def pause(self) -> Change:
        """Hold the run between two steps; the engine keeps what it knows of the page."""
        return self._tell_reader(self._reader.pause)

    def resume(self) -> Change:
        """Let a held run go on."""
        return self._tell_reader(self._reader.resume)

    def stop(self) -> Change:
        """End the run at the next step; what was read is kept."""
        if self.run is not None:
            self.run = replace(self.run, is_stopping=True)
        return self._tell_reader(self._reader.stop)

    def add_to_queue(self, paths: tuple[Path, ...]) -> Change:
        """Let a book wait until the run under way has ended."""
        self.queue = (*self.queue, Waiting(paths))
        return Change(queue=True)

    def drop_from_queue(self, index: int) -> Change:
        """Take a waiting book out."""
        self.queue = self.queue[:index] + self.queue[index + 1 :]
        return Change(queue=True)

    def take_from_queue(self) -> Waiting | None:
        """The book that is next, when no run is under way."""
        if self.run is not None or not self.queue:
            return None
        first, *rest = self.queue
        self.queue = tuple(rest)
        return first

    def is_reading(self, book_id: str, page: int) -> bool:
        """Whether the engine writes this page now; it is read-only until it ends."""
        run = self.run
        return (
            run is not None
            and run.book_id == book_id
            and run.page == page
            and (page not in run.ended or page in self._streams)
        )

    def stream(self, page: int) -> tuple[Region, ...] | None:
        """What has been written so far of a page of the shown book, if it is under way."""
        run = self.run
        if run is None or not self._shelf.is_shown(run.book_id):
            return None
        return self._streams.get(page)

    def view(self) -> RunView:
        """What the run bar draws, now."""
        shown = self._shelf.shown
        if self.run is not None:
            return self._view_of(self.run)
        if shown is None:
            return RunView(opening=self.opening, waiting=len(self.queue), engine=self.next_engine)
        count = len(shown.book.pages)
        return RunView(
            state=RunState.IDLE,
            opening=self.opening,
            book_pages=count,
            done=shown.tally.done,
            pages=count,
            proofread=shown.tally.proofread,
            waiting=len(self.queue),
            engine=self.next_engine,
        )

    def apply(self, event: RunEvent) -> Change:
        """Take an event in; events of a run that is not under way are dropped."""
        run = self.run
        if run is None or event.run_id != run.run_id:
            return NOTHING
        self.run = follow(run, event, time.monotonic())
        match event:
            case Started():
                return Change(run=True)
            case PageStarted(page=page):
                self._streams = {page: ()}
                return Change(run=True) | self._if_shown(run, Change(pages=frozenset({page})))
            case TextAdded():
                return self._on_text(run, event)
            case PageFinished():
                return self._on_page(run, event)
            case ReadBeside(page=page):
                change = self._proofs.put_pages(run.book_id, (page,))
                return change | Change(run=True, saved=True)
            case MemoryMeasured(memory=memory):
                self.memory = memory
                return Change(memory=True)
            case Finished() | Stopped() | Failed():
                return self._on_end(run, event)
            case _:
                return Change(run=True)

    def close(self) -> bool:
        """Stop and wait; False when the engine did not stop in time."""
        self._awake.end()
        return self._reader.close()

    def _begin(self, opened: OpenBook, wanted: tuple[int, ...], engine: Engine | None) -> None:
        self._last_id += 1
        self.failed = None
        self.run = Run(
            self._last_id, opened.book.id, wanted, done_before=_done_besides(opened, wanted)
        )
        if self.settings.inhibit_sleep:
            self._awake.begin()
        self._reader.read(
            Order(
                run_id=self._last_id,
                book_id=opened.book.id,
                pages=wanted,
                most_pages=self.settings.max_pages,
                choose=engine_chooser(self.settings, engine, cache=self._cache),
                images=opened.images,
                save=saver(opened.store, self._workers.store),
                second=second_chooser(self.settings, cache=self._cache),
            )
        )

    def _tell_reader(self, order: Callable[[], None]) -> Change:
        if self.run is None:
            return NOTHING
        order()
        return Change(run=True)

    def _if_shown(self, run: Run, change: Change) -> Change:
        return change if self._shelf.is_shown(run.book_id) else NOTHING

    def _on_text(self, run: Run, event: TextAdded) -> Change:
        so_far = self._streams.get(event.page, ())
        self._streams[event.page] = with_pieces(so_far, event.pieces)
        return Change(run=True) | self._if_shown(run, Change(text_added=frozenset({event.page})))

    def _on_page(self, run: Run, event: PageFinished) -> Change:
        number = event.page.number
        self._streams.pop(number, None)
        change = self._proofs.put_pages(run.book_id, (event.page,))
        if event.is_current:
            change |= self._proofs.put_reading(run.book_id, number, event.reading)
        return (
            change
            | Change(run=True, saved=True)
            | self._if_shown(run, Change(pages=frozenset({number})))
        )

    def _on_end(self, run: Run, event: Finished | Stopped | Failed) -> Change:
        self._awake.end()
        self.run = None
        touched = frozenset(self._streams)
        self._streams = {}
        self.failed = event if isinstance(event, Failed) else None
        return Change(run=True) | self._if_shown(run, Change(pages=touched, readings=touched))

    def _view_of(self, run: Run) -> RunView:
        view = view_of_run(run, time.monotonic(), datetime.now().astimezone())
        opened = self._shelf.get(run.book_id)
        if opened is None:
            return view
        pages, shown = opened.book.pages, self._shelf.shown
        is_shown = self._shelf.is_shown(run.book_id)
        return replace(
            view,
            title="" if is_shown else title_of(opened),
            label="" if run.page is None else pages[run.page].label,
            book_pages=len(pages),
            proofread=shown.tally.proofread if shown else 0,
            waiting=len(self.queue),
        )


def engine_chooser(
    settings: Settings, asked: Engine | None, *, cache: Path
) -> Callable[[], EngineChoice]:
    """The choice of the engine, to be made on the thread that can wait for the card's driver.

    Args:
        settings: which engine, checkpoint and device.
        asked: for this run only; None goes by the settings.
        cache: folder where sums of a checkpoint's files are remembered, so that gigabytes are
            hashed once and not at every start, and how comparing it with its own code ended.
    """

    def chosen() -> EngineChoice:
        choice = choose(settings.checkpoint, asked or settings.engine)
        if choice.why == BEST and _was_never_compared(settings.checkpoint, cache / VERDICTS_NAME):
            choice = replace(choose(None), why="never_compared")
        remembered = (
            ("hash_cache", str(cache / SUMS_NAME)),
            ("verdicts", str(cache / VERDICTS_NAME)),
        )
        return replace(
            choice,
            device=settings.device,
            gpu_memory_limit_bytes=settings.gpu_memory_limit_bytes,
            options=(*remembered, *engine_options(settings)),
        )

    return chosen


def _was_never_compared(checkpoint: Path | None, verdicts: Path) -> bool:
    """Whether a checkpoint would stay off for want of any comparison; told without hashing it."""
    try:
        return checkpoint is not None and is_second_version(checkpoint) and not verdicts.exists()
    except ModelError:
        return False


def second_chooser(
    settings: Settings, *, cache: Path
) -> Callable[[EngineSource], EngineChoice | None]:
    """Who reads once more what the first engine left to be looked at; nobody where none other is.

    It is the line reader, which is quick and errs otherwise than the others; after it another.
    """

    def chosen(first: EngineSource) -> EngineChoice | None:
        if first.engine != Engine.LINE_READER:
            return engine_chooser(settings, Engine.LINE_READER, cache=cache)()
        others = [each for each in engines_there(settings.checkpoint) if each != first.engine]
        return engine_chooser(settings, others[-1], cache=cache)() if others else None

    return chosen


def engine_options(settings: Settings) -> tuple[tuple[str, str], ...]:
    """What the settings say of continuous decoding, as the engine's options."""
    names = ("window_size", "sparsity_ratio", "chunk_size", "max_pages")
    options = tuple((name, str(getattr(settings, name))) for name in names)
    return options if settings.mode is None else (("mode", settings.mode), *options)


def title_of(opened: OpenBook) -> str:
    """The title in the catalogue, or the name of the scan."""
    book = opened.book
    return book.details.title or (book.paths[0].stem if book.paths else book.id)


def _done_besides(opened: OpenBook, wanted: tuple[int, ...]) -> int:
    others = set(range(len(opened.book.pages))) - set(wanted)
    return sum(opened.book.pages[number].state in DONE_STATES for number in others)
