"""The formats of a transcript: their names, who writes them, and who reads them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.export import plain, read_pages, read_tei, read_text, tei_text
from app.export.blocks import Block
from app.export.document import Document, PageMarks
from app.export.layout import PagedBook
from app.export.read_back import Tally, read_docx, read_markdown
from app.export.wording import block_text
from app.language import N_


@dataclass(frozen=True)
class Format:
    """A kind of file that a document can be written as."""

    name: str  # to be translated where it is shown
    suffix: str  # with its dot
    write: Callable[[Document, Path], None]
    read_back: Callable[[Path], Tally]
    text_of: Callable[[Block, PageMarks], str] = block_text  # what the file says of a block
    shows_pictures: bool = False
    keeps_places: bool = False  # the document knows where its lines stand on the pages
    is_folder = False
    needs_images = False


@dataclass(frozen=True)
class PageFormat:
    """A kind of file, or of folder with a file a page, that keeps every word in its place."""

    name: str  # to be translated where it is shown
    suffix: str  # with its dot; "" for a folder
    write: Callable[[PagedBook, Path], None]
    read_back: Callable[[Path], Tally]
    is_folder: bool = False
    needs_images: bool = False  # cannot be written without the scan


def _write_markdown(document: Document, path: Path) -> None:
    from app.export import markdown

    markdown.write(document, path)


def _write_docx(document: Document, path: Path) -> None:
    from app.export import docx  # python-docx is not loaded before it is needed

    docx.write(document, path)


def _write_html(document: Document, path: Path) -> None:
    from app.export import html

    html.write(document, path)


def _write_epub(document: Document, path: Path) -> None:
    from app.export import epub

    epub.write(document, path)


def _write_tei(document: Document, path: Path) -> None:
    from app.export import tei

    tei.write(document, path)


def _write_alto(book: PagedBook, folder: Path) -> None:
    from app.export import alto  # nor is lxml
    from app.export import folder as folders

    folders.write(book, folder, alto.page_bytes, suffix=".xml", media_type=_ALTO)


def _write_page(book: PagedBook, folder: Path) -> None:
    from app.export import folder as folders
    from app.export import page_xml

    folders.write(book, folder, page_xml.page_bytes, suffix=".xml", media_type=_PAGE)


def _write_hocr(book: PagedBook, folder: Path) -> None:
    from app.export import folder as folders
    from app.export import hocr

    folders.write(book, folder, hocr.page_bytes, suffix=".hocr", media_type=_HOCR)


def _write_pdf(book: PagedBook, path: Path) -> None:
    from app.export import pdf

    pdf.write(book, path, archival=False)


def _write_pdfa(book: PagedBook, path: Path) -> None:
    from app.export import pdf

    pdf.write(book, path, archival=True)


def _read_pdf(path: Path) -> Tally:
    from app.export import pdf

    return pdf.read_back(path)


_ALTO, _PAGE = "application/alto+xml", "application/vnd.prima.page+xml"
_HOCR = "text/vnd.hocr+html"
_read_alto = partial(read_pages.read_folder, words=read_pages.alto_words)
_read_page = partial(read_pages.read_folder, words=read_pages.page_words)
_read_hocr = partial(read_pages.read_folder, words=read_pages.hocr_words)

FLOWING: dict[str, Format] = {
    "markdown": Format(N_("Markdown"), ".md", _write_markdown, read_markdown),
    "docx": Format(N_("Word document"), ".docx", _write_docx, read_docx),
    "html": Format(N_("HTML"), ".html", _write_html, read_text.read_html, shows_pictures=True),
    "epub": Format(N_("EPUB 3"), ".epub", _write_epub, read_text.read_epub, shows_pictures=True),
    "text": Format(
        N_("Plain text"), ".txt", plain.write, read_text.read_plain, text_of=plain.block_text
    ),
    "tei": Format(
        N_("TEI P5"),
        ".xml",
        _write_tei,
        read_tei.read_tei,
        text_of=tei_text.block_text,
        keeps_places=True,
    ),
}
PAGED: dict[str, PageFormat] = {
    "pdf": PageFormat(
        N_("Searchable PDF, the scan untouched"), ".pdf", _write_pdf, _read_pdf, needs_images=True
    ),
    "pdfa": PageFormat(
        N_("Searchable PDF/A-2b, not validated"), ".pdf", _write_pdfa, _read_pdf, needs_images=True
    ),
    "alto": PageFormat(
        N_("ALTO 4.4, a folder with METS"), "", _write_alto, _read_alto, is_folder=True
    ),
    "page": PageFormat(
        N_("PAGE XML 2019, a folder with METS"), "", _write_page, _read_page, is_folder=True
    ),
    "hocr": PageFormat(
        N_("hOCR 1.2, a folder with METS"), "", _write_hocr, _read_hocr, is_folder=True
    ),
}
FORMATS: dict[str, Format | PageFormat] = {**FLOWING, **PAGED}
