"""The tagged output as it streams, to pages and blocks: a strict parser, and nothing is ever run.

```
output  page*            page   <PAGE> block*        (the first <PAGE> may be missing)
block   <|det|>label [x1, y1, x2, y2]<|/det|>text    (whole numbers 0..999 of the image)
text    plain, or an HTML table; <sup>, <sub>, <b>, <i> style it
```

What is malformed or cut off costs no text and shows no tags: a header that is none becomes text, a
box that is none is left out, stray tags vanish, text without a header is a block without a box. The
events joined are the same for every cutting of the stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from model.api import Box, Kind, Rows, Style
from model.html_tables import OPENERS, TableReader
from model.lexer import DET, PAGE, Entity, Item, Lexer, Tag

StyleName = Literal["superscript", "subscript", "bold", "italic"]

FULL = 999  # the right and lower edge in the model's numbers
HEADER_LETTERS = 120  # no label with a box is longer
KINDS = {
    "title": Kind.TITLE,
    "doc_title": Kind.TITLE,
    "heading": Kind.HEADING,
    "sub_title": Kind.HEADING,
    "section_header": Kind.HEADING,
    "paragraph_title": Kind.HEADING,
    "text": Kind.TEXT,
    "paragraph": Kind.TEXT,
    "ref_text": Kind.TEXT,
    "list": Kind.LIST,
    "list_item": Kind.LIST,
    "table": Kind.TABLE,
    "image": Kind.FIGURE,
    "figure": Kind.FIGURE,
    "chart": Kind.FIGURE,
    "caption": Kind.CAPTION,
    "image_caption": Kind.CAPTION,
    "figure_caption": Kind.CAPTION,
    "table_caption": Kind.CAPTION,
    "footnote": Kind.NOTE,
    "image_footnote": Kind.NOTE,
    "table_footnote": Kind.NOTE,
    "page_footnote": Kind.NOTE,
    "aside_text": Kind.NOTE,
    "equation": Kind.EQUATION,
    "formula": Kind.EQUATION,
    "header": Kind.RUNNING_HEAD,
    "page_number": Kind.PAGE_NUMBER,
    "footer": Kind.FOOTER,
}
STYLES: dict[str, StyleName] = {
    "sup": "superscript",
    "sub": "subscript",
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
}
_HEADER = re.compile(
    r"\s*(?:(?P<label>[A-Za-z][\w-]{0,39})(?=[\s\[]|$))?\s*(?P<box>\[\s*-?\d[-\d\s,.]*\]?)?\s*",
    re.ASCII,
)
_BOX = re.compile(r"\[\s*\d{1,4}\s*(?:,\s*\d{1,4}\s*){3}\]")


class PageStart(NamedTuple):
    """`<PAGE>`: what follows stands on the next page."""


class BlockStart(NamedTuple):
    """A block begins; known when its first letter is, or its end."""

    kind: Kind
    box: tuple[int, int, int, int] | None  # left, top, right, bottom; 0..999


class TextAdded(NamedTuple):
    """Text of the block that began last."""

    text: str


class BlockEnd(NamedTuple):
    """The block is complete."""

    rows: Rows
    styles: tuple[Style, ...]


Event = PageStart | BlockStart | TextAdded | BlockEnd


_Begun = tuple[StyleName, int | None]  # where it starts; None until its first letter


@dataclass
class _Open:
    """The block being written."""

    kind: Kind
    box: tuple[int, int, int, int] | None
    is_started: bool = False  # its start was told
    letters: int = 0  # told so far
    blanks: str = ""  # white space that counts only if more text follows
    table: TableReader | None = None
    styles: list[Style] = field(default_factory=lambda: list[Style]())
    begun: list[_Begun] = field(default_factory=lambda: list[_Begun]())


class Markup:
    """The parser; a text that is fed in any pieces gives the same events, joined."""

    def __init__(self) -> None:
        self._lexer = Lexer()
        self._header: str | None = None  # what follows <|det|>, until it ends
        self._block: _Open | None = None
        self._events: list[Event] = []  # since they were last given

    def feed(self, text: str) -> list[Event]:
        """What this text adds."""
        self._take_all(self._lexer.feed(text))
        return self._give()

    def end(self) -> list[Event]:
        """What is left when the stream ends; the parser is then as new."""
        self._take_all(self._lexer.end())
        if self._header is not None:
            self._end_header(is_cut=True)
        self._end_block()
        return self._give()

    def _give(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _take_all(self, items: Iterable[Item]) -> None:
        for item in items:
            if self._header is None:
                self._take(item)
            else:
                self._take_header(item)

    def _take(self, item: Item) -> None:
        match item:
            case str():
                self._text(item)
            case Entity():
                is_table = self._block is not None and self._block.table is not None
                self._text(item.meant if is_table else item.spelled)
            case Tag(name=name) if name == DET:
                if not item.is_close:
                    self._end_block()
                    self._header = ""
            case Tag(name=name) if name == PAGE:
                self._end_block()
                self._events.append(PageStart())
            case Tag():
                self._layout(item)

    # The header: <|det|>label [x1, y1, x2, y2]<|/det|>

    def _take_header(self, item: Item) -> None:
        """Gather the header; any tag ends it, and so does a line end, and too many letters."""
        if isinstance(item, Tag):
            self._end_header()
            if not (item.name == DET and item.is_close):
                self._take(item)
            return
        text = item.spelled if isinstance(item, Entity) else item
        gathered = self._header or ""
        for place, sign in enumerate(text):
            if (sign == "\n" and gathered.strip()) or len(gathered) == HEADER_LETTERS:
                self._header = gathered
                self._end_header()
                self._text(text[place:])
                return
            gathered += sign
        self._header = gathered

    def _end_header(self, *, is_cut: bool = False) -> None:
        """Read the header; where it is none it was text, but for one that the end cut off."""
        header, self._header = self._header or "", None
        found = _HEADER.match(header)
        assert found  # every part of the pattern may be empty
        label, rest = (found["label"] or "").lower(), header[found.end() :]
        kind = KINDS.get(label, Kind.OTHER) if label else Kind.TEXT
        if found["box"]:
            self._block = _Open(kind, read_box(found["box"]))
            self._text(rest)
            return
        is_header = rest in {"", "["} and _is_label(label, is_cut=is_cut)
        self._block = _Open(kind if is_header else Kind.TEXT, None)
        self._text("" if is_header else header)

    # The block

    def _text(self, text: str) -> None:
        """Tell text without the white space at both ends of the block."""
        if self._block and self._block.table:
            self._tell(self._block.table.text(text))
            return
        if not text.strip():
            if self._block and self._block.letters:
                self._block.blanks += text
            return
        block = self._block = self._block or _Open(Kind.TEXT, None)
        text = block.blanks + text if block.letters else text.lstrip()
        shown = text.rstrip()
        block.blanks = text[len(shown) :]
        first = block.letters + len(shown) - len(shown.lstrip())
        if block.begun:
            block.begun = [(name, first if at is None else at) for name, at in block.begun]
        self._tell(shown)

    def _tell(self, text: str) -> None:
        block = self._block
        if block and text:
            self._start_block(block)
            block.letters += len(text)
            self._events.append(TextAdded(text))

    def _start_block(self, block: _Open) -> None:
        if not block.is_started:
            block.is_started = True
            self._events.append(BlockStart(block.kind, block.box))

    def _end_block(self) -> None:
        """End the block; one without text counts if it has a place on the page."""
        block, self._block = self._block, None
        if block is None or not (block.is_started or block.box):
            return
        self._start_block(block)
        rows = block.table.rows if block.table else ()
        self._events.append(BlockEnd(rows, tuple(sorted(block.styles))))

    def _layout(self, tag: Tag) -> None:
        block = self._block
        if tag.name in OPENERS:
            self._table_tag(tag)
        elif block and block.table:
            block.table.tag(tag)
        elif tag.name == "br":
            self._text("\n")
        elif tag.name in STYLES:
            self._style(tag)

    def _table_tag(self, tag: Tag) -> None:
        """Go into a table, through it, and out of it; text around it is in blocks of its own."""
        block = self._block
        is_in_table = block is not None and block.table is not None
        if tag.is_close and (tag.name == "table" or not is_in_table):
            if is_in_table:
                self._end_block()
            return
        if not is_in_table:
            if block and block.letters:
                self._end_block()
            self._block = _Open(Kind.TABLE, block.box if block else None, table=TableReader())
            self._start_block(self._block)
        assert self._block
        assert self._block.table
        self._tell(self._block.table.tag(tag))

    def _style(self, tag: Tag) -> None:
        block = self._block = self._block or _Open(Kind.TEXT, None)
        name = STYLES[tag.name]
        if not tag.is_close:
            block.begun.append((name, None))
            return
        begun = [place for place, (other, _) in enumerate(block.begun) if other == name]
        if begun:
            _, start = block.begun.pop(begun[-1])
            if start is not None:
                block.styles.append(Style(start, block.letters, name))


def read_box(text: str) -> tuple[int, int, int, int] | None:
    """Four whole numbers of 0..999 (1000 is taken for 999) that span a box; else None."""
    if not _BOX.fullmatch(text):
        return None
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    left, top, right, bottom = (min(number, FULL) for number in numbers)
    is_box = max(numbers) <= FULL + 1 and left < right and top < bottom
    return (left, top, right, bottom) if is_box else None


def to_pixels(box: tuple[int, int, int, int], *, width_px: int, height_px: int) -> Box:
    """The model's numbers as pixels of the image that was given, whatever view of it was seen."""
    left, top, right, bottom = box
    x, y = width_px / FULL, height_px / FULL
    return Box(left * x, top * y, min(right * x, width_px), min(bottom * y, height_px))


def _is_label(label: str, *, is_cut: bool) -> bool:
    """Whether a header without a box is one: a known label, its beginning where it was cut."""
    return not label or label in KINDS or (is_cut and any(name.startswith(label) for name in KINDS))
