"""The protocol of a letter test as PDF: book, date, person, draw, result, every letter drawn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pymupdf

import resources
from app.book import Book
from app.desk.letter_test import CLAIMS, Letter, LetterTest
from app.errors import ExportError
from app.language import _
from app.letter_words import exact_text, result_text
from app.page_range import range_of

_Typeless = Any
"""What PyMuPDF makes; it says nothing of its types, or says int where it takes float."""

A4_PT = (595.0, 842.0)
MARGIN_PT = 56.0
SIZE_PT, SMALL_PT, TITLE_PT = 10.5, 8.5, 16.0
LEADING = 1.4
COLUMNS_PT = (0.0, 30.0, 72.0, 110.0, 430.0)
"""Where the columns of the list begin: number, page, letter, context, answer."""


def write_protocol(path: Path, book: Book, test: LetterTest, *, unread: Sequence[int] = ()) -> None:
    """Write the protocol of a test; the file is there whole or not at all.

    Args:
        path: where to; a file of that name is replaced.
        book: that was tested.
        test: ended.
        unread: pages among the tested ones with print that is not in the text.

    Raises:
        ExportError: `export_unwritable`.
    """
    document: _Typeless = pymupdf.open()
    sheet = _Sheet(document)
    _write_head(sheet, book, test, unread)
    _write_list(sheet, test)
    sheet.end()
    document.subset_fonts()
    document.set_metadata({"title": _title(book), "producer": "Incunable"})
    try:
        data = document.tobytes(garbage=4, deflate=True)
        _put(path, data)
    except OSError as error:
        detail = error.strerror or str(error)
        raise ExportError("export_unwritable", name=path.name, detail=detail) from error
    finally:
        document.close()


def _put(path: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False, suffix=".new") as file:
        new = Path(file.name)
        file.write(data)
    try:
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _title(book: Book) -> str:
    name = book.details.title or (book.paths[0].stem if book.paths else "")
    return _("Letter test: {book}").format(book=name)


def _write_head(sheet: _Sheet, book: Book, test: LetterTest, unread: Sequence[int]) -> None:
    sheet.write(_title(book), size_pt=TITLE_PT, is_bold=True)
    sheet.skip()
    for name, value in _facts(book, test):
        if value:
            sheet.write(f"{name}: {value}")
    sheet.skip()
    sheet.write(result_text(test), is_bold=True)
    sheet.write(exact_text(test))
    sheet.skip()
    sheet.write(
        _(
            "Each of the letters in the text of the tested pages had the same chance to be drawn. "
            "A person compared each with the ink at its place. Table of the DFG (form 12.151, "
            "12/2016) for an error of 2.5 %:"
        )
    )
    table = "; ".join(
        _("{least} right: {claim} %").format(least=least, claim=claim)
        for least, claim in reversed(CLAIMS)
    )
    sheet.write(table)
    sheet.write(_("What the text lacks altogether could not be drawn from it."))
    if unread:
        pages = range_of(unread)
        found = _("Print that was not read was found by the program on pages {pages}.")
        sheet.write(found.format(pages=pages))
    sheet.skip()


def _facts(book: Book, test: LetterTest) -> Iterator[tuple[str, str]]:
    details = book.details
    yield _("Author"), details.author
    yield _("Year"), details.year
    yield _("Shelfmark"), details.shelfmark
    yield _("Scan"), ", ".join(path.name for path in book.paths[:3])
    pages = _("{pages} ({count} with text)")
    yield (
        _("Pages"),
        pages.format(
            pages=range_of([page for page in test.pages if page >= 0]), count=len(test.pages)
        ),
    )
    yield _("Tested by"), test.person
    yield _("Begun"), f"{test.begun.astimezone():%Y-%m-%d %H:%M}"
    if test.ended is not None:
        yield _("Ended"), f"{test.ended.astimezone():%Y-%m-%d %H:%M}"
    yield _("Seed of the draw"), str(test.seed)
    yield _("Letters"), str(len(test.letters))


def _write_list(sheet: _Sheet, test: LetterTest) -> None:
    sheet.write(_("The letters"), is_bold=True)
    answers = {"r": _("right"), "w": _("WRONG")}
    head = (_("No."), _("Page"), _("Letter"), _("In the text"), _("Answer"))
    sheet.write_row(head, is_bold=True)
    for number, (letter, answer) in enumerate(zip(test.letters, test.answers, strict=True), 1):
        row = (str(number), str(letter.page + 1), letter.letter, _context(letter))
        sheet.write_row((*row, answers[answer]), is_bold=answer == "w")


def _context(letter: Letter) -> str:
    return f"{letter.before[-18:]}[{letter.letter}]{letter.behind[:18]}"


class _Sheet:
    """Writes line below line, and begins another page where one is full."""

    def __init__(self, document: _Typeless) -> None:
        self._document = document
        folder = resources.path("fonts")
        self._plain: _Typeless = pymupdf.Font(fontfile=str(folder / "JunicodeTwoBeta-Regular.otf"))
        self._bold: _Typeless = pymupdf.Font(fontfile=str(folder / "JunicodeTwoBeta-Bold.otf"))
        self._begin_page()

    def write(self, text: str, *, size_pt: float = SIZE_PT, is_bold: bool = False) -> None:
        """Write a paragraph."""
        font = self._bold if is_bold else self._plain
        for line in _wrapped(text, font, size_pt):
            self._advance(size_pt)
            self._put(0, line, font, size_pt)

    def write_row(self, cells: Sequence[str], *, is_bold: bool = False) -> None:
        """Write a line of the list; what is too long for its column is cut."""
        self._advance(SMALL_PT)
        font = self._bold if is_bold else self._plain
        ends = (*COLUMNS_PT[1:], A4_PT[0] - 2 * MARGIN_PT)
        for left, right, cell in zip(COLUMNS_PT, ends, cells, strict=True):
            self._put(left, _cut(cell, font, SMALL_PT, right - left - 4), font, SMALL_PT)

    def skip(self) -> None:
        """Leave a line empty."""
        self._advance(SIZE_PT)

    def end(self) -> None:
        """Finish the last page."""
        self._writer.write_text(self._page)

    def _begin_page(self) -> None:
        width, height = A4_PT
        self._page: _Typeless = self._document.new_page(width=width, height=height)
        self._writer: _Typeless = pymupdf.TextWriter(self._page.rect)
        self._down = MARGIN_PT
        number = str(self._document.page_count)
        self._writer.append(
            (A4_PT[0] / 2, A4_PT[1] - MARGIN_PT / 2), number, font=self._plain, fontsize=SMALL_PT
        )

    def _advance(self, size_pt: float) -> None:
        if self._down + size_pt * LEADING > A4_PT[1] - MARGIN_PT:
            self.end()
            self._begin_page()
        self._down += size_pt * LEADING

    def _put(self, left: float, text: str, font: _Typeless, size_pt: float) -> None:
        self._writer.append((MARGIN_PT + left, self._down), text, font=font, fontsize=size_pt)


def _wrapped(text: str, font: _Typeless, size_pt: float) -> Iterator[str]:
    room, line = A4_PT[0] - 2 * MARGIN_PT, ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.text_length(longer, fontsize=size_pt) > room:
            yield line
            longer = word
        line = longer
    yield line


def _cut(text: str, font: _Typeless, size_pt: float, room: float) -> str:
    while text and font.text_length(text, fontsize=size_pt) > room:
        text = text[:-1]
    return text
