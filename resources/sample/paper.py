"""The design of the book, and what stands on its pages. Points from the upper left, y down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from resources.sample.markup import Note, Words
from resources.sample.setting import Align, SetLine, Type, notes_of

Kind = Literal["title", "heading", "text", "table", "note", "running_head", "page_number"]
"""Kinds of blocks, by the names that `model.api.Kind` gives them."""

WIDTH_PT, HEIGHT_PT = 419.528, 595.276  # A5
INNER_PT, OUTER_PT = 50.0, 56.0
MEASURE_PT = WIDTH_PT - INNER_PT - OUTER_PT
HEAD_PT, TOP_PT, FOOT_PT = 46.0, 72.0, 534.0  # baselines: running head, first and last line
FOLIO_PT = 560.0  # baseline of a page number at the foot
SINK_PT = 112.0  # baseline of a chapter's title
INDENT_PT = 13.0
GUTTER_PT = 20.0  # between two columns
NOTES_AIR_PT = 13.0  # between the text and the notes, with a short rule in it

BODY = Type(11.3, 14.0)
NOTE = Type(9.3, 11.4)
COLUMN = Type(9.9, 12.4)
TABLE = Type(10.6, 15.5)
HEAD = Type(10.0, 14.0, tracking=0.05)
SECTION = Type(11.3, 14.0, tracking=0.05)
CHAPTER = Type(22.0, 30.0)
INITIAL_LINES, INITIAL_PT = 3, 55.0  # a large first letter, as high as three lines
COLUMN_PT = (MEASURE_PT - GUTTER_PT) / 2


@dataclass(frozen=True)
class Part:
    """Words that are set on one line, or in one cell of a row."""

    words: Words
    x_pt: float
    measure_pt: float
    align: Align = "justified"


@dataclass(frozen=True)
class Slug:
    """One line of type, with what the make-up of a page must know of it."""

    kind: Kind
    block: int  # the lines of one paragraph have one number
    of: Type
    parts: tuple[Part, ...]
    before_pt: float = 0.0  # air above, dropped at the head of a page
    after_pt: float = 0.0
    keeps_next: bool = False  # never the last line of a page
    initial: str = ""  # a large first letter
    rule_above_pt: float = 0.0  # thickness
    rule_below_pt: float = 0.0

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes called in this line."""
        return tuple(note for part in self.parts for note in notes_of(part.words))

    @property
    def is_heading(self) -> bool:
        """Whether a part of the book begins here."""
        return self.kind in ("title", "heading")

    @property
    def text(self) -> str:
        """Its letters as the guide has them."""
        words = [word for part in self.parts for word in part.words]
        return " ".join("".join(atom.text for atom in word) for word in words)


class Placed(NamedTuple):
    """A line where it stands: `x_pt` is its left end, `y_pt` its baseline."""

    line: SetLine
    x_pt: float
    y_pt: float


@dataclass(frozen=True)
class Block:
    """Lines that belong together; a table has its cells in rows, all else one line in a row."""

    kind: Kind
    rows: tuple[tuple[Placed, ...], ...]


class Rule(NamedTuple):
    """A thin printed line."""

    x_pt: float
    y_pt: float  # its middle
    width_pt: float
    thickness_pt: float


@dataclass(frozen=True)
class PrintedPage:
    """One page as it comes from the press."""

    label: str  # the printed number, "" where there is none
    is_recto: bool
    blocks: tuple[Block, ...] = ()  # in reading order
    rules: tuple[Rule, ...] = ()
    device_pt: tuple[float, float] | None = None  # middle of the printer's device

    @property
    def left_pt(self) -> float:
        """Where the lines begin."""
        return left_pt(is_recto=self.is_recto)


def left_pt(*, is_recto: bool) -> float:
    """The inner margin is the narrower one; it lies left on a right-hand page."""
    return INNER_PT if is_recto else OUTER_PT
