"""What the word lists make of a doubted word: the likeliest word that it is a misreading of. Pure.

A word is weighed as the lists and the book have it, in powers of two; what must have been misread
for it to stand in the print is taken off. A book printed with long s, which engines read as f, is
told by its words: there f for s costs next to nothing, and what is put in is spelled ſ. Nothing is
suggested where two words are equally likely.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from math import log2
from typing import NamedTuple

from app.desk.lexicon import Lexicon
from app.desk.misreadings import likely_originals
from app.desk.spelling import letter_runs, plain
from app.desk.word_lists import WordList

LEAST = 4
"""Letters of a word that is compared with others; shorter ones are like too many."""

LONGEST = 30
"""Letters; what is longer is no word."""

SWAP_COST = 2.5
LENGTH_COST = 4.0  # a letter too many, or one left out
NAME_COST = 1.5  # what is unknown with a capital is often a name
SPLIT_COST = 2.0
KNOWN_COST = 3.0  # the word is a word itself
MOST_SEEN = 3.0
"""What a word gains at most by standing elsewhere in the book."""

GAP = 1.0
"""By how much the best is to be better than the next."""

COMMON = 7
"""Class of both parts of two words that are run together."""

ODDEST = 6.5
"""Strangest letters of a word of no list that is taken for one of an old spelling."""

MOST_F = 5
LEAST_GAINED = 4
SHARE_GAINED = 0.25
_OLD = frozenset("uvijy")
"""Letters that old print has for each other: no misreading."""

_RUN = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"(?<=[^\W\d_]{2})([,;:!?]|&)(?=[^\W\d_]{2})")


class _Choice(NamedTuple):
    """One word that may have been meant."""

    weight: float
    run: str  # small letters; ſ where f was read for it; a space between two words


class Suggester:
    """What the lists make of words of one language; belongs to one thread.

    Args:
        lexicon: of the language.
        words: its list; None: nothing is suggested.
        seen: how often the book has a run of small letters.
        has_long_s: whether the book is printed with long s, see `has_long_s`.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        words: WordList | None,
        seen: Callable[[str], int],
        *,
        has_long_s: bool,
    ) -> None:
        self._lexicon = lexicon
        self._words = words
        self._seen = seen
        self._has_long_s = has_long_s

    def suggestion(self, text: str) -> str:
        """The word that was likely printed, its marks as they were read; "" where none is likelier.

        Args:
            text: one word as it reads, with its punctuation.
        """
        if self._words is None or unicodedata.normalize("NFC", text) != text:
            return ""
        found = _RUN.sub(lambda run: self._instead(run[0], text[run.end() :]), text)
        parted = _JOINED.sub(r"\1 ", found)
        if parted != found and all(map(self._is_known, letter_runs(parted))):
            found = parted
        return found if found != text else ""

    # --- one run of letters ---------------------------------------------------------------------

    def _instead(self, run: str, behind: str) -> str:
        small = plain(run)
        if len(small) != len(run) or not 2 <= len(small) <= LONGEST:
            return run
        if not (run.islower() or run.isupper() or run[1:].islower()):
            return self._parted_at_capital(run)
        cost = NAME_COST if run[0].isupper() and not self._has_long_s else 0.0
        return _recased(self._best(small, behind[:1], cost) or small, run)

    def _parted_at_capital(self, run: str) -> str:
        """DefineQuality: both parts are words."""
        at = next((i for i in range(2, len(run) - 1) if run[i].isupper()), 0)
        parts = (run[:at], run[at:])
        fits = at and all(part[1:].islower() and self._is_known(plain(part)) for part in parts)
        return " ".join(parts) if fits else run

    def _best(self, run: str, behind: str, cost: float) -> str:
        """What was meant, or "" if nothing is likelier than the word itself."""
        own = self._weight(run)
        forms = self._long_s_forms(run)
        if own is not None:
            return _likeliest(self._weighed(forms, 0.0), floor=own + KNOWN_COST)
        return (
            _likeliest(self._weighed(forms, 0.0))
            or self._less_odd(run, forms)
            or self._other(run, forms, behind, cost)
        )

    def _other(self, run: str, forms: list[str], behind: str, cost: float) -> str:
        """The word with one letter misread, or as two words."""
        choices = self._split(run, is_elided=behind in "'’" and bool(behind))
        may_err = len(run) >= LEAST and not self._lexicon.known(run).is_foreign
        for base in (run, *forms) if may_err else ():
            choices += self._misread(base, is_cut=behind == ".", cost=cost)
        return _likeliest(choices)

    def _misread(self, run: str, *, is_cut: bool, cost: float) -> list[_Choice]:
        """The words that differ in one place."""
        others = set(likely_originals(run))
        if self._has_long_s and self._lexicon.language == "de":
            others.update(_in_blackletter(run))
        found: list[_Choice] = []
        for other in others:
            if len(other) == len(run):
                is_spelling = self._has_long_s and _is_old_spelling(run, other)
                if not is_spelling and not _is_inflected(run, other):
                    found += self._listed(other, SWAP_COST + cost)
            elif not self._has_long_s and not is_cut:
                found += self._listed(other, LENGTH_COST + cost)
        return found

    def _weighed(self, runs: Iterable[str], cost: float) -> list[_Choice]:
        """Those that are words."""
        weights = ((self._weight(plain(run)), run) for run in runs)
        return [_Choice(weight - cost, run) for weight, run in weights if weight is not None]

    def _listed(self, run: str, cost: float) -> list[_Choice]:
        """A word if the list has it; the rest of the lexicon is too slow for so many."""
        assert self._words is not None
        frequency = self._words.frequency(plain(run))
        if frequency is None or frequency <= cost - MOST_SEEN:
            return []
        return [_Choice(frequency + self._of_book(plain(run)) - cost, run)]

    def _of_book(self, run: str) -> float:
        return min(MOST_SEEN, log2(1 + self._seen(run)))

    def _weight(self, run: str) -> float | None:
        """How common a word is in the lists and in the book; None: it is none."""
        known = self._lexicon.known(run)
        return known.frequency + self._of_book(run) if known.is_known else None

    def _is_known(self, run: str) -> bool:
        return self._lexicon.known(run).is_known

    def _split(self, run: str, *, is_elided: bool) -> list[_Choice]:
        """Two common words between which the space is missing."""
        found: list[_Choice] = []
        for at in range(2, len(run) - 1):
            first, second = self._commonest(run[:at]), self._commonest(run[at:])
            weight = min(first.weight, second.weight)
            if weight >= COMMON:
                between = "'" if first.run == "qu" else " "
                found.append(_Choice(weight - SPLIT_COST, first.run + between + second.run))
        if is_elided and len(run) > 2 and run[-1] in _ELIDED:
            first = self._commonest(run[:-1])
            if first.weight >= COMMON:
                found.append(_Choice(first.weight, f"{first.run} {run[-1]}"))
        return found

    def _commonest(self, run: str) -> _Choice:
        assert self._words is not None
        forms = (run, *self._long_s_forms(run))
        return max(_Choice(float(self._words.frequency(plain(form)) or 0), form) for form in forms)

    # --- long s ---------------------------------------------------------------------------------

    def _long_s_forms(self, run: str) -> list[str]:
        """The word with ſ for each f, each two, and so on; of another book with nothing."""
        return long_s_forms(run) if self._has_long_s else []

    def _less_odd(self, run: str, forms: list[str]) -> str:
        """A word of no list with ſ for f, where its letters are not odd then."""
        assert self._words is not None
        if not forms:
            return ""
        oddness = {form: self._words.oddness(plain(form)) for form in forms}
        best = min(forms, key=oddness.__getitem__)
        return best if oddness[best] < min(ODDEST, self._words.oddness(run)) else ""


_ELIDED = frozenset("cdjlmnst")
_CT = re.compile("[dćč]t|ét$")
"""What the ligature of c and t is read as."""


def long_s_forms(run: str) -> list[str]:
    """A word with ſ for f in every way, at its end s; and with ct for what its ligature reads as.

    Args:
        run: small letters.
    """
    found: list[str] = []
    for base in dict.fromkeys((_CT.sub("ct", run), run)):
        places = [i for i, letter in enumerate(base) if letter == "f"][:MOST_F]
        for count in range(len(places), -1, -1):
            for chosen in combinations(places, count):
                letters = (_long_s(i, base) if i in chosen else base[i] for i in range(len(base)))
                found.append("".join(letters))
    return [each for each in found if each != run]


def _long_s(at: int, run: str) -> str:
    return "s" if at == len(run) - 1 else "ſ"


_BLACKLETTER = {"b": "v", "v": "b", "r": "k", "k": "r", "ß": "tz"}


def _in_blackletter(run: str) -> Iterator[str]:
    """Words that blackletter makes look like this one."""
    for i, letter in enumerate(run):
        if letter in _BLACKLETTER:
            yield run[:i] + _BLACKLETTER[letter] + run[i + 1 :]


def _is_old_spelling(run: str, other: str) -> bool:
    """Whether words differ only in letters that old print has for each other."""
    return all(a == b or {a, b} <= _OLD for a, b in zip(run, other, strict=True))


def _is_inflected(run: str, other: str) -> bool:
    """Whether words differ in the vowel at their end: the one is as good as the other."""
    return run[:-1] == other[:-1] and {run[-1], other[-1]} <= frozenset("aeio")


def _likeliest(choices: Iterable[_Choice], *, floor: float = 0.0) -> str:
    """The one that is likelier than all others; "" where none is."""
    best: dict[str, _Choice] = {}
    for each in choices:
        word = plain(each.run)
        best[word] = max(each, best.get(word, each))
    first, *others = sorted(best.values(), reverse=True) or [_Choice(floor, "")]
    is_clear = not others or first.weight - others[0].weight >= GAP
    return first.run if is_clear and first.weight > floor else ""


def has_long_s(runs: Iterable[str], words: WordList | None) -> bool:
    """Whether a text is printed with long s that was read as f.

    Args:
        runs: the words of the text, small letters.
        words: the list of its language.
    """
    if words is None:
        return False
    gained = kept = 0
    for run in runs:
        if "f" in run[:-1]:
            if words.frequency(run) is None:
                gained += any(
                    (words.frequency(plain(form)) or 0) >= 3 for form in long_s_forms(run)
                )
            else:
                kept += 1
    return gained >= LEAST_GAINED and gained > SHARE_GAINED * kept


def _recased(found: str, run: str) -> str:
    if run.isupper() and len(run) > 1:
        return found.upper()
    return found[0].upper() + found[1:] if run[0].isupper() else found
