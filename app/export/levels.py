"""OCR-D's three levels of transcription, as filters over what is stored; the store stays faithful.

Each rule says how often it was applied. What a level asks for by the sound of a word (i and j; u
and v but at a word's beginning) or by a sign's meaning (strokes for left-out letters) no rule can
decide: it stays as printed, and the help says so.

Source:
    OCR-D Ground Truth Guidelines (specs 3.4.0), Transcription: levels 1 to 3, s-, r-graphemes, u/v,
    ligatures, umlauts, hyphenation, quotation marks, spaces. Code points of the private use area:
    MUFI 4.0, as the guidelines' table of codes has them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Literal, NamedTuple

from app.book import Reading, Region
from app.desk.hyphens import Choices, word_key
from app.language import N_
from model.api import Cell, Span

Level = Literal[1, 2, 3]

_WIDE = "\u00a0\u1680\u2000-\u200a\u202f\u205f"
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "ſt",
    "\ufb06": "st",
    "\ueba2": "ſi",
    "\ueba3": "ſl",
    "\ueba6": "ſſ",
    "\ueec4": "ck",
    "\ueec5": "ct",
    "\ueedc": "tz",
    "\uf502": "ch",
}
_ABOVE = {"a": "\ue42c", "o": "\ue644", "u": "\ue72b"}
"""Vowels with a small e above as one code point."""

_BARE = {code: f"{vowel}\u0364" for vowel, code in _ABOVE.items()}
_UMLAUTS = {f"{vowel}\u0364": umlaut for vowel, umlaut in zip("aouAOU", "äöüÄÖÜ", strict=True)}


class Rule(NamedTuple):
    """One rule; a match becomes what `shown` makes of it."""

    name: str  # to be translated where it is shown
    levels: frozenset[int]
    found: re.Pattern[str]
    shown: Callable[[re.Match[str]], str]


def _rule(name: str, levels: str, found: str, shown: str | Mapping[str, str]) -> Rule:
    def becomes(match: re.Match[str]) -> str:
        return shown if isinstance(shown, str) else shown[match[0]]

    return Rule(name, frozenset(map(int, levels)), re.compile(found), becomes)


RULES: tuple[Rule, ...] = (
    _rule(N_("ligatures split"), "12", f"[{''.join(_LIGATURES)}]", _LIGATURES),
    _rule(N_("small e above as a sign of its own"), "12", f"[{''.join(_BARE)}]", _BARE),
    _rule(
        N_("small e above and its vowel as one sign"),
        "3",
        "[aou]\u0364",
        {f"{vowel}\u0364": code for vowel, code in _ABOVE.items()},
    ),
    _rule(N_("umlauts of today"), "1", "[aouAOU]\u0364", _UMLAUTS),
    _rule(N_("round r with c as etc"), "1", r"ꝛ(?=c\b)", "et"),
    _rule(N_("round r as r"), "1", "[ꝛꝚ]", {"ꝛ": "r", "Ꝛ": "R"}),
    _rule(
        N_("v before a consonant as u"),
        "1",
        r"\b[vV](?=[bcdfghkmnpqstwzſ][^\W\d_])",
        {"v": "u", "V": "U"},
    ),
    _rule(N_("long s as s"), "1", "ſ", "s"),
    _rule(N_("virgules as commas"), "1", r"(?<=[^\W\d_]) ?/(?=\s|$)", ","),
    _rule(N_("double quotation marks alike"), "1", "[„“”‟»«]", '"'),
    _rule(N_("single quotation marks alike"), "1", "[‚‘’‛‹›]", "'"),
    _rule(
        N_("hyphens of today"),
        "1",
        r"[⸗‐]|(?<=[^\W\d_])[=¬](?=[^\S\n]*\n|[^\W\d_])",
        "-",
    ),
    _rule(N_("spaces only between words"), "12", f"[ {_WIDE}]{{2,}}|[{_WIDE}]", " "),
    _rule(N_("punctuation with the word before it"), "12", r"(?<=\w) (?=[,;:.!?](?:\s|$))", ""),
)  # fmt: skip


def levelled_text(text: str, level: Level) -> str:
    """A text at a level."""
    return _text(text, level, Counter())


def levelled_region(region: Region, level: Level, counts: Counter[str]) -> Region:
    """A region at a level, all that is said of its letters moved along.

    Args:
        region: as stored.
        level: 1, 2 or 3.
        counts: of each rule, by its name, how often it was applied; added to.
    """
    rows = tuple(
        tuple(_cell(cell, level, counts) for cell in row) for row in region.rows
    )  # fmt: skip
    made = replace(region, rows=rows) if rows else region
    # a table's text says again what its cells say
    counted: Counter[str] = Counter() if rows else counts
    for rule in _rules(level):
        made = _applied(made, rule, counted)
    return made


def levelled_reading(reading: Reading, level: Level, counts: Counter[str]) -> Reading:
    """A reading at a level."""
    regions = (levelled_region(region, level, counts) for region in reading.regions)
    return replace(reading, regions=tuple(regions))


def levelled_choices(choices: Choices, level: Level) -> Choices:
    """What was decided on broken words, by what they are called at the level."""
    return Choices(
        {
            at._replace(printed=levelled_text(at.printed, level)): said
            for at, said in choices.breaks.items()
        },
        {word_key(levelled_text(key, level)): said for key, said in choices.words.items()},
    )


def _rules(level: Level) -> tuple[Rule, ...]:
    return _BY_LEVEL[level]


_BY_LEVEL: dict[int, tuple[Rule, ...]] = {
    level: tuple(rule for rule in RULES if level in rule.levels) for level in (1, 2, 3)
}


def _text(text: str, level: Level, counts: Counter[str]) -> str:
    for rule in _rules(level):
        text, count = rule.found.subn(rule.shown, text)
        if count:
            counts[rule.name] += count
    return text


def _cell(cell: Cell, level: Level, counts: Counter[str]) -> Cell:
    return cell._replace(text=_text(cell.text, level, counts))


def _applied(region: Region, rule: Rule, counts: Counter[str]) -> Region:
    matches = [match for match in rule.found.finditer(region.text) if match[0] != rule.shown(match)]
    if not matches:
        return region
    counts[rule.name] += len(matches)
    at = _Moves(matches, [rule.shown(match) for match in matches]).at
    return replace(
        region,
        text=rule.found.sub(rule.shown, region.text),
        styles=tuple(
            style._replace(start=at(style.start), end=at(style.end)) for style in region.styles
        ),
        marks=tuple(mark._replace(start=at(mark.start), end=at(mark.end)) for mark in region.marks),
        words=_moved(region.words, at),
        lines=_moved(region.lines, at),
    )


def _moved(spans: tuple[Span, ...], at: Callable[[int], int]) -> tuple[Span, ...]:
    """Spans at their new places; one of which nothing is left goes."""
    moved = (span._replace(start=at(span.start), end=at(span.end)) for span in spans)
    return tuple(span for span in moved if span.start < span.end)


class _Moves:
    """Where letters stand after some stretches of a text became others."""

    def __init__(self, matches: list[re.Match[str]], shown: list[str]) -> None:
        self._starts = [match.start() for match in matches]
        self._ends = [match.end() for match in matches]
        self._lengths = [len(text) for text in shown]
        grown = (
            length - (end - start)
            for start, end, length in zip(self._starts, self._ends, self._lengths, strict=True)
        )
        self._grown = [0, *accumulate(grown)]

    def at(self, offset: int) -> int:
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        if offset >= self._ends[index]:
            return offset + self._grown[index + 1]
        within = min(offset - self._starts[index], self._lengths[index])
        return self._starts[index] + self._grown[index] + within
