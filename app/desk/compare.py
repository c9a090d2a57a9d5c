"""Two texts of a page word by word: what both have, what only one of them has. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

_TOKENS = re.compile(r"\n+|[^\S\n]+|[^\s]+")


class Stretch(NamedTuple):
    """A stretch of both texts."""

    kind: Literal["same", "changed"]
    left: str
    right: str


def compare(left: str, right: str) -> tuple[Stretch, ...]:
    """Part two texts into stretches that are the same and stretches that are not.

    Words that differ are told whole. Joined again, the left sides are the left text and the right
    sides the right one.
    """
    ours, theirs = _TOKENS.findall(left), _TOKENS.findall(right)
    return tuple(_joined(_steps(ours, theirs)))


def changes(stretches: tuple[Stretch, ...]) -> int:
    """In how many places the texts differ."""
    return sum(each.kind == "changed" for each in stretches)


def _steps(ours: list[str], theirs: list[str]) -> Iterator[Stretch]:
    for step in Levenshtein.opcodes(ours, theirs):
        left = "".join(ours[step.src_start : step.src_end])
        right = "".join(theirs[step.dest_start : step.dest_end])
        yield Stretch("same" if step.tag == "equal" else "changed", left, right)


def _joined(steps: Iterator[Stretch]) -> Iterator[Stretch]:
    """Neighbours of one kind as one, also over a space between two words that changed."""
    waiting: list[Stretch] = []
    for step in steps:
        if waiting and waiting[-1].kind == step.kind:
            waiting[-1] = _both(waiting[-1], step)
        elif len(waiting) == 2 and waiting[1].left == " " and step.kind == "changed":
            waiting = [_both(_both(waiting[0], waiting[1]), step)]
        elif waiting and waiting[-1].kind == "changed":
            waiting.append(step)
        else:
            yield from waiting
            waiting = [step]
            continue
        if len(waiting) == 2 and waiting[1].left != " ":
            yield waiting.pop(0)
    yield from waiting


def _both(one: Stretch, two: Stretch) -> Stretch:
    return Stretch(one.kind, one.left + two.left, one.right + two.right)
