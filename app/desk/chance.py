"""How likely a word is wrong: the log-odds of a wrong word, to which each of its signs adds.

`chance = 1 / (1 + exp(-(BIAS + sum of weight x sign)))`. The weights are fitted by `make doubts`:
logistic regression on pages that the project draws itself (`model.training.renderer`: prose, verse,
drama, contents and index, in five languages, degraded as by a scanner), read by the line reader and
by the small reader, each alone and with the other as second reader. Rare words are held back from
the lists, so that the drawn text is as unknown to them as another book is. Set by reasoning are
those that drawn text cannot tell: it repeats no name (`seen`), holds few (`name`), and sets strange
signs, foreign words and false accents on purpose (`strange`, `foreign`, `more_accents`,
`fewer_accents`).
"""

from __future__ import annotations

from math import exp

from app.desk.signs import PlaceSigns, TextSigns

BIAS = -4.30

TEXT = TextSigns(
    unknown=2.66,
    odd=0.42,
    name=-0.5,
    foreign=-1.38,
    more_accents=1.5,
    fewer_accents=0.8,
    near=1.85,
    near_seen=1.16,
    rare=1.05,
    seen=-0.5,
    joined=1.8,
    mixed=1.15,
    lone=1.59,
    strange=0.5,
    number=0.15,
    broken=-0.58,
    length=-0.78,
    marks=0.18,
)

PLACE = PlaceSigns(
    unlikely=2.02,
    very_unlikely=4.45,
    around=1.94,
    doubled=2.92,
    agrees=-3.49,
    differs=1.38,
    other_marks=1.85,
    unlike=1.25,
)


def weight(signs: TextSigns | PlaceSigns) -> float:
    """What the signs add to the log-odds that the word is wrong."""
    weights = TEXT if isinstance(signs, TextSigns) else PLACE
    return sum(sign * each for sign, each in zip(signs, weights, strict=True) if sign)


def chance(log_odds: float) -> float:
    """A probability from log-odds."""
    return 1 / (1 + exp(-log_odds))
