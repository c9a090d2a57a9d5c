"""The old text layer of a PDF as readings, taken only on a person's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from app.book import Page, PageState, Reading, Region, Source
from app.errors import SourceError
from app.pages import PageQueue, Priority
from app.prepare.treatment import Side
from app.store.database import BookStore
from app.workers import Worker

ORIGIN = "pdf text layer"


def take_old_text(
    pages: tuple[int, ...],
    images: PageQueue,
    store: BookStore,
    worker: Worker,
    *,
    tell: Callable[[Page, Reading], None],
) -> int:
    """Save the old text of pages that have one; on `jobs`.

    Args:
        pages: those without a text of their own; others should not be handed in.
        images: of the book.
        store: of the book.
        worker: the worker `store`.
        tell: called after each page was saved, with the page as stored and its reading.

    Returns:
        How many pages had an old text.
    """
    taken = 0
    for number, reading in _readings(pages, images):
        page = worker.submit(
            store.save_read, number, reading=reading, state=PageState.READ
        ).result()
        tell(page, reading)
        taken += 1
    return taken


def _on_this_page(
    images: PageQueue, number: int, regions: tuple[Region, ...]
) -> tuple[Region, ...]:
    """Of a scan of two pages the text of this one."""
    treatment = images.treatment(number)
    if treatment.side is Side.WHOLE or not regions:
        return regions
    # numpy would hold the first window up
    from app.prepare.page_map import PageMap

    size = images.page_info(number, priority=Priority.READER).result().size
    page = PageMap(size, treatment)
    return tuple(region for region in regions if region.box and page.has_on_it(region.box))


def _readings(pages: tuple[int, ...], images: PageQueue) -> Iterator[tuple[int, Reading]]:
    for number in pages:
        try:
            regions = _on_this_page(images, number, images.text_layer(number).result())
        except SourceError:
            continue  # such a page has no text to take; reading it will say why
        if regions:
            source = Source("model", datetime.now(UTC), imported_from=ORIGIN)
            yield number, Reading(regions, source)
