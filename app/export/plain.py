"""A document as plain text: UTF-8, one line a paragraph, an empty line between.

The file begins with what is known of the book and its text. Every page, and nothing else, begins
with a form feed, so what stands before the first one can be cut off, and pages can be told apart
whether their marks are shown or not. Note marks stay as printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from app.export import wording
from app.export.blocks import (
    Block,
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
    Table,
)
from app.export.document import Document, PageMarks

FORM_FEED = "\f"
SCANS = "scans: "
"""Begins the line that names the scans whose pages follow, from 1."""


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    marks = document.options.page_marks
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in _head(document))
        for block in document.blocks():
            text = block_text(block, marks)
            if isinstance(block, PageMark):
                file.write(f"\n{FORM_FEED}{text}\n" if text else f"\n{FORM_FEED}")
            elif text.strip():
                file.write(f"\n{text}\n")


def block_text(block: Block, marks: PageMarks) -> str:
    """A block as it stands in the file."""
    match block:
        case PageMark():
            return wording.page_mark(block, marks)
        case Heading() | Paragraph():
            return _line(block.inlines, marks)
        case ListBlock():
            return "\n".join(_item(item, marks) for item in block.items)
        case Table():
            rows = ([_cell(cell.inlines, marks) for cell in row] for row in block.rows)
            return "\n".join("\t".join(row) for row in rows)
        case Note():
            head = f"{block.mark or '*'} " if block.is_linked else f"{wording.loose_note(block)} "
            return head + _line(block.inlines, marks)
        case PageNote():
            return wording.page_note(block)
        case Figure():
            lines = (f"{wording.figure()} {_line(block.inlines, marks)}".rstrip(),)
            return "\n".join((*lines, *((_line(block.caption, marks),) if block.caption else ())))


def ranges(numbers: Sequence[int]) -> str:
    """Numbers from 0 as ranges from 1: "1-12, 15"."""
    ends = [at for at, (a, b) in enumerate(pairwise(numbers), 1) if b != a + 1]
    starts = [0, *ends] if numbers else []
    parts = [numbers[a:b] for a, b in zip(starts, [*ends, len(numbers)], strict=False)]
    return ", ".join(
        f"{part[0] + 1}-{part[-1] + 1}" if len(part) > 1 else f"{part[0] + 1}" for part in parts
    )


def _head(document: Document) -> Iterator[str]:
    details = document.details
    named = {
        "title": details.title,
        "author": details.author,
        "date": details.year,
        "shelfmark": details.shelfmark,
        "language": details.language,
        "notes": details.notes,
        "source": ", ".join(document.sources),
        "made-with": wording.made_with(),
        "exported": wording.day(datetime.now().astimezone()),
    }
    yield from (f"{name}: {text}" for name, text in named.items() if text)
    yield from wording.provenance(document.provenance)
    yield f"{SCANS}{ranges(document.provenance.pages)}"


def _line(inlines: Inlines, marks: PageMarks) -> str:
    return "".join(_inline(each, marks) for each in inlines).strip(" \n")


def _inline(inline: Inline, marks: PageMarks) -> str:
    match inline:
        case NoteRef():
            return inline.mark
        case PageMark():
            return f" {FORM_FEED}{wording.page_mark(inline, marks)}"
        case _:
            return wording.shown((inline,), marks)


def _item(item: Item, marks: PageMarks) -> str:
    return f"{item.mark} {_line(item.inlines, marks)}".strip(" ")


def _cell(inlines: Inlines, marks: PageMarks) -> str:
    return " ".join(_line(inlines, marks).split())
