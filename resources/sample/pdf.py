"""Scans to a PDF: each page one JPEG, untouched, with page labels and the book's details.

Source: ISO 32000-1, 7.5 (file structure), 8.9.5 (images), 12.4.2 (page labels).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from resources.sample.geometry import SIZE_PX
from resources.sample.paper import HEIGHT_PT, WIDTH_PT


class ScannedPage(NamedTuple):
    """One page of the PDF."""

    jpeg: bytes
    label: str  # a number, or "" where none is printed


def write_pdf(pages: Sequence[ScannedPage], *, title: str, author: str) -> bytes:
    """Bind pages to a book. The same pages give the same bytes; no date is written."""
    kids = " ".join(f"{_page_number(n)} 0 R" for n in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) {_labels(pages)} >>".encode(),
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        f"<< /Title ({title}) /Author ({author}) >>".encode("ascii"),
    ]
    for n, page in enumerate(pages):
        objects += _page_objects(n, page.jpeg)
    return _file(objects)


def _page_number(n: int) -> int:
    """Number of the object that is page `n`; its drawing and its image follow."""
    return 4 + 3 * n


def _page_objects(n: int, jpeg: bytes) -> list[bytes]:
    number = _page_number(n)
    width, height = SIZE_PX
    return [
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH_PT} {HEIGHT_PT}]"
        f" /Contents {number + 1} 0 R"
        f" /Resources << /XObject << /Scan {number + 2} 0 R >> >> >>".encode(),
        _stream("", f"{WIDTH_PT} 0 0 {HEIGHT_PT} 0 0 cm /Scan Do".encode()),
        _stream(
            f"/Type /XObject /Subtype /Image /Width {width} /Height {height}"
            " /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
            jpeg,
        ),
    ]


def _labels(pages: Sequence[ScannedPage]) -> str:
    """A range without style for unnumbered pages, and one of figures from the first number on."""
    first = next(n for n, page in enumerate(pages) if page.label)
    start = int(pages[first].label)
    return f"/PageLabels << /Nums [0 << >> {first} << /S /D /St {start} >>] >>"


def _stream(entries: str, data: bytes) -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    data = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets: list[int] = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += "".join(f"{offset:010} 00000 n \n" for offset in offsets).encode()
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R >>"
    data += f"trailer\n{trailer}\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(data)
