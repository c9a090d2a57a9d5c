"""The one way in which a transcript of any format is written.

To a temporary file or folder beside the target, read back and compared, made safe on the disk,
renamed: what has the chosen name is complete or is not there. Runs on `jobs`; calls back from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.book import DONE_STATES, Book, Page, Reading
from app.desk.hyphens import Choices
from app.errors import ExportError
from app.export import plain
from app.export.blocks import Block, PageMark, Paragraph
from app.export.cuttings import Cuttings
from app.export.document import Document, ExportOptions, Pages, build
from app.export.format_table import FLOWING as FLOWING
from app.export.format_table import FORMATS as FORMATS
from app.export.format_table import PAGED as PAGED
from app.export.format_table import Format as Format
from app.export.format_table import PageFormat as PageFormat
from app.export.images import PageImages
from app.export.layout import LaidPage, PagedBook
from app.export.levelling import Levelling
from app.export.paging import History, Material, Sheets, no_history, paged
from app.export.read_back import Tally
from app.export.settling import part_beside, refuse_taken, settle, unwritable_told
from app.export.survey import Provenance
from app.language import _
from model.api import Stop

Progress = Callable[[int, int], None]
"""Takes pages written and pages in all."""


@dataclass(frozen=True)
class ExportReport:
    """What was written, and was found again in the file."""

    path: Path
    pages: int
    words: int
    provenance: Provenance


def export(
    book: Book,
    pages: Pages,
    path: Path,
    *,
    format: Format | PageFormat,  # noqa: A002 - the word of the interface
    options: ExportOptions,
    progress: Progress,
    stop: Stop,
    replace: bool,
    choices: Choices = Choices(),  # noqa: B008 - a tuple of what never changes
    history: History = no_history,
    images: PageImages | None = None,
) -> ExportReport | None:
    """Write a transcript.

    Args:
        book: its details, and all its pages.
        pages: gives each chosen page, or each page of the book, with its reading, in order.
        path: the file or folder to be.
        format: one of `FORMATS`.
        options: what goes in.
        progress: called after each page.
        stop: tested between two blocks or pages; once asked, nothing is left on the disk.
        replace: what has that name may be replaced.
        choices: what a person decided on words broken at line ends.
        history: gives all readings of a page.
        images: gives the scan; formats that show it cannot do without.

    Returns:
        What was written; None if it was stopped.

    Raises:
        ExportError: nothing was written, and what was there is as it was.
        SourceError: the scan is not there.
    """
    material = Material(book, lambda: _until(pages(), stop), choices, history, images)
    try:
        with unwritable_told(path):
            refuse_taken(path, is_folder=format.is_folder, replace=replace)
            if format.needs_images and images is None:
                raise ExportError("export_no_scan", name=path.name)
            order = _Order(path, progress, stop)
            made = _made(material, format, options, order)
            _check_pages(book, made.provenance, options, path)
            with part_beside(path, is_folder=format.is_folder) as part:
                report = order.written(made, part)
                settle(part, path, replace=replace)
                return report
    except _Stopped:
        return None


def preview(
    book: Book,
    page: tuple[Page, Reading | None],
    options: ExportOptions,
    *,
    format: Format | PageFormat,  # noqa: A002 - the word of the interface
    choices: Choices = Choices(),  # noqa: B008 - a tuple of what never changes
) -> str:
    """One page as an export would write it, as plain words.

    Args:
        book: its details, and all its pages.
        page: with its reading.
        options: what goes in.
        format: one of `FORMATS`; those that keep places show line by line.
        choices: what a person decided on words broken at line ends.
    """
    material = Levelling(options).material(Material(book, lambda: [page], choices))
    if isinstance(format, PageFormat):
        pages = paged(material, options).pages()
        return "\n\n".join(region.text for page in pages for region in page.regions)
    document = build(book, material.pages, options, choices=material.choices)
    texts = (plain.block_text(block, options.page_marks) for block in document.blocks())
    return "\n\n".join(text for text in texts if text.strip())


class _Stopped(Exception):
    """The person gave up."""


@dataclass(frozen=True)
class _Made:
    """A document of either kind, ready to be written."""

    provenance: Provenance
    write: Callable[[Path], None]  # counts what it writes
    read_back: Callable[[Path], Tally]
    tally: Tally  # what was written


@dataclass(frozen=True)
class _Order:
    """One export while it is carried out."""

    path: Path  # the name it is to have
    progress: Progress
    stop: Stop

    def written(self, made: _Made, part: Path) -> ExportReport:
        """Write a document to the part, read it back and compare."""
        self.progress(0, len(made.provenance.pages))
        made.write(part)
        _compare(made.tally, made.read_back(part), made.provenance, self.path)
        self.check()
        return ExportReport(self.path, len(made.tally.pages), made.tally.words, made.provenance)

    def check(self) -> None:
        """End here if the person gave up."""
        if self.stop.asked:
            raise _Stopped


def _made(
    material: Material, kind: Format | PageFormat, options: ExportOptions, order: _Order
) -> _Made:
    levelling = Levelling(options)
    material = levelling.material(material)
    if isinstance(kind, Format):
        document = _document(material, kind, options)
        told = levelling.told(document.provenance)
        document = replace(document, provenance=told)
        if kind.shows_pictures and options.pictures and material.images is not None:
            document = _with_pictures(document, Cuttings(material.images))
        return _made_flowing(document, kind, order)
    book = paged(material, options)
    told = levelling.told(book.provenance)
    return _made_paged(replace(book, provenance=told), kind, order)


def _document(material: Material, kind: Format, options: ExportOptions) -> Document:
    book, pages, choices = material.book, material.pages, material.choices
    if not kind.keeps_places:
        return build(book, pages, options, choices=choices)
    sheets = Sheets(material)
    document = build(book, pages, options, choices=choices, seen=sheets.add)
    return replace(document, sheet=sheets.take)


def _with_pictures(document: Document, cuttings: Cuttings) -> Document:
    stream = document.stream
    return replace(document, stream=lambda: map(cuttings.with_picture, stream()))


def _made_flowing(document: Document, kind: Format, order: _Order) -> _Made:
    tally, total = Tally(), len(document.provenance.pages)

    def watched() -> Iterator[Block]:
        for block in document.blocks():
            order.check()
            tally.add_text(kind.text_of(block, document.options.page_marks))
            begun = _pages_begun(block)
            tally.pages += begun
            if begun:
                order.progress(len(tally.pages), total)
            yield block

    seen = replace(document, stream=watched)
    return _Made(document.provenance, partial(kind.write, seen), kind.read_back, tally)


def _made_paged(book: PagedBook, kind: PageFormat, order: _Order) -> _Made:
    tally, total = Tally(), len(book.provenance.pages)

    def watched() -> Iterator[LaidPage]:
        for page in book.pages():
            order.check()
            tally.pages.append(page.page.number)
            for line in page.lines():
                tally.add_text(line.text)
            yield page
            order.progress(len(tally.pages), total)

    seen = replace(book, stream=watched)
    return _Made(book.provenance, partial(kind.write, seen), kind.read_back, tally)


def _until(
    pages: Iterable[tuple[Page, Reading | None]], stop: Stop
) -> Iterator[tuple[Page, Reading | None]]:
    for pair in pages:
        if stop.asked:
            raise _Stopped
        yield pair


def _check_pages(book: Book, came: Provenance, options: ExportOptions, path: Path) -> None:
    """Every chosen page has come, and there is something to write."""
    chosen = options.pages
    wanted = [page.number for page in book.pages if chosen is None or page.number in chosen]
    if book.pages and list(came.pages) != wanted:
        detail = _("{given} of {wanted} pages came").format(
            given=len(came.pages), wanted=len(wanted)
        )
        raise ExportError("export_differs", name=path.name, detail=detail)
    if DONE_STATES.isdisjoint(came.states):
        raise ExportError("export_nothing")


def _pages_begun(block: Block) -> list[int]:
    if isinstance(block, PageMark):
        return [block.number]
    inlines = block.inlines if isinstance(block, Paragraph) else ()
    return [each.number for each in inlines if isinstance(each, PageMark)]


def _compare(written: Tally, found: Tally, came: Provenance, path: Path) -> None:
    if found == written and tuple(found.pages) == came.pages:
        return
    detail = _("{found} of {written} words, {pages} of {all} pages").format(
        found=found.words,
        written=written.words,
        pages=len(found.pages),
        all=len(came.pages),
    )
    raise ExportError("export_differs", name=path.name, detail=detail)
