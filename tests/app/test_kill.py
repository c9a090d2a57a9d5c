"""Promise one: SIGKILL at any moment loses nothing that was finished or corrected."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.app.killing import CHECKS, LONGEST_S, check

pytestmark = pytest.mark.unit

MORE = [
    (what, random.Random(f"{what}{n}").uniform(0, LONGEST_S[what]))
    for what in CHECKS
    for n in range(5)
]


@pytest.mark.parametrize(
    ("what", "seconds"), [("read", 0.4), ("correct", 0.3), ("export", 0.1), ("migrate", 0.03)]
)
def test_a_kill_loses_nothing(tmp_path: Path, what: str, seconds: float):
    check(what, seconds, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("what", "seconds"), MORE)
def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path, what: str, seconds: float):
    check(what, seconds, tmp_path)
