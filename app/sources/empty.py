"""Tells images that say of themselves that they have no height or no width.

Pillow calls such a file no image at all; people are better served by the truth. Only the head of
the file is looked at: PNG 'IHDR', BMP header, JPEG frame header, JPEG 2000 'ihdr', TIFF tags 256
and 257.
"""

from __future__ import annotations

import re
import struct

HEAD_BYTES = 1 << 16

_JPEG_FRAME = b"\xc0\xc1\xc2\xc3\xc5\xc6\xc7\xc9\xca\xcb\xcd\xce\xcf"
_TIFF_SIZE = {  # tag 256 or 257, SHORT or LONG, one value, which is 0
    "II": re.compile(rb"(?:\x00|\x01)\x01(?:\x03|\x04)\x00\x01\x00\x00\x00\x00\x00\x00\x00"),
    "MM": re.compile(rb"\x01(?:\x00|\x01)\x00(?:\x03|\x04)\x00\x00\x00\x01\x00\x00\x00\x00"),
}


def has_no_area(head: bytes) -> bool:
    """Whether a file that begins so is an image without height or width."""
    try:
        if head.startswith(b"\x89PNG"):
            return 0 in struct.unpack_from(">II", head, 16)
        if head.startswith(b"BM"):
            return 0 in struct.unpack_from("<ii", head, 18)
        if head.startswith(b"\xff\xd8"):
            return 0 in _jpeg_size(head)
        if b"ihdr" in head[:64]:
            return 0 in struct.unpack_from(">II", head, head.index(b"ihdr") + 4)
    except struct.error:
        return False
    order = head[:2].decode("latin-1")
    return order in _TIFF_SIZE and _TIFF_SIZE[order].search(head) is not None


def _jpeg_size(head: bytes) -> tuple[int, int]:
    """Height and width in the first frame header."""
    at = 2
    while True:
        marker, length = struct.unpack_from(">xBH", head, at)
        if marker in _JPEG_FRAME:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return height, width
        at += 2 + length
