"""A PDF written from the first byte to the last: nothing but the places of objects is remembered.

So a book takes no more memory than a page. Source: ISO 32000-1, 7.3 and 7.5; the stricter form of
ISO 19005-2, 6.1 (PDF/A-2) is kept always.
"""

from __future__ import annotations

import re
import zlib
from typing import BinaryIO

_HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
_ESCAPED = re.compile(rb"[\\()\r\n]")
_ESCAPES = {b"\\": rb"\\", b"(": rb"\(", b")": rb"\)", b"\r": rb"\r", b"\n": rb"\n"}


class PdfFile:
    """The objects of one file, in the order in which they are added."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._places: list[int] = [0]  # of each object, by its number; 0: not yet written
        self._write(_HEAD)

    def reserve(self) -> int:
        """A number for an object that others refer to before it is written."""
        self._places.append(0)
        return len(self._places) - 1

    def add(self, text: str, *, number: int | None = None) -> int:
        """Write an object without a stream.

        Args:
            text: as PDF source, ASCII.
            number: as reserved; None takes the next.

        Returns:
            Its number.
        """
        number = self._begin(number)
        self._write(text.encode("ascii") + b"\nendobj\n")
        return number

    def add_stream(self, text: str, data: bytes, *, number: int | None = None) -> int:
        """Write an object with a stream, its data as they are.

        Args:
            text: its dictionary, `<<...>>`, without /Length.
            data: as the filters of the dictionary say.
            number: as reserved; None takes the next.
        """
        number = self._begin(number)
        head = f"{text[:-2]}/Length {len(data)}>>\nstream\n"
        self._write(head.encode("ascii"))
        self._write(data)
        self._write(b"\nendstream\nendobj\n")
        return number

    def add_packed(self, text: str, data: bytes, *, number: int | None = None) -> int:
        """The same, the data compressed; `text` names no filter."""
        packed = f"{text[:-2]}/Filter/FlateDecode>>"
        return self.add_stream(packed, zlib.compress(data), number=number)

    def finish(self, *, root: int, info: int, identity: str) -> None:
        """Write where the objects are.

        Args:
            root: number of the catalogue.
            info: number of the information dictionary.
            identity: 32 hex digits.
        """
        start = self._at
        lines = ["xref", f"0 {len(self._places)}", "0000000000 65535 f "]
        for place in self._places[1:]:
            assert place, "an object was reserved and never written"
            lines.append(f"{place:010d} 00000 n ")
        trailer = f"<</Size {len(self._places)}/Root {root} 0 R/Info {info} 0 R"
        trailer += f"/ID[<{identity}><{identity}>]>>"
        lines += ["trailer", trailer, "startxref", str(start), "%%EOF", ""]
        self._write("\n".join(lines).encode("ascii"))

    def _begin(self, number: int | None) -> int:
        number = self.reserve() if number is None else number
        assert not self._places[number], "an object is written once"
        self._places[number] = self._at
        self._write(f"{number} 0 obj\n".encode("ascii"))
        return number

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._at += len(data)


def text_string(text: str) -> str:
    """A text for people (ISO 32000-1, 7.9.2.2)."""
    if text.isascii() and text.isprintable():
        plain = _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text.encode("ascii"))
        return f"({plain.decode('ascii')})"
    return f"<feff{text.encode('utf-16-be').hex()}>"


def real(value: float) -> str:
    """A number, as short as can be."""
    return _trimmed(f"{value:.4f}")


def fine(value: float) -> str:
    """A number of a matrix, which thousands of pixels are multiplied with."""
    return _trimmed(f"{value:.8f}")


def _trimmed(digits: str) -> str:
    short = digits.rstrip("0").rstrip(".")
    return "0" if short in ("", "-", "-0") else short
