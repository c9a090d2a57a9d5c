"""The word lists that come with the application: how common a word is in old books."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import log

import resources
from app.desk.misreadings import bare

FOLDER = "dictionaries"


class WordList:
    """One language's words, each with its frequency class: 2**class times or more, 0 to 9.

    Args:
        classes: of the words, in small letters.
    """

    def __init__(self, classes: dict[str, int]) -> None:
        self._classes = classes
        self._threes, self._twos = _runs(classes)
        self._bare: dict[str, int] = {}
        for word, frequency in classes.items():
            plain = bare(word)
            self._bare[plain] = max(frequency, self._bare.get(plain, 0))

    def __len__(self) -> int:
        return len(self._classes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def frequency(self, word: str) -> int | None:
        """The class of a word in small letters; None where the list does not have it."""
        return self._classes.get(word)

    def frequency_bare(self, word: str) -> int | None:
        """The class of the commonest word that differs in accents alone; None where there is none.

        Args:
            word: without accents.
        """
        return self._bare.get(word)

    def oddness(self, word: str) -> float:
        """How unusual the strangest three letters of a word are in the words of this language.

        Returns:
            0 for the commonest, 9 to 12 for what occurs nowhere (natural logarithms).
        """
        padded = f"^{word}$"
        return max(
            (
                log(
                    (self._twos[padded[i : i + 2]] + 500) / (self._threes[padded[i : i + 3]] + 0.05)
                )
                for i in range(len(padded) - 2)
            ),
            default=0.0,
        )


@cache
def languages() -> tuple[str, ...]:
    """Those that have a list."""
    found = resources.path(FOLDER).glob("*.txt.xz")
    return tuple(sorted(path.name.removesuffix(".txt.xz") for path in found))


@cache
def word_list(language: str) -> WordList | None:
    """The list of a language (ISO 639-1); None where there is none. Some tenths of a second."""
    if language not in languages():
        return None
    packed = resources.path(f"{FOLDER}/{language}.txt.xz").read_bytes()
    classes: dict[str, int] = {}
    frequency = 0
    for line in lzma.decompress(packed).decode("utf-8").split("\n"):
        if line.isdecimal():
            frequency = int(line)
        else:
            classes[line] = frequency
    return WordList(classes)


def _runs(words: dict[str, int]) -> tuple[Counter[str], Counter[str]]:
    """How many words have each three letters, and each two, their beginnings and ends marked."""
    threes: Counter[str] = Counter()
    for word in words:
        padded = f"^{word}$"
        threes.update([padded[i : i + 3] for i in range(len(padded) - 2)])
    twos: Counter[str] = Counter()
    for three, count in threes.items():
        twos[three[:2]] += count
    return threes, twos
