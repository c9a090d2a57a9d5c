"""Messages between the program and its decoding child.

A frame is four bytes (length of the header, big-endian), the header (JSON), then as many raw bytes
as the header's `bytes` says. Both sides check lengths before they read; nothing is ever unpickled.
"""

from __future__ import annotations

import json
from typing import IO, Any, NamedTuple, cast

MOST_HEADER_BYTES = 64 << 20
MOST_DATA_BYTES = 4 << 30


class Message(NamedTuple):
    """One frame."""

    header: dict[str, Any]
    data: bytes = b""


class BrokenFrame(Exception):
    """The other side ended in the middle of a frame, or sent something that is none."""


def write(file: IO[bytes], header: dict[str, Any], data: bytes | memoryview = b"") -> None:
    """Send one frame; returns when the other side's pipe has taken it."""
    head = json.dumps({**header, "bytes": len(data)}).encode()
    file.write(len(head).to_bytes(4, "big") + head)
    file.write(data)
    file.flush()


def read(file: IO[bytes]) -> Message | None:
    """Receive one frame; None when the other side closed the pipe between two frames.

    Raises:
        BrokenFrame: see there.
    """
    start = file.read(4)
    if not start:
        return None
    header = _header(_exactly(file, int.from_bytes(start, "big"), most=MOST_HEADER_BYTES))
    size = header.pop("bytes", 0)
    if not isinstance(size, int):
        raise BrokenFrame("the count of bytes is no number")
    return Message(header, _exactly(file, size, most=MOST_DATA_BYTES))


def _header(raw: bytes) -> dict[str, Any]:
    try:
        header: Any = json.loads(raw)
    except ValueError as error:
        raise BrokenFrame("the header is not JSON") from error
    if not isinstance(header, dict):
        raise BrokenFrame("the header is not an object")
    return cast("dict[str, Any]", header)


def _exactly(file: IO[bytes], count: int, *, most: int) -> bytes:
    if not 0 <= count <= most:
        raise BrokenFrame(f"a part of {count} bytes")
    raw = file.read(count)
    if len(raw) < count:
        raise BrokenFrame("the pipe ended")
    return raw
