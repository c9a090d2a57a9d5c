"""Line-end hyphens: is the word joined, does it keep its hyphen, and why.

A decision is made from the two printed lines, the words of the whole book (`Vocabulary`, filled in
a first pass) and a few rules of the language. The printed form stays beside the decision, so that
nothing is lost and another choice can be made later. Values only; any thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

MARKS = "-¬⸗‐\u00ad"
"""What breaks a word: hyphen-minus, not sign, double oblique, hyphen, soft hyphen."""

_ANY_MARK = frozenset(MARKS + "=")
_LETTERS = r"[\w\u0300-\u036f]+"  # combining marks of old print are parts of a word
_WORD = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_BROKEN = re.compile(rf"{_LETTERS}[{MARKS}=]\s*\n\s*{_LETTERS}")
_LAST = re.compile(r"[\w\u0300-\u036f-]+$")
_SAME_HYPHEN = str.maketrans({"⸗": "-", "‐": "-", "¬": "-", "\u00ad": None})

# 'Haupt- und Nebensache': the hyphen stands for a part said later, the next word is whole.
_SUSPENDED = {
    "de": {"und", "oder", "bzw", "sowie"},
    "en": {"and"},
    "da": {"og", "eller"},
    "no": {"og", "eller"},
    "sv": {"och", "eller"},
}
# First and second parts that are printed with a hyphen even in the middle of a line.
_FIRST_PARTS = {"en": {"self", "well", "half"}}
_SECOND_PARTS = {"fr": {"même", "mêmes"}}


class Why(StrEnum):
    """The reason of a decision."""

    SOFT = "soft"  # a soft hyphen says itself that the word is one
    JOINED_ELSEWHERE = "joined_elsewhere"  # the book has the word in one piece
    HYPHENED_ELSEWHERE = "hyphened_elsewhere"  # the book has it with its hyphen
    SUSPENDED = "suspended"  # 'Haupt- und Nebensache'
    COMPOUND = "compound"  # the language keeps this hyphen, or the word has others
    DIGIT = "digit"  # a number follows
    CAPITAL = "capital"  # a capital follows
    LOWER_CASE = "lower_case"  # nothing speaks against one word
    DECIDED = "decided"  # a person said so of this break
    DECIDED_WORD = "decided_word"  # a person said so of this word wherever it is broken


class HyphenJoin(NamedTuple):
    """One decision: what was printed, what becomes of it, and why."""

    printed: str  # "Ver-\nlag"
    joined: str  # "Verlag"; "Nieder-Sachsen"; "Haupt- und"
    reason: Why
    infix: str  # what stands between the parts now: "", "-" or "- "


class Choice(StrEnum):
    """What a person may decide on a broken word."""

    JOIN = "join"  # one word
    KEEP = "keep"  # one word with its hyphen
    APART = "apart"  # two words, the first with its hyphen


class PrintedLine(NamedTuple):
    """A line with letters on it, as it stands in the readings and in exports."""

    page: int  # from 0
    region: int  # in reading order, from 0
    line: int  # of the region, from 0


class Break(NamedTuple):
    """By what one break is known, whatever is corrected elsewhere on its page."""

    page: int  # from 0; where the word begins
    printed: str
    nth: int  # among the lines of the page that end with the same part of a word, from 0


class Choices(NamedTuple):
    """What was decided on one book."""

    breaks: Mapping[Break, Choice] = MappingProxyType({})
    words: Mapping[str, Choice] = MappingProxyType({})  # by `word_key`, wherever broken so

    def of(self, at: Break) -> Choice | None:
        """What was decided on a break: of itself, else of its word anywhere."""
        return self.breaks.get(at) or self.of_word(at.printed)

    def of_word(self, printed: str) -> Choice | None:
        """What was decided on a word wherever it is broken so."""
        return self.words.get(word_key(printed))


def word_key(printed: str) -> str:
    """By what a broken word is known that is meant anywhere: whatever its case."""
    return _folded(printed)


def broken_part(line: str) -> str:
    """The part of a word that a line ends with, as it is counted; "" where no mark breaks one."""
    line = line.rstrip()
    last = _LAST.search(line[:-1]) if line[-1:] in _ANY_MARK else None
    return _folded(last[0].lstrip("-")) if last is not None else ""


def like_before(page: int, texts: Iterable[str]) -> dict[PrintedLine, int]:
    """How many lines of a page end as each line does that stands behind them: `Break.nth`.

    Args:
        page: its number, from 0.
        texts: of its regions, in reading order.
    """
    counts: Counter[str] = Counter()
    found: dict[PrintedLine, int] = {}
    for region, text in enumerate(texts):
        for number, line in enumerate(filter(str.strip, text.split("\n"))):
            part = broken_part(line)
            if part:
                found[PrintedLine(page, region, number)] = counts[part]
                counts[part] += 1
    return found


class Vocabulary:
    """How often the book has each word within a line; bounded, whatever the length of the book."""

    def __init__(self, limit: int = 400_000) -> None:
        """Hold at most about this many different words; the rarest go first."""
        self._limit = limit
        self._counts: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Count the words of a text; those broken at a line's end are left out."""
        self._counts.update(_WORD.findall(_folded(_BROKEN.sub(" ", text))))
        if len(self._counts) > self._limit:
            self._forget_rarest()

    def count(self, word: str) -> int:
        """How often the word occurs, whatever its case, long s and form of hyphen."""
        return self._counts[_folded(word)]

    def __len__(self) -> int:
        return len(self._counts)

    def _forget_rarest(self) -> None:
        kept = self._counts.most_common(self._limit // 2)
        self._counts = Counter(dict(kept))


class Hyphens:
    """Decides for one book."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        language: str = "",
        choices: Choices = Choices(),  # noqa: B008 - a tuple of what never changes
        *,
        likes: Mapping[PrintedLine, int] = MappingProxyType({}),
    ) -> None:
        """Take what decisions are made from.

        Args:
            vocabulary: the words of the book.
            language: BCP 47; "" if unknown.
            choices: what a person has decided.
            likes: of the page that the breaks stand on, see `on_page`.
        """
        self._vocabulary = vocabulary
        self._language = language.split("-")[0].casefold()
        self._choices = choices
        self._likes = likes
        # Fraktur prints a double hyphen, which engines often write as an equals sign.
        self.marks = MARKS + "=" if self._language == "de" else MARKS

    def on_page(self, page: int, texts: Iterable[str]) -> Hyphens:
        """The same for the breaks of one page, on which a person may have decided.

        Args:
            page: its number, from 0.
            texts: of its regions, in reading order.
        """
        is_decided = any(each.page == page for each in self._choices.breaks)
        likes = like_before(page, texts) if is_decided else {}
        return Hyphens(self._vocabulary, self._language, self._choices, likes=likes)

    def decide(
        self, before: str, after: str, *, at: PrintedLine | None = None
    ) -> HyphenJoin | None:
        """Decide on the word that ends `before` and goes on in `after`.

        Args:
            before: a printed line, its end stripped.
            after: the next printed line, its start stripped.
            at: where the first line stands; None: a person can have said nothing of this break.

        Returns:
            The decision, or None where no word is broken.
        """
        if not before or before[-1] not in self.marks:
            return None
        first = _LAST.search(before[:-1])
        second = _WORD.match(after)
        if first is None or second is None or first[0].endswith("-"):
            return None
        if before[-1] == "=" and not (len(first[0]) > 1 and second[0].islower()):
            return None  # an equation
        word = first[0].lstrip("-"), before[-1], second[0]
        return self._chosen(*word, at) or self._decision(*word)

    def _chosen(
        self, first: str, mark: str, second: str, at: PrintedLine | None
    ) -> HyphenJoin | None:
        """What a person has said: of this break, or of the word wherever it is broken."""
        printed = f"{first}{mark}\n{second}"
        here = None
        if at is not None and at in self._likes:
            here = self._choices.breaks.get(Break(at.page, printed, self._likes[at]))
        choice = here or self._choices.of_word(printed)
        if choice is None:
            return None
        infix = {Choice.JOIN: "", Choice.KEEP: _shown_hyphen(mark), Choice.APART: f"{mark} "}[
            choice
        ]
        reason = Why.DECIDED if here else Why.DECIDED_WORD
        return HyphenJoin(printed, f"{first}{infix}{second}", reason, infix)

    def _decision(self, first: str, mark: str, second: str) -> HyphenJoin:
        reason = self._reason(first, mark, second)
        infix = _infix(reason, mark)
        return HyphenJoin(f"{first}{mark}\n{second}", f"{first}{infix}{second}", reason, infix)

    def _reason(self, first: str, mark: str, second: str) -> Why:
        if mark == "\u00ad":
            return Why.SOFT
        if second[0].isdigit():
            return Why.DIGIT
        if second[0].isupper() and not (first + second).isupper():
            return Why.CAPITAL
        return self._elsewhere(first, second) or self._by_language(first, second)

    def _elsewhere(self, first: str, second: str) -> Why | None:
        joined = self._vocabulary.count(first + second)
        hyphened = self._vocabulary.count(f"{first}-{second}")
        if joined == hyphened == 0:
            return None
        return Why.JOINED_ELSEWHERE if joined >= hyphened else Why.HYPHENED_ELSEWHERE

    def _by_language(self, first: str, second: str) -> Why:
        language = self._language
        if second in _SUSPENDED.get(language, ()):
            return Why.SUSPENDED
        if first in _FIRST_PARTS.get(language, ()) or second in _SECOND_PARTS.get(language, ()):
            return Why.COMPOUND
        if language == "fr" and first.endswith("-t"):  # 'a-t-il'
            return Why.COMPOUND
        return Why.COMPOUND if self._are_words(first, second) else Why.LOWER_CASE

    def _are_words(self, first: str, second: str) -> bool:
        """Whether a word with a hyphen already, 'c'est-à-', goes on with a word of its own."""
        _start, hyphen, last = first.rpartition("-")
        count = self._vocabulary.count
        return bool(hyphen and count(last) and count(second))


def _folded(text: str) -> str:
    return text.casefold().translate(_SAME_HYPHEN)


def _infix(reason: Why, mark: str) -> str:
    match reason:
        case Why.SOFT | Why.JOINED_ELSEWHERE | Why.LOWER_CASE:
            return ""
        case Why.SUSPENDED:
            return "- "
        case _:
            return _shown_hyphen(mark)


def chosen_infix(choice: Choice, mark: str) -> str:
    """What stands between the two parts of a word by a person's decision."""
    match choice:
        case Choice.JOIN:
            return ""
        case Choice.KEEP:
            return _shown_hyphen(mark)
        case Choice.APART:
            return f"{_shown_hyphen(mark)} "


def _shown_hyphen(mark: str) -> str:
    """How a hyphen that stays is written."""
    return mark if mark in "-⸗‐" else "-"
