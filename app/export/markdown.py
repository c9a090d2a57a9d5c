"""A document as Markdown: CommonMark with GFM tables and footnotes, YAML in front.

Written block by block. Every page begins with an anchor `<a id="p12"></a>`, shown or not. A table
with spans is written in HTML tags with its cells' text as Markdown between blank lines, so that
notes work in it and a reader that drops raw HTML still shows every word.

Source:
    CommonMark 0.31; GitHub Flavored Markdown 0.29 for tables, GitHub's and pandoc's footnotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
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
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    PageNote,
    Paragraph,
    Run,
    Styles,
    Table,
    TableCell,
)
from app.export.document import Document, PageMarks
from app.export.front_matter import front_matter
from app.export.markdown_text import Beside, escaped, line_start, styled

_HARD_BREAK = "\\\n"


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(front_matter(document))
        _Writer(document, file).write()


class _Writer:
    def __init__(self, document: Document, file: TextIO) -> None:
        self._document = document
        self._file = file
        self._marks: PageMarks = document.options.page_marks
        self._is_first_page = True

    def write(self) -> None:
        before: Block | None = None
        for block in self._document.blocks():
            if isinstance(before, ListBlock) and isinstance(block, ListBlock):
                self._file.write("\n<!-- -->\n")  # or the two would become one list
            for text in self._written(block):
                self._file.write(f"\n{text}\n")
            before = block

    def _written(self, block: Block) -> Iterator[str]:
        match block:
            case PageMark():
                yield from self._page(block)
            case Heading():
                text = self._line(block.inlines, line_end=" ").replace("#", "\\#")
                yield f"{'#' * block.level} {text}"
            case Paragraph():
                yield self._paragraph(block.inlines)
            case ListBlock():
                yield "\n".join(self._item(item) for item in block.items)
            case Table():
                yield self._html_table(block) if block.has_spans else self._pipe_table(block)
            case Note():
                yield self._note(block)
            case PageNote():
                yield escaped(wording.page_note(block))
            case Figure():
                yield from self._figure(block)

    def _page(self, mark: PageMark) -> Iterator[str]:
        if self._marks == "breaks" and not self._is_first_page:
            yield "* * *"  # `---` may begin a block of YAML
        self._is_first_page = False
        yield self._page_mark(mark)

    def _page_mark(self, mark: PageMark) -> str:
        return f'<a id="{mark.anchor}"></a>{escaped(wording.page_mark(mark, self._marks))}'

    def _item(self, item: Item) -> str:
        text = self._paragraph(item.inlines).replace("\n", "\n  ")
        if item.mark[:-1].isdecimal() and item.mark.isascii():
            return f"{item.mark} {text}"
        if any(map(str.isalnum, item.mark)):
            return f"- {line_start(escaped(item.mark))} {text}"
        return f"- {text}"

    def _note(self, note: Note) -> str:
        if note.is_linked:
            return f"[^{note.id}]: {self._paragraph(note.inlines)}"
        return f"{escaped(wording.loose_note(note))} {self._line(note.inlines)}"

    def _figure(self, figure: Figure) -> Iterator[str]:
        yield f"{escaped(wording.figure())} {self._line(figure.inlines)}".rstrip()
        if figure.caption:
            yield self._paragraph(figure.caption)

    def _pipe_table(self, table: Table) -> str:
        rows = [[self._line(cell.inlines, line_end="<br>") for cell in row] for row in table.rows]
        has_heading = all(cell.is_heading for cell in table.rows[0])
        heading = rows.pop(0) if has_heading else [""] * table.columns
        return "\n".join(_pipes(row) for row in (heading, ["---"] * table.columns, *rows))

    def _html_table(self, table: Table) -> str:
        rows = ("".join(("<tr>\n", *map(self._html_cell, row), "</tr>\n")) for row in table.rows)
        return "".join(("<table>\n", *rows, "</table>"))

    def _html_cell(self, cell: TableCell) -> str:
        tag = "th" if cell.is_heading else "td"
        spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
        spans += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
        text = self._paragraph(cell.inlines)
        return f"<{tag}{spans}>\n\n{text}\n\n</{tag}>\n" if text else f"<{tag}{spans}></{tag}>\n"

    def _paragraph(self, inlines: Inlines) -> str:
        """Inlines as a block of their own."""
        lines = self._line(inlines).split(_HARD_BREAK)
        return _HARD_BREAK.join(line_start(line.strip()) for line in lines)

    def _line(self, inlines: Inlines, *, line_end: str = _HARD_BREAK) -> str:
        """Inlines after something else on their line."""
        groups = [(styles, list(each)) for styles, each in groupby(inlines, _styles)]
        texts = ["".join(map(self._inline, each)).replace("\n", line_end) for _s, each in groups]
        out = ""
        for index, (styles, _group) in enumerate(groups):
            following = texts[index + 1][:1] if index + 1 < len(texts) else ""
            if following and groups[index + 1][0] and not following.isspace():
                following = "*"  # its own stars may come first
            out += styled(texts[index], styles, Beside(out[-1:], following))
        return out.strip()

    def _inline(self, inline: Inline) -> str:
        match inline:
            case Run(doubt=None):
                return escaped(inline.text)
            case Run():
                return f"{escaped(inline.text)}<!-- {wording.doubt(inline.doubt or 0.0)} -->"
            case NoteRef():
                return f"[^{inline.note}]"
            case Editorial():
                return f" {escaped(wording.editorial(inline))}"
            case PageMark():
                is_shown = bool(wording.page_mark(inline, self._marks))
                return f"{' ' if is_shown else ''}{self._page_mark(inline)}"


def _styles(inline: Inline) -> Styles:
    return inline.styles if isinstance(inline, Run) else frozenset()


def _pipes(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
