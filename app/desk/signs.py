"""What speaks for and against a word, as numbers. Pure; `app.desk.chance` weighs them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from math import log, log10
from typing import NamedTuple

from app.desk.alignment import folded
from app.desk.lexicon import Known
from app.desk.misreadings import likely_originals
from app.desk.spelling import letter_runs
from app.desk.words import Word

SUREST = 1e-4
"""Engines are not surer than this far from 1."""

_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|d|s|e|er|re|me|º|ª|o|a|ten|te)?\W*")
_JOINED = re.compile(r"[^\W\d_]{2}[.,;:!?][^\W\d_]|[^\W\d_]{3}[,;:!?]\d")
_INNER_CAPITAL = re.compile(r"[^\W\d_](?<=[a-zà-öø-ÿ])[A-ZÀ-ÖØ-Þ]")
_ROMAN = re.compile(r"\W*[IVXLCDMivxlcdm]+\W*")
_STRANGE = re.compile(r"[^\w\s.,;:!?'\"()\[\]\-–—…&§†‡*=/«»„“”‘’‚‹›°%£$€¶·+ſ\u0300-\u036f]")
_LEADERS = re.compile(r"[.…]{3,}")
_CROWD = re.compile(r"[,;:!?][.,;:]|\.\.|\'\'")  # not the mark behind an abbreviation
_MARKS_ALONE = frozenset("-–—&*§=«»")
_LONE = {
    "": frozenset("aeioyàáéóúèòùAEIOYÀÁÉÓÚÈÒÙ"),
    "en": frozenset("aAIO"),
    "de": frozenset("oO"),
    "fr": frozenset("aàyôAÀYÔoO"),
    "es": frozenset("yaoeuáóéYAOEUÁÓÉ"),
    "it": frozenset("aeioèEAIOÈ"),
}


class TextSigns(NamedTuple):
    """Of the letters of a word, wherever it stands. Each is 0 where it says nothing."""

    unknown: float = 0.0  # 1: in no list and no dictionary
    odd: float = 0.0  # how strange the letters of an unknown word are, 0..1.2
    name: float = 0.0  # an unknown word with a capital
    foreign: float = 0.0  # an unknown word that another language has
    more_accents: float = 0.0  # the list has it, but with fewer accents or with others
    fewer_accents: float = 0.0  # the list has it, but with accents that are missing here
    near: float = 0.0  # how much commoner the word is that it may be a misreading of, 0..1
    near_seen: float = 0.0  # it may be a misreading of a word that the book has more often
    rare: float = 0.0  # 0 for the commonest words of a language .. 1
    seen: float = 0.0  # ln of how often the rest of the book has an unknown word
    joined: float = 0.0  # a mark between letters: a space is missing
    mixed: float = 0.0  # letters and digits in one word, a capital within
    lone: float = 0.0  # one letter that is no word, or marks alone
    strange: float = 0.0  # signs that print seldom has, or a crowd of marks
    number: float = 0.0  # digits
    broken: float = 0.0  # at a line's end, or with the sign of it
    length: float = 0.0  # ln of its letters
    marks: float = 0.0  # how many marks it has, 0..3


class PlaceSigns(NamedTuple):
    """Of a word where it stands. Each is 0 where it says nothing."""

    unlikely: float = 0.0  # how unsure the engine was: 1 - score in powers of ten, 0..1
    very_unlikely: float = 0.0  # 1 - score
    around: float = 0.0  # `unlikely`, mean of its neighbours
    doubled: float = 0.0  # 1: its line stands a few words before as well
    agrees: float = 0.0  # 1: another reading has the same
    differs: float = 0.0  # 1: another reading has other letters
    other_marks: float = 0.0  # 1: it has the same letters with other marks, or another case
    unlike: float = 0.0  # 1: it has nothing like it here


def score_sign(score: float | None) -> float:
    """How unsure the engine was, 0..1; 0 where it says nothing."""
    if score is None:
        return 0.0
    return 1 + log10(min(1.0, max(1 - score, SUREST))) / 4


def text_signs(
    word: Word, *, known: Callable[[str], Known], seen: Callable[[str], int], language: str
) -> TextSigns:
    """Look at a word's letters.

    Args:
        word: its score and its place do not matter.
        known: the lexicon.
        seen: how often the rest of the book has a run of letters.
        language: ISO 639-1; "" if unknown.
    """
    text = word.text
    runs = letter_runs(text)
    return TextSigns(
        *_looked_up(text, [run for run in runs if len(run) > 1], known, seen),
        joined=float(bool(_JOINED.search(text))),
        mixed=float(_is_mixed(text)),
        lone=float(_is_lone(text, language)),
        strange=float(_is_strange(text)),
        number=float(any(map(str.isdigit, text))),
        broken=float(is_broken(word)),
        length=log(1 + sum(map(len, runs))),
        marks=min(3.0, sum(unicodedata.category(letter)[0] in "PS" for letter in text)),
    )


class Place(NamedTuple):
    """What the words around a word say of it."""

    around: float = 0.0  # mean `score_sign` of its neighbours
    doubled: float = 0.0  # see `app.desk.doubled`


def place_signs(
    score: float | None, *, place: Place, text: str, other: str | None, has_other: bool
) -> PlaceSigns:
    """Look at where a word stands.

    Args:
        score: the engine's, 0..1; None where it gives none.
        place: what the words around it say.
        text: of the word.
        other: what another reading has here; None: nothing like it.
        has_other: whether there is another reading.
    """
    unsure = 0.0 if score is None else 1 - score
    compared = _compared(text, other) if has_other else (0.0, 0.0, 0.0, 0.0)
    return PlaceSigns(score_sign(score), unsure, *place, *compared)


def is_broken(word: Word) -> bool:
    """Whether a word is broken at a line's end, or stands there with the sign of it."""
    return word.break_at >= 0 or (word.text[-1] in "-¬=⸗" and len(word.text) > 1)


def _looked_up(
    text: str,
    runs: Sequence[str],
    known: Callable[[str], Known],
    seen: Callable[[str], int],
) -> tuple[float, ...]:
    """The first signs of `TextSigns`, as far as `seen`."""
    found = [(run, known(run)) for run in runs]
    strangers = [(run, each) for run, each in found if not each.is_known]
    frequency = min((each.frequency for _, each in found if each.is_known), default=9.0)
    near = max((each.neighbour - each.frequency for _, each in found), default=0.0)
    near_seen = max((_near_seen(run, seen) for run, each in found if _may_err(each)), default=0.0)
    rare = 1 - max(0.0, frequency) / 9
    if not strangers:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, max(0.0, near / 9), near_seen, rare, 0.0
    return (
        _unknown_share([run for run, _ in strangers], runs),
        max(each.oddness for _, each in strangers) / 10,
        float(text.lstrip("\"'«„“(")[:1].isupper()),
        float(all(each.is_foreign for _, each in strangers)),
        float(any(each.has_own_accents and not run.isascii() for run, each in strangers)),
        float(any(each.has_own_accents and run.isascii() for run, each in strangers)),
        max(0.0, near / 9),
        near_seen,
        rare,
        log(1 + min(seen(run) for run, _ in strangers)),
    )


def _may_err(known: Known) -> bool:
    return not known.is_known or known.frequency < 2


def _near_seen(run: str, seen: Callable[[str], int]) -> float:
    if len(run) < 4:
        return 0.0
    count = seen(run)
    return float(any(seen(other) > 2 * count + 1 for other in likely_originals(run)))


def _unknown_share(strangers: Sequence[str], runs: Sequence[str]) -> float:
    """1 for a word that is not known; less for a short unknown part of a longer one."""
    letters = sum(map(len, runs))
    return max(0.5, sum(map(len, strangers)) / letters)


def _is_strange(text: str) -> bool:
    """Whether there are signs that print seldom has, or a crowd of marks; leader dots are none."""
    return bool(_STRANGE.search(text)) or bool(_CROWD.search(_LEADERS.sub(" ", text)))


def _is_mixed(text: str) -> bool:
    if _INNER_CAPITAL.search(text):
        return True
    return bool(_MIXED.search(text)) and not _ORDINAL.fullmatch(text)


def _is_lone(text: str, language: str) -> bool:
    letters = [letter for letter in text if letter.isalnum()]
    if not letters:
        return bool(set(text) - set(".…")) and text not in _MARKS_ALONE
    if len(letters) > 1 or letters[0].isdigit() or "'" in folded(text):
        return False
    fits = letters[0] in _LONE.get(language, _LONE[""])
    is_initial = letters[0].isupper() and text.endswith(".")
    return not fits and not is_initial and not _ROMAN.fullmatch(text)


def _compared(text: str, other: str | None) -> tuple[float, float, float, float]:
    """Agrees, differs, other marks, unlike."""
    if other is None:
        return 0.0, 0.0, 0.0, 1.0
    mine, theirs = folded(text), folded(other)
    if mine == theirs:
        return 1.0, 0.0, 0.0, 0.0
    if plain_letters(mine) == plain_letters(theirs):
        return 0.0, 0.0, 1.0, 0.0
    return 0.0, 1.0, 0.0, 0.0


def plain_letters(text: str) -> str:
    """The letters and digits of a word, small."""
    return "".join(filter(str.isalnum, text)).lower()
