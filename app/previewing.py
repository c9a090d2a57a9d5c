"""What an export will show of its first page with a text, as plain words; made on `jobs`."""

from __future__ import annotations

from dataclasses import replace

from app.book import Book, Page, Reading
from app.exporting import ExportOrder
from app.store.database import BookStore

LOOKED_AT = 40
"""Pages among which the first with a text is looked for."""

LETTERS = 4000


def first_page(book: Book, store: BookStore, order: ExportOrder) -> str:
    """The first page as the order would write it; "" where none of the first has a text.

    Words broken at line ends are decided on from this page alone, so a few may be joined otherwise
    in the whole book.

    Args:
        book: as it is shown.
        store: the book's store; only its `reader()` is used.
        order: its options; its path is not looked at.
    """
    from app.export.formats import FORMATS, preview  # nothing of it before the first export

    chosen = order.options.pages
    numbers = [page.number for page in book.pages] if chosen is None else list(chosen)
    with store.reader() as reader:
        for page, reading in reader.currents(numbers[:LOOKED_AT]):
            if reading is not None and reading.text.strip() and _goes_in(page, order):
                pair: tuple[Page, Reading | None] = (page, reading)
                options = replace(order.options, pages=(page.number,))
                kind = FORMATS[order.format]
                choices = reader.hyphen_choices()
                return preview(book, pair, options, format=kind, choices=choices)[:LETTERS]
    return ""


def _goes_in(page: Page, order: ExportOrder) -> bool:
    states = order.options.states
    return states is None or page.state in states
