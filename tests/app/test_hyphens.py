"""Words broken at line ends: joined or not, and for which reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.hyphens import MARKS, Hyphens, Vocabulary, Why

pytestmark = pytest.mark.unit

WORDS = st.text("abcdefghijklmnopqrstuvwxyzäöüſßé", min_size=1, max_size=12)


def hyphens(text: str = "", language: str = "") -> Hyphens:
    vocabulary = Vocabulary()
    vocabulary.add(text)
    return Hyphens(vocabulary, language)


@pytest.mark.parametrize(
    ("before", "after", "joined", "reason"),
    [
        ("in the bar-", "rel, which", "barrel", Why.LOWER_CASE),
        ("Nieder-", "Sachsen", "Nieder-Sachsen", Why.CAPITAL),
        ("VER-", "LAG", "VERLAG", Why.LOWER_CASE),
        ("in 1870-", "71 and", "1870-71", Why.DIGIT),
        ("(Ver¬", "lag)", "Verlag", Why.LOWER_CASE),
        ("Men⸗", "ſchen", "Menſchen", Why.LOWER_CASE),
        ("Goethe⸗", "Haus", "Goethe⸗Haus", Why.CAPITAL),
        ("bar‐", "rel", "barrel", Why.LOWER_CASE),
        ("Lower¬", "Saxony", "Lower-Saxony", Why.CAPITAL),
        ("bar\u00ad", "Rel", "barRel", Why.SOFT),
        ("the Ba\u0303-", "c\u0327a", "Ba\u0303c\u0327a", Why.LOWER_CASE),
        ("vice-prési-", "dent", "vice-président", Why.LOWER_CASE),
    ],
)
def test_default_looks_at_what_follows(before, after, joined, reason):
    decision = hyphens().decide(before, after)
    assert decision
    assert (decision.joined, decision.reason) == (joined, reason)


def test_book_has_the_word_in_one_piece():
    decision = hyphens("Der Verlag").decide("ver-", "lag")
    assert decision
    assert (decision.joined, decision.reason) == ("verlag", Why.JOINED_ELSEWHERE)


def test_book_has_the_word_with_its_hyphen():
    decision = hyphens("an arm-chair").decide("his arm-", "chair.")
    assert decision
    assert (decision.joined, decision.reason) == ("arm-chair", Why.HYPHENED_ELSEWHERE)


def test_the_more_frequent_form_of_the_book_is_taken():
    both = hyphens("to-day, to-day; today")
    decision = both.decide("to-", "day")
    assert decision
    assert decision.joined == "to-day"


def test_a_hyphened_word_goes_on_with_a_word_of_its_own():
    decision = hyphens("aller à Paris et dire").decide("c'est-à-", "dire")
    assert decision
    assert (decision.joined, decision.reason) == ("est-à-dire", Why.COMPOUND)


def test_words_broken_at_line_ends_are_not_of_the_vocabulary():
    vocabulary = Vocabulary()
    vocabulary.add("the vice-prési-\ndent of bar⸗\n rels")
    assert [vocabulary.count(word) for word in ("prési", "dent", "bar", "of")] == [0, 0, 0, 1]


def test_long_s_and_case_are_one_word_to_the_vocabulary():
    decision = hyphens("MENSCHEN-freund").decide("menſchen-", "freund")
    assert decision
    assert decision.reason is Why.HYPHENED_ELSEWHERE


def test_suspended_hyphen_stays_with_a_space():
    decision = hyphens(language="de-DE").decide("Haupt-", "und Nebensache")
    assert decision
    assert (decision.joined, decision.reason) == ("Haupt- und", Why.SUSPENDED)


@pytest.mark.parametrize(
    ("language", "before", "after", "joined"),
    [
        ("en", "self-", "evident", "self-evident"),
        ("fr", "y a-t-", "il", "a-t-il"),
        ("fr", "lui-", "même", "lui-même"),
        ("de", "Ver=", "lag", "Verlag"),
    ],
)
def test_languages_have_their_own_rules(language, before, after, joined):
    decision = hyphens(language=language).decide(before, after)
    assert decision
    assert decision.joined == joined


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("no hyphen", "here"),
        ("a dash -", "here"),
        ("two --", "here"),
        ("before-", "“quoted”"),
        ("", "here"),
        ("-", "here"),
        ("x=", "y"),
    ],
)
def test_no_word_is_broken(before, after):
    assert hyphens(language="de").decide(before, after) is None


@settings(deadline=None)
@given(WORDS, WORDS, st.sampled_from(MARKS), st.text(max_size=40))
def test_printed_form_is_kept_and_no_letter_is_lost(first, second, mark, book):
    decision = hyphens(book).decide(f"so {first}{mark}", f"{second} on")
    assert decision
    assert decision.printed == f"{first}{mark}\n{second}"
    assert decision.joined == f"{first}{decision.infix}{second}"


def test_vocabulary_stays_bounded_and_keeps_the_frequent():
    vocabulary = Vocabulary(limit=100)
    for number in range(1000):
        vocabulary.add(f"barrel w{number}")
    assert len(vocabulary) <= 101
    assert vocabulary.count("Barrel") == 1000


def test_awkward_lines_take_no_time():
    assert hyphens().decide("-" * 50_000 + "a-", "a" * 50_000 + "-_") is not None
