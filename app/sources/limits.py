"""What decoding may cost at most, and the walls that the child builds around itself.

`Limits` is chosen by the parent; `confine` is called once in the child, after its imports and
before it opens a file. CPU time is not limited here: the parent's timer ends a page. Should the
parent be gone, the system ends the child; where it cannot tell, the child's own alarm does.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Generator
from dataclasses import dataclass

from app.book import PageSize
from app.errors import SourceError

MEBIBYTE = 1 << 20
MOST_PAGES = 100_000
MOST_MEMBER_BYTES = 1024 * MEBIBYTE  # one image file inside an archive
ALARM_AFTER_LIMIT_S = 5.0


@dataclass(frozen=True)
class Limits:
    """What one page may cost."""

    page_pixels: int = 250_000_000
    seconds: float = 60.0
    memory_bytes: int = 3072 * MEBIBYTE  # address space of the child


def check_pixels(width_px: int, height_px: int, limits: Limits) -> None:
    """Refuse an image by its size alone, before anything of it is decoded.

    Raises:
        SourceError: `page_zero_size` or `page_too_large`.
    """
    if width_px < 1 or height_px < 1:
        raise SourceError("page_zero_size")
    if width_px * height_px > limits.page_pixels:
        raise SourceError(
            "page_too_large",
            megapixels=round(width_px * height_px / 1e6),
            limit=round(limits.page_pixels / 1e6),
        )


def check_page(size: PageSize, limits: Limits) -> None:
    """The same for a master."""
    check_pixels(size.width_px, size.height_px, limits)


def confine(limits: Limits) -> None:
    """Take from this process what decoding never needs: memory without end, files, core dumps."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))


@contextlib.contextmanager
def alarm(limits: Limits) -> Generator[None]:
    """Let the system end this process if the work inside outlives the parent's timer."""
    if sys.platform == "win32":
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, limits.seconds + ALARM_AFTER_LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def while_wanted(orders: int) -> Generator[None]:
    """Let the system end this process when the parent goes while the work inside goes on.

    Then the pipe with the orders ends, and a decoder that is busy cannot look there by itself.

    Args:
        orders: descriptor of the pipe, in which nothing comes before the work is answered.
    """
    if sys.platform != "linux":
        yield
        return
    import fcntl

    flags = fcntl.fcntl(orders, fcntl.F_GETFL)
    fcntl.fcntl(orders, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(orders, fcntl.F_SETFL, flags | os.O_ASYNC)  # SIGIO, which ends a process
    try:
        if select.select([orders], [], [], 0)[0]:  # the parent went a moment before
            raise SystemExit
        yield
    finally:
        fcntl.fcntl(orders, fcntl.F_SETFL, flags)
