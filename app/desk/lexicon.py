"""What is known of a word outside of its book: own word lists, and the system's dictionaries.

Asked of a dictionary only what the own lists do not know, and every word once. A language without
list and dictionary knows nothing: no word is unknown there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from app.desk.hunspell import dictionary
from app.desk.misreadings import bare, likely_originals
from app.desk.spelling import other_spellings
from app.desk.word_lists import WordList, languages, word_list

LEAST_PART = 4
"""Letters of each part of a compound."""

COMMON = 5
"""Words of this class and above are not taken for misreadings of others."""

_CAPITALS = frozenset({"de"})
"""Languages in which a noun stands in its dictionary with a capital."""


class Known(NamedTuple):
    """What a lexicon says of a run of letters."""

    is_known: bool
    frequency: float = 0.0  # class of the word list, 0 to 9; of a word that is known
    oddness: float = 0.0  # see `WordList.oddness`; of a word that is not
    neighbour: float = 0.0  # class of the commonest word that it may be a misreading of
    has_own_accents: bool = False  # the list has it with other accents or none
    is_foreign: bool = False  # not known, but common in another language


NOTHING_KNOWN = Known(is_known=True, frequency=9.0)
"""Of words that nothing can be said about."""


class Lexicon:
    """What is known of the words of one language; belongs to one thread."""

    def __init__(self, language: str) -> None:
        """Take a language (ISO 639-1)."""
        self.language = language
        self._list = word_list(language)
        self.known = lru_cache(maxsize=200_000)(self._known)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a list nor a dictionary, so that no word can be unknown."""
        return self._list is None and dictionary(self.language) is None

    def _known(self, run: str) -> Known:
        """Look a run of small letters up."""
        if self.is_empty or not run:
            return NOTHING_KNOWN
        frequency = self._frequency(run)
        if frequency is not None:
            return Known(
                is_known=True, frequency=frequency, neighbour=self._neighbour(run, frequency)
            )
        words = self._list
        accented = words.frequency_bare(bare(run)) if words else None
        return Known(
            is_known=False,
            oddness=words.oddness(run) if words else 5.0,
            neighbour=self._neighbour(run, 0.0),
            has_own_accents=accented is not None,
            is_foreign=any((self._in(other, run) or 0) >= 3 for other in languages()),
        )

    def _frequency(self, run: str) -> float | None:
        """How common a word is, in today's spelling or an old one; None: it is not known."""
        frequency = self._in(self.language, run)
        if frequency is not None:
            return frequency
        if self._stands_in_dictionary(run):
            return 1.0
        for other in other_spellings(run, self.language):
            frequency = self._in(self.language, other)
            if frequency is None and self._list:  # mesme, même: the accent stands for the letter
                frequency = self._list.frequency_bare(other)
            if frequency is not None:
                return frequency / 2
        is_compound = self._list and self.language == "de" and _is_compound(run, self._list)
        return 0.0 if is_compound else None

    def _neighbour(self, run: str, frequency: float) -> float:
        """The class of the commonest word that this one may be a misreading of."""
        if frequency >= COMMON or len(run) < 2 or self._list is None:
            return 0.0
        found = (self._list.frequency(other) or 0 for other in likely_originals(run))
        accented = self._list.frequency_bare(bare(run)) or 0
        return max(max(found, default=0), accented if not run.isascii() else 0)

    def _in(self, language: str, run: str) -> int | None:
        words = self._list if language == self.language else word_list(language)
        return words.frequency(run) if words else None

    def _stands_in_dictionary(self, run: str) -> bool:
        found = dictionary(self.language)
        if found is None:
            return False
        return found.lookup(run) or (self.language in _CAPITALS and found.lookup(run.capitalize()))


def _is_compound(run: str, words: WordList) -> bool:
    """Whether a word is put together from two that are common enough, with or without an s."""
    for at in range(LEAST_PART, len(run) - LEAST_PART + 1):
        first, second = words.frequency(run[:at]), words.frequency(run[at:])
        if second is None or second < 1:
            continue
        linked = words.frequency(run[: at - 1]) if run[at - 1] == "s" else None
        if max(first or 0, linked or 0) >= 1:
            return True
    return False


def language_of(runs: list[str], *, said: str = "", likely: str = "") -> str:
    """The language of some words: as the catalogue says, else the one whose list knows most.

    Args:
        runs: in small letters.
        said: of the catalogue, BCP 47; "" if unknown.
        likely: taken without looking further if it will do; "" if none is.

    Returns:
        ISO 639-1; "" where no list knows enough of the words.
    """
    if said:
        return said.split("-")[0].lower()
    if likely and _share(likely, runs) >= LEAST_SHARE:
        return likely
    shares = {language: _share(language, runs) for language in languages()}
    best = max(shares, key=lambda language: shares[language], default="")
    return best if best and shares[best] >= LEAST_SHARE else ""


LEAST_SHARE = 0.4
"""Of a text's words, that are common in a language, for the text to be in that language."""


def _share(language: str, runs: list[str]) -> float:
    words = word_list(language)
    if words is None or not runs:
        return 0.0
    return sum((words.frequency(run) or 0) >= 4 for run in runs) / len(runs)
