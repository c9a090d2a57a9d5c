"""The engine's blocks as regions of the page: pixels of the image read become page coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import normalize

from app.book import Region
from app.desk.concerns import Standing
from model.api import Block, Box, Piece, Span

if TYPE_CHECKING:  # numpy stays out of the way to the first window
    from app.prepare.page_map import PageMap


def to_region(block: Block, *, scale: float, page_map: PageMap | None = None) -> Region:
    """Turn a block into a region.

    Args:
        block: what the engine returned, in pixels of the image that it read.
        scale: image pixels per page pixel, over 0.
        page_map: how the image lies on the page when it was prepared.
    """
    return Region(
        kind=block.kind,
        text=block.text,
        box=on_page(block.box, scale, page_map),
        lines=_spans_on_page(block.lines, scale, page_map),
        words=_spans_on_page(block.words, scale, page_map),
        styles=block.styles,
        rows=block.rows,
        score=block.score,
    )


def to_regions(
    blocks: Iterable[Block], *, scale: float, page_map: PageMap | None = None
) -> tuple[Region, ...]:
    """Turn the blocks of one page into its regions, in the same order."""
    return tuple(to_region(block, scale=scale, page_map=page_map) for block in blocks)


def to_page_piece(
    piece: Piece, *, page: int, scale: float, page_map: PageMap | None = None
) -> Piece:
    """Give a piece the book's page number and page coordinates."""
    return piece._replace(page=page, box=on_page(piece.box, scale, page_map))


def on_prepared(regions: Iterable[Region], page_map: PageMap | None) -> tuple[Region, ...]:
    """Regions of a page as they lie on its prepared image, for showing them there."""
    if page_map is None:
        return tuple(regions)
    return tuple(_moved(region, page_map.box_to_prepared) for region in regions)


def with_pieces(regions: tuple[Region, ...], pieces: Iterable[Piece]) -> tuple[Region, ...]:
    """Add streamed pieces to the regions that a page has so far."""
    grown = list(regions)
    for piece in pieces:
        while len(grown) <= piece.block:
            grown.append(Region(kind=piece.kind, text="", box=piece.box))
        region = grown[piece.block]
        grown[piece.block] = replace(
            region, text=normalize("NFC", region.text + piece.text), box=region.box or piece.box
        )
    return tuple(grown)


def _moved(region: Region, move: Callable[[Box], Box]) -> Region:
    return replace(
        region,
        box=None if region.box is None else move(region.box),
        lines=tuple(span._replace(box=move(span.box)) for span in region.lines),
        words=tuple(span._replace(box=move(span.box)) for span in region.words),
    )


def on_page(box: Box | None, scale: float, page_map: PageMap | None) -> Box | None:
    """A box of the image that an engine was given, on the book's page."""
    if box is None:
        return None
    unscaled = Box(*(edge / scale for edge in box))
    return unscaled if page_map is None else page_map.box_to_master(unscaled)


def standing_on_page(stands: Standing, scale: float, page_map: PageMap | None) -> Standing:
    """What speaks against a page's text, with its places on the book's page."""
    concerns = tuple(
        each._replace(box=on_page(each.box, scale, page_map)) for each in stands.concerns
    )
    return stands._replace(concerns=concerns)


def _spans_on_page(
    spans: tuple[Span, ...], scale: float, page_map: PageMap | None
) -> tuple[Span, ...]:
    moved = ((span, on_page(span.box, scale, page_map)) for span in spans)
    return tuple(span._replace(box=box) for span, box in moved if box is not None)
