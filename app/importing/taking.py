"""Page files taken in as readings of a book, on `jobs`; saved one by one through `store`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from app.book import Book, Page, PageState, Reading, Region, Source
from app.errors import ImportFailed, SourceError
from app.importing.files import FoundFile, files_in, read_file
from app.importing.found import FoundPage
from app.importing.matching import Matcher
from app.pages import PageQueue, Priority
from app.store.database import BookStore
from app.there import is_folder, is_there
from app.workers import Worker
from model.api import Box, Span, Stop


@dataclass(frozen=True)
class ImportOrder:
    """What to take in."""

    path: Path  # a folder of page files, or one file
    make_current: bool = False  # also where a page has a text; never over one by hand


@dataclass(frozen=True)
class ImportReport:
    """What became of the files."""

    files: int = 0
    current: tuple[int, ...] = ()  # pages, from 0, whose text this is now
    beside: tuple[int, ...] = ()  # pages that have it as one more reading
    unmatched: tuple[str, ...] = ()  # names of files, or places in them, that fit no page
    empty: tuple[str, ...] = ()  # without a text
    unreadable: tuple[tuple[str, str], ...] = ()  # names, and why

    @property
    def taken(self) -> int:
        """How many pages got a reading."""
        return len(self.current) + len(self.beside)


Tell = Callable[[Page, Reading | None, bool], None]
"""Takes a page as stored, its new reading if it has one, and whether that is its text now."""


@dataclass(frozen=True)
class Target:
    """Where readings go."""

    book: Book
    images: PageQueue
    store: BookStore
    worker: Worker  # the worker `store`


def take_readings(
    order: ImportOrder,
    target: Target,
    *,
    tell: Tell,
    progress: Callable[[int, int], None],
    stop: Stop,
) -> ImportReport:
    """Take every page of every file in; what was saved when it was stopped stays.

    Args:
        order: what to take in.
        target: where it goes.
        tell: called after each reading was saved.
        progress: called with the files done and the files in all.
        stop: tested between two files.

    Raises:
        ImportFailed: nothing was taken.
    """
    paths = _paths(order.path)
    matcher = Matcher(target.book.pages)
    report = ImportReport(len(paths))
    for done, path in enumerate(paths):
        if stop.asked:
            break
        progress(done, len(paths))
        found = read_file(path)
        if found is not None:
            report = _taken(report, found, matcher, order, target, tell)
        else:
            report = replace(report, files=report.files - 1)
    progress(len(paths), len(paths))
    if not report.taken and not stop.asked:
        raise _failed(order.path, report)
    return report


def _paths(path: Path) -> list[Path]:
    if not is_there(path):
        raise ImportFailed("import_missing", name=path.name)
    try:
        paths = files_in(path) if is_folder(path) else [path]
    except OSError as error:
        detail = error.strerror or str(error)
        raise ImportFailed("import_unreadable", name=path.name, detail=detail) from error
    if not paths:
        raise ImportFailed("import_nothing", name=path.name)
    return paths


def _failed(path: Path, report: ImportReport) -> ImportFailed:
    if report.unreadable and len(report.unreadable) == report.files:
        name, detail = report.unreadable[0]
        return ImportFailed("import_unreadable", name=name, detail=detail)
    if report.unmatched:
        return ImportFailed("import_unmatched", name=path.name, first=report.unmatched[0])
    return ImportFailed("import_nothing", name=path.name)


def _taken(
    report: ImportReport,
    file: FoundFile,
    matcher: Matcher,
    order: ImportOrder,
    target: Target,
    tell: Tell,
) -> ImportReport:
    if file.trouble:
        trouble = (file.path.name, file.trouble)
        return replace(report, unreadable=(*report.unreadable, trouble))
    alone = len(file.pages) == 1
    origin = f"{file.format} files {order.path.name}"
    for place, found in enumerate(file.pages):
        name = file.path.name if alone else f"{file.path.name}, {place + 1}"
        number = matcher.page_of(found, file.path, place=place, alone=alone)
        if number is not None and found.note:
            _keep_note(number, found.note, target, tell)
        if not any(region.text.strip() for text in found.texts for region in text):
            report = replace(report, empty=(*report.empty, name))
        elif number is None:
            report = replace(report, unmatched=(*report.unmatched, name))
        elif _save(number, found, Source("model", datetime.now(UTC), imported_from=origin),
                   order, target, tell):  # fmt: skip
            report = replace(report, current=(*report.current, number))
        else:
            report = replace(report, beside=(*report.beside, number))
    return report


def _keep_note(number: int, note: str, target: Target, tell: Tell) -> None:
    """Take what the file says of its page, where nobody has noted anything here."""

    def keep() -> Page | None:
        is_free = not target.store.page(number).note
        return target.store.correct_page(number, "note", note) if is_free else None

    page = target.worker.submit(keep).result()
    if page is not None:
        tell(page, None, False)  # noqa: FBT003 - of one table


def _save(
    number: int, found: FoundPage, source: Source, order: ImportOrder, target: Target, tell: Tell
) -> bool:
    """Save all readings of a found page; whether the first is the page's text now."""
    fitted = _fitting(number, found, target)
    texts = [tuple(map(fitted, text)) for text in dict.fromkeys(found.texts)]
    is_current = False
    for place, regions in enumerate(texts):
        counted = f"{source.imported_from}, TextEquiv {place}" if place else source.imported_from
        reading = Reading(regions, replace(source, imported_from=counted))
        wanted = place == 0 and _may_be_current(number, order, target)
        page = target.worker.submit(
            target.store.save_read,
            number,
            reading=reading,
            state=PageState.READ,
            make_current=wanted,
        ).result()
        tell(page, reading, wanted)
        is_current |= wanted
    return is_current


def _may_be_current(number: int, order: ImportOrder, target: Target) -> bool:
    page = target.worker.submit(target.store.page, number).result()
    if page.reading_id == 0:
        return page.state is not PageState.BLANK or order.make_current
    return order.make_current and not page.by_hand and page.state is not PageState.PROOFREAD


def _fitting(number: int, found: FoundPage, target: Target) -> Callable[[Region], Region]:
    """What brings boxes from the file's measure into the page's own, and into the page."""
    size = target.book.pages[number].size
    if size is None:
        try:
            size = target.images.page_info(number, priority=Priority.READER).result().size
        except SourceError:
            return lambda region: region  # nobody knows how large the page is
    width, height = float(size.width_px), float(size.height_px)
    across, down = (
        (width / found.size[0], height / found.size[1]) if found.size is not None else (1.0, 1.0)
    )

    def fit(box: Box) -> Box | None:
        left, right = (min(width, max(0.0, x * across)) for x in (box.left, box.right))
        top, bottom = (min(height, max(0.0, y * down)) for y in (box.top, box.bottom))
        return Box(left, top, right, bottom) if left < right and top < bottom else None

    def spans(given: tuple[Span, ...]) -> tuple[Span, ...]:
        fitted = ((span, fit(span.box)) for span in given)
        return tuple(span._replace(box=box) for span, box in fitted if box is not None)

    return lambda region: replace(
        region,
        box=region.box and fit(region.box),
        lines=spans(region.lines),
        words=spans(region.words),
    )
