"""A document as TEI P5: pages, printed lines, notes, and where each of them stands on its scan.

The body is written block by block to a file beside, the places are collected meanwhile and go
before it. A line that a word runs on over says so (`break="no"`), its hyphen stands in `rend`.

Source:
    TEI P5 Guidelines, chapters 2 (header), 3 (core), 4 (text structure), 11 (facsimiles), 14
    (tables and figures).
"""

from __future__ import annotations

import shutil
import tempfile
import unicodedata
from pathlib import Path
from typing import TextIO

from app.export import wording
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inline,
    Inlines,
    Item,
    LineStart,
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    PageNote,
    Paragraph,
    Run,
    Table,
    TableCell,
)
from app.export.document import Document
from app.export.markup import element, empty, escaped
from app.export.tei_header import header, language_of
from app.export.tei_places import Places

_FURNITURE = {"running_head": "header", "page_number": "pageNum", "footer": "footer"}
_STYLES = {
    "italic": "italic",
    "bold": "bold",
    "small_caps": "small-caps",
    "superscript": "superscript",
    "subscript": "subscript",
    "letter_spaced": "letter-spaced",
}


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    with tempfile.TemporaryFile(
        "w+", encoding="utf-8", newline="\n", dir=path.parent, prefix=".incunable-"
    ) as body:
        writer = _Writer(document, body)
        writer.write()
        body.seek(0)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            language = escaped(language_of(document))
            file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
            file.write(f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{language}">\n')
            file.write(f"{header(document)}\n<facsimile>\n")
            file.writelines(writer.places.surfaces)
            file.write("</facsimile>\n<text>\n<body>\n")
            shutil.copyfileobj(body, file)
            file.write("</body>\n</text>\n</TEI>\n")


class _Writer:
    def __init__(self, document: Document, body: TextIO) -> None:
        self._document = document
        self._body = body
        self._levels: list[int] = []  # of the divisions that are open
        self.places = Places()
        self._refs: set[str] = set()

    def write(self) -> None:
        self._body.write("<div>\n")  # what stands before the first heading
        for block in self._document.blocks():
            if isinstance(block, Heading):
                self._body.write(self._turned(block.level))
            self._body.write(f"{self._block(block)}\n")
        self._body.write("<p/>\n</div>\n" if not self._levels else "")
        self._body.write("".join(["</div>\n"] * len(self._levels)))

    def _turned(self, level: int) -> str:
        """Close the divisions that end where a heading of this level comes, and open its own."""
        closing = ""
        if not self._levels:
            closing = "<p/>\n</div>\n"
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
            closing += "</div>\n"
        self._levels.append(level)
        return f'{closing}<div n="{level}">\n'

    def _block(self, block: Block) -> str:
        match block:
            case PageMark():
                return self._page(block) + _state(block)
            case Heading():
                return element("head", self._inlines(block.inlines), _facs(block.inlines))
            case Paragraph():
                return self._paragraph(block)
            case ListBlock():
                items = "".join(f"{self._item(item)}\n" for item in block.items)
                return element("list", f"\n{items}")
            case Table():
                return self._table(block)
            case Note():
                return self._note(block)
            case PageNote():
                return _page_note(block)
            case Figure():
                return self._figure(block)

    def _inlines(self, inlines: Inlines) -> str:
        """Inlines; a page that begins within them does so at its first line."""
        waiting = {each.number: each for each in inlines if isinstance(each, PageMark)}
        return "".join(self._inline(each, waiting) for each in inlines)

    def _inline(self, inline: Inline, waiting: dict[int, PageMark]) -> str:
        match inline:
            case Run():
                return self._run(inline, waiting)
            case NoteRef():
                return self._reference(inline)
            case Editorial():
                return _editorial(inline)
            case PageMark():
                begun = self._page(inline) if waiting.pop(inline.number, None) else ""
                return f"{begun}{_state(inline)}"

    def _run(self, run: Run, waiting: dict[int, PageMark]) -> str:
        """A run with its line beginnings; a word that may be wrong says so."""
        parts: list[str] = []
        at = 0
        for line in run.lines:
            before = run.text[at : line.at]
            at = line.at
            is_broken = any(joint.at == at and not joint.join.infix for joint in run.joins)
            parts.append(escaped(f"{before[:-1]}\n" if before[-1:].isspace() else before))
            page = waiting.pop(line.page, None)
            parts.append(self._page(page, is_broken=is_broken) if page else "")
            parts.append(self._line(line, _hyphen(run, at) if is_broken else None))
        parts.append(escaped(run.text[at:]))
        text = "".join(parts)
        rend = " ".join(word for name, word in _STYLES.items() if name in run.styles)
        if rend:
            text = element("hi", text, {"rend": rend})
        return text if run.doubt is None else element("unclear", text, {"cert": "low"})

    def _line(self, line: LineStart, hyphen: str | None) -> str:
        zone = f"f{line.page + 1}r{line.region + 1}l{line.line + 1}"
        given = {"facs": f"#{zone}" if zone in self.places else ""}
        if hyphen is not None:
            given |= {"break": "no", "rend": hyphen}
        return empty("lb", given)

    def _page(self, mark: PageMark, *, is_broken: bool = False) -> str:
        if self._document.sheet is not None:
            self.places.add(self._document.sheet(mark.number))
        given = {
            "xml:id": mark.anchor,
            "n": mark.label or str(mark.number + 1),
            "facs": f"#f{mark.number + 1}" if self._document.sheet is not None else "",
            "break": "no" if is_broken else "",
        }
        return empty("pb", given)

    def _paragraph(self, paragraph: Paragraph) -> str:
        content, given = self._inlines(paragraph.inlines), _facs(paragraph.inlines)
        kind = _FURNITURE.get(paragraph.role)
        if kind is not None:
            return element("fw", content, {"type": kind, **given})
        rend = "" if paragraph.role == "text" else paragraph.role
        return element("p", content, {"rend": rend, **given})

    def _item(self, item: Item) -> str:
        mark = f"{element('label', escaped(item.mark))} " if item.mark else ""
        return element("item", f"{mark}{self._inlines(item.inlines)}", _facs(item.inlines))

    def _table(self, table: Table) -> str:
        rows = (element("row", "".join(map(self._cell, row))) for row in table.rows)
        size = {"rows": str(len(table.rows)), "cols": str(table.columns)}
        return element("table", "\n" + "".join(f"{row}\n" for row in rows), size)

    def _cell(self, cell: TableCell) -> str:
        given = {
            "role": "label" if cell.is_heading else "",
            "rows": str(cell.row_span) if cell.row_span > 1 else "",
            "cols": str(cell.column_span) if cell.column_span > 1 else "",
        }
        content = self._inlines(cell.inlines).replace("\n", f"\n{empty('lb', {})}")
        return element("cell", content, given)

    def _reference(self, ref: NoteRef) -> str:
        name = f"r-{ref.note}"
        given = {"type": "noteAnchor", "target": f"#n-{ref.note}"}
        if name not in self._refs:
            self._refs.add(name)
            given["xml:id"] = name
        return element("ref", escaped(ref.mark or "*"), given)

    def _note(self, note: Note) -> str:
        given = {
            "xml:id": f"n-{note.id}",
            "place": "bottom",
            "n": "".join(note.mark.split()),
            "target": f"#r-{note.id}" if f"r-{note.id}" in self._refs else "",
            **_facs(note.inlines),
        }
        return element("note", self._inlines(note.inlines), given)

    def _figure(self, figure: Figure) -> str:
        head = element("head", self._inlines(figure.caption)) if figure.caption else ""
        text = element("p", self._inlines(figure.inlines)) if figure.inlines else ""
        return element("figure", head + text)


def _state(mark: PageMark) -> str:
    """What is to be said of a page whose text is missing or unfinished."""
    said = wording.page_mark(mark, "none")
    return element("note", escaped(said), {"type": "state"}) if said else ""


def _page_note(note: PageNote) -> str:
    given = {"type": "editorial", "subtype": "page", "target": f"#p{note.page + 1}"}
    return element("note", escaped(note.text), given)


def _facs(inlines: Inlines) -> dict[str, str]:
    """The regions that a block stands in, each once."""
    places = [
        f"#f{line.page + 1}r{line.region + 1}"
        for each in inlines
        if isinstance(each, Run)
        for line in each.lines
    ]
    return {"facs": " ".join(dict.fromkeys(places))}


def _hyphen(run: Run, at: int) -> str:
    """The printed hyphen; "" where it is one that is not shown."""
    printed = next((joint.join.printed for joint in run.joins if joint.at == at), "")
    mark = printed.partition("\n")[0].rstrip()[-1:]
    return mark if mark and unicodedata.category(mark)[0] in "PS" else ""


def _editorial(words: Editorial) -> str:
    match words.kind:
        case "gap":
            supplied = f" {element('supplied', escaped(words.text))}" if words.text else ""
            return f"{empty('gap', {'reason': 'illegible'})}{supplied} "
        case "unclear" | "note":
            given = {"type": "editorial", "subtype": words.kind}
            return f" {element('note', escaped(words.text), given)} "
