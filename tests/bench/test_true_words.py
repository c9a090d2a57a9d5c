from __future__ import annotations

import pytest

from tests.bench.true_words import flags, parts, wrong_parts

pytestmark = pytest.mark.unit


def wrong(text, true, name=""):
    return [part.text for part in wrong_parts(text, true, name)]


def test_long_s_quotes_dashes_and_the_space_before_a_mark_are_no_errors():
    assert not wrong("ſo ‘iſt’ es ; — ja", "so 'ist' es; – ja")


def test_a_misread_a_joined_and_a_split_word_are_wrong():
    assert wrong("the hoiise", "the house") == ["hoiise"]
    assert wrong("of thehouse", "of the house") == ["thehouse"]
    assert wrong("the ho use now", "the house now") == ["ho", "use"]


def test_leader_dots_and_stamps_are_left_out():
    assert not wrong("Band. 12", "Band........ 12")
    assert not wrong("the end\nDigitized by Google", "the end")
    assert wrong("Band. 12", "Band 12") == ["Band."]


def test_slips_of_the_true_text_are_mended():
    assert not wrong("los riquísimos", "les riguísimos", "es-pardo-1894")
    assert wrong("los riquísimos", "les riguísimos") == ["los", "riquísimos"]


def test_words_are_told_by_their_place():
    text = "the hoiise , and"
    assert [part.text for part in parts(text)] == ["the", "hoiise,", "and"]
    assert flags([(0, 3), (4, 10), (13, 16)], wrong_parts(text, "the house, and")) == [
        False,
        True,
        False,
    ]
