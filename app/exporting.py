"""An export as a person orders it, carried out on the worker `jobs`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.book import Book
from app.export.document import ExportOptions
from app.export.images import QueuedImages
from app.export.settling import part_beside, settle, unwritable_told
from app.pages import PageQueue
from app.store.database import BookStore
from model.api import Stop

if TYPE_CHECKING:
    from app.export.formats import ExportReport


@dataclass(frozen=True)
class ExportOrder:
    """What to write, and where."""

    path: Path
    format: str  # a key of `app.export.formats.FORMATS`
    options: ExportOptions = field(default_factory=ExportOptions)
    replace: bool = False  # an existing file may be replaced


def export_book(
    book: Book,
    store: BookStore,
    order: ExportOrder,
    *,
    progress: Callable[[int, int], None],
    stop: Stop,
    images: PageQueue | None = None,
) -> ExportReport | None:
    """Write a transcript from a read-only connection of its own.

    Args:
        book: as it is shown; readings come from the store.
        store: the book's store; only its `reader()` is used.
        order: what to write, and where.
        progress: called with pages written and pages in all.
        stop: asked when the person gave up.
        images: the book's scan, for formats that show it.

    Returns:
        What was written; None when it was stopped, and then nothing is left on the disk.

    Raises:
        ExportError: nothing was written.
        SourceError: the scan is not there any more.
    """
    from app.export.formats import FORMATS, export  # python-docx: not before the first export

    chosen = order.options.pages
    numbers = tuple(page.number for page in book.pages) if chosen is None else chosen
    with store.reader() as reader, reader.standing_still():
        return export(
            book,
            lambda: reader.currents(numbers),
            order.path,
            format=FORMATS[order.format],
            options=order.options,
            progress=progress,
            stop=stop,
            replace=order.replace,
            choices=reader.hyphen_choices(),
            history=reader.history,
            images=None if images is None else QueuedImages(images),
        )


def write_log(store: BookStore, path: Path, *, replace: bool = False) -> None:
    """Write a book's audit log as a table (CSV), in one step.

    Raises:
        ExportError: `export_exists`, `export_unwritable`; no file was touched.
    """
    with store.reader() as reader:
        log = reader.audit_log()
    with unwritable_told(path), part_beside(path, is_folder=False) as part:
        part.write_text(log, encoding="utf-8", newline="")
        settle(part, path, replace=replace)
