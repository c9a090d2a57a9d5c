"""Makes the large scanned PDF that the benches walk: every page its own grey JPEG, nothing shared.

A few dozen pages of noise and lines of 'print' are drawn and encoded once; each page of the book
carries one of them with a comment segment of its own, so that no two streams are equal and no
decoder can share one. The PDF is written by hand, page after page, so that memory does not grow
with it.

    python -m tests.bench.make_book BOOK.pdf 3000
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageDraw, ImageFilter

A5_PX = (1748, 2480)  # 300 ppi
A5_PT = (419.52, 595.2)
LEAST_BYTES = 250_000
DISTINCT_PAGES = 24


def make_scanned_pdf(path: Path, pages: int) -> Path:
    """Write a scanned book of so many pages, unless the file is already there and whole."""
    if path.exists() and _is_whole(path, pages):
        return path
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        _write_pdf(file, pages, _page_images(pages))
    unfinished.replace(path)
    return path


def draw_page(seed: int) -> Image.Image:
    """An A5 page at 300 ppi: uneven paper, lines of word-like strokes, the grain of a scanner."""
    dice = random.Random(seed)
    paper = Image.linear_gradient("L").resize(A5_PX).point([205 + v // 8 for v in range(256)])
    draw = ImageDraw.Draw(paper)
    for top in range(260, 2240, 52):
        left = 220
        while left < 1480:
            width = dice.randint(24, 150)
            for stroke in range(left, left + width, 9):
                height = dice.choice((14, 22, 22, 30))
                draw.line((stroke, top - height, stroke + dice.randint(-4, 4), top), 40, 4)
            left += width + dice.randint(16, 30)
    draw.text((850, 150), f"- {seed + 1} -", 30, font_size=48)
    grain = Image.effect_noise(A5_PX, 26).filter(ImageFilter.BoxBlur(0.6))
    return Image.blend(paper.filter(ImageFilter.GaussianBlur(0.8)), grain, 0.28)


def encode_page(image: Image.Image) -> bytes:
    """The page as a JPEG of at least `LEAST_BYTES`."""
    for quality in range(40, 96, 5):
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=quality, dpi=(300, 300))
        if buffer.tell() >= LEAST_BYTES:
            return buffer.getvalue()
    raise AssertionError("the drawn page is too plain to fill its file")


def with_comment(jpeg: bytes, comment: bytes) -> bytes:
    """The same JPEG with a comment segment after its first marker."""
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def _page_images(pages: int) -> Iterator[bytes]:
    encoded = [encode_page(draw_page(seed)) for seed in range(min(pages, DISTINCT_PAGES))]
    dice = random.Random(pages)
    for number in range(pages):
        own = b"page %d " % (number + 1) + dice.randbytes(500)
        yield with_comment(encoded[number % len(encoded)], own)


def _write_pdf(file: BinaryIO, pages: int, images: Iterator[bytes]) -> None:
    """Objects 1 and 2 are the catalogue and the page tree; each page has three more."""
    offsets: list[int] = []

    def add(body: bytes) -> None:
        offsets.append(file.tell())
        file.write(b"%d 0 obj\n%s\nendobj\n" % (len(offsets), body))

    file.write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    kids = b" ".join(b"%d 0 R" % (3 + 3 * number) for number in range(pages))
    add(b"<</Type/Catalog/Pages 2 0 R>>")
    add(b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids))
    for image in images:
        _add_page(add, len(offsets) + 1, image)
    start = file.tell()
    file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
    file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    file.write(
        b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start)
    )


def _add_page(add, first: int, image: bytes) -> None:
    drawing = b"q %.2f 0 0 %.2f 0 0 cm /Im0 Do Q" % A5_PT
    add(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.2f %.2f]" % A5_PT
        + b"/Resources<</XObject<</Im0 %d 0 R>>>>/Contents %d 0 R>>" % (first + 1, first + 2)
    )
    add(
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray" % A5_PX
        + b"/BitsPerComponent 8/Filter/DCTDecode/Length %d>>\nstream\n" % len(image)
        + image
        + b"\nendstream"
    )
    add(b"<</Length %d>>\nstream\n%s\nendstream" % (len(drawing), drawing))


def _is_whole(path: Path, pages: int) -> bool:
    with path.open("rb") as file:
        head = file.read(200)
        file.seek(max(0, path.stat().st_size - 32))
        tail = file.read()
    return b"/Count %d/" % pages in head and tail.endswith(b"%%EOF\n")


if __name__ == "__main__":
    print(make_scanned_pdf(Path(sys.argv[1]), int(sys.argv[2])))
