"""What the application knows of a book, as values: Book, Page, Reading, Region.

All frozen: they cross threads freely and are changed by making new ones (`dataclasses.replace`).
Coordinates are pixels of the untouched master after EXIF rotation; for a page that is drawn (PDF)
the master is the page drawn at its own resolution (`PageSize.dpi`). Offsets are code points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple

from app.prepare.treatment import NO_TREATMENT, Proposal, Treatment
from model.api import Box, EngineSource, Kind, Rows, Span, Style


class PageState(StrEnum):
    """Where a page stands. `READING` lives in the session only and is never stored."""

    UNREAD = "unread"
    READING = "reading"
    READ = "read"
    LOOK = "look"
    FAILED = "failed"
    BLANK = "blank"
    PROOFREAD = "proofread"


class Reason(StrEnum):
    """Why a page is in `look`."""

    CAP_REACHED = "cap_reached"
    LOOP_CUT = "loop_cut"
    MISSING_INK = "missing_ink"
    TEXT_WITHOUT_INK = "text_without_ink"
    SECTIONS_DIFFER = "sections_differ"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    DOUBLED_PAGE = "doubled_page"
    LOW_CONFIDENCE = "low_confidence"
    MAYBE_BLANK = "maybe_blank"
    STOPPED = "stopped"


DONE_STATES = frozenset({PageState.READ, PageState.LOOK, PageState.BLANK, PageState.PROOFREAD})
"""States of pages that hold a result. A `look` page whose reason is `STOPPED` is read again."""


class PageSize(NamedTuple):
    """Size of a page's master."""

    width_px: int
    height_px: int
    dpi: float | None = None  # None where the file does not say


class Mark(NamedTuple):
    """What a person says of a stretch of text."""

    start: int  # code points
    end: int
    kind: Literal["gap", "unclear", "note", "link"]  # a link ties a note to its place in the text
    text: str = ""  # what is guessed or remarked; of a link the name that both its ends share


@dataclass(frozen=True)
class Region:
    """One block of a page, in the page's own coordinates. The screen says 'block'."""

    kind: Kind
    text: str  # NFC, printed line ends kept as "\n"
    box: Box | None = None
    lines: tuple[Span, ...] = ()
    words: tuple[Span, ...] = ()
    styles: tuple[Style, ...] = ()
    rows: Rows = ()  # tables only
    marks: tuple[Mark, ...] = ()
    score: float | None = None
    by_hand: bool = False  # a person changed this block's text or kind


@dataclass(frozen=True)
class Source:
    """Whose reading it is: a machine's or a person's, and when."""

    by: Literal["model", "hand"]
    date: datetime  # with time zone
    engine: EngineSource | None = None  # model only
    person: str = ""  # hand only; the name in settings, may be empty
    imported_from: str = ""  # e.g. "pdf text layer"; "" otherwise


@dataclass(frozen=True)
class Reading:
    """One text of one page: regions in reading order."""

    regions: tuple[Region, ...]
    source: Source
    id: int = 0  # row in the book's database; 0 while unsaved

    @property
    def text(self) -> str:
        """The whole text, a blank line between regions."""
        return "\n\n".join(region.text for region in self.regions if region.text)


class Acceptance(NamedTuple):
    """A person has compared a page with its image and calls it proofread."""

    person: str  # the name in settings, may be empty
    date: datetime | None  # None where it was before dates were kept


@dataclass(frozen=True)
class Page:
    """One image of the book."""

    number: int  # from 0
    name: str = ""  # file or member name; "" for pages of a PDF
    label: str = ""  # printed number, "" if unknown
    state: PageState = PageState.UNREAD
    reasons: tuple[Reason, ...] = ()
    failure: str = ""  # code of `app.errors`, for `failed`
    failure_detail: str = ""  # in plain words, for `failed`
    reading_id: int = 0  # the current reading; 0: none
    by_hand: bool = False  # the current reading is a person's
    size: PageSize | None = None  # None until the page was first opened
    fingerprint: str = ""  # of the page's own image; "" until first opened
    seconds: float = 0.0  # the last machine reading took
    note: str = ""  # of the proofreader, about the page as a whole
    scan: int | None = None  # which image of the scan, -1: none; None: that of its number
    scan_path: Path | None = None  # of an image that was put in from another file
    treatment: Treatment = NO_TREATMENT  # what is done to the image before it is read
    proposal: Proposal | None = None  # what it seems to need and nobody has decided
    acceptances: tuple[Acceptance, ...] = ()  # those that hold, the first round first

    @property
    def scan_index(self) -> int:
        """Which image of the scan it is, from 0; -1: it has none and is kept for its text."""
        return self.number if self.scan is None else self.scan


MOST_ROUNDS = 9


@dataclass(frozen=True)
class Details:
    """What a catalogue says of the book; every part may be empty."""

    title: str = ""
    author: str = ""
    year: str = ""
    shelfmark: str = ""
    language: str = ""  # BCP 47, e.g. "de", "la"
    script: str = ""
    direction: Literal["", "ltr", "rtl"] = ""
    notes: str = ""
    rounds: int = 1  # how many persons are to proofread each page, up to MOST_ROUNDS


@dataclass(frozen=True)
class Book:
    """One opened PDF or folder of scans with all that we know of it."""

    id: str  # UUID
    paths: tuple[Path, ...]  # the sources, as given
    fingerprint: str  # quick: sizes, first and last MiB
    details: Details = field(default_factory=Details)
    pages: tuple[Page, ...] = ()
    details_asked: bool = False  # the person was asked once
