"""What the word lists make of misread words: long s, run-together words, letters alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.doubts import Doubt, with_listed
from app.desk.hyphens import Vocabulary
from app.desk.judging import Judge
from app.desk.lexicon import Lexicon
from app.desk.spelling import plain
from app.desk.suggesting import Suggester, has_long_s, long_s_forms
from app.desk.word_lists import word_list
from tests.app.store_books import machine

pytestmark = pytest.mark.unit

OLD = (
    "la laquelle il t'eft permis de decharger ton cœur en fes plaifirs, c'eft cefte là à qui tu"
    " peux fier ta maifon, les fecrets, fi quelqu'vn a fon repos, elle fut auffi fans faveur"
)
NEW = "la maison est faite de pierres, elle fut fort belle et il faut la refaire enfin"


def suggester(language: str, *, old: bool = False, seen=lambda _run: 0) -> Suggester:
    return Suggester(Lexicon(language), word_list(language), seen, has_long_s=old)


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("fecrets,", "ſecrets,"),
        ("paffoit", "paſſoit"),
        ("Augufte,", "Auguſte,"),
        ("laiffez", "laiſſez"),
        ("cefte-là,", "ceſte-là,"),
        ("C'eft", "C'eſt"),
        ("nuictf", "nuicts"),
        ("odtroyer", "octroyer"),
        ("dela", "de la"),
        ("quil", "qu'il"),
    ],
)
def test_what_long_s_was_read_for_in_an_old_french_book(read, meant):
    assert suggester("fr", old=True).suggestion(read) == meant


@pytest.mark.parametrize(
    ("language", "read", "meant"),
    [
        ("de", "diefe", "dieſe"),
        ("de", "Menfchen", "Menſchen"),
        ("de", "Bater", "Vater"),
        ("en", "tirne", "time"),
    ],
)
def test_other_languages(language, read, meant):
    old = language == "de"
    assert suggester(language, old=old).suggestion(read) == meant


@pytest.mark.parametrize("read", ["faveur", "fut", "fort", "enfin", "maifontz'", "1784", "", "—"])
def test_words_that_are_right_or_unlike_any_word_get_nothing_in_a_book_without_long_s(read):
    assert suggester("fr").suggestion(read) == ""


@pytest.mark.parametrize("read", ["faict", "merueille", "apres", "fut", "enfin"])
def test_the_spelling_of_an_old_book_is_not_made_modern(read):
    assert suggester("fr", old=True).suggestion(read) == ""


def test_a_mark_between_words_gets_its_space():
    assert suggester("fr").suggestion("maison,argent") == "maison, argent"
    assert suggester("en").suggestion("DefineQuality.") == "Define Quality."


def test_a_book_is_known_to_have_long_s_by_the_words_that_this_makes():
    def runs(text):
        return [plain(run) for run in text.replace("'", " ").replace(",", " ").split()]

    words = word_list("fr")
    assert has_long_s(runs(OLD), words)
    assert not has_long_s(runs(NEW), words)
    assert not has_long_s(runs(OLD), None)


@given(st.text("abcfst", min_size=1, max_size=9))
def test_long_s_stands_for_f_alone_and_never_at_a_words_end(run):
    for form in long_s_forms(run):
        assert not form.endswith("ſ")
        assert "ſ" in form or form.endswith("s") or "ct" in form
        assert form != run


@given(st.text(max_size=24))
def test_any_word_is_answered(text):
    found = suggester("fr", old=True).suggestion(text)
    assert found != text or not text


def test_a_judged_page_says_what_the_lists_have():
    vocabulary = Vocabulary()
    vocabulary.add(OLD)
    leaf = Judge(vocabulary, language="fr", sample=OLD).leaf(0, machine(OLD))
    listed = {entry.doubt.word: entry.doubt.listed for entry in leaf.entries}
    assert listed["fecrets,"] == "ſecrets,"
    assert listed["cefte"] == "ceſte"


def test_a_word_broken_in_print_stays_broken():
    text = "les fe-\ncrets du"
    doubt = Doubt(0, 0, 4, 13, "fecrets", 0.5, listed="ſecrets")
    assert with_listed(text, doubt) == "les ſe-\ncrets du"
