"""Files damaged at random, the same for the same seed; and what becomes of who opens one.

What may happen to a damaged file: it opens, or it is refused in words, or single pages of it are. A
decoder may crash or hang, since that costs a page. What may not: an error that is none of ours, a
wait beyond the limit, a process that is left, a file that is written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from app.errors import PasswordNeeded, SourceError
from app.sources.source import Limits, Source

LONGEST_S = 10.0
LIMITS = Limits(page_pixels=40_000_000, seconds=LONGEST_S, memory_bytes=2 << 30)
SPARE_S = 5.0  # for starting a decoder, and ending it, on a machine that is busy
PAGES = 3  # of each file
EXTREMES = (b"\x00", b"\xff", b"\x7f", b"\x80")
NUMBERS = (b"0", b"-1", b"1", b"65536", b"2147483648", b"99999999999999999999", b"1e308")
LARGEST = 4_000_000  # bytes of a file that is damaged; a larger one is cut first

Change = Callable[[bytearray, Random], None]


@dataclass(frozen=True)
class Fate:
    """What became of one file."""

    name: str
    codes: tuple[str, ...]  # of what was refused
    seconds: float
    fault: str = ""  # what must not happen

    @property
    def is_opened(self) -> bool:
        """Whether at least one page of it was seen."""
        return not self.codes


def damaged_files(originals: Sequence[Path], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Names and contents of so many damaged files.

    Args:
        originals: the sound ones; every kind is taken in turn.
        count: how many.
        seed: another seed damages otherwise.
    """
    for number in range(count):
        random = Random(f"{seed}-{number}")
        path = originals[number % len(originals)]
        data = bytearray(path.read_bytes()[:LARGEST])
        for change in random.choices(CHANGES, k=random.randint(1, 4)):
            if data:
                change(data, random)
        yield f"{number:05}-{path.name}", bytes(data)


def open_damaged(folder: Path, name: str, data: bytes) -> Fate:
    """Write a damaged file into a folder of its own, open it, look at some pages, take it away."""
    home = folder / name
    home.mkdir()
    path = home / name
    path.write_bytes(data)
    begun_s = time.monotonic()
    fault, codes = "", ()
    try:
        codes = tuple(_codes(path))
    except Exception as error:  # noqa: BLE001 - what is looked for
        fault = f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - begun_s
    if seconds > (1 + PAGES) * (LONGEST_S + SPARE_S):
        fault = f"took {seconds:.0f} s"
    if [each.name for each in home.iterdir()] != [name] or path.read_bytes() != data:
        fault = "a file was written"
    path.unlink()
    home.rmdir()
    return Fate(name, codes, seconds, fault)


def _codes(path: Path) -> Iterator[str]:
    try:
        with Source.open([path], limits=LIMITS) as source:
            for page in range(min(PAGES, source.info.page_count)):
                try:
                    source.page_info(page)
                    source.render(page, fit=(300, 300))
                    source.text_layer(page)
                except SourceError as error:
                    yield error.code
    except (SourceError, PasswordNeeded) as error:
        yield error.code


def _flip(data: bytearray, random: Random) -> None:
    for _ in range(random.choice((1, 4, 32))):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _set_extremes(data: bytearray, random: Random) -> None:
    width = random.choice((1, 2, 4, 8))
    at = random.randrange(len(data))
    data[at : at + width] = random.choice(EXTREMES) * width


def _set_early_extremes(data: bytearray, random: Random) -> None:
    """Sizes and offsets mostly stand near the start of a file."""
    at = random.randrange(min(256, len(data)))
    data[at : at + 4] = random.choice(EXTREMES) * 4


def _set_numbers(data: bytearray, random: Random) -> None:
    """Numbers in letters, as in a PDF."""
    found = list(re.finditer(rb"\d+", data))
    for match in sorted(random.sample(found, min(len(found), 3)), key=lambda m: -m.start()):
        data[match.start() : match.end()] = random.choice(NUMBERS)


def _cut_end(data: bytearray, random: Random) -> None:
    del data[random.randrange(1, len(data) + 1) :]


def _cut_out(data: bytearray, random: Random) -> None:
    start, end = _stretch(data, random)
    del data[start : min(end, start + len(data) - 1)]


def _repeat(data: bytearray, random: Random) -> None:
    start, end = _stretch(data, random)
    data[start:start] = data[start:end]


def _clear(data: bytearray, random: Random) -> None:
    start, end = _stretch(data, random)
    data[start:end] = bytes(end - start)


def _scramble(data: bytearray, random: Random) -> None:
    start, end = _stretch(data, random)
    data[start:end] = random.randbytes(end - start)


def _stretch(data: bytearray, random: Random) -> tuple[int, int]:
    start = random.randrange(len(data))
    return start, min(len(data), start + random.choice((1, 16, 256, 4096)))


CHANGES: tuple[Change, ...] = (
    *(_flip, _set_extremes, _set_early_extremes, _set_numbers),
    *(_cut_end, _cut_out, _repeat, _clear, _scramble),
)
