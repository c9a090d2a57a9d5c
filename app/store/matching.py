"""Finds the pages of a book in its changed scan, by the fingerprints of their images. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from app.book import Page, PageState

BEHIND = 1_000_000  # no scan has so many images


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


def match_scans(old: Sequence[Page], new: Sequence[str]) -> Matching:
    """Match the images that pages were made of; two pages of a spread are one image.

    Args:
        old: the pages of the book in any order.
        new: as `match_pages`.

    Returns:
        `was` gives old places in the scan, and so does `kept`.
    """
    scans: dict[int, Page] = {}
    for page in old:
        if page.scan_path is None:
            first = scans.get(_place_of(page), page)
            scans[_place_of(page)] = first if _has_text(first) else page
    return match_pages([replace(scans[at], number=at) for at in sorted(scans)], new)


def matched_pages(
    old: Sequence[Page], matching: Matching, names: Sequence[str], fingerprints: Sequence[str]
) -> tuple[tuple[Page, ...], Mapping[int, int]]:
    """The pages of a book over its changed scan, and the numbers that they had.

    Pages follow the scan. Where a person had arranged them otherwise they keep their order: a new
    image comes behind the page of the image before it.
    """
    pages_of: defaultdict[int, list[Page]] = defaultdict(list)
    for page in old:
        if page.scan_path is None:
            pages_of[_place_of(page)].append(page)
    order: list[tuple[Page, int | None]] = []  # a page, and its number before
    for index, name in enumerate(names):
        mine = pages_of[matching.was[index]] if index in matching.was else []
        now = partial(replace, scan=index, name=name, fingerprint=fingerprints[index])
        order += [(now(page), page.number) for page in mine] or [(now(Page(0)), None)]
    if not _is_plain(old):
        order = _in_old_order(order, old)
    pages = tuple(replace(page, number=number) for number, (page, _was) in enumerate(order))
    return pages, {number: was for number, (_, was) in enumerate(order) if was is not None}


def _place_of(page: Page) -> int:
    """Where the page's image lies in the scan; behind its end what it has no more."""
    return page.scan_index if page.scan_index >= 0 else BEHIND + page.number


def _is_plain(pages: Sequence[Page]) -> bool:
    """Whether pages lie as their images do in the scan."""
    places = [_place_of(page) for page in pages if page.scan_path is None]
    return len(places) == len(pages) and places == sorted(places)


def _in_old_order(
    order: list[tuple[Page, int | None]], old: Sequence[Page]
) -> list[tuple[Page, int | None]]:
    """As the pages lay before; images from other files among them, new ones behind neighbours."""
    arranged = {page.number: page for page in old if page.scan_path is not None}
    arranged |= {was: page for page, was in order if was is not None}
    result: list[tuple[Page, int | None]] = [(arranged[was], was) for was in sorted(arranged)]
    before: Page | None = None
    for page, was in order:
        if was is None:
            at = next((i + 1 for i, each in enumerate(result) if each[0] is before), 0)
            result.insert(at, (page, None))
        before = page
    return result


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
