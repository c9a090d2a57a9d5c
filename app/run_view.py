"""What is said of a run while it goes on: rates, time left, and the one sentence. Pure, any thread.

`Pace` counts, `RunView` is what the run bar and the command line show; neither looks at a clock.
Times are seconds of a clock that stands still while the run is paused, so that a pause over night
makes no page slow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from statistics import median
from typing import Literal

from app.events import EngineSource, Stage
from app.language import N_, _, plural

STEP_WINDOW_S = 6.0  # long enough for a line reader's slow lines, short enough to follow a stall
PAGES_REMEMBERED = 24
HEARTBEAT_AFTER_S = 10.0

ENGINE_NAMES = {
    "line-reader": N_("Line reader"),
    "reader": N_("Incunable reader"),
    "unlimited-ocr": N_("Unlimited-OCR"),
    "fake": N_("Scripted reader"),
}


@dataclass(frozen=True)
class Pace:
    """How fast a run goes: the moments of its last page ends and steps."""

    page_ends_s: tuple[float, ...] = ()  # the first is the start of the run
    steps: tuple[tuple[float, int], ...] = ()  # (moment, how many)

    def with_page(self, at_s: float) -> Pace:
        """The pace after the run began (first call), or another page has ended."""
        return replace(self, page_ends_s=(*self.page_ends_s, at_s)[-1 - PAGES_REMEMBERED :])

    def with_steps(self, at_s: float, count: int) -> Pace:
        """The pace after some more tokens or lines."""
        recent = tuple(step for step in self.steps if step[0] > at_s - STEP_WINDOW_S)
        return replace(self, steps=(*recent, (at_s, count)))

    @property
    def page_s(self) -> float | None:
        """Seconds a page, None before the first has ended."""
        return median_page_s(self.page_ends_s)

    @property
    def pages_per_minute(self) -> float | None:
        """Pages a minute, None before the first has ended."""
        return 60 / self.page_s if self.page_s else None

    def steps_per_s(self, now_s: float) -> float | None:
        """Tokens or lines a second over the last seconds; 0 in a stall, None before the first."""
        if not self.steps:
            return None
        recent = [step for step in self.steps if step[0] > now_s - STEP_WINDOW_S]
        if len(recent) < 2:
            return 0.0 if not recent else None
        # what came with the first step was made before the stretch that is measured
        return sum(count for _at, count in recent[1:]) / max(now_s - recent[0][0], 1e-3)

    def seconds_left(self, pages_left: int, now_s: float) -> float | None:
        """Seconds until the run ends at this pace, None before the first page has ended."""
        if self.page_s is None:
            return None
        spent = min(max(now_s - self.page_ends_s[-1], 0.0), self.page_s)
        return max(pages_left * self.page_s - spent, 0.0)

    def last_step_age_s(self, now_s: float) -> float | None:
        """Seconds since the engine last gave something, None before it first did."""
        return max(now_s - self.steps[-1][0], 0.0) if self.steps else None


def median_page_s(ends_s: Sequence[float]) -> float | None:
    """Seconds a page as the median over the last pages, so that one slow page moves nothing.

    Args:
        ends_s: the moments of page ends in order, the start of the run before them.
    """
    took_s = [end - start for start, end in pairwise(ends_s)]
    return median(took_s) if took_s else None


class RunState(StrEnum):
    """What the buttons of the run bar may do."""

    NOTHING = "nothing"  # no book: nothing to start
    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"  # asked; the step under way is not yet over


@dataclass(frozen=True)
class RunView:
    """All that the run bar draws. The default is a window without a book."""

    state: RunState = RunState.NOTHING
    opening: str = ""  # name of the book that is being opened; told while nothing is read
    title: str = ""  # of the book that is read, when another one is shown; else ""
    stage: Stage | None = None
    page: int | None = None  # the page under way, from 0
    label: str = ""  # its printed number
    book_pages: int = 0  # pages of the book that is read
    done: int = 0  # pages of this order that are done, those read in earlier runs included
    pages: int = 0  # pages of this order, those included too
    proofread: int = 0  # pages of the shown book; done by a person
    waiting: int = 0  # books in the queue behind this one
    steps_per_s: float | None = None
    step_unit: Literal["tokens", "lines"] = "tokens"
    pages_per_minute: float | None = None
    seconds_left: float | None = None
    finish: datetime | None = None  # local time
    last_step_age_s: float | None = None
    engine: EngineSource | None = None  # None until chosen

    @property
    def share(self) -> float:
        """How much of the order is done, 0 to 1; a resumed run starts at what it found done."""
        return min(self.done / self.pages, 1.0) if self.pages else 0.0

    @property
    def is_active(self) -> bool:
        """Whether an engine has pages before it, paused or not."""
        return self.state in {RunState.RUNNING, RunState.PAUSED, RunState.STOPPING}


STAGE_SENTENCES = {
    Stage.LOADING: N_("Loading the engine"),
    Stage.RENDERING: N_("Preparing {page}"),
    Stage.READING: N_("Reading {page}"),
    Stage.SAVING: N_("Saving {page}"),
    Stage.READING_BESIDE: N_("Reading {page} a second time"),
}


def run_sentence(view: RunView) -> str:
    """What is happening, in one sentence without its full stop."""
    said = _what_happens(view)
    return (
        _("{sentence} of “{title}”").format(sentence=said, title=view.title) if view.title else said
    )


def _what_happens(view: RunView) -> str:
    match view.state:
        case RunState.NOTHING | RunState.IDLE if view.opening:
            return _("Opening {name}…").format(name=view.opening)
        case RunState.NOTHING:
            return _("No book is open")
        case RunState.IDLE:
            return plural(
                "{done} of {n} page read", "{done} of {n} pages read", view.pages, done=view.done
            )
        case RunState.PAUSED:
            return _("Paused at {page}").format(page=page_text(view))
        case RunState.STOPPING:
            return _("Stopping at {page}").format(page=page_text(view))
        case RunState.RUNNING:
            stage = STAGE_SENTENCES[view.stage or Stage.LOADING]
            return _(stage).format(page=page_text(view))


def page_text(view: RunView) -> str:
    """The page under way: 'page 13 of 348', with its printed number where known."""
    if view.page is None:
        return _("the first page")
    text = _("page {page} of {pages}").format(page=view.page + 1, pages=view.book_pages)
    return f"{text} ({view.label})" if view.label and view.label != str(view.page + 1) else text


def duration_text(seconds: float) -> str:
    """A time left as people say it; exact enough not to change every second."""
    minutes = math.ceil(max(seconds, 0) / 60)
    if minutes <= 1:
        return _("under 1 min")
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("{minutes} min").format(minutes=minutes)
    if hours < 24:
        return _("{hours} h {minutes} min").format(hours=hours, minutes=rest)
    return _("{days} d {hours} h").format(days=hours // 24, hours=hours % 24)


def finish_text(finish: datetime, now: datetime) -> str:
    """The clock time at which the run will be done, with the day unless it is today."""
    clock = f"{finish:%H:%M}"
    if finish.date() == now.date():
        return clock
    if finish.date() == now.date() + timedelta(days=1):
        return _("tomorrow {clock}").format(clock=clock)
    return f"{finish:%Y-%m-%d} {clock}"


def heartbeat_text(age_s: float | None) -> str:
    """How long the engine has been silent, "" while it is not; alive must not look like dead."""
    if age_s is None or age_s <= HEARTBEAT_AFTER_S:
        return ""
    return _("last step {seconds} s ago").format(seconds=int(age_s))


def engine_text(engine: EngineSource | None) -> str:
    """Which engine reads and where: 'Unlimited-OCR · NVIDIA H200'."""
    if engine is None:
        return ""
    name = _(ENGINE_NAMES.get(engine.engine, engine.engine))
    return f"{name} · {device_text(engine.device)}"


def device_text(device: str) -> str:
    """A device as people call it; a card keeps its own name."""
    return _("processor") if device == "cpu" else device
