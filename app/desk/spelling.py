"""Other spellings under which a word of an old book may stand in a list of today's words. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_LETTERS = re.compile(r"[^\W\d_]+")
_PLAIN = str.maketrans({"ſ": "s", "ꝛ": "r", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi",
                        "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": None})  # fmt: skip

# Old form to today's; all languages first, then those of one.
_RULES: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    language: tuple((re.compile(old), new) for old, new in rules)
    for language, rules in {
        "": (
            (r"^v(?=[^aeiouyáéíóúàèìòùâêîôûäöü])", "u"),  # vnd, vpon
            (r"(?<=[aeiou])u(?=[aeiou])", "v"),  # haue, nouelle
            (r"^i(?=[aeou])", "j"),  # iour, iudge
            (r"^j(?=[^aeou])", "i"),  # jhm
            (r"ã|õ|ẽ", "n"),
        ),
        "de": (
            (r"ß", "ss"),
            (r"ss", "ß"),
            (r"th", "t"),  # Thier, roth
            (r"ey", "ei"),  # seyn
            (r"ay", "ai"),
            (r"y", "i"),
            (r"c(?=[aoulrt])", "k"),  # Canal
            (r"c(?=[ei])", "z"),  # Proceß
            (r"aͤ|ae", "ä"),
            (r"oͤ|oe", "ö"),
            (r"uͤ|ue", "ü"),
            (r"iren$", "ieren"),
            (r"niß$", "nis"),
            (r"dt\b", "t"),
        ),
        "fr": (
            (r"oi(?=(s|t|ent|tre)$)", "ai"),  # avoit, connoître
            (r"^es(?=[tcp])", "é"),  # estoit
            (r"ez$", "és"),
            (r"ens$", "ents"),  # enfans
            (r"ans$", "ants"),
            (r"y$", "i"),
            (r"(?<=[aeiou])s(?=[tmlpq])", ""),  # tost, mesme
        ),
        "en": (
            (r"ick$", "ic"),  # publick
            (r"our$", "or"),
            (r"ie$", "y"),
            (r"e$", ""),
            (r"'d$", "ed"),
        ),
        "es": ((r"^á$|^ó$|^é$|^ú$", "a"), (r"ss", "s"), (r"x(?=[aeio])", "j"), (r"qu(?=a)", "cu")),
        "it": ((r"j$", "i"), (r"j", "i"), (r"ti(?=[ao])", "zi")),
    }.items()
}


def plain(word: str) -> str:
    """A word in small letters without long s and ligatures, as word lists have it."""
    return unicodedata.normalize("NFC", word).translate(_PLAIN).lower()


def letter_runs(word: str) -> list[str]:
    """The parts of a word that are looked up: apostrophes, hyphens and digits part them."""
    return _LETTERS.findall(plain(word))


def other_spellings(run: str, language: str) -> Iterator[str]:
    """Spellings of today that an old one may stand for; each by one rule, then by all at once."""
    rules = (*_RULES[""], *_RULES.get(language, ()))
    every = run
    for old, new in rules:
        changed = old.sub(new, run)
        if changed != run:
            yield changed
        every = old.sub(new, every)
    if every != run:
        yield every
