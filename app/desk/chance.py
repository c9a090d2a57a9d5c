"""How likely a word is wrong: the log-odds of a wrong word, to which each of its signs adds.

`chance = 1 / (1 + exp(-(BIAS + sum of weight x sign)))`. The weights were fitted by logistic
regression on pages that the project draws itself (`model.training.renderer`: prose, verse, drama,
contents and index, in five languages, degraded as by a scanner), read by the line reader and by the
small reader, each alone and with the other as second reader. Rare words were held back from the
lists, so that the drawn text is as unknown to them as another book is. Set by reasoning are those
that drawn text cannot tell: it repeats no name (`seen`), holds few (`name`), sets strange signs and
leaves accents out on purpose (`strange`, `more_accents`, `fewer_accents`); and it has few lines$
that are read twice (`doubled`).
"""

from __future__ import annotations

from math import exp

from app.desk.signs import PlaceSigns, TextSigns

BIAS = -4.09

TEXT = TextSigns(
    unknown=2.32,
    odd=0.5,
    name=-0.5,
    foreign=-1.38,
    more_accents=1.5,
    fewer_accents=0.8,
    near=2.26,
    near_seen=1.14,
    rare=0.44,
    seen=-0.5,
    joined=1.34,
    mixed=1.2,
    lone=1.29,
    strange=0.5,
    number=0.75,
    broken=-0.61,
    length=-0.6,
    marks=0.29,
)

PLACE = PlaceSigns(
    unlikely=2.03,
    very_unlikely=3.52,
    around=1.42,
    doubled=3.0,
    agrees=-2.48,
    differs=0.86,
    other_marks=1.58,
    unlike=0.57,
)


def weight(signs: TextSigns | PlaceSigns) -> float:
    """What the signs add to the log-odds that the word is wrong."""
    weights = TEXT if isinstance(signs, TextSigns) else PLACE
    return sum(sign * each for sign, each in zip(signs, weights, strict=True) if sign)


def chance(log_odds: float) -> float:
    """A probability from log-odds."""
    return 1 / (1 + exp(-log_odds))
