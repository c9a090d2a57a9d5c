"""A document cut into chapters: a new one at each heading, notes with the text they belong to.

A chapter is given once the next page begins, for only then have all notes of its last page come. At
no time is more than a chapter and the rest of a page in memory; a long stretch without a heading is
cut where a page begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.export.blocks import (
    Block,
    Figure,
    Heading,
    Inlines,
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    PageNote,
    Paragraph,
    Run,
    Table,
)

LONGEST = 250_000
"""Letters after which a chapter without a heading ends at the next page; readers turn slow."""


@dataclass
class Chapter:
    """Blocks that stand in one file of a book."""

    blocks: list[Block] = field(default_factory=list[Block])
    notes: set[str] = field(default_factory=set[str])  # that its text points to
    letters: int = 0

    @property
    def has_text(self) -> bool:
        """Whether anything but headings and what is said of pages stands in it."""
        return any(not isinstance(each, Heading | PageMark | PageNote) for each in self.blocks)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all stands in it."""
        return not self.blocks

    def add(self, block: Block) -> None:
        """Append a block."""
        self.blocks.append(block)
        for inlines in parts(block):
            self.notes.update(each.note for each in inlines if isinstance(each, NoteRef))
            self.letters += sum(len(each.text) for each in inlines if isinstance(each, Run))


def chapters(blocks: Iterable[Block]) -> Iterator[Chapter]:
    """Cut a document into chapters; every block stands in one."""
    waiting: list[Chapter] = []  # ended by a heading, but notes of the page may still come
    current = Chapter()
    for block in blocks:
        match block:
            case PageMark():
                yield from waiting
                waiting = []
                if current.letters > LONGEST:
                    yield current
                    current = Chapter()
                current.add(block)
            case Heading() if current.has_text:
                waiting.append(current)
                current = Chapter()
                current.add(block)
            case Note():
                home = next((each for each in waiting if block.id in each.notes), current)
                home.add(block)
            case _:
                current.add(block)
    yield from waiting
    if not current.is_empty:
        yield current


def parts(block: Block) -> Iterator[Inlines]:
    """All inlines of a block, in reading order."""
    match block:
        case PageMark() | PageNote():
            return
        case Heading() | Paragraph() | Note():
            yield block.inlines
        case ListBlock():
            yield from (item.inlines for item in block.items)
        case Table():
            yield from (cell.inlines for row in block.rows for cell in row)
        case Figure():
            yield from (block.inlines, block.caption)
