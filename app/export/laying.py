"""One reading of one page laid out: every region, line, word and cell in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.book import Page, PageSize, Reading, Region
from app.desk.hyphens import Hyphens, PrintedLine
from app.export.blocks import Run
from app.export.clean import legal_region
from app.export.layout import Broken, LaidCell, LaidLine, LaidPage, LaidRegion, Origin
from app.export.placing import around, lines_of, share, whole_pixels
from app.export.tables import table
from model.api import Box, Kind

_LINES = 40  # on a page, where nothing is known of their height
_MARGIN = 0.1  # of the page's sides, around text of which nothing is known


def laid(
    page: Page,
    size: PageSize,
    reading: Reading | None,
    *,
    image_name: str,
    hyphens: Hyphens | None,
) -> LaidPage:
    """Lay a reading out on its page; None leaves the page without a text."""
    within = Box(0, 0, size.width_px, size.height_px)
    given = () if reading is None else reading.regions
    regions = tuple(map(legal_region, given))
    by_hand = reading is not None and reading.source.by == "hand"
    placed = tuple(
        _region(region, outline, origin, within, by_hand=by_hand)
        for region, (outline, origin) in zip(regions, _outlines(regions, within), strict=True)
    )
    if hyphens is not None:
        texts = (region.text for region in regions)
        placed = _with_broken(placed, hyphens.on_page(page.number, texts), page.number)
    return LaidPage(page, size, placed, reading, image_name)


def _region(
    region: Region, outline: Box, origin: Origin, within: Box, *, by_hand: bool
) -> LaidRegion:
    cells = _cells(region, outline, within) if any(region.rows) else ()
    lines = (
        tuple(line for cell in cells for line in cell.lines)
        if cells
        else lines_of(region, outline, within)
    )
    box = around([outline, *(line.box for line in lines)])
    return LaidRegion(
        region.kind,
        whole_pixels(box, within),
        origin,
        lines,
        cells,
        region.score,
        by_hand=by_hand or region.by_hand,
    )


def _outlines(regions: Sequence[Region], within: Box) -> list[tuple[Box, Origin]]:
    """Each region's box; those without one share the page's height by their lines."""
    missing = [region for region in regions if region.box is None and not _found(region)]
    lines = [max(1, region.text.count("\n") + 1) for region in missing]
    across, down = within.width * _MARGIN, within.height * _MARGIN
    height = min(within.height - 2 * down, sum(lines) * within.height / _LINES)
    room = Box(across, down, within.width - across, down + height)
    done = 0
    outlines: list[tuple[Box, Origin]] = []
    for region in regions:
        found = _found(region)
        if region.box is not None:
            outlines.append((region.box, "exact"))
        elif found:
            outlines.append((around(found), "estimated"))
        else:
            count = max(1, region.text.count("\n") + 1)
            top = share(room, done, sum(lines)).top
            done += count
            outlines.append(
                (Box(room.left, top, room.right, share(room, done - 1, sum(lines)).bottom),
                 "estimated")
            )  # fmt: skip
    return outlines


def _found(region: Region) -> list[Box]:
    return [span.box for span in (*region.lines, *region.words)]


def _cells(region: Region, box: Box, within: Box) -> tuple[LaidCell, ...]:
    """The cells on an even grid: engines give no places within a table."""
    grid = table(region.rows, {}, None)
    height, width = box.height / len(grid.rows), box.width / grid.columns
    cells: list[LaidCell] = []
    for row, begun in enumerate(grid.rows):
        for cell in begun:
            place = Box(
                box.left + cell.column * width,
                box.top + row * height,
                box.left + (cell.column + cell.column_span) * width,
                box.top + (row + cell.row_span) * height,
            )
            text = "".join(run.text for run in cell.inlines if isinstance(run, Run))
            lines = lines_of(Region(Kind.TABLE, text), place, within)
            cells.append(
                LaidCell(
                    row,
                    cell.column,
                    cell.row_span,
                    cell.column_span,
                    cell.is_heading,
                    whole_pixels(place, within),
                    lines,
                )
            )
    return tuple(cells)


def _with_broken(
    regions: tuple[LaidRegion, ...], hyphens: Hyphens, page: int
) -> tuple[LaidRegion, ...]:
    """The same with the two parts of each word marked that a line's end divides."""
    return tuple(
        region
        if region.cells
        else replace(region, lines=_joined(region.lines, hyphens, (page, number)))
        for number, region in enumerate(regions)
    )


def _joined(
    lines: tuple[LaidLine, ...], hyphens: Hyphens, place: tuple[int, int]
) -> tuple[LaidLine, ...]:
    marked = list(lines)
    for number in range(1, len(marked)):
        before, after = marked[number - 1], marked[number]
        last, first = before.words[-1], after.words[0]
        at = PrintedLine(*place, number - 1)
        decision = hyphens.decide(last.text, first.text, at=at)
        if decision is None or " " in decision.infix:  # 'Haupt- und' are two words
            continue
        whole = f"{last.text[:-1]}{decision.infix}{first.text}"
        marked[number - 1] = replace(
            before, words=(*before.words[:-1], replace(last, broken=Broken(1, whole)))
        )
        marked[number] = replace(
            after, words=(replace(first, broken=Broken(2, whole)), *after.words[1:])
        )
    return tuple(marked)
