from __future__ import annotations

import numpy as np
import pytest

from app.desk.chance import BIAS, PLACE, TEXT
from tests.bench.fitting import BY_REASONING, NAMES, Sample, Weights, fit, found_share

pytestmark = pytest.mark.unit

NOW = Weights(BIAS, np.array([*TEXT, *PLACE]))


def pages(sign: str, count: int = 30) -> list[Sample]:
    """Pages on which every word with this sign is wrong, and of the others one in forty."""
    dice = np.random.default_rng(1)
    found: list[Sample] = []
    for page in range(count):
        signs = np.zeros((200, len(NAMES)))
        signs[:, NAMES.index(sign)] = dice.random(200) < 0.05
        wrong = np.maximum(signs[:, NAMES.index(sign)], dice.random(200) < 0.025)
        found.append(Sample(str(page), signs, wrong))
    return found


def test_a_sign_that_tells_wrong_words_weighs_more_and_the_others_stay():
    fitted = fit(pages("rare"), NOW)
    moved = {
        name
        for name, before, after in zip(NAMES, NOW.of_signs, fitted.of_signs, strict=True)
        if abs(after - before) > 1e-6
    }
    assert moved == {"rare"}
    assert fitted.of_signs[NAMES.index("rare")] > PLACE.unlikely


def test_what_drawn_pages_cannot_tell_is_left_as_it_is():
    for name in BY_REASONING:
        assert np.array_equal(fit(pages(name, 5), NOW).of_signs, NOW.of_signs)


def test_the_share_found_is_of_what_a_perfect_ranking_finds_in_a_tenth():
    signs = np.zeros((20, len(NAMES)))
    signs[[3, 7], NAMES.index("unknown")] = 1
    wrong = np.zeros(20)
    wrong[[3, 11, 12]] = 1
    assert found_share([Sample("", signs, wrong)], NOW) == 0.5
