"""Pages with their geometry, without a format: what stands where on each page, in reading order.

Stands beside the flowing `Document`, which forgets places. Frozen values. Boxes are whole pixels of
the page's master, within the page and never empty; every text is legal in XML, and a line is the
words of it with single spaces between. What the engine did not place is placed by estimate, and
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.book import Details, Page, PageSize, Reading
from app.export.document import ExportOptions
from app.export.images import PageImages
from app.export.survey import Provenance
from model.api import Box, Kind

Origin = Literal["exact", "estimated"]
"""Whether an engine gave the box, or it was computed from the box around it."""

Direction = Literal["ltr", "rtl"]


class Broken(NamedTuple):
    """A word's place in one that the line's end divides."""

    part: Literal[1, 2]
    whole: str  # the word as it reads, joined or with its hyphen


@dataclass(frozen=True, slots=True)
class LaidWord:
    """One printed word, its punctuation with it."""

    text: str
    box: Box
    origin: Origin
    score: float | None = None  # 0..1
    styles: frozenset[str] = frozenset()  # names of `model.api.Style`
    broken: Broken | None = None


@dataclass(frozen=True, slots=True)
class LaidLine:
    """One printed line; at least one word."""

    words: tuple[LaidWord, ...]
    box: Box
    origin: Origin
    direction: Direction = "ltr"

    @property
    def text(self) -> str:
        """The words with single spaces between."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class LaidCell:
    """One cell of a table; rows and columns count from 0."""

    row: int
    column: int
    row_span: int
    column_span: int
    is_heading: bool
    box: Box
    lines: tuple[LaidLine, ...]


@dataclass(frozen=True, slots=True)
class LaidRegion:
    """One region. A table has cells, and the lines of them all; a picture may have no lines."""

    kind: Kind
    box: Box
    origin: Origin
    lines: tuple[LaidLine, ...]
    cells: tuple[LaidCell, ...] = ()
    score: float | None = None
    by_hand: bool = False  # a person changed its text, or wrote the reading

    @property
    def text(self) -> str:
        """Its lines, a line end between."""
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True)
class LaidPage:
    """One page. Without a text, or left out by choice, it has no regions."""

    page: Page
    size: PageSize
    regions: tuple[LaidRegion, ...]
    reading: Reading | None  # the one whose regions these are
    image_name: str  # the scan's file; with "#page=3" where that holds several pages

    def lines(self) -> Iterator[LaidLine]:
        """All lines, in reading order."""
        return (line for region in self.regions for line in region.lines)


@dataclass(frozen=True)
class PagedBook:
    """The pages of an export, made anew each time they are asked for."""

    details: Details  # legal text
    provenance: Provenance
    sources: tuple[str, ...]  # names of the files that were scanned
    options: ExportOptions
    stream: Callable[[], Iterator[LaidPage]]
    other_pages: Callable[[LaidPage], tuple[tuple[Reading, LaidPage], ...]]
    images: PageImages | None = None  # None: the scan is not at hand

    def pages(self) -> Iterator[LaidPage]:
        """All pages in order; may be called again."""
        return self.stream()

    def others(self, page: LaidPage) -> tuple[tuple[Reading, LaidPage], ...]:
        """The page's other readings: those of people first, then the newest first."""
        return self.other_pages(page)

    def before(self, page: LaidPage) -> tuple[Reading, ...]:
        """The other readings of a page that a person wrote; a machine's text has none before it."""
        is_by_hand = page.reading is not None and page.reading.source.by == "hand"
        return tuple(reading for reading, _laid in self.others(page)) if is_by_hand else ()
