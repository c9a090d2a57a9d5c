"""Finds the pages of a book in its changed scan, by the fingerprints of their images. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from app.book import Page, PageState


class Matching(NamedTuple):
    """Which old page each page of the changed scan is."""

    was: Mapping[int, int]  # new numbers to old ones; the others are new pages
    replaced: frozenset[int]  # new numbers of those with another image in the old one's place
    kept: tuple[int, ...]  # old numbers of pages with a text that the scan has no more


def match_pages(old: Sequence[Page], new: Sequence[str]) -> Matching:
    """Match the pages of a book with the images of its changed scan.

    First by equal images in the same order, then by equal images that have moved, then by place:
    where as many pages lie between two matched neighbours as before, they are taken for the same
    pages scanned anew. No page with a text is lost: what finds no place is in `kept`.

    Args:
        old: the pages of the book in order; those never opened have no fingerprint.
        new: the fingerprint of each image of the scan in order, "" where unknown.
    """
    before = [page.fingerprint for page in old]
    in_order = _in_order(before, new)
    moved = _moved(before, new, in_order)
    in_place = _in_place(len(before), len(new), in_order, moved)
    matched = {**in_order, **moved, **in_place}
    left = set(range(len(old))) - set(matched.values())
    return Matching(
        {number: old[matched[number]].number for number in sorted(matched)},
        frozenset(number for number, index in in_place.items() if before[index] and new[number]),
        tuple(old[index].number for index in sorted(left) if _has_text(old[index])),
    )


def _has_text(page: Page) -> bool:
    return page.reading_id != 0 or page.state is not PageState.UNREAD


def _in_order(before: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Equal images in the longest common order, new index to old."""
    return {
        step.dest_start + ahead: step.src_start + ahead
        for step in Levenshtein.opcodes(before, new)
        if step.tag == "equal"
        for ahead in range(step.src_end - step.src_start)
        if before[step.src_start + ahead]
    }


def _moved(
    before: Sequence[str], new: Sequence[str], in_order: Mapping[int, int]
) -> dict[int, int]:
    """Equal images at another place, new index to old."""
    free: defaultdict[str, list[int]] = defaultdict(list)
    for index in sorted(set(range(len(before))) - set(in_order.values()), reverse=True):
        free[before[index]].append(index)
    return {
        number: free[image].pop()
        for number, image in enumerate(new)
        if image and number not in in_order and free.get(image)
    }


def _in_place(
    old_count: int, new_count: int, in_order: Mapping[int, int], moved: Mapping[int, int]
) -> dict[int, int]:
    """Pages between neighbours in order where as many are left of both, new index to old."""
    found: dict[int, int] = {}
    gone = set(moved.values())
    bounds = [(-1, -1), *sorted(in_order.items()), (new_count, old_count)]
    for (new_start, old_start), (new_end, old_end) in pairwise(bounds):
        numbers = [each for each in range(new_start + 1, new_end) if each not in moved]
        indices = [each for each in range(old_start + 1, old_end) if each not in gone]
        if len(numbers) == len(indices):
            found.update(zip(numbers, indices, strict=True))
    return found
