"""How likely a word is wrong: the log-odds of a wrong word, to which each of its signs adds.

`chance = 1 / (1 + exp(-(BIAS + sum of weight x sign)))`. The weights were fitted by logistic
regression on pages that the project draws itself (`model.training.renderer`: prose, verse, drama,
contents and index in five languages, degraded as by a scanner), read by the line reader and by the
small reader, each alone and with the other as second reader. Rare words were held back from the
lists, so that the drawn text is as unknown to them as another book is. Set by reasoning are those
that drawn text cannot tell: it repeats no name (`seen`), holds few names (`name`), and sets strange
signs on purpose (`strange`).
"""

from __future__ import annotations

from math import exp

from app.desk.signs import PlaceSigns, TextSigns

BIAS = -4.94

TEXT = TextSigns(
    unknown=1.23,
    odd=1.48,
    name=-0.5,
    foreign=-1.04,
    more_accents=1.5,
    fewer_accents=0.8,
    near=2.9,
    near_seen=0.41,
    rare=-0.19,
    seen=-0.5,
    joined=0.67,
    mixed=0.77,
    lone=0.98,
    strange=0.5,
    number=0.83,
    broken=-0.49,
    length=-0.45,
    marks=0.37,
)

PLACE = PlaceSigns(
    unlikely=2.91,
    very_unlikely=2.54,
    around=1.68,
    agrees=-2.23,
    differs=0.75,
    other_marks=2.04,
    unlike=0.79,
)


def weight(signs: TextSigns | PlaceSigns) -> float:
    """What the signs add to the log-odds that the word is wrong."""
    weights = TEXT if isinstance(signs, TextSigns) else PLACE
    return sum(sign * each for sign, each in zip(signs, weights, strict=True) if sign)


def chance(log_odds: float) -> float:
    """A probability from log-odds."""
    return 1 / (1 + exp(-log_odds))
