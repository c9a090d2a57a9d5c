"""One run as the session knows it: how far it is, what it does, how fast. A pure value.

`follow` makes the next value from an event; no clock is read here, the moment is handed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.events import (
    PageFinished,
    PageStarted,
    Paused,
    Resumed,
    RunEvent,
    Stage,
    StageChanged,
    Started,
    TextAdded,
)
from app.run_view import Pace, RunState, RunView
from model.api import EngineSource


@dataclass(frozen=True)
class Run:
    """An order to read pages, under way."""

    run_id: int
    book_id: str
    pages: tuple[int, ...]  # in the order of reading
    done_before: int = 0  # pages of the book that were done when the run began
    ended: frozenset[int] = frozenset()
    page: int | None = None  # under way
    stage: Stage = Stage.LOADING
    engine: EngineSource | None = None
    is_paused: bool = False
    is_stopping: bool = False
    pace: Pace = field(default_factory=Pace)
    paused_since_s: float | None = None
    paused_s: float = 0.0

    @property
    def left(self) -> int:
        """How many pages of the order have no end yet."""
        return len(self.pages) - len(self.ended)

    def clock_s(self, at_s: float) -> float:
        """The moment on a clock that stands still while the run is paused."""
        return (self.paused_since_s if self.paused_since_s is not None else at_s) - self.paused_s


def follow(run: Run, event: RunEvent, at_s: float) -> Run:
    """The run after an event that happened at `at_s` (seconds of a monotonic clock)."""
    now_s = run.clock_s(at_s)
    match event:
        case Started():
            return replace(run, pace=run.pace.with_page(now_s))
        case StageChanged(stage=Stage.READING_BESIDE, page=page):
            return replace(run, stage=Stage.READING_BESIDE, page=page)
        case StageChanged(stage=stage, engine=engine):
            begins = stage is Stage.READING and run.stage is Stage.LOADING
            pace = replace(run.pace, page_ends_s=(now_s,)) if begins else run.pace
            return replace(run, stage=stage, engine=engine or run.engine, pace=pace)
        case PageStarted(page=page):
            return replace(run, page=page)
        case TextAdded(steps=steps):
            return replace(run, pace=run.pace.with_steps(now_s, steps))
        case PageFinished(page=page):
            return replace(run, ended=run.ended | {page.number}, pace=run.pace.with_page(now_s))
        case Paused():
            return replace(run, is_paused=True, paused_since_s=at_s)
        case Resumed():
            away_s = at_s - run.paused_since_s if run.paused_since_s is not None else 0.0
            return replace(
                run, is_paused=False, paused_since_s=None, paused_s=run.paused_s + away_s
            )
        case _:
            return run


def view_of_run(run: Run, at_s: float, now: datetime) -> RunView:
    """What the run bar and the command line show; what only the book knows is added there."""
    now_s = run.clock_s(at_s)
    left_s = run.pace.seconds_left(run.left, now_s)
    return RunView(
        state=_state(run),
        stage=run.stage,
        page=run.page,
        done=run.done_before + len(run.ended),
        pages=run.done_before + len(run.pages),
        steps_per_s=run.pace.steps_per_s(now_s),
        step_unit="lines" if run.engine and run.engine.engine == "line-reader" else "tokens",
        pages_per_minute=run.pace.pages_per_minute,
        seconds_left=left_s,
        finish=None if left_s is None or run.is_paused else now + timedelta(seconds=left_s),
        last_step_age_s=run.pace.last_step_age_s(now_s),
        engine=run.engine,
    )


def _state(run: Run) -> RunState:
    if run.is_stopping:
        return RunState.STOPPING
    return RunState.PAUSED if run.is_paused else RunState.RUNNING
