"""What a row of the bench is and what came of it, as values; and the table they are printed in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from tests.bench.machine import Machine


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str  # as on the command line
    what: str
    target: str  # in words
    limit: float | None  # the measured value has to be under it; None: the row brings its own
    module: str  # of `tests.bench`, with a function `measure_<name>`


@dataclass(frozen=True)
class Measured:
    """What a row's process found out."""

    value: float  # in the unit of the row's limit
    shown: str  # the same with its unit, how often it was taken, and its spread
    limit: float | None = None  # where only the measuring tells it
    notes: tuple[str, ...] = ()  # findings in plain words


@dataclass(frozen=True)
class Line:
    """A row that was measured, or failed to be."""

    row: Row
    measured: Measured | None
    failure: str = ""  # why there is no number
    took_s: float = 0.0
    load: float = 0.0  # mean load of the machine when it ended

    @property
    def verdict(self) -> str:
        """Whether the number is under the target."""
        if self.measured is None:
            return "**not measured**"
        limit = self.row.limit if self.measured.limit is None else self.measured.limit
        assert limit is not None, f"{self.row.name} has no limit"
        return "met" if self.measured.value < limit else "**missed**"

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """As they stand in the table."""
        shown = self.measured.shown if self.measured else self.failure
        return self.row.what, self.row.target, shown, self.verdict


def as_markdown(machine: Machine, lines: Sequence[Line]) -> str:
    """The machine, the table, and the notes below it."""
    heads = ("what", "target", "measured", "verdict")
    table = [heads, ("---",) * len(heads), *(line.cells for line in lines)]
    rows = "\n".join(f"| {' | '.join(cells)} |" for cells in table)
    return "\n\n".join([*machine.sentences, rows, *_notes(lines)]) + "\n"


def as_json(machine: Machine, lines: Sequence[Line]) -> str:
    """Everything, for other programs."""
    rows = [
        {"name": line.row.name, "verdict": line.verdict.strip("*"), **asdict(line)}
        for line in lines
    ]
    return json.dumps({"machine": asdict(machine), "rows": rows}, indent=1)


def _notes(lines: Sequence[Line]) -> list[str]:
    said = [f"- {line.row.name}: {note}" for line in lines for note in _notes_of(line)]
    return ["\n".join(said)] if said else []


def _notes_of(line: Line) -> tuple[str, ...]:
    return line.measured.notes if line.measured else ()
