"""Where another reading of a page, or of a part of it, differs from the current text. Pure.

Words are paired as `app.desk.alignment` does, so blocks read in another order, words split and
words joined find their counterparts; what differs is told with its place in the current text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from app.book import Region
from app.desk.alignment import Match, aligned
from app.desk.word_places import place_of
from model.api import Box

Choice = Literal["left", "right", "both"]

_WORD = re.compile(r"\S+")
NEW_BLOCK = -1
"""In place of a region: what the other reading has belongs to no block of the page."""


class Difference(NamedTuple):
    """A stretch of the current text, and what the other reading has in its place."""

    region: int  # of the current text; `NEW_BLOCK`: it has none here
    start: int  # code points; as `end`: only the other reading has something here
    end: int
    left: str  # of the current text
    right: str  # of the other reading; "": it has nothing here
    nth: int  # which word of the other reading, so that it is known again
    box: Box | None = None  # where the other reading has it, on the book's page


class _Word(NamedTuple):
    region: int
    start: int
    end: int
    text: str


def differences(
    mine: Sequence[Region], theirs: Sequence[Region], part: Box | None = None
) -> tuple[Difference, ...]:
    """Compare a page's text with another reading.

    Args:
        mine: the current text.
        theirs: the other reading.
        part: of the page that was read; None: all of it. Words outside are not compared.

    Returns:
        In the order of the current text.
    """
    ours = [word for word in _words(mine) if part is None or _is_in(mine, word, part)]
    others = list(_words(theirs))
    if not ours:
        return _all_new(mine, theirs, part)
    matches = aligned([word.text for word in ours], [word.text for word in others])
    found = [*_changed(mine, theirs, ours, others, matches)]
    found += _added(theirs, ours, others, matches)
    return tuple(sorted(found))


def with_choice(text: str, difference: Difference, choice: Choice) -> str:
    """The text of the region with one difference settled."""
    before, after = text[: difference.start], text[difference.end :]
    if choice == "left":
        return text
    if choice == "both" and difference.left and difference.right:
        return f"{before}{difference.left} {difference.right}{after}"
    if choice == "both":
        return text if difference.left else _inserted(before, difference.right, after)
    if not difference.left:
        return _inserted(before, difference.right, after)
    if not difference.right:
        return (before.rstrip(" ") if after[:1] in {"", "\n", " "} else before) + after
    return before + difference.right + after


def _inserted(before: str, added: str, after: str) -> str:
    ahead = " " if before and not before[-1].isspace() else ""
    behind = " " if after and not after[0].isspace() else ""
    return f"{before}{ahead}{added}{behind}{after}"


def _words(regions: Sequence[Region]) -> Iterator[_Word]:
    for at, region in enumerate(regions):
        for match in _WORD.finditer(region.text):
            yield _Word(at, match.start(), match.end(), match[0])


def _is_in(regions: Sequence[Region], word: _Word, part: Box) -> bool:
    """Whether the middle of a word lies in a part of the page."""
    place = place_of(regions[word.region], word.start, word.end)
    if place is None:
        return False
    x, y = (place.box.left + place.box.right) / 2, (place.box.top + place.box.bottom) / 2
    return part.left <= x <= part.right and part.top <= y <= part.bottom


def _all_new(
    mine: Sequence[Region], theirs: Sequence[Region], part: Box | None
) -> tuple[Difference, ...]:
    """Where the page has no text yet: in an empty block that stands there, or in a new one."""
    text = "\n".join(region.text for region in theirs if region.text.strip())
    if not text:
        return ()
    boxes = [region.box for region in theirs if region.box is not None]
    empty = [at for at, region in enumerate(mine) if not region.text and region.box]
    at = next((at for at in empty if part is not None and mine[at].box == part), NEW_BLOCK)
    return (Difference(at, 0, 0, "", text, 0, boxes[0] if boxes else part),)


def _changed(
    mine: Sequence[Region],
    theirs: Sequence[Region],
    ours: Sequence[_Word],
    others: Sequence[_Word],
    matches: Sequence[Match | None],
) -> Iterator[Difference]:
    """Words of the current text that the other reading has otherwise or not at all."""
    waiting: list[tuple[_Word, int, int]] = []  # words of one difference, and theirs
    for word, match in zip(ours, matches, strict=True):
        first, last = (match.first, match.last) if match is not None else (-1, -1)
        is_same = last - first == 1 and others[first].text == word.text
        if waiting and (is_same or not _goes_on(waiting[-1], word, first)):
            yield _told(mine, theirs, others, waiting)
            waiting = []
        if not is_same:
            waiting.append((word, first, last))
    if waiting:
        yield _told(mine, theirs, others, waiting)


def _goes_on(before: tuple[_Word, int, int], word: _Word, first: int) -> bool:
    """Whether a word that differs belongs to the difference before it."""
    last_word, _first, last = before
    is_lone = last < 0 or first < 0
    return last_word.region == word.region and (first <= last if not is_lone else first == last)


def _told(
    mine: Sequence[Region],
    theirs: Sequence[Region],
    others: Sequence[_Word],
    waiting: Sequence[tuple[_Word, int, int]],
) -> Difference:
    word, start, end = waiting[0][0], waiting[0][0].start, waiting[-1][0].end
    first = min(first for _word, first, _last in waiting)
    last = max(last for _word, _first, last in waiting)
    right, box = _text_of(theirs, others[first:last]) if last > first >= 0 else ("", None)
    left = mine[word.region].text[start:end]
    return Difference(word.region, start, end, left, right, max(first, 0), box)


def _added(
    theirs: Sequence[Region],
    ours: Sequence[_Word],
    others: Sequence[_Word],
    matches: Sequence[Match | None],
) -> Iterator[Difference]:
    """Words that only the other reading has, behind those that it has before them."""
    behind = {match.last: word for word, match in zip(ours, matches, strict=True) if match}
    ahead = {match.first: word for word, match in zip(ours, matches, strict=True) if match}
    covered = {j for match in matches if match for j in range(match.first, match.last)}
    at = 0
    while at < len(others):
        end = at
        while end < len(others) and end not in covered:
            end += 1
        if end > at:
            text, box = _text_of(theirs, others[at:end])
            if at not in behind and end in ahead:
                word = ahead[end]
                yield Difference(word.region, word.start, word.start, "", text, at, box)
            else:
                word = behind.get(at, ours[-1])
                yield Difference(word.region, word.end, word.end, "", text, at, box)
        at = max(end, at + 1)


def _text_of(regions: Sequence[Region], words: Sequence[_Word]) -> tuple[str, Box | None]:
    """Words of a reading as they are printed, and where the first of them is."""
    first, last = words[0], words[-1]
    place = place_of(regions[first.region], first.start, first.end)
    box = None if place is None else place.box
    if first.region == last.region:
        return regions[first.region].text[first.start : last.end], box
    return " ".join(word.text for word in words), box
