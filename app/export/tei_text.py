"""A block's words as a TEI file has them: what others put in brackets is said by elements there."""

from __future__ import annotations

from app.export import wording
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inlines,
    ListBlock,
    Note,
    PageMark,
    PageNote,
    Paragraph,
    Run,
    Table,
)
from app.export.document import PageMarks


def block_text(block: Block, marks: PageMarks) -> str:
    """What a reader of the file must find again of a block; marks are always elements."""
    del marks
    match block:
        case PageMark():
            return wording.page_mark(block, "none")
        case Heading() | Paragraph() | Note():
            return _text(block.inlines)
        case ListBlock():
            return "\n".join(f"{item.mark} {_text(item.inlines)}" for item in block.items)
        case Table():
            return "\n".join(_text(cell.inlines) for row in block.rows for cell in row)
        case PageNote():
            return block.text
        case Figure():
            return f"{_text(block.inlines)}\n{_text(block.caption)}"


def _text(inlines: Inlines) -> str:
    return "".join(map(_inline, inlines))


def _inline(inline: object) -> str:
    match inline:
        case Run():
            return inline.text
        case Editorial():
            return f" {inline.text} "
        case PageMark():
            return f" {wording.page_mark(inline, 'none')} "
        case _:
            return ""
