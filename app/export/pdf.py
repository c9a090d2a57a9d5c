"""Searchable PDF: the pages as they were scanned, and the text over them, unseen.

Written page by page; at no time is more than a page in memory. As PDF/A-2b it keeps the rules that
it touches: embedded font, output intent, identification, no transparency, no encryption, nothing
that acts. Whether a validator agrees is for a validator to say.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from app.export.images import PageImages
from app.export.layout import LaidPage, PagedBook
from app.export.pdf_about import (
    Entry,
    headings,
    information,
    language,
    page_labels,
    write_outline,
    write_output_intent,
    xmp,
)
from app.export.pdf_file import PdfFile, real
from app.export.pdf_font import GlyphlessFont
from app.export.pdf_images import Pictures
from app.export.pdf_text import FONT, text_layer
from app.export.pdf_view import View
from app.export.read_back import Tally
from app.sources.source import Source

_BRANCH = 64  # pages on a node of the page tree


def write(book: PagedBook, path: Path, *, archival: bool) -> None:
    """Write a searchable PDF.

    Args:
        book: with its images at hand.
        path: the file to be.
        archival: as PDF/A-2b.

    Raises:
        SourceError: the scan is not there.
    """
    assert book.images is not None, "refused before"
    with path.open("wb") as file:
        _Writer(PdfFile(file), book, book.images, archival).write()


def read_back(path: Path) -> Tally:
    """Count pages and words with MuPDF, in the process that opens files of others."""
    tally = Tally()
    with Source.open([path]) as source:
        for index in range(source.info.page_count):
            page = source.plain_page(index)
            tally.pages += [int(name[1:]) - 1 for name in page.anchors]
            for word in page.words:
                tally.add_text(word)
    return tally


@dataclass
class _Writer:
    """One file while it is written."""

    file: PdfFile
    book: PagedBook
    images: PageImages
    archival: bool
    _font: GlyphlessFont = field(default_factory=GlyphlessFont)
    _pages: list[int] = field(default_factory=list[int])  # objects
    _branches: list[int] = field(default_factory=list[int])
    _numbers: list[int] = field(default_factory=list[int])  # in the book, from 0
    _labels: list[str] = field(default_factory=list[str])
    _entries: list[Entry] = field(default_factory=list[Entry])

    def write(self) -> None:
        """Write everything, in one go through the book."""
        tree, font = self.file.reserve(), self.file.reserve()
        pictures = Pictures(self.file, self.images, self.archival)
        for page in self.book.pages():
            if len(self._pages) % _BRANCH == 0:
                self._branches.append(self.file.reserve())
            self._page(page, pictures, font)
        self._tree(tree)
        self._font.write(self.file, font)
        self._end(tree)

    def _page(self, page: LaidPage, pictures: Pictures, font: int) -> None:
        picture = pictures.of(page.page.number, page.size)
        view = View(page, picture.width_pt, picture.height_pt)
        text = text_layer(view, self._font)
        content = self.file.add_packed("<<>>", b"\n".join((text, picture.orders)))
        names = "".join(f"/{name} {number} 0 R" for name, number in picture.images.items())
        number = self.file.add(
            f"<</Type/Page/Parent {self._branches[-1]} 0 R"
            f"/MediaBox[0 0 {real(picture.width_pt)} {real(picture.height_pt)}]{view.entries}"
            f"/Resources<</Font<</{FONT} {font} 0 R>>/XObject<<{names}>>>>"
            f"/Contents {content} 0 R>>"
        )
        self._pages.append(number)
        self._numbers.append(page.page.number)
        self._labels.append(page.page.label)
        self._entries += headings(page, number, picture.height_pt)

    def _tree(self, root: int) -> None:
        for branch, number in enumerate(self._branches):
            pages = self._pages[branch * _BRANCH : (branch + 1) * _BRANCH]
            self._node(number, pages, len(pages), f"/Parent {root} 0 R")
        self._node(root, self._branches, len(self._pages), "")

    def _node(self, number: int, kids: list[int], pages: int, parent: str) -> None:
        listed = " ".join(f"{kid} 0 R" for kid in kids)
        self.file.add(f"<</Type/Pages/Kids[{listed}]/Count {pages}{parent}>>", number=number)

    def _end(self, tree: int) -> None:
        now = datetime.now(UTC)
        entries = "".join(self._entries_of_catalogue())
        packet = xmp(self.book, now, archival=self.archival)
        metadata = self.file.add_stream("<</Type/Metadata/Subtype/XML>>", packet)
        root = self.file.add(f"<</Type/Catalog/Pages {tree} 0 R/Metadata {metadata} 0 R{entries}>>")
        info = self.file.add(information(self.book, now))
        self.file.finish(root=root, info=info, identity=secrets.token_hex(16))

    def _entries_of_catalogue(self) -> Iterator[str]:
        yield language(self.book)
        yield f"/Names<</Dests {self.file.add(self._anchors())} 0 R>>"
        labels = page_labels(self._labels)
        if labels:
            yield f"/PageLabels {self.file.add(labels)} 0 R"
        outline = write_outline(self.file, self._entries)
        if outline is not None:
            yield f"/Outlines {outline} 0 R/PageMode/UseOutlines"
        is_turned = self.book.details.direction == "rtl"
        shown = "/DisplayDocTitle true" if self.book.details.title else ""
        turned = "/Direction/R2L" if is_turned else ""
        yield f"/ViewerPreferences<<{shown}{turned}>>" if shown or turned else ""
        if self.archival:
            yield write_output_intent(self.file)

    def _anchors(self) -> str:
        """A name for each page, its scan counted from 1, as in all other formats."""
        places = sorted(
            (f"p{n + 1}", page) for n, page in zip(self._numbers, self._pages, strict=True)
        )
        named = "".join(f"({name})[{page} 0 R/Fit]" for name, page in places)
        return f"<</Names[{named}]>>"
