"""What a word may have been before it was misread: one letter taken for another. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

# Letters that look alike in print, each way.
_ALIKE = (
    "ce co eo ao ae as nu nr uv un ui hb hk fs ft lt li il it ij ir rt rv rc tc st gq gy yv vr",
    "zx db bd mn mw ux ol oe pb pd kl wv",
)
_TOGETHER = (
    "rn-m in-m ni-m nn-m iu-m ui-m nu-m im-nn cl-d li-h il-h ii-n ii-u vv-w lt-h ff-ss fl-st fi-si",
    "ft-st lf-ss tt-it rr-n ir-n ri-n ti-n iv-w",
)
_LEFT_OUT = "eilnrst"
"""Narrow or common letters: those that a reader misses most."""

DOTLESS = str.maketrans({"ı": "i", "ə": "e", "ɯ": "w", "0": "o", "1": "l"})


@cache
def _swaps() -> dict[str, tuple[str, ...]]:
    """What each letter, or two, may have been."""
    found: dict[str, list[str]] = {}
    alike = [(pair[0], pair[1]) for line in _ALIKE for pair in line.split()]
    together = [tuple(pair.split("-")) for line in _TOGETHER for pair in line.split()]
    for first, second in (*alike, *together):
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return {letters: tuple(dict.fromkeys(others)) for letters, others in found.items()}


def likely_originals(run: str) -> Iterator[str]:
    """Words of which this one is a likely misreading.

    Args:
        run: letters, small.

    Yields:
        Runs of letters that differ in one place: letters that look alike, one too many, one left
        out, two in the wrong order.
    """
    swaps = _swaps()
    for i in range(len(run)):
        for length in (1, 2):
            for other in swaps.get(run[i : i + length], ()):
                yield run[:i] + other + run[i + length :]
        yield run[:i] + run[i + 1 :]
        if i + 1 < len(run):
            yield run[:i] + run[i + 1] + run[i] + run[i + 2 :]
    for i in range(len(run) + 1):
        for letter in _LEFT_OUT:
            yield run[:i] + letter + run[i:]
    dotted = run.translate(DOTLESS)
    if dotted != run:
        yield dotted


def bare(run: str) -> str:
    """A run of letters without the marks over and under them."""
    if run.isascii():
        return run
    parted = unicodedata.normalize("NFD", run)
    return "".join(letter for letter in parted if not unicodedata.combining(letter))
