"""What is known of a word outside of its book: own word lists, and the system's dictionaries.

Asked of a dictionary only what the own lists do not know, and every word once. A language without
list and dictionary knows nothing: no word is unknown there.
"""

from __future__ import annotations

import logging
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from spylls.hunspell import Dictionary

from app.desk.spelling import other_spellings
from app.desk.word_lists import WordList, languages, word_list

log = logging.getLogger(__name__)

SYSTEM = (Path("/usr/share/hunspell"), Path("/usr/share/myspell/dicts"))
"""Where systems keep hunspell's dictionaries, `de_DE.aff` beside `de_DE.dic`."""

LEAST_PART = 4
"""Letters of each part of a compound."""

_CAPITALS = frozenset({"de"})
"""Languages in which a noun stands in its dictionary with a capital."""


class Known(NamedTuple):
    """What a lexicon says of a run of letters."""

    frequency: float  # class of the word list; below 0: not known, the further the stranger
    is_known: bool


NEVER = Known(0.0, is_known=True)
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
        if self.is_empty or len(run) == 0:
            return NEVER
        frequency = self._list.frequency(run) if self._list else None
        if frequency is not None:
            return Known(frequency, is_known=True)
        if self._stands_in_dictionary(run):
            return Known(1.0, is_known=True)
        for other in other_spellings(run, self.language):
            frequency = self._list.frequency(other) if self._list else None
            if frequency is not None:
                return Known(frequency / 2, is_known=True)
        if self._list is not None and self.language == "de" and _is_compound(run, self._list):
            return Known(0.0, is_known=True)
        return Known(-self._list.oddness(run) if self._list else -5.0, is_known=False)

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


@cache
def dictionary(language: str) -> Dictionary | None:
    """The hunspell dictionary of a language, the system's or that of spylls; None where none is.

    Some seconds for a large one. A file that spylls cannot make sense of counts as none.
    """
    for path in _dictionaries(language):
        try:
            return Dictionary.from_files(str(path.with_suffix("")))
        except Exception as error:  # noqa: BLE001 - a file of the system's may be anything
            log.info("dictionary %s cannot be used: %s", path, error)
    return None


def _dictionaries(language: str) -> list[Path]:
    own = Path(str(files("spylls.hunspell").joinpath("data", language)))
    found = [path for folder in (*SYSTEM, own) for path in sorted(folder.glob(f"{language}_*.aff"))]
    return [path for path in found if path.with_suffix(".dic").is_file()]


def language_of(runs: list[str], *, said: str = "") -> str:
    """The language of some words: as the catalogue says, else the one whose list knows most.

    Args:
        runs: in small letters.
        said: of the catalogue, BCP 47; "" if unknown.

    Returns:
        ISO 639-1; "" where no list knows half of the words.
    """
    if said:
        return said.split("-")[0].lower()
    if not runs:
        return ""
    shares = {language: _share(language, runs) for language in languages()}
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] >= LEAST_SHARE else ""


LEAST_SHARE = 0.4
"""Of a text's words, known to a language's list, for the text to be in that language."""


def _share(language: str, runs: list[str]) -> float:
    words = word_list(language)
    return sum((words.frequency(run) or 0) >= 4 for run in runs) / len(runs) if words else 0.0
