"""What is looked for and put in when the word of a doubt is taken everywhere."""

from __future__ import annotations

import pytest

from app.desk.doubts import Doubt
from app.everywhere import wanted

pytestmark = pytest.mark.unit


def doubt(word: str, *, listed: str = "", other: str = "") -> Doubt:
    return Doubt(0, 0, 0, len(word), word, 0.5, listed=listed, other=other)


@pytest.mark.parametrize(
    ("of", "sought", "instead"),
    [
        (doubt("(fecrets,", listed="(ſecrets,"), "fecrets", "ſecrets"),
        (doubt("dela", listed="de la"), "dela", "de la"),
        (doubt("hcuse.", other="house."), "hcuse", "house"),
        (doubt("hcuse", other="hovse", listed="house"), "hcuse", "house"),
    ],
)
def test_the_words_without_the_marks_round_them(of, sought, instead):
    asked, found = wanted(of)
    assert asked is not None
    assert (asked.text, asked.whole_word, asked.match_case, found) == (sought, True, True, instead)


@pytest.mark.parametrize(
    "of", [doubt("hcuse"), doubt("hcuse,", other="house."), doubt("—", other="-")]
)
def test_where_nothing_is_offered_or_marks_differ_nothing_is_taken_elsewhere(of):
    assert wanted(of) == (None, "")
