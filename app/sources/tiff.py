"""The pages of a TIFF, found by walking its directories; no pixel is decoded here.

A TIFF may hold many pages, and beside them reduced copies and masks that are no pages. Walking the
chain ourselves takes microseconds a page, stops at loops, and gives the place of each page, so that
page 3,000 is opened as quickly as page 1 (`at_frame`). TIFF 6.0 section 2; BigTIFF.
"""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from app.sources import fingerprints
from app.sources.limits import MOST_MEMBER_BYTES, MOST_PAGES

if TYPE_CHECKING:
    from PIL import Image

_SUBFILE_TAG = 254
_ORIENTATION = 274
_PALETTE = 320
_DATA_TAGS = ((273, 279), (324, 325))  # offsets and lengths, of strips and of tiles
_REDUCED_OR_MASK = 0b101


class Layout(NamedTuple):
    """How numbers and directories are written in this file."""

    order: str  # "<" or ">"
    is_big: bool  # BigTIFF: offsets of 8 bytes

    @property
    def offset_format(self) -> str:
        """For `struct`."""
        return self.order + ("Q" if self.is_big else "I")

    @property
    def first_offset_at(self) -> int:
        """Where the header says where the first directory is."""
        return 8 if self.is_big else 4


class Directory(NamedTuple):
    """What matters of one directory."""

    following: int  # offset of the next one, 0 at the end
    is_page: bool


def is_tiff(head: bytes) -> bool:
    """Whether a file that begins so is a TIFF or BigTIFF."""
    return head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def frame_offsets(file: BinaryIO) -> list[int]:
    """Where the directory of each page lies, in order.

    A chain that is cut off ends with the offset that leads nowhere: that page fails when it is
    opened, so that missing pages are told and not passed over.
    """
    layout = _layout(file)
    try:
        offset = _number(file, layout.first_offset_at, layout.offset_format)
    except struct.error:
        return []
    seen: set[int] = set()
    pages: list[int] = []
    while offset and offset not in seen and len(seen) < MOST_PAGES:
        seen.add(offset)
        directory = _directory(file, offset, layout)
        if directory is None or directory.is_page:
            pages.append(offset)
        offset = directory.following if directory else 0
    return pages or sorted(seen)[:1]


def at_frame(file: BinaryIO, offset: int) -> BinaryIO:
    """The same file as if that directory were its first."""
    layout = _layout(file)
    moved = _Moved(file, layout.first_offset_at, struct.pack(layout.offset_format, offset))
    return io.BufferedReader(moved)


def frame_fingerprint(file: BinaryIO, image: Image.Image) -> str:
    """The fingerprint of one page's own strips or tiles, as they lie in the file."""
    directory: Any = getattr(image, "tag_v2", {})
    looks = (image.size, image.mode, directory.get(_ORIENTATION), directory.get(_PALETTE))
    return fingerprints.of_parts(itertools.chain([repr(looks).encode()], _strips(file, directory)))


def _strips(file: BinaryIO, directory: Any) -> Iterator[bytes]:  # noqa: ANN401 - Pillow's untyped tags
    for offsets_tag, lengths_tag in _DATA_TAGS:
        offsets, lengths = directory.get(offsets_tag, ()), directory.get(lengths_tag, ())
        for offset, length in zip(offsets, lengths, strict=False):
            file.seek(offset)
            yield file.read(min(length, MOST_MEMBER_BYTES))


def _layout(file: BinaryIO) -> Layout:
    file.seek(0)
    head = file.read(4)
    order = "<" if head[:1] == b"I" else ">"
    return Layout(order, is_big=b"+" in head)


def _directory(file: BinaryIO, offset: int, layout: Layout) -> Directory | None:
    """None where the file ends before the directory does."""
    entry_bytes = 20 if layout.is_big else 12
    count_format = layout.order + ("Q" if layout.is_big else "H")
    count_bytes = struct.calcsize(count_format)
    try:
        count = min(_number(file, offset, count_format), 0xFFFF)
        entries = file.read(count * entry_bytes)
        following = _number(file, offset + count_bytes + count * entry_bytes, layout.offset_format)
    except struct.error:
        return None
    return Directory(following, is_page=not _subfile(entries, entry_bytes, layout))


def _subfile(entries: bytes, entry_bytes: int, layout: Layout) -> int:
    """The bits that call the directory a reduced copy or a mask of another."""
    for start in range(0, len(entries) - entry_bytes + 1, entry_bytes):
        (tag,) = struct.unpack_from(layout.order + "H", entries, start)
        if tag == _SUBFILE_TAG:
            at = start + (12 if layout.is_big else 8)
            (bits,) = struct.unpack_from(layout.order + "I", entries, at)
            return bits & _REDUCED_OR_MASK
    return 0


def _number(file: BinaryIO, offset: int, form: str) -> int:
    """Raises `struct.error` where the file is too short."""
    file.seek(min(offset, 1 << 62))
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


class _Moved(io.RawIOBase):
    """A file with some bytes of its header replaced.

    libtiff, which reads past it through the descriptor, is given the place of the directory by
    Pillow and does not look at the header's.
    """

    def __init__(self, file: BinaryIO, at: int, patch: bytes) -> None:
        self._file = file
        self._at = at
        self._patch = patch
        self._file.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - as RawIOBase has it
        start = self._file.tell()
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        for index, value in enumerate(self._patch, self._at - start):
            if 0 <= index < len(data):
                buffer[index] = value
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def fileno(self) -> int:
        return self._file.fileno()
