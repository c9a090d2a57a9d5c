r"""What a neutral document is made of: blocks, and the inline pieces within them.

Frozen values without a trace of any file format. Text in them is free of characters that XML
forbids and of printed line ends; `"\n"` is a line end that is meant (equations, table cells).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from app.book import PageState, Reason
from app.desk.hyphens import HyphenJoin
from model.api import Box

Styles = frozenset[str]
"""Names of `model.api.Style`."""

PLAIN: Styles = frozenset()


class Joint(NamedTuple):
    """A place in a run where a word was broken at a printed line's end."""

    at: int  # code points from the start of the run's text
    join: HyphenJoin


class LineStart(NamedTuple):
    """A place in a run where a printed line begins."""

    at: int  # code points from the start of the run's text
    page: int  # from 0
    region: int  # of the page's reading, from 0
    line: int  # among those of the region with letters on them, from 0


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one manner."""

    text: str
    styles: Styles = PLAIN
    joins: tuple[Joint, ...] = ()
    doubt: float | None = None  # score of a word that may be wrong, 0..1
    lines: tuple[LineStart, ...] = field(default=(), compare=False)  # () where nobody asked


@dataclass(frozen=True, slots=True)
class NoteRef:
    """The place in the text that a note belongs to; stands for the printed mark."""

    note: str  # `Note.id`
    mark: str  # as printed


@dataclass(frozen=True, slots=True)
class Editorial:
    """What the proofreader says of the text before it."""

    kind: Literal["gap", "unclear", "note"]
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageMark:
    """Where a page begins; a block, or an inline where a paragraph runs on over the page's end."""

    number: int  # from 0
    label: str = ""  # printed number
    state: PageState = PageState.READ
    reasons: tuple[Reason, ...] = ()
    detail: str = ""  # why it failed, in plain words
    has_text: bool = True  # False: a page in a done state without any text
    is_left_out: bool = False  # read, but its state was not chosen

    @property
    def anchor(self) -> str:
        """Name of the place, the scan counted from 1; the same in every format."""
        return f"p{self.number + 1}"


Inline = Run | NoteRef | Editorial | PageMark
Inlines = tuple[Inline, ...]


def text_of(inlines: Inlines) -> str:
    """The printed text alone, without note marks, page marks and editors' words."""
    return "".join(each.text for each in inlines if isinstance(each, Run))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 or 2."""

    level: int
    inlines: Inlines


Role = Literal[
    "text", "caption", "equation", "running_head", "page_number", "footer", "other", "note"
]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a line of a page's furniture where that is asked for."""

    inlines: Inlines
    role: Role = "text"


class Item(NamedTuple):
    """One item of a list with its printed mark: "1.", "a)", "—", or "" where none is printed."""

    mark: str
    inlines: Inlines


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list as printed."""

    items: tuple[Item, ...]


class TableCell(NamedTuple):
    """One cell; spans are at least 1 and stay within the table."""

    inlines: Inlines
    column: int  # where it begins, from 0
    row_span: int = 1
    column_span: int = 1
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each row holds the cells that begin in it, from left to right."""

    rows: tuple[tuple[TableCell, ...], ...]
    columns: int

    @property
    def has_spans(self) -> bool:
        """Whether any cell covers more than its own place."""
        return any(cell.row_span * cell.column_span > 1 for row in self.rows for cell in row)


@dataclass(frozen=True, slots=True)
class Note:
    """A note of one page. Comes after the blocks of its page, linked or not."""

    id: str  # unique in the book: "p12-1"
    mark: str  # as printed; "" where none was found
    inlines: Inlines
    page: int  # from 0
    is_linked: bool  # a `NoteRef` of the same page points to it


@dataclass(frozen=True, slots=True)
class PageNote:
    """What the proofreader says of a page as a whole; no word of it is printed there."""

    page: int  # from 0
    text: str  # one line


class FigurePlace(NamedTuple):
    """Where a picture stands."""

    page: int  # from 0
    box: Box  # pixels of the page's master


class Picture(NamedTuple):
    """A picture cut out of the scan."""

    jpeg: bytes
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture that the text cannot show, with what was read in it."""

    inlines: Inlines = ()
    caption: Inlines = ()
    place: FigurePlace | None = field(default=None, compare=False)  # None where nobody knows
    picture: Picture | None = None  # where it was asked for and the scan has it


Block = PageMark | Heading | Paragraph | ListBlock | Table | Note | PageNote | Figure
