from __future__ import annotations

import lzma
import tarfile
from collections import Counter

import pytest

from app.desk import hunspell
from app.desk.hunspell import dictionary, opened
from app.desk.lexicon import Lexicon, language_of
from app.desk.misreadings import bare, likely_originals
from app.desk.spelling import letter_runs, other_spellings
from app.desk.word_lists import languages, word_list
from resources.dictionaries.make import counted, packed

pytestmark = pytest.mark.unit


@pytest.fixture
def no_dictionaries(monkeypatch):
    monkeypatch.setattr(hunspell, "SYSTEM", ())
    dictionary.cache_clear()
    yield
    dictionary.cache_clear()


@pytest.mark.usefixtures("no_dictionaries")
@pytest.mark.parametrize(
    ("language", "common", "misread"),
    [
        ("en", "house", "hoiise"),
        ("de", "zwischen", "zwifchcn"),
        ("fr", "toujours", "toujonrs"),
        ("es", "siempre", "sicmpre"),
        ("it", "sempre", "scmprc"),
    ],
)
def test_each_language_of_the_corpus_has_a_list(language, common, misread):
    lexicon = Lexicon(language)
    assert not lexicon.is_empty
    assert lexicon.known(common).frequency >= 7
    assert not lexicon.known(misread).is_known


@pytest.mark.usefixtures("no_dictionaries")
@pytest.mark.parametrize(
    ("language", "old"),
    [
        ("de", "thier"),
        ("de", "seyn"),
        ("de", "vnd"),
        ("fr", "avoit"),
        ("fr", "mesme"),
        ("fr", "iour"),
        ("en", "publick"),
        ("en", "haue"),
        ("en", "vpon"),
    ],
)
def test_old_spellings_are_known(language, old):
    assert Lexicon(language).known(old).is_known


def test_long_s_and_ligatures_are_folded_before_the_look_up():
    assert letter_runs("ﬁnſtern-Vorſtadt d’Été 12th") == ["finstern", "vorstadt", "d", "été", "th"]


def test_german_compounds_of_known_words_are_known():
    assert Lexicon("de").known("verfassungsrath").is_known


def test_a_misreading_is_near_the_word_that_it_was():
    lexicon = Lexicon("en")
    assert lexicon.known("thc").neighbour == 9
    assert lexicon.known("rnother").neighbour >= 7
    assert lexicon.known("the").neighbour == 0
    assert "mother" in set(likely_originals("rnother"))


def test_a_word_with_an_accent_too_many_is_told_from_a_stranger():
    known = Lexicon("es").known("séñor")
    assert (known.is_known, known.has_own_accents) == (False, True)
    assert bare("séñor") == "senor"


def test_a_word_of_another_language_is_foreign():
    assert Lexicon("fr").known("zwischen").is_foreign


def test_strange_letters_are_odder_than_plain_ones():
    lexicon = Lexicon("en")
    assert lexicon.known("xqkz").oddness > lexicon.known("brandling").oddness


def test_a_language_without_list_and_dictionary_has_no_unknown_words():
    lexicon = Lexicon("tlh")
    assert lexicon.is_empty
    assert lexicon.known("qapla").is_known


def test_the_language_is_told_from_the_words_unless_the_catalogue_says_it():
    text = letter_runs(
        "es war einmal ein kleines mädchen das hatte jedermann lieb der sie nur ansah"
    )
    assert language_of(text) == "de"
    assert language_of(text, said="pt-BR") == "pt"
    assert language_of(letter_runs("qqq www kkk")) == ""
    assert language_of([]) == ""


def test_a_dictionary_of_the_system_is_asked_for_what_the_list_has_not(tmp_path, monkeypatch):
    (tmp_path / "it_IT.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S a e a\n", "utf-8")
    (tmp_path / "it_IT.dic").write_text("1\ntelevisiona/S\n", "utf-8")
    monkeypatch.setattr(hunspell, "SYSTEM", (tmp_path,))
    dictionary.cache_clear()
    assert Lexicon("it").known("televisione").is_known
    assert opened(tmp_path / "it_IT.aff").lookup("televisiona")
    dictionary.cache_clear()


def test_a_dictionary_that_makes_no_sense_counts_as_none(tmp_path, monkeypatch):
    (tmp_path / "xx_XX.aff").write_bytes(b"SET no-such-encoding\nREP nonsense\n")
    (tmp_path / "xx_XX.dic").write_bytes(b"\xff\xfe")
    monkeypatch.setattr(hunspell, "SYSTEM", (tmp_path,))
    dictionary.cache_clear()
    assert dictionary("xx") is None
    dictionary.cache_clear()


def test_lists_are_small_and_sorted_within_their_classes():
    assert languages() == ("de", "en", "es", "fr", "it")
    words = word_list("fr")
    assert words is not None
    assert all(word == word.lower() and word.isalpha() for word in words)


def test_a_list_is_made_from_the_books_of_its_language(tmp_path):
    book = tmp_path / "la-book.txt"
    book.write_text("Arma virumque cano, arma ſunt. x²", "utf-8")
    with tarfile.open(tmp_path / "corpus.tar", "w") as archive:
        archive.add(book, "books/la-book.txt")
    counts = counted(tmp_path / "corpus.tar")
    assert counts == {"la": Counter({"arma": 2, "virumque": 1, "cano": 1, "sunt": 1})}
    assert lzma.decompress(packed(counts["la"])).decode() == "1\narma\n0\ncano\nsunt\nvirumque"


def test_other_spellings_never_repeat_the_word_itself():
    assert "haus" not in set(other_spellings("haus", "de"))
