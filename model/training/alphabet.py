"""The letters that the small reader is taught, and text as old books print it. Pure functions."""

from __future__ import annotations

import re
import unicodedata

LETTERS = (
    " !\"#$%&'()*+,-./0123456789:;<=>?@"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    "‘’“”„‚«»‹›—–…·•§¶†‡£©°½¼¾¿¡æœÆŒßſäöüÄÖÜéèêëàâáåãçîïíìôóòõøùûúñýÿÉÈÊÀÂÇÎÔÙÛÑÁÍÓÚÅØ×⸗ẽĩũñ"
)
ALPHABET = "".join(dict.fromkeys(LETTERS))
LETTER_NUMBERS = {letter: number for number, letter in enumerate(ALPHABET)}  # 0 is the blank

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2009\u200a\u202f", " "),
        **dict.fromkeys("\u2060\ufeff\u00ad\u200b_", None),
        **dict.fromkeys("\u2011\u2010", "-"),
        **dict.fromkeys("′ʼ", "’"),
        "″": "”",
        "\u2212": "–",
        "―": "—",
    }
)
_LONG_S = re.compile(r"s(?=[a-zäöüßéèêàâîôû])")
_LOWER = "a-zäöüßéèêàâîôûœæ"


def clean(text: str) -> str:
    """A paragraph as a book prints it: curly quotes, long dashes, NFC, one line."""
    text = unicodedata.normalize("NFC", text).translate(_PLAIN)
    text = re.sub(r"\s*---?\s*", "—", text).replace("``", "“").replace("''", "”")
    text = re.sub(r'(^|[\s(\[—–“‘])"', r"\1“", text).replace('"', "”")
    text = re.sub(r"(^|[\s(\[—–“])'", r"\1‘", text).replace("'", "’").replace("`", "‘")
    return re.sub(r"\s+", " ", text).strip()


def with_long_s(word: str) -> str:
    """Long s everywhere but at the end of a word or before what is no letter."""
    return _LONG_S.sub("ſ", word)


def with_early_letters(word: str) -> str:
    """Spelling of printers before about 1650: v begins a word, u goes on; i for j."""
    word = re.sub(rf"(?<=[{_LOWER}A-Z])v", "u", word)
    word = re.sub(rf"(?<![{_LOWER}A-Z])u", "v", word)
    return word.replace("j", "i")


def with_tildes(word: str) -> str:
    """A vowel with a stroke above it for a vowel and the n or m after it, inside a word."""
    strokes = {"a": "ã", "e": "ẽ", "i": "ĩ", "o": "õ", "u": "ũ"}
    return re.sub(
        rf"([aeiou])[nm](?=[bcdfgpqstv{'ſ'}])", lambda found: strokes[found[1]], word, count=1
    )


def breaks(word: str) -> list[int]:
    """Places where a word may be divided: before a consonant that a vowel follows. A rough rule."""
    vowels = set("aeiouyäöüéèêàâôîûAEIOUY")
    places: list[int] = []
    for place in range(2, len(word) - 2):
        near = word[place - 2 : place + 2]
        if near.isalpha() and word[place] not in vowels and word[place + 1] in vowels:
            places.append(place)
    return places
