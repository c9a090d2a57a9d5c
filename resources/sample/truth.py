"""The true text of the book, from what was really set.

Lines end where they end in print, a divided word keeps its hyphen, ligatures are their letters,
small capitals are capitals, a note's mark stands where it is called and before the note. On a page
the blocks stand in the order of reading with an empty line between them: running head and page
number as they come from left to right, then the text (the left column before the right), then the
notes, then a page number at the foot. The cells of a table are parted by tabs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from resources.sample.geometry import DPI, SIZE_PX, Lie
from resources.sample.paper import Block, Placed, PrintedPage
from resources.sample.press import line_shapes

PAGE_END = "\f"


def true_text(pages: Iterable[PrintedPage]) -> str:
    """The whole book, a form feed between its pages."""
    return PAGE_END.join(page_text(page) for page in pages)


def page_text(page: PrintedPage) -> str:
    """One page, ending with a line end; empty for a blank page."""
    return "\n\n".join(map(block_text, page.blocks)) + "\n" if page.blocks else ""


def block_text(block: Block) -> str:
    """One block with its printed line ends."""
    return "\n".join("\t".join(placed.line.text for placed in row) for row in block.rows)


def true_layout(pages: Sequence[PrintedPage], lies: Sequence[Lie]) -> str:
    """Kinds, boxes and styles of all blocks as JSON, boxes in pixels of the scans.

    Each block has `kind`, `text`, `box` and `lines` (start, end, box), where a row of a table is a
    line; `styles` (start, end, name); a table its `rows` of cells. A box is left, top, right,
    bottom, drawn close around the ink; offsets are code points of the block's text.
    """
    width, height = SIZE_PX
    book = [
        {
            "label": page.label,
            "width_px": width,
            "height_px": height,
            "dpi": DPI,
            "skew_degrees": lie.skew_degrees,
            "blocks": [_layout(block, lie) for block in page.blocks],
        }
        for page, lie in zip(pages, lies, strict=True)
    ]
    return json.dumps({"pages": book}, ensure_ascii=False, indent=1) + "\n"


def _layout(block: Block, lie: Lie) -> dict[str, Any]:
    lines: list[tuple[int, int, list[int]]] = []
    styles: list[tuple[int, int, str]] = []
    start = 0
    for row in block.rows:
        place = start
        for placed in row:
            styles += [(place + s.start, place + s.end, s.name) for s in placed.line.styles]
            place += len(placed.line.text) + 1  # a tab, or the line end
        lines.append((start, place - 1, _box(row, lie)))
        start = place
    layout: dict[str, Any] = {
        "kind": block.kind,
        "text": block_text(block),
        "box": _around([box for _, _, box in lines]),
        "lines": lines,
        "styles": styles,
    }
    if block.kind == "table":
        layout["rows"] = [[placed.line.text for placed in row] for row in block.rows]
    return layout


def _box(row: Sequence[Placed], lie: Lie) -> list[int]:
    shapes = [polygon for placed in row for shape in line_shapes(placed) for polygon in shape]
    points = lie.place(np.concatenate(shapes))
    left, top = np.floor(points.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(points.max(axis=0)).astype(int).tolist()
    return [left, top, right, bottom]


def _around(boxes: Sequence[Sequence[int]]) -> list[int]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return [min(lefts), min(tops), max(rights), max(bottoms)]
