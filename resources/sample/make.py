"""Makes the sample book anew: `python -m resources.sample.make [FOLDER]`, by default in its place.

Writes `book.pdf`, its true text `book.gt.txt` and its true layout `book.gt.json`. The true files
depend on the guide, the faces, HarfBuzz and the hyphenation patterns alone; the PDF also on the
libraries that draw and compress, whose versions may change single pixels.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import resources
from resources.sample.geometry import SIZE_PX
from resources.sample.paper import PrintedPage
from resources.sample.pdf import ScannedPage, write_pdf
from resources.sample.press import ink_of
from resources.sample.scan import lie_of, scanned
from resources.sample.truth import true_layout, true_text
from resources.sample.typeset import typeset

TITLE = "How to Read a Book with Incunable"
AUTHOR = "Incunable"


def make(folder: Path) -> None:
    """Typeset, print and scan the book into a folder."""
    pages = typeset()
    lies = [lie_of(number, is_recto=page.is_recto) for number, page in enumerate(pages)]
    (folder / "book.gt.txt").write_text(true_text(pages), "utf-8")
    (folder / "book.gt.json").write_text(true_layout(pages, lies), "utf-8")
    (folder / "book.pdf").write_bytes(write_pdf(scan_all(pages), title=TITLE, author=AUTHOR))


def scan_all(pages: Sequence[PrintedPage]) -> list[ScannedPage]:
    """Print all pages, then scan each with the other side of its leaf shining through."""
    inks = [
        ink_of(page, lie_of(number, is_recto=page.is_recto)) for number, page in enumerate(pages)
    ]
    width, height = SIZE_PX
    inks += [np.zeros((height, width), np.float32)] * (len(pages) % 2)
    return [
        ScannedPage(
            scanned(inks[number], inks[number ^ 1], number, is_recto=page.is_recto), page.label
        )
        for number, page in enumerate(pages)
    ]


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else resources.path("sample"))
