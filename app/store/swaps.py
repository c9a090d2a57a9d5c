r"""What is put where a query stands, with the printed line ends kept. Pure.

A hit may cross a line end (`exam-⏎ple`). What both the old and the new letters have in common keeps
its place, and the line end with it: `examples` becomes `exam-⏎ples`. Where the new letters leave it
no place, the line ends behind the word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

from app.book import Region
from app.edits import Edit
from app.proofing import corrected, edited, tidy
from app.store.patterns import Template
from app.store.search import HYPHENS, Hit, Query, hits_of

_BREAK = re.compile(rf"([{HYPHENS}]?)([ \t]*\n\s*)")


class Swap(NamedTuple):
    """The text from `start` to `end` (code points) becomes `text`."""

    start: int
    end: int
    text: str


class _Break(NamedTuple):
    """A line end within a hit."""

    at: int  # offset in the letters without line ends
    printed: str  # hyphen, line end and what stands around it
    is_in_word: bool  # else it stands for the space at that offset


def swaps_of(query: Query, template: Template, text: str) -> list[Swap]:
    """What becomes of each place of a block where the query stands, in order.

    Raises:
        FindError: `pattern_slow`.
    """
    return [_swap(text, hit, template) for hit in hits_of(query, text)]


def swapped(region: Region, swaps: Sequence[Swap]) -> Region:
    """The block with swaps made; they are in order, none upon another."""
    text = region.text
    parts: list[str] = []
    behind = 0
    for swap in swaps:
        parts += (text[behind : swap.start], swap.text)
        behind = swap.end
    new = "".join((*parts, text[behind:]))
    edits = [edit for swap in swaps if (edit := _edit(text, swap)) is not None]
    touch = any(one.end == two.start for one, two in pairwise(edits))
    # letters that compose with those beside them, or edits side by side: compare the texts
    return corrected(region, new) if touch or tidy(new) != new else edited(region, new, edits)


def _edit(text: str, swap: Swap) -> Edit | None:
    """A swap without the letters that it leaves as they are."""
    old = text[swap.start : swap.end]
    if old == swap.text:
        return None
    head = Prefix.similarity(old, swap.text)
    tail = Postfix.similarity(old[head:], swap.text[head:])
    return Edit(swap.start + head, swap.end - tail, swap.text[head : len(swap.text) - tail])


def _swap(text: str, hit: Hit, template: Template) -> Swap:
    def group(number: int) -> str:
        start, end = hit.groups[number]
        return _unbroken(text[start:end])[0] if start >= 0 else ""

    new, is_whole = _with_breaks(text[hit.start : hit.end], template.filled(group))
    if not is_whole and text[hit.end : hit.end + 1] == " ":
        return Swap(hit.start, hit.end + 1, f"{new}\n")
    return Swap(hit.start, hit.end, new)


def _with_breaks(old: str, new: str) -> tuple[str, bool]:
    """The new letters with the line ends of the old ones, and whether all have found a place."""
    letters, breaks = _unbroken(old)
    if not breaks:
        return new, True
    kept = _kept(letters, new)
    parts = [*new, ""]
    is_whole = True
    for each in breaks:
        is_whole &= _put(each, parts, kept)
    return "".join(parts), is_whole


def _unbroken(old: str) -> tuple[str, list[_Break]]:
    """The letters of a stretch on one line, and the line ends that it had."""
    letters = ""
    breaks: list[_Break] = []
    behind = 0
    for found in _BREAK.finditer(old):
        hyphen, line_end = found.groups()
        letters += old[behind : found.start()]
        behind = found.end()
        is_in_word = hyphen != "" and letters[-1:].isalnum() and old[behind : behind + 1].isalnum()
        if is_in_word:
            breaks.append(_Break(len(letters), found.group(), is_in_word=True))
            continue
        letters += hyphen
        breaks.append(_Break(len(letters), line_end, is_in_word=False))
        letters += " "
    return letters + old[behind:], breaks


def _kept(old: str, new: str) -> dict[int, int]:
    """Where a letter stands, or what took its place: offsets in the old text to the new one."""
    return {
        step.src_start + ahead: step.dest_start + ahead
        for step in Levenshtein.opcodes(old, new)
        if step.tag in {"equal", "replace"}  # as many letters for as many
        for ahead in range(step.src_end - step.src_start)
    }


def _put(each: _Break, parts: list[str], kept: dict[int, int]) -> bool:
    """Put a line end between letters that were kept; False where they were not."""
    here = kept.get(each.at)
    if not each.is_in_word:
        is_space = here is not None and parts[here] == " "
        if here is not None and is_space:
            parts[here] = each.printed
        return is_space
    before = kept.get(each.at - 1)
    if before is None or here is None:
        return False
    if here == before + 1:
        parts[before] += each.printed
        return True
    is_hyphen = here == before + 2 and parts[before + 1] in HYPHENS
    if is_hyphen:
        parts[before + 1] = each.printed
    return is_hyphen


def chosen_of(swaps: Sequence[Swap], wanted: frozenset[int]) -> list[Swap] | None:
    """The swaps that begin at these offsets; None where one of them is not there any more."""
    chosen = [swap for swap in swaps if swap.start in wanted]
    return chosen if len(chosen) == len(wanted) else None
