"""Readings joined into one neutral document, page after page.

`build` goes over the pages once, to count them and to learn the words of the book; the blocks are
made anew, in a second pass, whenever `Document.blocks` is called. At no time is more than a page
and the paragraph that runs on from it in memory. Every page that goes in comes out as one
`PageMark`, whatever its state. Any thread; exports run on `jobs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.book import Book, Details, Page, PageState, Reading
from app.desk.hyphens import Choices, Hyphens
from app.export.blocks import Block, Note, PageNote, Paragraph
from app.export.clean import legal_details, legal_line
from app.export.leaves import Leaf, Setting, leaf
from app.export.levels import Level
from app.export.running_on import continued, runs_on
from app.export.survey import Provenance, Survey

if TYPE_CHECKING:
    from app.export.layout import LaidPage

PageMarks = Literal["breaks", "marks", "none"]
Pages = Callable[[], Iterable[tuple[Page, Reading | None]]]
"""Begins again at the first page each time it is called."""


@dataclass(frozen=True)
class ExportOptions:
    """What goes into a transcript, and how."""

    pages: tuple[int, ...] | None = None  # numbers from 0; None is the whole book
    running_heads: bool = False  # running heads, page numbers and footers as well
    page_marks: PageMarks = "marks"  # "none" still shows pages without a finished text
    join_hyphens: bool = True
    doubts_as_comments: bool = False
    page_notes: bool = True  # the proofreader's, told from the text, in formats with a place for it
    pictures: bool = False  # cut out of the scan, in formats that can show them
    level: Level | None = None  # of transcription, as OCR-D has it; None: as it is stored
    states: frozenset[PageState] | None = None  # None: every text; others are shown as left out


@dataclass(frozen=True)
class Document:
    """A transcript without a format."""

    details: Details
    provenance: Provenance
    sources: tuple[str, ...]  # names of the files that were scanned
    options: ExportOptions
    stream: Callable[[], Iterator[Block]]
    sheet: Callable[[int], LaidPage] | None = None  # of a page whose mark has come; once

    def blocks(self) -> Iterator[Block]:
        """All blocks from the first, in reading order; may be called again."""
        return self.stream()


def build(
    book: Book,
    pages: Pages,
    options: ExportOptions = ExportOptions(),  # noqa: B008 - frozen
    *,
    choices: Choices = Choices(),  # noqa: B008 - a tuple of what never changes
    seen: Callable[[Page, Reading | None], None] = lambda _page, _reading: None,
) -> Document:
    """Join the readings of a book.

    Args:
        book: its details, and how many pages it has.
        pages: gives each page with its current reading, in order; called once here and once for
            each call of `Document.blocks`.
        options: what goes in.
        choices: what a person decided on words broken at line ends.
        seen: told each page with the reading that goes in, before its mark comes.
    """
    survey = Survey()
    for page, reading in _chosen(pages, options):
        survey.add(page, reading, is_left_out=_is_left_out(page, options))
    hyphens: Hyphens | None = None
    if options.join_hyphens:
        hyphens = Hyphens(survey.vocabulary, book.details.language, choices)
    setting = Setting(
        hyphens, options.running_heads, options.doubts_as_comments, options.page_notes
    )
    return Document(
        legal_details(book.details),
        survey.provenance(len(book.pages)),
        tuple(legal_line(path.name) for path in book.paths),
        options,
        lambda: _blocks(pages, setting, options, seen),
    )


def _chosen(pages: Pages, options: ExportOptions) -> Iterator[tuple[Page, Reading | None]]:
    wanted = None if options.pages is None else frozenset(options.pages)
    return ((page, text) for page, text in pages() if wanted is None or page.number in wanted)


def _is_left_out(page: Page, options: ExportOptions) -> bool:
    return options.states is not None and page.state not in options.states


def _blocks(
    pages: Pages,
    setting: Setting,
    options: ExportOptions,
    seen: Callable[[Page, Reading | None], None],
) -> Iterator[Block]:
    binding = _Binding()
    for page, reading in _chosen(pages, options):
        is_left_out = _is_left_out(page, options)
        seen(page, None if is_left_out else reading)
        yield from binding.add(leaf(page, reading, setting, is_left_out=is_left_out))
    yield from binding.end()


class _Binding:
    """Joins page to page: holds back the last paragraph until it is known whether it runs on."""

    def __init__(self) -> None:
        self._open: Paragraph | None = None
        self._waiting: list[
            Note | PageNote
        ] = []  # notes of the pages that the open paragraph stands on
        self._last: Leaf | None = None

    def add(self, new: Leaf) -> Iterator[Block]:
        """Take a page; give the blocks that are complete."""
        flow = new.flow
        head = self._continuation(new)
        if self._open and self._last and head:
            text = continued(self._open.inlines, head.inlines, self._last.hyphens, new.mark)
            self._open, flow = Paragraph(text), flow[1:]
        else:
            yield from self.end()
            yield new.mark
        self._last = new
        if not flow:
            self._waiting += new.notes
            return
        yield from self.end()
        yield from self._all_but_open(flow)
        self._waiting = list(new.notes)

    def end(self) -> Iterator[Block]:
        """Give what was held back."""
        if self._open:
            yield self._open
        yield from self._waiting
        self._open, self._waiting = None, []

    def _all_but_open(self, flow: tuple[Block, ...]) -> Iterator[Block]:
        last = flow[-1]
        if isinstance(last, Paragraph) and last.role == "text":
            yield from flow[:-1]
            self._open = last
        else:
            yield from flow

    def _continuation(self, new: Leaf) -> Paragraph | None:
        """The first paragraph of this page, if the open one plainly runs on in it."""
        first = new.flow[0] if new.flow else None
        last = self._last
        if self._open is None or last is None or last.is_cut:
            return None
        if new.mark.number != last.mark.number + 1:
            return None
        if not isinstance(first, Paragraph) or first.role != "text":
            return None
        return first if runs_on(self._open.inlines, first.inlines, last.hyphens) else None
