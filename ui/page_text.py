"""The text of one page as a QTextDocument: one text block for each block of the page.

Rules that hold at all times:
- Block number n of the document is region n; a page without regions is one empty block.
- A printed line end is U+2028 inside a block; nothing a person does joins or splits blocks.
- `texts` is what stands in the document, `told` what the book was last known to hold; where they
  differ, a person has typed and the book has yet to be told.
- What changes by the book's order touches only the letters that differ, so that the cursor stays.

UI thread only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from app.book import Kind, Region
from ui.code_points import to_code_points, to_units
from ui.text_formats import Formats, Stretch, stretches

LINE_END = "\u2028"
# What Qt would take for the start of another block, or for an object in the text.
_UNSAFE = {0x0D: "\n", 0x2029: "\n"} | dict.fromkeys((0, 0xFDD0, 0xFDD1, 0xFFFC), "\ufffd")


class Place(NamedTuple):
    """Where in the page's text."""

    region: int
    offset: int  # code points


class PageText:
    """Keeps document and regions together. Belongs to `ui`."""

    def __init__(self, document: QTextDocument, formats: Formats) -> None:
        self._document = document
        self.formats = formats
        self.regions: tuple[Region, ...] = ()
        self.texts: list[str] = []
        self.told: list[str] = []
        self.is_writing = False  # the document changes by our order, not by a person's
        self.strip_px = 0  # room between two lines for the image; `set_anew` when it changes
        document.setUndoRedoEnabled(False)

    # from the book

    def show(self, regions: Sequence[Region]) -> None:
        """Show these blocks, touching only what differs.

        What a person has typed and the book was not told yet stays, as long as there are as many
        blocks as before: typing then cannot have been about other blocks.
        """
        if len(regions) != len(self.regions):
            self.told = list(self.texts)
        with self.writing() as cursor:
            self._match_count(cursor, len(regions))
            for number, region in enumerate(regions):
                self._show_region(cursor, number, region)
            self.regions = tuple(regions)

    def show_page(self, regions: Sequence[Region]) -> None:
        """Show the blocks of another page; nothing of before stays."""
        with self.writing() as cursor:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.removeSelectedText()
            self.regions, self.texts, self.told = (), [], []
            self.show(regions)

    def set_anew(self, formats: Formats) -> None:
        """Set what stands there in another face or other colours."""
        self.formats = formats
        with self.writing() as cursor:
            for number, region in enumerate(self.regions):
                self._set(cursor, number, region)

    def add(self, number: int, text: str, kind: Kind) -> None:
        """Append letters to the last block, or begin new ones up to this number."""
        with self.writing() as cursor:
            while len(self.regions) <= number:
                self._match_count(cursor, len(self.regions) + 1)
                self._show_region(cursor, len(self.regions), Region(kind, ""))
                self.regions = (*self.regions, Region(kind, ""))
            if text:
                self._append(cursor, number, text)

    def _append(self, cursor: QTextCursor, number: int, text: str) -> None:
        cursor.setPosition(self._end(number))
        cursor.insertText(_as_shown(text))
        self.texts[number] += text
        self.told[number] = self.texts[number]

    # for the person

    def place_of(self, position: int) -> Place | None:
        """Where a position of the document is in the page; None where the page has no block."""
        block = self._document.findBlock(position)
        if not self.regions or not block.isValid():
            return None
        number = block.blockNumber()
        return Place(number, to_code_points(self.texts[number], position - block.position()))

    def position_of(self, place: Place) -> int:
        """The position in the document of a place, or of the nearest that there is."""
        number = max(0, min(place.region, len(self.texts) - 1))
        text = self.texts[number] if self.texts else ""
        offset = max(0, min(place.offset, len(text)))
        return self._block(number).position() + to_units(text, offset)

    def remove(self, start: int, end: int) -> None:
        """Delete letters between two positions; the blocks stay, empty if need be."""
        first, last = self._document.findBlock(start), self._document.findBlock(end)
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        for number in range(first.blockNumber(), last.blockNumber() + 1):
            block = self._block(number)
            stop = min(end, block.position() + block.length() - 1)
            begin = max(start, block.position())
            cursor.setPosition(begin)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            end -= stop - begin
        cursor.endEditBlock()

    def take_in(self, position: int, added: int) -> None:
        """A person changed the document here: learn what stands there now."""
        if self._document.blockCount() != max(1, len(self.regions)):
            self._restore()
            return
        first = self._document.findBlock(position)
        last = self._document.findBlock(min(position + added, self._document.characterCount() - 1))
        for number in range(first.blockNumber(), last.blockNumber() + 1):
            if number < len(self.texts):
                self.texts[number] = _as_kept(self._block(number).text())

    def is_untold(self, number: int) -> bool:
        """Whether a person has typed here and the book has yet to be told."""
        return self.texts[number] != self.told[number]

    def untold(self) -> list[int]:
        """The blocks whose text the book has not been told."""
        return [number for number in range(len(self.texts)) if self.is_untold(number)]

    def tell(self, number: int) -> str:
        """The text of a block, which counts as told from now on."""
        self.told[number] = self.texts[number]
        return self.texts[number]

    # the document

    @contextmanager
    def writing(self) -> Iterator[QTextCursor]:
        """Change the document by our own order, in one step."""
        was_writing, self.is_writing = self.is_writing, True
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        try:
            yield cursor
        finally:
            cursor.endEditBlock()
            self.is_writing = was_writing

    def _block(self, number: int) -> QTextBlock:
        return self._document.findBlockByNumber(number)

    def _end(self, number: int) -> int:
        block = self._block(number)
        return block.position() + block.length() - 1

    def _match_count(self, cursor: QTextCursor, count: int) -> None:
        """As many blocks as regions; they come and go at the end."""
        while self._document.blockCount() < count:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock()
        while self._document.blockCount() > max(1, count):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.movePosition(
                QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.removeSelectedText()
            cursor.deletePreviousChar()
        if count == 0:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.removeSelectedText()
        self.texts = (self.texts + [""] * count)[:count]
        self.told = (self.told + [""] * count)[:count]

    def _show_region(self, cursor: QTextCursor, number: int, region: Region) -> None:
        old = self.regions[number] if number < len(self.regions) else None
        text = region.text.translate(_UNSAFE)
        if not self.is_untold(number) and self.texts[number] != text:
            self._replace(cursor, number, text)
        self.told[number] = text
        if old is None or _looks(old) != _looks(region):
            self._set(cursor, number, region)

    def _replace(self, cursor: QTextCursor, number: int, text: str) -> None:
        """Change the letters that differ and no other."""
        old = self.texts[number]
        start = _common_start(old, text)
        tail = _common_start(old[start:][::-1], text[start:][::-1])
        begin = self._block(number).position()
        cursor.setPosition(begin + to_units(old, start))
        cursor.setPosition(begin + to_units(old, len(old) - tail), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(_as_shown(text[start : len(text) - tail]))
        self.texts[number] = text

    def _set(self, cursor: QTextCursor, number: int, region: Region) -> None:
        """Set a block in its formats."""
        block, text = self._block(number), self.texts[number]
        letters = self.formats.letters(region.kind)
        cursor.setPosition(block.position())
        cursor.setPosition(self._end(number), QTextCursor.MoveMode.KeepAnchor)
        cursor.setBlockFormat(self.formats.block(region.kind, text, self.strip_px))
        cursor.setBlockCharFormat(letters)
        cursor.setCharFormat(letters)
        for start, end, name in stretches(region):
            cursor.setPosition(block.position() + to_units(text, min(start, len(text))))
            stop = block.position() + to_units(text, min(end, len(text)))
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(self.formats.merged(name))

    def _restore(self) -> None:
        """Something joined or split blocks in a way that is not known here: take it back."""
        regions, texts, told = self.regions, self.texts, self.told
        self.show_page(regions)
        with self.writing() as cursor:
            for number, text in enumerate(texts):
                self._replace(cursor, number, text)
        self.told = told


def moved(place: Place, before: Sequence[str], after: Sequence[str]) -> Place:
    """Where a place is after the texts of the blocks have changed: on the same letter."""
    number = place.region
    if number >= len(before) or number >= len(after):
        return place
    return Place(number, moved_within(place.offset, before[number], after[number]))


def moved_within(offset: int, old: str, new: str) -> int:
    """Where an offset is after a text has changed: before the same letter."""
    if old == new:
        return offset
    start, tail = _common_ends(old, new)
    if offset <= start:
        return offset
    if offset >= len(old) - tail:
        return offset + len(new) - len(old)
    return min(offset, len(new) - tail)


def _looks(region: Region) -> tuple[Kind, str, tuple[Stretch, ...]]:
    """All that decides how a block is set; the columns of a table hang on its text."""
    table = region.text if region.kind is Kind.TABLE else ""
    return region.kind, table, stretches(region)


def _as_shown(text: str) -> str:
    return text.translate(_UNSAFE).replace("\n", LINE_END)


def _as_kept(text: str) -> str:
    return text.replace(LINE_END, "\n")


@lru_cache(maxsize=16)
def _common_ends(old: str, new: str) -> tuple[int, int]:
    """How many letters two texts begin and end with alike; asked for each word that is drawn."""
    start = _common_start(old, new)
    return start, _common_start(old[start:][::-1], new[start:][::-1])


def _common_start(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
