"""Which words of a reading are wrong, by the true text beside its scan.

Compared loosely: long s, quotes and dashes are folded (`app.accuracy`), and so is the space before
a mark and a dash between words. What a library stamped on its copy is not in the true text and is
left out, and so are leader dots. Words that the true text has wrong itself stand in `SLIPS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.accuracy import loose_form
from app.desk.alignment import aligned

STAMPS = (
    "Source gallica.bnf.fr / Bibliothèque nationale de France",
    "Digitized by Google",
    "Digitizedby Google",
)
SLIPS = {
    "es-pardo-1894": {
        "riguísimos": "riquísimos",
        "èl": "él",
        "les": "los",
        "siguiera": "siquiera",
        "pegueñas": "pequeñas",
        "à": "á",
        "euitar": "evitar",
        "circunstancas": "circunstancias",
        "Socicdad": "Sociedad",
        "mió": "mío",
    },
    "fr-kovalewsky-1893": {
        "iei76": "76",
        "(D.": "(1).",
        "Khad-": "khad-",
        "ouales": "ouates",
        "Beitage": "Beiträge",
        "sur": "zur",
        "Geschiehte": "Geschichte",
        "Handbueh": "Handbuch",
        "Priratrechts,": "Privatrechts,",
        "Schô̈pfen,": "Schöpfen,",
        "Lâne,": "Läne,",
        "Fahrais": "Fahrnis",
        "lows,": "laws,",
        "L.": "t.",
        "193.": "123.",
        "Senelus": "Senchus",
        "Mors.": "Morz.",
    },
}
"""Of each page: a word of the true text, and what the scan shows in its place."""

_TOKEN = re.compile(r"\S+")
_DOTS = re.compile(r"\.{2,}")
_LEADERS = re.compile(r"\.{4,}")  # of a table or an index


class Part(NamedTuple):
    """A stretch of a text between white space."""

    start: int
    end: int
    text: str  # as it is compared


def parts(text: str) -> list[Part]:
    """The words of a text as they are compared; lone marks belong to the word before."""
    found: list[Part] = []
    for token in _TOKEN.finditer(text):
        word = _compared(token[0])
        if found and not any(map(str.isalnum, word)):
            before = found.pop()
            found.append(Part(before.start, token.end(), before.text + word))
        else:
            found.append(Part(token.start(), token.end(), word))
    return found


def wrong_parts(text: str, true_text: str, name: str = "") -> list[Part]:
    """The words of a text that the true text does not have at their place."""
    true = [_without_slip(part.text, name) for part in parts(true_text)]
    mine = parts(without_stamps(text))
    if _LEADERS.search(true_text):  # of which a reading often has one dot
        true = [text.rstrip(".") for text in true]
        mine = [part._replace(text=part.text.rstrip(".")) for part in mine]
    matches = aligned([part.text for part in mine], true)
    return [
        part
        for part, match in zip(mine, matches, strict=True)
        if match is None
        or match.is_part
        or match.last - match.first != 1
        or true[match.first] != part.text
    ]


def without_stamps(text: str) -> str:
    """A text with spaces where a library stamped its copy."""
    for stamp in STAMPS:
        pattern = r"\s+".join(map(re.escape, stamp.split()))
        text = re.sub(pattern, lambda found: " " * len(found[0]), text)
    return text


def flags(spans: Sequence[tuple[int, int]], wrong: Sequence[Part]) -> list[bool]:
    """Whether each stretch of a text holds a part that is wrong."""
    return [any(part.start < end and part.end > start for part in wrong) for start, end in spans]


def _compared(token: str) -> str:
    word = _DOTS.sub("", loose_form(token)).lstrip("-")
    return word.rstrip("-") if token[-1] in "—–" else word


def _without_slip(word: str, name: str) -> str:
    return SLIPS.get(name, {}).get(word, word)
