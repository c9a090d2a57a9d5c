"""Text to set: paragraphs of books by language, and paragraphs of words that nobody can guess.

A corpus is `corpus.tar.xz`: members `LANGUAGE-anything.txt`, UTF-8, one paragraph a block. One book
is held out of training and is what held-out pages are set from.
"""

from __future__ import annotations

import random
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from model.training.alphabet import ALPHABET, clean

WORDS_TOGETHER = 40  # of a word list, make a paragraph
MORE_OFTEN = {"de": 1.8}  # for its types are many and unlike
HELD_OUT = "sherlock"  # in the name of the book that is never trained on
FILE_LETTERS = 500_000  # of one book; none may drown the others
LONGEST = 1500  # letters of a paragraph
ROMAN = (
    "I",
    "II",
    "III",
    "IV",
    "V",
    "VI",
    "VII",
    "VIII",
    "IX",
    "X",
    "XI",
    "XII",
    "XIII",
    "XIV",
    "XV",
    "XVI",
    "XVII",
    "XVIII",
    "XIX",
    "XX",
    "XXI",
    "XXIV",
    "XL",
    "L",
)
SIGNS = (
    "£",
    "§",
    "¶",
    "†",
    "*",
    "&",
    "No.",
    "p.",
    "vol.",
    "(",
    "[",
    "½",
    "¼",
    "°",
    "Nr.",
    "pag.",
    "fol.",
    "cap.",
)
PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("»", "«"))
STRANGE = re.compile(f"[^{re.escape(ALPHABET)}]")
SMALL = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Corpus:
    """Paragraphs of each language, in the order of their books."""

    paragraphs: dict[str, list[str]]

    @staticmethod
    def read(path: Path, *, is_held_out: bool) -> Corpus:
        """Read the books for training, or the one that is held out.

        Raises:
            FileNotFoundError: there is no such archive.
        """
        found: dict[str, list[str]] = {}
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                name = Path(member.name).name
                if not name.endswith(".txt") or (HELD_OUT in name) is not is_held_out:
                    continue
                file = archive.extractfile(member)
                text = file.read().decode("utf-8", "ignore")[:FILE_LETTERS] if file else ""
                found.setdefault(name[:2], []).extend(_paragraphs(text))
        return Corpus({language: texts for language, texts in found.items() if texts})

    def with_words(self, folder: Path) -> Corpus:
        """The same and the languages of which there are only words, in files `LANGUAGE.txt`.

        Args:
            folder: one word a line, UTF-8; need not be there.
        """
        lists = {path.stem: _shuffled(path) for path in sorted(folder.glob("??.txt"))}
        return Corpus(self.paragraphs | lists)

    def pick_language(self, rng: random.Random) -> str:
        """A language; those with more text more often, but not by as much."""
        languages = list(self.paragraphs)
        weights = [
            len(self.paragraphs[language]) ** 0.5 * MORE_OFTEN.get(language, 1.0)
            for language in languages
        ]
        return rng.choices(languages, weights)[0]

    def word(self, language: str, rng: random.Random) -> str:
        """Any word of a language."""
        return rng.choice(rng.choice(self.paragraphs[language]).split(" "))

    def talk(self, language: str, rng: random.Random, *, noise: float) -> Iterator[str]:
        """Paragraph after paragraph, for ever; `noise` is the share of those of loose words."""
        texts = self.paragraphs[language]
        place = rng.randrange(len(texts))
        while True:
            yield self.loose_words(language, rng) if rng.random() < noise else texts[place]
            place = (place + 1) % len(texts)

    def loose_words(self, language: str, rng: random.Random) -> str:
        """Words, numbers, names and nonsense: what can be read but not guessed."""
        return " ".join(self._loose_word(language, rng) for _ in range(rng.randint(15, 70)))

    def _loose_word(self, language: str, rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.40:
            return self.word(language, rng)
        if kind < 0.49:
            return number(rng) + rng.choice(["", "", ",", ".", ";"])
        if kind < 0.56:
            return price(rng) + rng.choice(["", "", ",", ";"])
        if kind < 0.66:
            return nonsense(rng)
        if kind < 0.76:
            return nonsense(rng).capitalize() + rng.choice(["", "", ",", ".", ";", ":"])
        if kind < 0.82:
            return rng.choice(ROMAN) + rng.choice(["", ".", ","])
        if kind < 0.88:
            return self.word(language, rng).upper()
        if kind < 0.93:
            return rng.choice(SIGNS) + str(rng.randint(1, 400))
        opening, closing = rng.choice(PAIRS)
        return opening + self.word(language, rng) + closing


def number(rng: random.Random) -> str:
    """A year, a count, a price, a fraction."""
    match rng.randrange(6):
        case 0:
            return str(rng.randint(1450, 1930))
        case 1:
            return f"{rng.randint(1, 99)},{rng.randint(0, 999):03}"
        case 2:
            return f"{rng.randint(0, 99)}.{rng.randint(0, 99):02}"
        case 3:
            return f"{rng.randint(1, 400)}-{rng.randint(1, 99)}"
        case _:
            return str(rng.randint(1, 10 ** rng.randint(1, 5)))


def price(rng: random.Random) -> str:
    """A sum, a measure, a date as account books and catalogues have them."""
    pounds, shillings, pence = rng.randint(1, 40), rng.randint(1, 19), rng.randint(1, 11)
    match rng.randrange(8):
        case 0:
            return f"{shillings}s."
        case 1:
            return f"{pence}d."
        case 2:
            return f"{pounds}l. {shillings}s. {pence}d."
        case 3:
            return f"£{pounds} {shillings}s."
        case 4:
            return f"{rng.choice(['Fr.', 'Mk.', 'fl.', 'Rs.', '$'])} {rng.randint(1, 3000)}"
        case 5:
            return (
                f"{rng.randint(1, 60)} {rng.choice(['kr.', 'Sgr.', 'Pf.', 'Thlr.', 'cts.', 'r.'])}"
            )
        case 6:
            return f"{rng.randint(1, 31)}{rng.choice(['st', 'nd', 'rd', 'th', '.', 'e'])}"
        case _:
            return f"{pounds} {rng.choice('½¼¾')}"


def nonsense(rng: random.Random) -> str:
    """Letters in a row."""
    return "".join(rng.choice(SMALL) for _ in range(rng.randint(2, 9)))


def _paragraphs(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text.replace("\r", "")):
        paragraph = clean(re.sub(r"</?[A-Za-z][^<>]{0,40}>", "", block))
        kept = STRANGE.sub("", paragraph)
        if len(paragraph) >= 20 and len(kept) >= 0.98 * len(paragraph):
            yield from _pieces(kept)


def _shuffled(path: Path) -> list[str]:
    """Paragraphs of words in no order, the same for the same file; one in eight is a name."""
    rng = random.Random(path.stem)
    words = [word for word in path.read_text(encoding="utf-8").split() if not STRANGE.search(word)]
    rng.shuffle(words)
    kept = [rng.choice([word] * 7 + [word.capitalize()]) for word in words[:60_000]]
    kept = [word + rng.choice([""] * 6 + [",", "."]) for word in kept]
    starts = range(0, len(kept) - WORDS_TOGETHER, WORDS_TOGETHER)
    return [" ".join(kept[start : start + WORDS_TOGETHER]).capitalize() + "." for start in starts]


def _pieces(paragraph: str) -> Iterator[str]:
    """A paragraph in pieces of `LONGEST` letters at most, cut behind a sentence."""
    while len(paragraph) > LONGEST:
        cut = paragraph.rfind(". ", 400, LONGEST)
        cut = LONGEST if cut < 0 else cut + 1
        yield paragraph[:cut].strip()
        paragraph = paragraph[cut:].strip()
    yield paragraph
