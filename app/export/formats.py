"""The formats of a transcript, and the one way in which each is written.

To a temporary file beside the target, read back and compared, made safe on the disk, renamed: a
file with the chosen name is complete or is not there. Runs on `jobs`; calls back from there.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from app.book import DONE_STATES, Book, Page, Reading
from app.desk.hyphens import Choices
from app.errors import ExportError
from app.export.blocks import Block, PageMark, Paragraph
from app.export.document import Document, ExportOptions, Pages, build
from app.export.read_back import Tally, read_docx, read_markdown
from app.export.survey import Provenance
from app.export.wording import block_text
from app.language import N_, _
from model.api import Stop

Progress = Callable[[int, int], None]
"""Takes pages written and pages in all."""


@dataclass(frozen=True)
class Format:
    """A kind of file that a document can be written as."""

    name: str  # to be translated where it is shown
    suffix: str  # with its dot
    write: Callable[[Document, Path], None]
    read_back: Callable[[Path], Tally]


@dataclass(frozen=True)
class ExportReport:
    """What was written, and was found again in the file."""

    path: Path
    pages: int
    words: int
    provenance: Provenance


def _write_markdown(document: Document, path: Path) -> None:
    from app.export import markdown

    markdown.write(document, path)


def _write_docx(document: Document, path: Path) -> None:
    from app.export import docx  # python-docx is not loaded before it is needed

    docx.write(document, path)


FORMATS: dict[str, Format] = {
    "markdown": Format(N_("Markdown"), ".md", _write_markdown, read_markdown),
    "docx": Format(N_("Word document"), ".docx", _write_docx, read_docx),
}


def export(
    book: Book,
    pages: Pages,
    path: Path,
    *,
    format: Format,  # noqa: A002 - the word of the interface
    options: ExportOptions,
    progress: Progress,
    stop: Stop,
    replace: bool,
    choices: Choices = Choices(),  # noqa: B008 - a tuple of what never changes
) -> ExportReport | None:
    """Write a transcript.

    Args:
        book: its details, and all its pages.
        pages: gives each chosen page, or each page of the book, with its reading, in order.
        path: the file to be.
        format: one of `FORMATS`.
        options: what goes in.
        progress: called after each page.
        stop: tested between two blocks; once asked, nothing is left on the disk.
        replace: a file of that name may be replaced.
        choices: what a person decided on words broken at line ends.

    Returns:
        What was written; None if it was stopped.

    Raises:
        ExportError: nothing was written, and a file that was there is as it was.
    """
    try:
        with _unwritable(path):
            if path.exists() and not replace:
                raise ExportError("export_exists", name=path.name)
            document = build(book, lambda: _until(pages(), stop), options, choices=choices)
            _check_pages(book, document, path)
            with _part_beside(path) as part:
                report = _write_checked(document, part, path, format, progress, stop)
                _settle(part, path, replace=replace)
                return report
    except _Stopped:
        return None


class _Stopped(Exception):
    """The person gave up."""


def _until(
    pages: Iterable[tuple[Page, Reading | None]], stop: Stop
) -> Iterator[tuple[Page, Reading | None]]:
    for pair in pages:
        if stop.asked:
            raise _Stopped
        yield pair


def _check_pages(book: Book, document: Document, path: Path) -> None:
    """Every chosen page has come, and there is something to write."""
    given = document.provenance.pages
    chosen = document.options.pages
    wanted = [page.number for page in book.pages if chosen is None or page.number in chosen]
    if book.pages and list(given) != wanted:
        detail = _("{given} of {wanted} pages came").format(given=len(given), wanted=len(wanted))
        raise ExportError("export_differs", name=path.name, detail=detail)
    if DONE_STATES.isdisjoint(document.provenance.states):
        raise ExportError("export_nothing")


def _write_checked(
    document: Document,
    part: Path,
    path: Path,
    kind: Format,
    progress: Progress,
    stop: Stop,
) -> ExportReport:
    tally = Tally()
    total = len(document.provenance.pages)
    progress(0, total)

    def watched() -> Iterator[Block]:
        for block in document.blocks():
            if stop.asked:
                raise _Stopped
            tally.add_text(block_text(block, document.options.page_marks))
            begun = _pages_begun(block)
            tally.pages += begun
            if begun:
                progress(len(tally.pages), total)
            yield block

    kind.write(replace(document, stream=watched), part)
    _compare(tally, kind.read_back(part), document, path)
    if stop.asked:
        raise _Stopped
    return ExportReport(path, len(tally.pages), tally.words, document.provenance)


def _pages_begun(block: Block) -> list[int]:
    if isinstance(block, PageMark):
        return [block.number]
    inlines = block.inlines if isinstance(block, Paragraph) else ()
    return [each.number for each in inlines if isinstance(each, PageMark)]


def _compare(written: Tally, found: Tally, document: Document, path: Path) -> None:
    if found == written and tuple(found.pages) == document.provenance.pages:
        return
    detail = _("{found} of {written} words, {pages} of {all} pages").format(
        found=found.words,
        written=written.words,
        pages=len(found.pages),
        all=len(document.provenance.pages),
    )
    raise ExportError("export_differs", name=path.name, detail=detail)


@contextmanager
def _unwritable(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        detail = error.strerror or str(error)
        raise ExportError("export_unwritable", name=path.name, detail=detail) from error


@contextmanager
def _part_beside(path: Path) -> Generator[Path]:
    """An empty file of its own beside the target; gone afterwards, unless it was renamed."""
    part = path.with_name(f".incunable-{secrets.token_hex(6)}.part")
    part.open("xb").close()
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _settle(part: Path, path: Path, *, replace: bool) -> None:
    """Give the file its name, once its content is safe on the disk."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    if replace:
        part.replace(path.resolve())
    else:
        _rename_beside_others(part, path)
    _sync_folder(path.parent)


def _rename_beside_others(part: Path, path: Path) -> None:
    """Rename, but never over a file that came meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError as error:
        raise ExportError("export_exists", name=path.name) from error
    except OSError:  # a file system without hard links
        if path.exists():
            raise ExportError("export_exists", name=path.name) from None
        part.rename(path)


def _sync_folder(folder: Path) -> None:
    """Make the new name as safe as the content, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
