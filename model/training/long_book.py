"""Whether a long book is read as well at its end as at its beginning, and in how much memory.

`python -m model.training.long_book --data FOLDER --weights FOLDER`: a book of many rendered pages,
all in one manner, is read in `continuous` mode by the engine of the application. Its first pages
stand at its end again, scanned anew: led astray by what it has read, the reader would read them
worse.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from model.api import Engine, EngineChoice, PageImage, PageRead, Recogniser, Stop, load
from model.training.evaluate import error, scanned
from model.training.renderer import Drawing, Renderer

if TYPE_CHECKING:
    import numpy as np
    import torch

log = logging.getLogger("model.training")

SEED = 31_000
SIDE_PX = 1152


class Read(NamedTuple):
    """One page at its end."""

    edits: int
    letters: int
    held_bytes: int  # references and window, when the page had been read


def bind(renderer: Renderer, pages: int, again: int) -> list[Drawing]:
    """A book of so many pages, the first `again` of them once more at its end."""
    renderer.seed(SEED, book_pages=pages)
    book = [renderer.draw(matter="prose") for _ in range(pages - again)]
    return [*book, *book[:again]]


def photographs(book: Sequence[Drawing]) -> Iterator[PageImage]:
    """Each page scanned in a way of its own, also one that comes a second time."""
    for number, drawing in enumerate(book):
        left, top, right, bottom = map(round, drawing.picture)
        seen = scanned([drawing], SEED + number)[0][:, top:bottom, left:right]  # (3, H, W) -1..1
        yield PageImage(_bytes(seen))


def read(book: Sequence[Drawing], recogniser: Recogniser) -> Iterator[Read]:
    """Read the book in one order."""
    for step in recogniser.read(photographs(book), Stop(), mode="continuous"):
        if isinstance(step, PageRead):
            text = "\n".join(block.text for block in step.blocks)
            held = recogniser.memory()
            yield Read(
                *error(text, book[step.page].text), held.references_bytes + held.window_bytes
            )


def main(arguments: list[str] | None = None) -> None:
    """Read a book and tell how its ends compare."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    asks = argparse.ArgumentParser(prog="python -m model.training.long_book", description=__doc__)
    asks.add_argument("--data", type=Path, required=True)
    asks.add_argument("--weights", type=Path, required=True)
    asks.add_argument("--pages", type=int, default=200)
    asks.add_argument("--again", type=int, default=20, help="of the first pages at the end")
    said: Any = asks.parse_args(arguments)
    book = bind(Renderer(said.data, side_px=SIDE_PX, is_held_out=True), said.pages, said.again)
    pages: list[Read] = []
    with load(EngineChoice(Engine.READER, said.weights)) as recogniser:
        for page in read(book, recogniser):
            pages.append(page)
            log.info("%4d  %5d letters  %4d wrong  %d bytes held", len(pages), page.letters,
                     page.edits, page.held_bytes)  # fmt: skip
    for name, some in (
        ("first", pages[: said.again]),
        ("again", pages[-said.again :]),
        ("all", pages),
    ):
        letters = sum(page.letters for page in some)
        log.info("%-6s %6.3f %%", name, 100 * sum(page.edits for page in some) / max(letters, 1))


def _bytes(pixels: torch.Tensor) -> np.ndarray:
    return ((pixels / 2 + 0.5).clamp(0, 1) * 255).byte().permute(1, 2, 0).numpy()


if __name__ == "__main__":
    main()
