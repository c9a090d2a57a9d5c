"""The engine's blocks as regions of the page: pixels of the image read become page coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from unicodedata import normalize

from app.book import Region
from model.api import Block, Box, Piece, Span


def to_region(block: Block, *, scale: float) -> Region:
    """Turn a block into a region.

    Args:
        block: what the engine returned, in pixels of the image that it read.
        scale: image pixels per page pixel, over 0.
    """
    return Region(
        kind=block.kind,
        text=block.text,
        box=_on_page(block.box, scale),
        lines=_spans_on_page(block.lines, scale),
        words=_spans_on_page(block.words, scale),
        styles=block.styles,
        rows=block.rows,
        score=block.score,
    )


def to_regions(blocks: Iterable[Block], *, scale: float) -> tuple[Region, ...]:
    """Turn the blocks of one page into its regions, in the same order."""
    return tuple(to_region(block, scale=scale) for block in blocks)


def to_page_piece(piece: Piece, *, page: int, scale: float) -> Piece:
    """Give a piece the book's page number and page coordinates."""
    return piece._replace(page=page, box=_on_page(piece.box, scale))


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


def _on_page(box: Box | None, scale: float) -> Box | None:
    return None if box is None else Box(*(edge / scale for edge in box))


def _spans_on_page(spans: tuple[Span, ...], scale: float) -> tuple[Span, ...]:
    return tuple(span._replace(box=Box(*(edge / scale for edge in span.box))) for span in spans)
