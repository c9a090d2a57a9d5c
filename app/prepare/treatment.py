"""What is done to a page image before it is read: one frozen value a page, kept in the store.

Three frames of coordinates, all in pixels of the master's size:

- *master*: the untouched scan after EXIF.
- *turned*: the master turned by right angles, so that its text stands upright.
- *straight*: the turned image rotated about its own centre, so that its lines lie level. Boxes and
  curves are given in this frame; it has no edges, so numbers below 0 are fine.

What the reader gets is the part of the straight frame within `frame`, its curves made level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Literal, NamedTuple, get_args

from model.api import Box


class Side(StrEnum):
    """Which part of a scan a page is."""

    WHOLE = "whole"
    LEFT = "left"
    RIGHT = "right"


class Print(StrEnum):
    """What print the pixels of a page show, before any engine has read it."""

    THERE = "there"
    SHOWS_THROUGH = "shows_through"  # only that of the other side
    NONE = "none"


class Fold(NamedTuple):
    """The line between two pages of a spread, in the turned frame."""

    top: float  # x at its upper edge
    bottom: float  # x at its lower edge


class Curve(NamedTuple):
    """How far lines bend down, on a grid over a box of the straight frame."""

    box: Box
    columns: int
    drops: tuple[float, ...]  # row by row; pixels by which a level line lies lower on the scan


@dataclass(frozen=True)
class Treatment:
    """Everything that is done to one page. The default does nothing."""

    quarters: int = 0  # right angles clockwise, 0 to 3
    fold: Fold | None = None
    side: Side = Side.WHOLE
    skew_degrees: float = 0.0  # by which the lines fall to the right on the turned image
    crop: Box | None = None  # the paper, in the straight frame
    content: Box | None = None  # the printed part, likewise; read instead of the paper
    curve: Curve | None = None
    even_light: bool = False
    despeckle: bool = False
    show_through: bool = False
    binarise: bool = False  # to look at
    reads_binary: bool = False  # the reader gets it so too

    @property
    def frame(self) -> Box | None:
        """The part that is kept; None: all of it."""
        return self.content or self.crop

    @property
    def moves_pixels(self) -> bool:
        """Whether anything is done beside tones."""
        return replace(self, **dict.fromkeys(TONES, False)) != NO_TREATMENT

    @property
    def changes_tones(self) -> bool:
        """Whether anything is done to tones."""
        return any(getattr(self, tone) for tone in TONES)

    @property
    def for_reader(self) -> Treatment:
        """What is done before the page is read: black on white only when asked."""
        return replace(self, binarise=self.binarise and self.reads_binary, reads_binary=False)

    def __bool__(self) -> bool:
        return self != NO_TREATMENT


Step = Literal["split", "turn", "deskew", "crop", "content", "dewarp", "light"]
STEPS: tuple[Step, ...] = get_args(Step)

USUAL_STEPS: frozenset[Step] = frozenset({"split", "turn", "deskew", "crop", "dewarp"})
"""Looked for when nothing else is asked: what gives the reader no less print and no other tones."""

SURE = 0.7
"""Below that a person should look before anything is done."""


@dataclass(frozen=True)
class Proposal:
    """What one scan seems to need, and how sure that is."""

    treatment: Treatment
    confidence: tuple[tuple[Step, float], ...] = ()  # of the steps that something was found for
    second: Treatment | None = None  # of the page that comes after it on the same scan

    @property
    def doubtful(self) -> tuple[Step, ...]:
        """Steps that a person should look at."""
        return tuple(step for step, sure in self.confidence if sure < SURE)


TONES = ("even_light", "despeckle", "show_through", "binarise", "reads_binary")
NO_TREATMENT = Treatment()


def to_plain(treatment: Treatment) -> dict[str, Any]:
    """A treatment as JSON holds it: only what differs from doing nothing."""
    plain = asdict(treatment)
    return {name: value for name, value in plain.items() if value != getattr(NO_TREATMENT, name)}


def from_plain(plain: dict[str, Any]) -> Treatment:
    """A treatment from JSON; names of a later version are passed over."""
    known = {each.name for each in fields(Treatment)}
    values: dict[str, Any] = {}
    for name in known & set(plain):
        read = _READ.get(name)
        values[name] = plain[name] if read is None else read(plain[name])
    return Treatment(**values)


def _curve(value: Any) -> Curve:  # noqa: ANN401 - JSON
    box, columns, drops = value
    return Curve(Box(*box), columns, tuple(drops))


_READ: dict[str, Callable[[Any], object]] = {
    "fold": lambda value: Fold(*value),
    "side": Side,
    "crop": lambda value: Box(*value),
    "content": lambda value: Box(*value),
    "curve": _curve,
}
