"""A document as DOCX, with python-docx for the package and our own elements for the text.

Every page is a bookmark `p12`; it is shown, if at all, with printed and scan number. The whole
document is in memory until it is saved, as python-docx has it.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

import docx

from app.export import wording
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inlines,
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    PageNote,
    Paragraph,
    Role,
    Run,
    Table,
)
from app.export.document import Document, PageMarks
from app.export.docx_look import dress
from app.export.docx_notes import Comments, Footnotes
from app.export.docx_tables import MOST_COLUMNS, as_lines, as_table
from app.export.docx_xml import Element, W, add, new, paragraph, run

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_STYLES: dict[Role, str] = {
    "text": "BodyText",
    "caption": "Caption",
    "equation": "Equation",
    "running_head": "RunningHead",
    "page_number": "RunningHead",
    "footer": "RunningHead",
    "other": "BodyText",
}


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    word = docx.Document()
    dress(word, document)
    _Writer(word, document).write()
    packed = BytesIO()  # a zip file that cannot be ended on a full disk complains once more later
    word.save(packed)
    path.write_bytes(packed.getbuffer())


class _Writer:
    def __init__(self, word: WordDocument, document: Document) -> None:
        self._document = document
        self._marks: PageMarks = document.options.page_marks
        self._is_rtl = document.details.direction == "rtl"
        self._end = cast("Element", word.element).find(f"{W}body/{W}sectPr")
        self._footnotes = Footnotes(word, is_rtl=self._is_rtl)
        self._comments = Comments(word, "Incunable")
        self._page_count = 0
        self._before: Block | None = None

    def write(self) -> None:
        for block in self._document.blocks():
            for element in self._elements(block):
                self._end.addprevious(element)
            self._before = block
        if isinstance(self._before, Table):
            self._end.addprevious(self._empty())

    def _elements(self, block: Block) -> list[Element]:
        match block:
            case PageMark():
                return self._page(block)
            case Heading():
                return [self._paragraph(f"Heading{block.level}", block.inlines)]
            case Paragraph():
                return [self._paragraph(self._style(block), block.inlines)]
            case ListBlock():
                return [self._item(item.mark, item.inlines) for item in block.items]
            case Table():
                return self._table(block)
            case Note():
                return self._note(block)
            case PageNote():
                return [_page_note(block)]
            case Figure():
                return self._figure(block)

    def _style(self, block: Paragraph) -> str:
        is_first = block.role == "text" and isinstance(self._before, Heading | Table)
        return "FirstParagraph" if is_first else _STYLES[block.role]

    def _page(self, mark: PageMark) -> list[Element]:
        text = wording.page_mark(mark, self._marks)
        if not text:
            return self._bookmark(mark)
        breaks_page = self._marks == "breaks" and self._page_count > 0
        style = "PageNotice" if wording.is_notice(mark) else "PageMark"
        found = paragraph(style, breaks_page=breaks_page)  # in the language of the interface
        found.extend(self._bookmark(mark))
        run(found, text)
        return [found]

    def _page_inline(self, parent: Element, mark: PageMark) -> None:
        """A page that begins within a paragraph."""
        if self._marks == "breaks":
            add(run(parent, ""), "br", type="page")
        parent.extend(self._bookmark(mark))
        text = wording.page_mark(mark, self._marks)
        if text:
            is_notice = wording.is_notice(mark)
            run(parent, f" {text}", manner=f"Page{'Notice' if is_notice else 'Mark'}Inline")

    def _bookmark(self, mark: PageMark) -> list[Element]:
        self._page_count += 1
        number = str(self._page_count)
        start = new("bookmarkStart", id=number, name=mark.anchor)
        return [start, new("bookmarkEnd", id=number)]

    def _item(self, mark: str, inlines: Inlines) -> Element:
        found = paragraph("ListParagraph", is_rtl=self._is_rtl)
        add(run(found, mark), "tab")
        self._fill(found, inlines)
        return found

    def _table(self, table: Table) -> list[Element]:
        if table.columns > MOST_COLUMNS:
            return as_lines(table, self._paragraph)
        apart = [self._empty()] if isinstance(self._before, Table) else []
        return [*apart, as_table(table, self._paragraph, is_rtl=self._is_rtl)]

    def _empty(self) -> Element:
        """Keeps two tables apart, and the last from the end of the file."""
        return paragraph("Normal", is_rtl=self._is_rtl)

    def _note(self, note: Note) -> list[Element]:
        found = self._footnotes.begin(note.id) if note.is_linked else None
        if found is not None:
            self._fill(found, note.inlines)
            return []
        found = paragraph("LooseNote", is_rtl=self._is_rtl)
        run(found, f"{wording.loose_note(note)} ", manner="Editorial")
        self._fill(found, note.inlines)
        return [found]

    def _figure(self, figure: Figure) -> list[Element]:
        found = paragraph("Figure", is_rtl=self._is_rtl)
        run(found, f"{wording.figure()} ", manner="Editorial")
        self._fill(found, figure.inlines)
        return [found, *([self._paragraph("Caption", figure.caption)] if figure.caption else [])]

    def _paragraph(self, style: str, inlines: Inlines) -> Element:
        found = paragraph(style, is_rtl=self._is_rtl)
        self._fill(found, inlines)
        return found

    def _fill(self, parent: Element, inlines: Inlines) -> None:
        for inline in inlines:
            match inline:
                case Run(doubt=None):
                    run(parent, inline.text, styles=inline.styles)
                case Run():
                    self._comments.begin(parent)
                    run(parent, inline.text, styles=inline.styles)
                    self._comments.end(parent, wording.doubt(inline.doubt or 0.0))
                case NoteRef():
                    self._footnotes.refer(parent, inline.note)
                case Editorial():
                    run(parent, f" {wording.editorial(inline)}", manner="Editorial")
                case PageMark():
                    self._page_inline(parent, inline)


def _page_note(note: PageNote) -> Element:
    found = paragraph("LooseNote")  # in the language of the interface
    run(found, wording.page_note(note), manner="Editorial")
    return found
