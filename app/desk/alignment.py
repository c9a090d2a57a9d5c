"""Which words of two texts are the same words of the page, by edit distance. Pure.

Words are compared folded: long s, ligatures, quotes and dashes count as what they stand for. Equal
words pair first; between them letters are compared, so that a word that is read otherwise, split or
joined finds its counterpart by the letters it shares. What stands in another order on both sides
(blocks read in another order) is looked for once more among what was left over.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

LONGEST = 600
"""Words: stretches that differ and are longer are not the same text."""

MOVED = 4
"""Words that a stretch needs at least to be looked for elsewhere."""

SAME = 0.4
"""Share of a word's letters that its counterpart must have."""

_FOLDED = str.maketrans(
    {
        "ſ": "s",
        "ꝛ": "r",
        "æ": "ae",
        "œ": "oe",
        "Æ": "AE",
        "Œ": "OE",
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟«»‹›″", '"'),
        **dict.fromkeys("‐‑‒–—―−⸗¬\u00ad", "-"),
        "…": "...",
    }
)


class Match(NamedTuple):
    """Where a word stands in the other text: words `first` to `last`, exclusive."""

    first: int
    last: int
    is_part: bool = False  # the other's word goes on beyond this one

    @property
    def is_empty(self) -> bool:
        """Whether the other text has nothing here."""
        return self.first == self.last


class _Stretch(NamedTuple):
    """Words from one to another, exclusive, on both sides."""

    mine: range
    theirs: range


def folded(word: str) -> str:
    """A word as it is compared: case stays."""
    return unicodedata.normalize("NFC", word).translate(_FOLDED)


def aligned(mine: Sequence[str], theirs: Sequence[str]) -> list[Match | None]:
    """Find each word of a text in another.

    Returns:
        For each of `mine` its place in `theirs`; None where the texts have nothing in common
        around it.
    """
    return _Alignment([folded(word) for word in mine], [folded(word) for word in theirs]).found


class _Alignment:
    def __init__(self, mine: Sequence[str], theirs: Sequence[str]) -> None:
        self._mine, self._theirs = mine, theirs
        self.found: list[Match | None] = [None] * len(mine)
        whole = _Stretch(range(len(mine)), range(len(theirs)))
        self._find_moved(self._align(whole))

    def _align(self, within: _Stretch) -> list[_Stretch]:
        """Pair what is equal, then what is alike; the stretches that have nothing in common."""
        differing: list[_Stretch] = []
        for stretch, is_equal in _stretches(self._mine, self._theirs, within):
            if is_equal:
                for i, j in zip(*stretch, strict=True):
                    self.found[i] = Match(j, j + 1)
            elif not self._align_letters(stretch):
                differing.append(stretch)
        return differing

    def _align_letters(self, stretch: _Stretch) -> bool:
        """Pair words by the letters they share; False when they share too few."""
        if not stretch.mine or max(map(len, stretch)) > LONGEST:
            return not stretch.mine and len(stretch.theirs) < MOVED
        mine = [self._mine[i] for i in stretch.mine]
        theirs = [self._theirs[j] for j in stretch.theirs]
        shared = _shared_letters(mine, theirs)
        letters = sum(map(len, mine))
        if (
            len(mine) >= MOVED
            and sum(map(sum, (each.values() for each in shared))) < SAME * letters
        ):
            return False
        for ahead, match in enumerate(_matches(mine, theirs, shared)):
            self.found[stretch.mine[ahead]] = match._replace(
                first=match.first + stretch.theirs.start, last=match.last + stretch.theirs.start
            )
        return True

    def _find_moved(self, differing: Sequence[_Stretch]) -> None:
        """Look for stretches of mine among those of theirs that nothing was found for."""
        free = [stretch.theirs for stretch in differing if len(stretch.theirs) >= MOVED]
        for mine in sorted((each.mine for each in differing), key=len, reverse=True):
            if len(mine) < MOVED:
                continue
            theirs = max(free, key=lambda each: self._in_common(mine, each), default=None)
            if theirs is not None and self._in_common(mine, theirs) >= SAME * len(mine):
                self._align(_Stretch(mine, theirs))

    def _in_common(self, mine: range, theirs: range) -> int:
        ours = Counter(self._mine[mine.start : mine.stop])
        return (ours & Counter(self._theirs[theirs.start : theirs.stop])).total()


def _stretches(
    mine: Sequence[str], theirs: Sequence[str], within: _Stretch
) -> list[tuple[_Stretch, bool]]:
    """Both texts cut where they begin or cease to be equal."""
    found: list[tuple[_Stretch, bool]] = []
    i, j = within.mine.start, within.theirs.start
    steps = Levenshtein.opcodes(mine[i : within.mine.stop], theirs[j : within.theirs.stop])
    for step in steps:
        stretch = _Stretch(
            range(i + step.src_start, i + step.src_end),
            range(j + step.dest_start, j + step.dest_end),
        )
        is_equal = step.tag == "equal"
        if found and not is_equal and not found[-1][1]:
            before, _ = found.pop()
            stretch = _Stretch(
                range(before.mine.start, stretch.mine.stop),
                range(before.theirs.start, stretch.theirs.stop),
            )
        found.append((stretch, is_equal))
    return found


def _shared_letters(mine: Sequence[str], theirs: Sequence[str]) -> list[Counter[int]]:
    """For each of my words, how many of its letters stand in each of theirs."""
    shared: list[Counter[int]] = [Counter() for _ in mine]
    my_ends, their_ends = _ends(mine), _ends(theirs)
    for step in Levenshtein.opcodes("".join(mine), "".join(theirs)):
        if step.tag != "equal":
            continue
        for ahead in range(step.src_end - step.src_start):
            i = bisect_right(my_ends, step.src_start + ahead)
            j = bisect_right(their_ends, step.dest_start + ahead)
            shared[i][j] += 1
    return shared


def _ends(words: Sequence[str]) -> list[int]:
    return list(accumulate(map(len, words)))


def _matches(
    mine: Sequence[str], theirs: Sequence[str], shared: Sequence[Counter[int]]
) -> list[Match]:
    """Each word's counterparts: theirs that lie mostly in it, or the one that it is a part of."""
    holders = Counter(
        j for word, each in zip(mine, shared, strict=True) for j in _around(word, each)
    )
    found: list[Match] = []
    behind = 0
    for i, word in enumerate(mine):
        within = [j for j, count in shared[i].items() if 2 * count >= len(theirs[j])]
        held = within or _around(word, shared[i])[:1]
        if held:
            is_part = any(holders[j] > 1 for j in held) or not within
            match = Match(min(held), max(held) + 1, is_part)
        else:
            match = _lone(i, mine, theirs, shared, behind)
        found.append(match)
        behind = max(behind, match.last)
    return found


def _around(word: str, shared: Counter[int]) -> list[int]:
    """Those of theirs that a word lies in with at least half of its letters."""
    return [j for j, count in shared.items() if 2 * count >= len(word)]


def _lone(
    i: int,
    mine: Sequence[str],
    theirs: Sequence[str],
    shared: Sequence[Counter[int]],
    behind: int,
) -> Match:
    """A word that shares too few letters with any: the one that stands between its neighbours'."""
    following = (min(each) for each in shared[i + 1 :] if each)
    before = next(following, len(theirs))
    is_alone = before - behind == 1 and (i + 1 == len(mine) or bool(shared[i + 1]))
    return Match(behind, before) if is_alone else Match(behind, behind)
