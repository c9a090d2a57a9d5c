"""Judges the words of pages: what speaks against each, and how likely it is wrong. One book's.

What can be said of a word's letters is worked out once for each different word of the book; a page
adds where the word stands: the engine's score, its neighbours, another reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.book import Reading, Region
from app.desk.alignment import Match, aligned
from app.desk.chance import BIAS, chance, weight
from app.desk.doubled import doubled
from app.desk.doubts import Doubt, Entry, Key, Leaf, Why
from app.desk.hyphens import Vocabulary
from app.desk.lexicon import Lexicon, language_of
from app.desk.signs import (
    Place,
    PlaceSigns,
    TextSigns,
    is_broken,
    place_signs,
    plain_letters,
    score_sign,
    text_signs,
)
from app.desk.spelling import letter_runs
from app.desk.suggesting import Suggester, has_long_s
from app.desk.word_lists import word_list
from app.desk.words import Word, words_in, words_of
from model.api import Kind

FLOOR = 0.05
"""Words less likely to be wrong than this are no doubts."""

SAMPLE = 100_000
"""Letters from which the language of a book is told."""

NEIGHBOURS = 4
"""Words before and behind whose scores say something of a word."""

UNSURE = 0.9
"""Scores below are a reason of their own to doubt a word."""


class _Letters(NamedTuple):
    """What is known of a word wherever it stands."""

    signs: TextSigns
    weight: float
    plain: str = ""  # its letters and digits alone, small


class _Other(NamedTuple):
    """What another reading has in a word's place."""

    text: str | None  # as it reads; None: nothing like it
    printed: str = ""  # with its line end, where it is one word broken over two lines
    is_part: bool = False  # its word goes on beyond this one


class Judge:
    """Belongs to one thread at a time.

    Args:
        vocabulary: the words of the book.
        language: of the book (BCP 47); "" if unknown: then each page is in the language that it
            looks like.
        sample: text of the book, to tell its language from when that is not known.
    """

    def __init__(
        self, vocabulary: Vocabulary | None = None, *, language: str = "", sample: str = ""
    ) -> None:
        self._vocabulary = vocabulary if vocabulary is not None else Vocabulary()
        self._said = language
        self._sample = letter_runs(sample[:SAMPLE])
        self._language = language_of(self._sample, said=language)
        self._lexicons: dict[str, Lexicon] = {}
        self._suggesters: dict[str, Suggester] = {}
        self._listed: dict[tuple[str, str], str] = {}
        self._letters: dict[tuple[str, str, bool], _Letters] = {}

    def leaf(
        self,
        page: int,
        reading: Reading,
        *,
        machine: Sequence[str] | None = None,
        other: Sequence[str] | None = None,
    ) -> Leaf:
        """Judge one page.

        Args:
            page: its number.
            reading: its current text.
            machine: for a reading by hand, the texts of the machine's reading that it was made
                from: what a person typed is not doubted.
            other: texts of another machine's reading, if there is one.
        """
        regions = reading.regions
        words = _words_of(regions)
        doubts = {
            i: Doubt(page, words[i][0], word.start, word.end, word.text, *verdict)
            for i, word, verdict in self._judged(regions, words, machine, other)
            if verdict.chance >= FLOOR
        }
        counts: Counter[str] = Counter()
        entries: list[Entry] = []
        for i, (_region, word) in enumerate(words):
            if i in doubts:
                entries.append(Entry(Key(page, word.text, counts[word.text]), doubts[i]))
            counts[word.text] += 1
        return Leaf(page, tuple(region.text for region in regions), tuple(entries))

    def chances(
        self, regions: Sequence[Region], other: Sequence[str] | None = None
    ) -> list[tuple[int, Word, float]]:
        """Every word of a page with its region and how likely it is wrong."""
        words = _words_of(regions)
        judged = self._judged(regions, words, None, other)
        return [(words[i][0], word, verdict.chance) for i, word, verdict in judged]

    def signs(
        self, regions: Sequence[Region], other: Sequence[str] | None = None
    ) -> list[tuple[int, Word, TextSigns, PlaceSigns]]:
        """Every word of a page with its region and what speaks for and against it."""
        words = _words_of(regions)
        texts = [word.text for _, word in words]
        others = _others(texts, other)
        lexicon = self._lexicon_of(texts)
        letters = [self._letters_of(word, lexicon) for word in _made_whole(words)]
        places = _places(regions, words, letters)
        return [
            (
                number,
                word,
                letters[i].signs,
                _place_signs(word, places[i], others[i] if others else None),
            )
            for i, (number, word) in enumerate(words)
        ]

    def _judged(
        self,
        regions: Sequence[Region],
        words: Sequence[tuple[int, Word]],
        machine: Sequence[str] | None,
        other: Sequence[str] | None,
    ) -> Iterator[tuple[int, Word, _Verdict]]:
        """Which word, the word, and what is to be said of it; what a person typed is left out."""
        texts = [word.text for _, word in words]
        typed = _typed(texts, machine)
        others = _others(texts, other)
        lexicon = self._lexicon_of(texts)
        whole = _made_whole(words)
        letters = [self._letters_of(word, lexicon) for word in whole]
        places = _places(regions, words, letters)
        for i, (_region, word) in enumerate(words):
            if i not in typed:
                verdict = _verdict(word, letters[i], places[i], others[i] if others else None)
                if verdict.chance >= FLOOR and whole[i] is word:
                    verdict = verdict._replace(listed=self._listed_for(word.text, lexicon))
                yield i, word, verdict

    def _letters_of(self, word: Word | None, lexicon: Lexicon) -> _Letters:
        if word is None:
            return _FRAGMENT
        key = (lexicon.language, word.text, word.break_at >= 0)
        found = self._letters.get(key)
        if found is None:
            signs = text_signs(
                word,
                known=lexicon.known,
                seen=lambda run: max(0, self._vocabulary.count(run) - 1),
                language=lexicon.language,
            )
            found = self._letters[key] = _Letters(signs, weight(signs), plain_letters(word.text))
        return found

    def _listed_for(self, text: str, lexicon: Lexicon) -> str:
        """What the word lists make of a word."""
        key = (lexicon.language, text)
        found = self._listed.get(key)
        if found is None:
            found = self._listed[key] = self._suggester_of(lexicon).suggestion(text)
        return found

    def _suggester_of(self, lexicon: Lexicon) -> Suggester:
        found = self._suggesters.get(lexicon.language)
        if found is None:
            words = word_list(lexicon.language)
            is_old = has_long_s(self._sample, words)
            found = Suggester(lexicon, words, self._vocabulary.count, has_long_s=is_old)
            self._suggesters[lexicon.language] = found
        return found

    def _lexicon_of(self, texts: Sequence[str]) -> Lexicon:
        language = self._language
        if not self._said:
            runs = [run for text in texts for run in letter_runs(text)]
            language = language_of(runs, likely=language) or language
        if language not in self._lexicons:
            self._lexicons[language] = Lexicon(language)
        return self._lexicons[language]


def _made_whole(words: Sequence[tuple[int, Word]]) -> list[Word | None]:
    """The words as they are looked up: one that is broken between two blocks with its other half.

    Some engines make a block of every line. Of a word that goes on elsewhere, on the next page or
    behind a note, nothing can be said: None.
    """
    found: list[Word | None] = [word for _, word in words]
    for i, (number, word) in enumerate(words):
        is_last = i + 1 == len(words) or words[i + 1][0] != number
        if not is_last or word.break_at >= 0 or not is_broken(word):
            continue
        follower = words[i + 1][1] if i + 1 < len(words) else None
        if follower is None or not follower.text[0].islower():
            found[i] = None
        else:
            joined = word._replace(text=word.text[:-1] + follower.text, break_at=follower.start)
            found[i] = found[i + 1] = joined
    return found


_FRAGMENT = _Letters(TextSigns(broken=1.0), weight(TextSigns(broken=1.0)))


class _Verdict(NamedTuple):
    """The end of a `Doubt`."""

    chance: float
    why: tuple[Why, ...]
    other: str
    listed: str = ""


def _place_signs(word: Word, place: Place, other: _Other | None) -> PlaceSigns:
    return place_signs(
        word.score,
        place=place,
        text=word.text,
        other=other.text if other else None,
        has_other=other is not None,
    )


def _verdict(word: Word, letters: _Letters, place: Place, other: _Other | None) -> _Verdict:
    signs = _place_signs(word, place, other)
    likely = chance(BIAS + letters.weight + weight(signs))
    if likely < FLOOR:
        return _Verdict(likely, (), "")
    taken = ""
    if other is not None and other.text is not None and not other.is_part and not signs.agrees:
        taken = other.printed if word.break_at >= 0 else other.text
    is_split = other is not None and other.is_part
    return _Verdict(likely, tuple(_reasons(letters.signs, signs, word, is_split=is_split)), taken)


def _reasons(letters: TextSigns, place: PlaceSigns, word: Word, *, is_split: bool) -> Iterator[Why]:
    """What speaks against a word, the plainest first."""
    if place.differs or place.other_marks or place.unlike:
        yield Why.DISAGREES
    if place.doubled:
        yield Why.DOUBLED
    if is_split or (letters.broken and letters.unknown):
        yield Why.SPLIT
    if letters.unknown:
        yield Why.UNKNOWN
    if letters.near > 0 or letters.near_seen or letters.more_accents or letters.fewer_accents:
        yield Why.ALIKE
    if letters.joined or letters.mixed or letters.lone or letters.strange:
        yield Why.SHAPE
    if word.score is not None and word.score < UNSURE:
        yield Why.UNLIKELY


def _words_of(regions: Sequence[Region]) -> list[tuple[int, Word]]:
    """All words of a page, each with its region."""
    return [(number, word) for number, region in enumerate(regions) for word in words_of(region)]


def _places(
    regions: Sequence[Region], words: Sequence[tuple[int, Word]], letters: Sequence[_Letters]
) -> list[Place]:
    """What the words around each word say of it."""
    near = _around([number for number, _ in words], [word.score for _, word in words])
    twice = doubled([each.plain for each in letters], list(_lines(regions, words)))
    may_be = [regions[number].kind is not Kind.TABLE for number, _ in words]  # its rows are alike
    return [
        Place(around, float(is_doubled and is_text))
        for around, is_doubled, is_text in zip(near, twice, may_be, strict=True)
    ]


def _around(regions: Sequence[int], scores: Sequence[float | None]) -> list[float]:
    """For each word how unsure the engine was of its neighbours in its region."""
    unsure = [score_sign(score) for score in scores]
    found: list[float] = []
    for i, region in enumerate(regions):
        window = range(max(0, i - NEIGHBOURS), min(len(unsure), i + NEIGHBOURS + 1))
        near = [unsure[j] for j in window if j != i and regions[j] == region]
        found.append(sum(near) / len(near) if near else 0.0)
    return found


def _lines(regions: Sequence[Region], words: Sequence[tuple[int, Word]]) -> Iterator[int]:
    """The number of the line in which each word begins."""
    line, region, at = 0, 0, 0
    for number, word in words:
        if number != region:
            line, region, at = line + 1, number, 0
        line += regions[number].text.count("\n", at, word.start)
        at = word.start
        yield line


def _typed(texts: Sequence[str], machine: Sequence[str] | None) -> frozenset[int]:
    """Which words a person typed: those that the machine's reading does not have."""
    if machine is None:
        return frozenset()
    theirs = _words(machine)
    matches = aligned(texts, theirs)
    return frozenset(
        i
        for i, match in enumerate(matches)
        if match is None or not _is_same(texts[i], theirs, match)
    )


def _is_same(text: str, theirs: Sequence[str], match: Match) -> bool:
    return match.last - match.first == 1 and theirs[match.first] == text


def _others(texts: Sequence[str], other: Sequence[str] | None) -> list[_Other] | None:
    """What another reading has in each word's place; None where there is none."""
    if other is None:
        return None
    theirs = [(word.text, text[word.start : word.end]) for text in other for word in words_in(text)]
    matches = aligned(texts, [text for text, _printed in theirs])
    return [_other(theirs, match) for match in matches]


def _other(theirs: Sequence[tuple[str, str]], match: Match | None) -> _Other:
    if match is None or match.is_empty:
        return _Other(None)
    found = theirs[match.first : match.last]
    text = " ".join(text for text, _printed in found)
    return _Other(text, found[0][1] if len(found) == 1 else text, match.is_part)


def _words(texts: Iterable[str]) -> list[str]:
    return [word.text for text in texts for word in words_in(text)]
