"""What speaks for and against one word, as numbers. Pure; `app.desk.chance` weighs them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from math import log
from typing import NamedTuple

from app.desk.alignment import folded
from app.desk.lexicon import Known
from app.desk.spelling import letter_runs
from app.desk.words import Word

LEAST_SCORE = 1e-3
"""Scores below say no more than this one."""

_MIXED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|d|s|e|er|re|me|º|ª|o|a|ten|te)?\W*")
_INNER_CAPITAL = re.compile(r"[^\W\d_](?<=[a-zà-öø-ÿ])[A-ZÀ-ÖØ-Þ]")
_ROMAN = re.compile(r"\W*[IVXLCDMivxlcdm]+\W*")
_MARKS = ".,;:!?'\"()[]-*…&§†=/"
_STRANGE = re.compile(r"[^\w\s.,;:!?'\"()\[\]\-–—…&§†‡*=/«»„“”‘’‚‹›°%£$€¶·+ſ\u0300-\u036f]")
_CROWD = re.compile(r"[.,;:!?'\"]{2,}")
_LONE = {
    "": frozenset("aeioyàáéóúèòùAEIOYÀÁÉÓÚÈÒÙ"),
    "en": frozenset("aAIO"),
    "de": frozenset("oO"),
    "fr": frozenset("aàyôAÀYÔoO"),
    "es": frozenset("yaoeuáóéYAOEUÁÓÉ"),
    "it": frozenset("aeioèEAIOÈ"),
}


class Signs(NamedTuple):
    """Each 0 where it says nothing."""

    unlikely: float  # -ln of the engine's score, 0..7
    around: float  # the same, mean of its neighbours in the line
    has_no_score: float
    unknown: float  # 1: in no list and no dictionary
    odd: float  # how strange the letters of an unknown word are, 0..1.5
    rare: float  # 0 for the commonest words of a language .. 1
    seen: float  # ln of how often the rest of the book has an unknown word
    mixed: float  # letters and digits in one word, a capital within
    lone: float  # one letter that is no word, or marks alone
    strange: float  # signs that print seldom has, or a crowd of marks
    number: float  # digits
    broken: float  # broken at a line's end, or at the end of a line with the sign of it
    length: float  # ln of its letters
    marks: float  # how many marks it has
    agrees: float  # 1: another reading has the same
    differs: float  # 1: another reading has other letters
    other_marks: float  # 1: the same letters with other marks or another case
    unlike: float  # another reading has nothing like it here


def score_sign(score: float | None) -> float:
    """-ln of a score, 0 for none."""
    return 0.0 if score is None else -log(max(score, LEAST_SCORE))


def signs_of(
    word: Word,
    *,
    around: float,
    known: Callable[[str], Known],
    seen: Callable[[str], int],
    other: str | None,
    has_other: bool,
    language: str,
) -> Signs:
    """Weighed one by one.

    Args:
        word: with its score.
        around: mean `score_sign` of its neighbours.
        known: the lexicon.
        seen: how often the rest of the book has a run of letters.
        other: what another reading has here; None: nothing like it.
        has_other: whether there is another reading.
        language: ISO 639-1; "" if unknown.
    """
    text = word.text
    runs = letter_runs(text)
    found = [known(run) for run in runs if len(run) > 1]
    strangers = [run for run in runs if len(run) > 1 and not known(run).is_known]
    odd = max((-known(run).frequency / 10 for run in strangers), default=0.0)
    frequency = min((each.frequency for each in found if each.is_known), default=9.0)
    count = min(map(seen, strangers), default=0)
    compared = _compared(text, other) if has_other else (0.0, 0.0, 0.0, 0.0)
    return Signs(
        score_sign(word.score),
        around,
        float(word.score is None),
        float(bool(strangers)) and _unknown_share(strangers, runs),
        odd,
        1 - max(0.0, frequency) / 9,
        log(1 + count),
        float(_is_mixed(text)),
        float(_is_lone(text, language)),
        float(bool(_STRANGE.search(text)) or bool(_CROWD.search(text))),
        float(any(map(str.isdigit, text))),
        float(word.break_at >= 0 or (text[-1] in "-¬=⸗" and len(text) > 1)),
        log(1 + sum(map(len, runs))),
        min(3.0, sum(unicodedata.category(letter)[0] in "PS" for letter in text)),
        *compared,
    )


def _unknown_share(strangers: Sequence[str], runs: Sequence[str]) -> float:
    """1 for a word that is not known; less for a short unknown part of a longer one."""
    letters = sum(map(len, runs))
    return max(0.5, sum(map(len, strangers)) / letters)


def _is_mixed(text: str) -> bool:
    if _INNER_CAPITAL.search(text):
        return True
    return bool(_MIXED.search(text)) and not _ORDINAL.fullmatch(text)


def _is_lone(text: str, language: str) -> bool:
    letters = [letter for letter in text if letter.isalnum()]
    if not letters:
        return text not in {"-", "–", "—", "&", "*", "§", "=", "«", "»", "...", "…"}
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
    if _letters(mine) == _letters(theirs):
        return 0.0, 0.0, 1.0, 0.0
    return 0.0, 1.0, 0.0, 0.0


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()
