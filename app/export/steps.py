"""Who made the text of a page, step by step, as archive formats want to be told. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Literal

from app.book import PageState, Reading
from app.export.clean import legal_line
from app.export.layout import LaidPage
from model.api import EngineSource


@dataclass(frozen=True)
class Step:
    """One step: an engine read, a person corrected, this program wrote."""

    kind: Literal["read", "corrected", "written"]
    date: datetime  # UTC
    name: str  # of the program; "" for a person
    version: str = ""
    agency: str = ""  # the person
    description: str = ""
    settings: str = ""  # "mode lines; checkpoint 0123..."

    @property
    def who(self) -> str:
        """The program, else the person, else what is known."""
        program = f"{self.name} {self.version}".strip()
        return program or self.agency or ("by hand" if self.kind == "corrected" else "imported")


def steps_of(page: LaidPage, others: tuple[Reading, ...] = ()) -> tuple[Step, ...]:
    """What happened to a page, in time.

    Args:
        page: with the reading that is written.
        others: its other readings, the newest first.
    """
    reading = page.reading
    steps: list[Step] = []
    if reading is not None and reading.source.by == "hand":
        before = next((each for each in others if each.source.by == "model"), None)
        steps += [step_of(before)] if before is not None else []
    if reading is not None:
        steps.append(step_of(reading))
    return (*steps, _written(page))


def step_of(reading: Reading) -> Step:
    """The step that made one reading."""
    source = reading.source
    date = source.date.astimezone(UTC)
    origin = legal_line(source.imported_from)
    said = f"imported from {origin}" if origin else ""
    if source.engine is None:
        is_hand = source.by == "hand"
        return Step(
            "corrected" if is_hand else "read",
            date,
            "",
            agency=legal_line(source.person),
            description=said or ("corrected by hand" if is_hand else "text recognition"),
        )
    engine = source.engine
    return Step(
        "read",
        date,
        engine.engine,
        engine.version,
        description=said or "text recognition",
        settings=_settings(engine),
    )


def state_of(page: LaidPage) -> str:
    """The state of the page and why, in words that programs know: "look: loop_cut"."""
    reasons = ", ".join(page.page.reasons)
    state = page.page.state.value
    if page.page.state is PageState.FAILED and page.page.failure:
        reasons = page.page.failure
    return f"{state}: {reasons}" if reasons else state


def timestamp(date: datetime) -> str:
    """A moment as XML Schema writes it, in UTC."""
    return date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _written(page: LaidPage) -> Step:
    return Step(
        "written",
        datetime.now(UTC),
        "Incunable",
        version("incunable"),
        description=f"page state {state_of(page)}",
    )


def _settings(engine: EngineSource) -> str:
    named = {
        "mode": engine.mode,
        "checkpoint": engine.checkpoint,
        "device": engine.device,
        "dtype": engine.dtype,
        **dict(engine.settings),
    }
    return "; ".join(f"{name} {legal_line(value)}" for name, value in named.items() if value)
