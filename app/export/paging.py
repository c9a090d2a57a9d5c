"""A book's readings as pages with geometry, one after another.

Goes over the pages once to count them and to learn the book's words, and again whenever
`PagedBook.pages` is called; never more than a page is in memory. Every page that goes in comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.book import Book, Page, PageSize, Reading
from app.desk.hyphens import Choices, Hyphens
from app.desk.word_places import is_placed, with_places
from app.errors import SourceError
from app.export.clean import legal, legal_details, legal_line
from app.export.document import ExportOptions, Pages
from app.export.images import PageImages
from app.export.laying import laid
from app.export.layout import LaidPage, PagedBook
from app.export.survey import Survey

A4_AT_300_DPI = PageSize(2480, 3508, None)
"""Stands for the size of a page whose scan nobody has opened and nobody can open."""

History = Callable[[int], tuple[Reading, ...]]
"""All readings of a page."""


def no_history(page: int) -> tuple[Reading, ...]:
    """What is known of a page's other readings where nobody keeps them."""
    del page
    return ()


@dataclass(frozen=True)
class Material:
    """Where an export takes a book from."""

    book: Book
    pages: Pages
    choices: Choices = Choices()  # noqa: RUF009 - a tuple of what never changes
    history: History = no_history
    images: PageImages | None = None  # None: the scan is not at hand


def paged(material: Material, options: ExportOptions) -> PagedBook:
    """Lay a book out page by page."""
    book = material.book

    def is_left_out(page: Page) -> bool:
        return options.states is not None and page.state not in options.states

    def chosen() -> Iterator[tuple[Page, Reading | None]]:
        for page, reading in material.pages():
            if options.pages is None or page.number in options.pages:
                yield page, reading

    def shown() -> Iterator[tuple[Page, Reading | None]]:
        return ((page, None if is_left_out(page) else text) for page, text in chosen())

    survey = Survey()
    for page, reading in chosen():
        survey.add(page, reading, is_left_out=is_left_out(page))
    hyphens = None
    if options.join_hyphens:
        hyphens = Hyphens(survey.vocabulary, book.details.language, material.choices)
    return PagedBook(
        legal_details(book.details),
        survey.provenance(len(book.pages)),
        tuple(legal_line(path.name) for path in book.paths),
        options,
        lambda: _laid_pages(shown(), material, hyphens),
        lambda page: _others(page, material),
        material.images,
    )


class Sheets:
    """The places on those pages of a flowing document that have begun."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._begun: dict[int, tuple[Page, Reading | None]] = {}

    def add(self, page: Page, reading: Reading | None) -> None:
        """Keep a page until its places are asked for."""
        self._begun[page.number] = (page, reading)

    def take(self, number: int) -> LaidPage:
        """The places on a page, once."""
        return _laid_page(*self._begun.pop(number), self._material, None)


def _laid_pages(
    pages: Iterator[tuple[Page, Reading | None]], material: Material, hyphens: Hyphens | None
) -> Iterator[LaidPage]:
    return (_laid_page(page, reading, material, hyphens) for page, reading in pages)


def _laid_page(
    page: Page, reading: Reading | None, material: Material, hyphens: Hyphens | None
) -> LaidPage:
    return laid(
        _legal(page),
        _size(page, material.images),
        reading and _with_places(page, reading, material),
        image_name=_image_name(page, material.book),
        hyphens=hyphens,
    )


def _with_places(page: Page, reading: Reading, material: Material) -> Reading:
    """The reading with the word boxes of others of the page, where its own are only estimates."""
    if all(map(is_placed, reading.regions)):
        return reading
    others = [each for each in material.history(page.number) if each.id != reading.id]
    regions = reading.regions
    for other in others:
        regions = with_places(regions, other.regions)
    return replace(reading, regions=regions)


def _legal(page: Page) -> Page:
    return replace(
        page,
        label=legal_line(page.label),
        failure_detail=legal_line(page.failure_detail),
        note=legal(page.note).strip(),
    )


def _size(page: Page, images: PageImages | None) -> PageSize:
    if page.size is not None and min(page.size.width_px, page.size.height_px) > 0:
        return page.size
    try:
        return A4_AT_300_DPI if images is None else images.size(page.number)
    except SourceError:
        return A4_AT_300_DPI


def _image_name(page: Page, book: Book) -> str:
    """The file of the page's scan; a page of a file that holds several by its number (RFC 8118)."""
    if page.name:
        return legal_line(page.name)
    name = legal_line(book.paths[0].name) if book.paths else "scan"
    return f"{name}#page={page.number + 1}"


def _others(page: LaidPage, material: Material) -> tuple[tuple[Reading, LaidPage], ...]:
    if page.reading is None:
        return ()
    found = [each for each in material.history(page.page.number) if each.id != page.reading.id]
    found.sort(key=lambda each: (each.source.by != "hand", -each.source.date.timestamp()))
    return tuple(
        (each, laid(page.page, page.size, each, image_name=page.image_name, hyphens=None))
        for each in found
    )
