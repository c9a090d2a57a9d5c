"""Small books of every kind, written for the tests of opening and rendering."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

SIZE = (200, 300)
PAPER = 250
DRAW_IMAGE = b"q 96 0 0 144 0 0 cm /Im0 Do Q"  # 200 by 300 pixels at 150 dpi


def page_image(number: int = 0, *, mode: str = "L", size: tuple[int, int] = SIZE) -> Image.Image:
    """A page whose upper left quarter is dark, in another shade for each number; red in colour."""
    image = Image.new("RGB", size, (PAPER, PAPER, PAPER))
    shade = 40 + number * 10
    dark = (shade, shade, shade) if mode in ("L", "1", "I;16") else (shade + 120, shade, shade)
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 2 - 1, size[1] // 2 - 1), dark)
    return image.convert(mode)


def encoded(image: Image.Image, form: str = "JPEG", **options: object) -> bytes:
    buffer = io.BytesIO()
    lossless = {"quality": 95, "subsampling": 0} if form == "JPEG" else {}
    image.save(buffer, form, **{**lossless, **options})
    return buffer.getvalue()


def make_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def make_zip(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def make_tiff(path: Path, images: Sequence[Image.Image], **options: object) -> Path:
    images[0].save(path, "TIFF", save_all=True, append_images=list(images[1:]), **options)
    return path


@dataclass(frozen=True)
class PdfPage:
    """One page with one image `/Im0`, by default a grey JPEG that fills it."""

    image: bytes
    image_keys: bytes = b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode"
    size_px: tuple[int, int] = SIZE
    drawing: bytes = DRAW_IMAGE
    box: bytes = b"0 0 96 144"
    keys: bytes = b""  # of the page
    resources: bytes = b""


def make_pdf(path: Path, pages: Sequence[PdfPage], *, catalogue: bytes = b"") -> Path:
    """Write a PDF object by object; three objects a page after the catalogue and the tree."""
    kids = b" ".join(b"%d 0 R" % (3 + 3 * number) for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue,
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids),
    ]
    for page in pages:
        objects += _page_objects(page, first=len(objects) + 1)
    path.write_bytes(_pdf_of(objects))
    return path


def _page_objects(page: PdfPage, *, first: int) -> list[bytes]:
    return [
        b"<</Type/Page/Parent 2 0 R/MediaBox[%s]%s/Contents %d 0 R"
        b"/Resources<</XObject<</Im0 %d 0 R>>%s>>>>"
        % (page.box, page.keys, first + 2, first + 1, page.resources),
        _stream(
            page.image,
            b"/Type/XObject/Subtype/Image/Width %d/Height %d%s" % (*page.size_px, page.image_keys),
        ),
        _stream(page.drawing, b""),
    ]


def _stream(data: bytes, keys: bytes) -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(data), keys, data)


def _pdf_of(objects: Sequence[bytes]) -> bytes:
    file = io.BytesIO()
    file.write(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(file.tell())
        file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = file.tell()
    file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    file.write(b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(objects) + 1))
    file.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return file.getvalue()
