"""One page of the book as blocks: its mark, what stands in the text, its notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.book import DONE_STATES, Page, PageState, Reading, Reason, Region
from app.desk.hyphens import Hyphens
from app.export.blocks import (
    Block,
    Figure,
    FigurePlace,
    Heading,
    Inlines,
    Item,
    ListBlock,
    Note,
    PageMark,
    PageNote,
    Paragraph,
    Role,
)
from app.export.cell_spans import cell_spans
from app.export.clean import legal_line, legal_region
from app.export.inlines import RegionPlace, Spans, inlines
from app.export.notes import FoundNote, PageNotes, TextPlace, page_notes
from app.export.running_on import continued, runs_on
from app.export.tables import table
from model.api import Kind, Span

DOUBT_BELOW = 0.8
"""A machine's word with a lower score counts as doubtful, where doubts are asked for."""

FURNITURE: dict[Kind, Role] = {
    Kind.RUNNING_HEAD: "running_head",
    Kind.PAGE_NUMBER: "page_number",
    Kind.FOOTER: "footer",
}
_ROLES: dict[Kind, Role] = {
    **FURNITURE,
    Kind.CAPTION: "caption",
    Kind.EQUATION: "equation",
    Kind.OTHER: "other",
}
_LEVELS = {Kind.TITLE: 1, Kind.HEADING: 2}
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_ITEM = re.compile(
    r"(?P<mark>[-–—•·∙▪◦‣*]|\(?(?:\d{1,3}|[A-Za-z]|[IVXLC]{1,6}|[ivxlc]{1,6})[.)])[ \t]+(?=\S)"
)
# Reasons that say the engine did not reach the page's end: its last words are not the page's.
_CUT = {Reason.CAP_REACHED, Reason.LOOP_CUT, Reason.SECTIONS_DIFFER, Reason.STOPPED}


class Setting(NamedTuple):
    """How regions are set as text."""

    hyphens: Hyphens | None  # None: words stay broken as printed
    running_heads: bool = False
    doubts: bool = False
    page_notes: bool = False


@dataclass(frozen=True)
class Leaf:
    """One page: its mark, what follows it in the text, its notes."""

    mark: PageMark
    flow: tuple[Block, ...] = ()
    notes: tuple[Note | PageNote, ...] = ()
    is_cut: bool = False  # the text ends before the page does
    hyphens: Hyphens | None = None  # for its breaks, the one at its end too


def leaf(page: Page, reading: Reading | None, setting: Setting, *, is_left_out: bool) -> Leaf:
    """Set one page; a page without a text, or left out, is only its mark."""
    regions = () if reading is None or is_left_out else reading.regions
    is_machine = reading is not None and reading.source.by == "model"
    is_doubted = setting.doubts and is_machine and page.state is not PageState.PROOFREAD
    legal = tuple(map(legal_region, regions))
    if setting.hyphens is not None:
        texts = (region.text for region in legal)
        setting = setting._replace(hyphens=setting.hyphens.on_page(page.number, texts))
    sheet = _Sheet(page, legal, setting, is_doubted)
    flow = tuple(_over_columns(sheet))
    notes = tuple(sheet.note(found) for found in sheet.notes.notes)
    mark = _mark(page, has_text=bool(flow or notes), is_left_out=is_left_out)
    said = legal_line(page.note) if setting.page_notes else ""
    of_page = (PageNote(page.number, said),) if said else ()
    is_cut = not _CUT.isdisjoint(page.reasons)
    return Leaf(mark, flow, (*notes, *of_page), is_cut=is_cut, hyphens=sheet.hyphens)


def _mark(page: Page, *, has_text: bool, is_left_out: bool) -> PageMark:
    return PageMark(
        page.number,
        legal_line(page.label),
        page.state,
        page.reasons,
        legal_line(page.failure_detail),
        has_text=has_text,
        is_left_out=is_left_out and page.state in DONE_STATES,
    )


class _Sheet:
    """The regions of one page while they are set."""

    def __init__(
        self, page: Page, regions: tuple[Region, ...], setting: Setting, is_doubted: bool
    ) -> None:
        self._page = page
        self._regions = regions
        self._setting = setting
        self.hyphens = setting.hyphens
        self._is_doubted = is_doubted
        searched = [i for i, region in enumerate(regions) if self._is_text(region)]
        self.notes: PageNotes = page_notes(regions, page=page.number, searched=searched)

    def _is_text(self, region: Region) -> bool:
        return region.kind is not Kind.NOTE and region.kind not in FURNITURE

    def blocks(self) -> Iterator[tuple[Region, Block]]:
        """All blocks of the page but its notes, in reading order, with their regions."""
        captions = _captions(self._regions)
        for index, region in enumerate(self._regions):
            if region.kind is Kind.NOTE or index in captions.values():
                continue
            if region.kind in FURNITURE and not self._setting.running_heads:
                continue
            if region.kind is Kind.FIGURE:
                caption = self._inlines(captions[index]) if index in captions else ()
                place = FigurePlace(self._page.number, region.box) if region.box else None
                yield region, Figure(self._inlines(index), caption, place)
            else:
                yield from ((region, block) for block in self._text_blocks(index, region))

    def _text_blocks(self, index: int, region: Region) -> Iterator[Block]:
        if any(region.rows):
            yield table(region.rows, self._cell_spans(index), self.hyphens)
        elif not region.text.strip():
            return
        elif region.kind in _LEVELS:
            yield Heading(_LEVELS[region.kind], self._inlines(index))
        elif region.kind is Kind.LIST:
            yield self._list(index, region.text)
        else:
            yield from self._paragraphs(index, region)

    def _paragraphs(self, index: int, region: Region) -> Iterator[Paragraph]:
        role = _ROLES.get(region.kind, "text")
        # An equation, or a table that was read without cells, keeps its lines.
        line_end = "\n" if region.kind in {Kind.EQUATION, Kind.TABLE} else " "
        start = 0
        for gap in (*_PARAGRAPHS.finditer(region.text), None):
            end = gap.start() if gap else len(region.text)
            found = self._inlines(index, start, end, line_end=line_end)
            if found:
                yield Paragraph(found, role)
            start = gap.end() if gap else end

    def _list(self, index: int, text: str) -> ListBlock:
        starts = list(_item_starts(text))
        ends = [*(mark_at for _mark, mark_at, _at in starts[1:]), len(text)]
        return ListBlock(
            tuple(
                Item(mark, self._inlines(index, at, end))
                for (mark, _mark_at, at), end in zip(starts, ends, strict=True)
            )
        )

    def note(self, found: FoundNote) -> Note:
        """One note of the page."""
        text = self._inlines(found.region, found.start, found.end)
        return Note(found.id, found.mark, text, self._page.number, found.is_linked)

    def _inlines(
        self, index: int, start: int = 0, end: int | None = None, *, line_end: str = " "
    ) -> Inlines:
        region = self._regions[index]
        spans = Spans(
            region.styles,
            tuple(mark for mark in region.marks if mark.kind != "link"),
            self._doubts(region),
            self.notes.refs.get(TextPlace(index), ()),
        )
        return inlines(
            region.text,
            spans,
            hyphens=self.hyphens,
            start=start,
            end=end,
            line_end=line_end,
            place=RegionPlace(self._page.number, index),
        )

    def _doubts(self, region: Region) -> tuple[Span, ...]:
        if not self._is_doubted or region.by_hand:
            return ()
        return tuple(w for w in region.words if w.score is not None and w.score < DOUBT_BELOW)

    def _cell_spans(self, index: int) -> dict[tuple[int, int], Spans]:
        refs = {
            (place.row, place.column): refs
            for place, refs in self.notes.refs.items()
            if place.region == index
        }
        return cell_spans(self._regions[index], refs)


def _over_columns(sheet: _Sheet) -> Iterator[Block]:
    """The blocks of a page, a paragraph that runs on at the head of the next column joined."""
    open_block: Block | None = None
    open_region: Region | None = None
    for region, block in sheet.blocks():
        if (
            isinstance(open_block, Paragraph)
            and isinstance(block, Paragraph)
            and open_block.role == block.role == "text"
            and _is_higher(region, open_region)
            and runs_on(open_block.inlines, block.inlines, sheet.hyphens)
        ):
            block = Paragraph(continued(open_block.inlines, block.inlines, sheet.hyphens))
        elif open_block is not None:
            yield open_block
        open_block, open_region = block, region
    if open_block is not None:
        yield open_block


def _is_higher(region: Region, than: Region | None) -> bool:
    if than is None or region.box is None or than.box is None:
        return False
    return region.box.top < than.box.top


def _captions(regions: Sequence[Region]) -> dict[int, int]:
    """Which caption belongs to which figure: the one after it, else the one before it."""
    found: dict[int, int] = {}
    for index, region in enumerate(regions):
        if region.kind is not Kind.FIGURE:
            continue
        for near in (index + 1, index - 1):
            is_there = 0 <= near < len(regions) and regions[near].kind is Kind.CAPTION
            if is_there and near not in found.values() and regions[near].text.strip():
                found[index] = near
                break
    return found


def _item_starts(text: str) -> Iterator[tuple[str, int, int]]:
    """Where the items of a list begin: mark, place of the mark, place of the text.

    Lines without a mark go on with the item above; where no line has one, each line is an item.
    """
    lines = [line for line in re.finditer(r"[^\n]+", text) if line[0].strip()]
    begun = [(line, _ITEM.match(text, _ink(line), line.end())) for line in lines]
    any_mark = any(item for _line, item in begun)
    broken = False  # the line above ended within a word
    for line, item in begun:
        if item:
            yield item["mark"], item.start(), item.end()
        elif line is lines[0] or not (any_mark or broken):
            yield "", line.start(), line.start()
        broken = line[0].rstrip().endswith("-")


def _ink(line: re.Match[str]) -> int:
    return line.start() + len(line[0]) - len(line[0].lstrip())
