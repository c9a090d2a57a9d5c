"""How a page lies in its picture: turned, bent, stretched a little. Pure arithmetic, both ways.

A lie is 18 numbers. It says for each place of the picture which place of the flat sheet is seen
there (`scan.py` has the same on the card); the other way is found by iteration. Places are shares
of the square's side, 0..1.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

NUMBERS = 18
GUTTER = 0.12  # how far from the picture's edge the paper bends, share
ROUNDS = 12  # of the iteration; bends are so slight that it settles far sooner

Floats = NDArray[np.float64]
Lie = NDArray[np.float32]


def flat() -> Lie:
    """Lies as it was set."""
    return np.zeros(NUMBERS, np.float32)


def crooked(rng: random.Random, strength: float) -> Lie:
    """A page laid down by hand; `strength` 1 is usual, 0 is flat."""
    lie = flat()
    turn = min(max(rng.gauss(0, 0.55), -2.5), 2.5) * math.pi / 180 * strength
    lie[0], lie[7] = rng.gauss(0, 0.002), rng.gauss(0, 0.002)
    lie[1], lie[9] = rng.gauss(0, 0.005), rng.gauss(0, 0.005)
    lie[2] = -turn + rng.gauss(0, 0.003) * strength
    lie[8] = turn
    lie[3], lie[10] = rng.gauss(0, 0.008) * strength, rng.gauss(0, 0.006) * strength
    lie[4], lie[5], lie[6] = abs(rng.gauss(0, 0.001)) * strength, rng.uniform(0.4, 1.6), _turn(rng)
    lie[11], lie[12], lie[13] = (
        abs(rng.gauss(0, 0.0022)) * strength,
        rng.uniform(0.4, 1.4),
        _turn(rng),
    )
    if rng.random() < 0.25:
        lie[14] = rng.gauss(0, 0.04) * strength
    if rng.random() < 0.3:  # near the gutter lines go up or down, and letters grow narrow
        lie[15], lie[16] = rng.gauss(0, 0.006) * strength, rng.choice([-1.0, 1.0])
        lie[17] = abs(rng.gauss(0, 0.006)) * strength
    return lie


def seen_at(x: Floats, y: Floats, lie: Lie) -> tuple[Floats, Floats]:
    """Where in the picture a place of the sheet is seen."""
    u, v = x, y
    for _ in range(ROUNDS):
        dx, dy = _moved(u, v, lie)
        u, v = x - dx, y - dy
    return u, v


def _moved(u: Floats, v: Floats, lie: Lie) -> tuple[Floats, Floats]:
    """Sheet minus picture, at a place of the picture."""
    a, b = u - 0.5, v - 0.5
    wave_x = lie[4] * np.sin(2 * math.pi * lie[5] * v + lie[6])
    wave_y = lie[11] * np.sin(2 * math.pi * lie[12] * u + lie[13])
    near = np.exp(-(0.5 - lie[16] * a) / GUTTER)
    dx = lie[0] + lie[1] * a + lie[2] * b + lie[3] * a * b + wave_x + lie[16] * lie[17] * near
    dy = lie[7] + lie[8] * a + lie[9] * b + lie[10] * a * b + wave_y + lie[14] * a**3
    dy += lie[15] * near
    return dx, dy


def _turn(rng: random.Random) -> float:
    return rng.uniform(0, 2 * math.pi)
