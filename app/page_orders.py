"""What a person orders of the pages of a book, as another arrangement of them. Pure.

Pages are named by their numbers in the arrangement that is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app.book import Page
from app.prepare.treatment import Side, Treatment
from app.store.arranging import Arrangement, Placed
from app.store.rows import treatment_to_json

Order = Callable[[Arrangement, Sequence[Page]], Arrangement]


def treat(treatments: Mapping[int, Treatment]) -> Order:
    """Give pages these treatments; what was proposed for them is decided."""

    def order(placed: Arrangement, _pages: Sequence[Page]) -> Arrangement:
        return tuple(
            _treated(each, treatments[number]) if number in treatments else each
            for number, each in enumerate(placed)
        )

    return order


def accept(numbers: Sequence[int]) -> Order:
    """Do what is proposed for these pages; a spread becomes two."""

    def order(placed: Arrangement, pages: Sequence[Page]) -> Arrangement:
        chosen = set(numbers)
        changed: list[Placed] = []
        for each, page in zip(placed, pages, strict=True):
            proposal = page.proposal
            if page.number not in chosen or proposal is None:
                changed.append(each)
            elif proposal.second is None:
                changed.append(_treated(each, kept_tones(proposal.treatment, page.treatment)))
            else:
                changed += _halves(each, page, (proposal.treatment, proposal.second))
        return tuple(changed)

    return order


def change(numbers: Sequence[int], changes: Mapping[str, object], *, rtl: bool = False) -> Order:
    """Change some of what is done to pages; a fold makes two of each that is whole.

    Args:
        numbers: the pages.
        changes: fields of `Treatment` with their new values.
        rtl: the right page of a spread comes first.
    """
    chosen = set(numbers)

    def order(placed: Arrangement, pages: Sequence[Page]) -> Arrangement:
        changed: list[Placed] = []
        for each, page in zip(placed, pages, strict=True):
            if page.number not in chosen:
                changed.append(each)
                continue
            treatment = replace(page.treatment, **changes)  # pyright: ignore[reportArgumentType]
            if treatment.fold is None or treatment.side is not Side.WHOLE:
                changed.append(_treated(each, treatment))
            else:
                changed += _halves(each, page, sides_of(treatment, rtl=rtl))
        return tuple(changed)

    return order


def sides_of(spread: Treatment, *, rtl: bool) -> tuple[Treatment, Treatment]:
    """Both pages of a spread in the order of reading; each will lean and end in its own way."""
    both = replace(spread, skew_degrees=0.0, crop=None, content=None, curve=None)
    left, right = (replace(both, side=side) for side in (Side.LEFT, Side.RIGHT))
    return (right, left) if rtl else (left, right)


def insert(before: int, path: Path, count: int) -> Order:
    """Put the images of another file in before a page."""

    def order(placed: Arrangement, _pages: Sequence[Page]) -> Arrangement:
        new = tuple(Placed(0, index, str(path)) for index in range(count))
        return (*placed[:before], *new, *placed[before:])

    return order


def substitute(number: int, path: Path) -> Order:
    """Take another image for a page; its readings stay."""

    def order(placed: Arrangement, _pages: Sequence[Page]) -> Arrangement:
        other = replace(placed[number], scan=0, scan_path=str(path), treatment=None, proposal=None)
        return (*placed[:number], other, *placed[number + 1 :])

    return order


def remove(numbers: Sequence[int]) -> Order:
    """Take pages out of the book; what was read of them is kept."""

    def order(placed: Arrangement, _pages: Sequence[Page]) -> Arrangement:
        gone = set(numbers)
        return tuple(each for number, each in enumerate(placed) if number not in gone)

    return order


def move(numbers: Sequence[int], steps: int) -> Order:
    """Move pages, kept together, so many places towards the end; below 0: towards the beginning."""

    def order(placed: Arrangement, _pages: Sequence[Page]) -> Arrangement:
        chosen = sorted(set(numbers))
        moved = [placed[number] for number in chosen]
        rest = [each for number, each in enumerate(placed) if number not in set(chosen)]
        at = min(max(0, chosen[0] + steps), len(rest))
        return (*rest[:at], *moved, *rest[at:])

    return order


def kept_tones(found: Treatment, chosen: Treatment) -> Treatment:
    """What was found, with the tones that a person chose before."""
    return replace(
        found,
        even_light=found.even_light or chosen.even_light,
        despeckle=chosen.despeckle,
        show_through=chosen.show_through,
        binarise=chosen.binarise,
        reads_binary=chosen.reads_binary,
    )


def _treated(placed: Placed, treatment: Treatment) -> Placed:
    return replace(placed, treatment=treatment_to_json(treatment), proposal=None)


def _halves(
    whole: Placed, page: Page, treatments: tuple[Treatment, Treatment]
) -> tuple[Placed, Placed]:
    """Two new pages of one scan; the old one is put away with its readings."""
    first, second = (
        Placed(
            0,
            whole.scan,
            whole.scan_path,
            treatment_to_json(kept_tones(each, page.treatment)),
            like=whole.page_id,
        )
        for each in treatments
    )
    return first, second
