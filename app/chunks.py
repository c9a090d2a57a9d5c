"""Splits the pages of a run into chunks: consecutive pages that one request of the engine holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def chunks(pages: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Split pages into chunks of at most `size`, never across a gap in the numbers.

    Args:
        pages: page numbers in the order of reading.
        size: pages that one request may hold, at least 1.

    Yields:
        Chunks that, joined, are `pages`.
    """
    chunk: list[int] = []
    for page in pages:
        if chunk and (len(chunk) == size or page != chunk[-1] + 1):
            yield tuple(chunk)
            chunk = []
        chunk.append(page)
    if chunk:
        yield tuple(chunk)
