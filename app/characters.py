"""Signs that no key writes: groups to pick from, search by name, and compose rules. Pure.

Nothing here changes a text by itself: a rule is applied when a person asks for it, once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from app.language import N_

Rules = tuple[tuple[str, str], ...]
"""What is typed, and what becomes of it."""

GROUPS: tuple[tuple[str, str], ...] = (
    (N_("Old print"), "ſꝛßẞæÆœŒꝑꝓꝗꝙꝰꝯ⁊ꝫꝭꝝꝟꜳꜵꜷꜹꜽꝺꝼꞇþÞðÐȝȜƿɂıȷĸ"),
    (N_("Ligatures"), "ﬀﬁﬂﬃﬄﬅﬆĳĲꜩꝡ"),
    (N_("Combining marks"), "\u0364\u0363\u0365\u0366\u0367\u0366\u036e\u0305\u0304\u0303\u0301"
     "\u0300\u0302\u0308\u030a\u0306\u030c\u0327\u0328\u0323\u0331\u030b\u0307\u035e\u0361"),
    (N_("Letters with accents"), "ÄÖÜäöüÅåÆæØøÀàÁáÂâÃãĀāĂăĄąÇçĆćČčĎďÈèÉéÊêËëĒēĔĕĘęĚěÌìÍíÎîÏïĪīĬĭ"
     "ŁłŃńÑñŇňÒòÓóÔôÕõŌōŎŏŐőŘřŚśŠšŞşŤťÙùÚúÛûŪūŬŭŮůŰűÝýŸÿŹźŻżŽžẼẽ"),
    (N_("Greek"), "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψω"
     "άέήίόύώὰὲὴὶὸὺὼᾶῆῖῦῶἀἁἐἑἠἡἰἱὀὁὐὑὠὡᾳῃῳϐϑϕϗϛ"),
    (N_("Quotation marks"), "„“”‚‘’«»‹›‟‛′″"),
    (N_("Dashes and spaces"), "–—―‐‑⸗⹀\u00ad\u00a0\u2009\u202f\u2003"),
    (N_("Signs"), "§¶†‡*⁂☞☜•·…⁓※☙❦℞℔℥ʒ℈℘№ª°ℳ₰£ƒ€¢½¼¾⅓⅔⅛×÷±=≈√∞"),
    (N_("Raised and lowered"), "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ªºᵃᵉᵒʳˢᵗ"),
)  # fmt: skip

DEFAULT_RULES: Rules = (
    (":s", "ſ"),
    (":r", "ꝛ"),
    (":z", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    (":t", "þ"),
    (":d", "ð"),
    (":e", "\u0364"),
    (":o", "\u0366"),
    (":-", "\u0304"),
    (":~", "\u0303"),
    ("--", "–"),
    ("---", "—"),
    ("=-", "⸗"),
    ("<<", "«"),
    (">>", "»"),
    (",,", "„"),
    ("...", "…"),
    ("+-", "†"),
    ("+=", "‡"),
)

MOST_FOUND = 400
MOST_RECENT = 24
# Scripts whose signs have a name of their own; ideographs and syllables are numbered, not named.
_RANGES = (
    (0x20, 0x3100),
    (0xA4D0, 0xAC00),
    (0xFB00, 0xFFF0),
    (0x10100, 0x11000),
    (0x1D000, 0x1FB00),
)


def name_of(sign: str) -> str:
    """What a sign is called; its number where it has no name."""
    names = [unicodedata.name(letter, f"U+{ord(letter):04X}") for letter in sign]
    return " + ".join(names).lower().capitalize()


def shown(sign: str) -> str:
    """A sign as it can be seen alone: a mark that combines stands on a circle, a space in a box."""
    if unicodedata.combining(sign[0]):
        return f"\u25cc{sign}"
    if sign.isspace() or sign == "\u00ad":
        return {"\u00a0": "⍽", "\u00ad": "‧-"}.get(sign, "␣")
    return sign


def found(query: str) -> tuple[str, ...]:
    """Signs whose name has all words of a query, those that begin with them first.

    Args:
        query: words of the name (`long s`), a number (`U+017F`), or the sign itself.
    """
    words = query.upper().split()
    if not words:
        return ()
    if len(query.strip()) == 1:
        return (query.strip(), *_named(words))[:MOST_FOUND]
    number = _numbered(words[0])
    return ((number,) if number and len(words) == 1 else ()) + _named(words)


def _named(words: Sequence[str]) -> tuple[str, ...]:
    hits = [(name, sign) for name, sign in _names() if all(word in name for word in words)]
    hits.sort(key=lambda hit: (not _has_words(hit[0], words), len(hit[0]), hit[0]))
    return tuple(sign for _name, sign in hits[:MOST_FOUND])


def _has_words(name: str, words: Sequence[str]) -> bool:
    return set(words) <= set(name.split())


def _numbered(word: str) -> str:
    digits = word.removeprefix("U+").removeprefix("0X")
    try:
        code = int(digits, 16) if 2 <= len(digits) <= 6 else 0
    except ValueError:
        return ""
    is_sign = 0x20 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_sign and unicodedata.category(chr(code))[0] != "C" else ""


@lru_cache(maxsize=1)
def _names() -> tuple[tuple[str, str], ...]:
    return tuple(_all_names())


def _all_names() -> Iterator[tuple[str, str]]:
    for start, end in _RANGES:
        for code in range(start, end):
            name = unicodedata.name(chr(code), "")
            if name:
                yield name, chr(code)


def composed(before: str, rules: Rules) -> tuple[int, str] | None:
    """What a rule makes of the letters before the cursor.

    Returns:
        How many letters go, and what stands in their place; None where no rule fits. Of several
        rules the longest holds.
    """
    fitting = [rule for rule in rules if rule[0] and before.endswith(rule[0])]
    typed, result = max(fitting, key=lambda rule: len(rule[0]), default=("", ""))
    return (len(typed), result) if typed else None


def with_recent(recent: str, sign: str) -> str:
    """The signs used last, this one first; each once."""
    others = [each for each in recent if each != sign]
    return "".join([sign, *others][:MOST_RECENT])


def toggled(favourites: str, sign: str) -> str:
    """The favourites with a sign, or without it if it was one."""
    return favourites.replace(sign, "") if sign in favourites else favourites + sign


def rules_text(rules: Rules) -> str:
    """Rules as a person edits them: one a line, what is typed, a blank, what becomes of it."""
    return "\n".join(f"{typed} {result}" for typed, result in rules)


def rules_of(text: str) -> Rules:
    """Rules from the lines of `rules_text`; of two for the same letters the last one holds."""
    pairs = (line.strip().split(maxsplit=1) for line in text.splitlines())
    return tuple({pair[0]: pair[1] for pair in pairs if len(pair) == 2}.items())
