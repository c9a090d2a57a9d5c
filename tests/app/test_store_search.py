from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import PageState
from app.store import sought
from app.store.database import BookStore, Match
from app.store.migrations import _THIRD
from app.store.search import places_of, query_of
from tests.app.store_books import book_of, correct, large_book, machine

pytestmark = pytest.mark.unit


def found(
    looked_for: str,
    text: str,
    *,
    whole_word: bool = False,
    match_case: bool = False,
    ignore_diacritics: bool = False,
) -> list[str]:
    """The stretches of the text in which something is found."""
    query = query_of(
        looked_for,
        whole_word=whole_word,
        match_case=match_case,
        ignore_diacritics=ignore_diacritics,
    )
    return [] if query is None else [text[start:end] for start, end in places_of(query, text)]


@pytest.mark.parametrize(
    ("looked_for", "text", "expected"),
    [
        ("foo bar", "a foo\nbar b", ["foo\nbar"]),
        ("foo  \n bar", "a foo bar b", ["foo bar"]),
        ("foo bar", "a foo  \n \t bar b", ["foo  \n \t bar"]),
        ("foo bar", "foo\tbar", ["foo\tbar"]),
        ("example", "an exam-\nple here", ["exam-\nple"]),
        ("example here", "an exam\u00ad\n  ple\nhere", ["exam\u00ad\n  ple\nhere"]),
        ("example", "exam¬\nple exam⸗\nple exam=\nple", ["exam¬\nple", "exam⸗\nple", "exam=\nple"]),
        ("well-known", "a well-\nknown man", ["well-\nknown"]),
        ("well-known", "a well-known man", ["well-known"]),
        ("wellknown", "a well-\nknown man", ["well-\nknown"]),
        ("a - b", "a -\nb", ["a -\nb"]),
        ("aa", "aaaaa", ["aa", "aa"]),
        ("a.c", "abc a.c", ["a.c"]),
        ("(", "f(x)", ["("]),
        ("", "anything", []),
        (" \n", "any thing", []),
    ],
)
def test_line_ends_and_hyphens_do_not_hide_a_text(looked_for, text, expected):
    assert found(looked_for, text) == expected


@pytest.mark.parametrize(
    ("looked_for", "text", "expected"),
    [
        ("the", "The THE the", ["The", "THE", "the"]),
        ("STRAẞE", "Straße", ["Straße"]),
        ("wisdom", "wiſdom", ["wiſdom"]),
        ("ΟΔΟΣ", "οδος οδοσ", ["οδος", "οδοσ"]),
        ("istanbul", "İstanbul", ["İstanbul"]),
    ],
)
def test_case_is_folded_unless_asked(looked_for, text, expected):
    assert found(looked_for, text) == expected
    assert found(looked_for, text, match_case=True) != expected


def test_case_counts_when_asked():
    assert found("The", "The the THE", match_case=True) == ["The"]


def test_diacritics_count_unless_asked_otherwise():
    text = "café cafe CAFÉ cafe\u0331\u0301s"
    assert found("cafe", text) == ["cafe", "cafe"]
    assert found("cafe", text, ignore_diacritics=True) == ["café", "cafe", "CAFÉ", "cafe"]
    assert found("Café", text, ignore_diacritics=True, match_case=True) == []
    assert found("cafes", text, ignore_diacritics=True) == ["cafe\u0331\u0301s"]
    assert found("CAFÉ", text) == ["café", "CAFÉ"]
    assert found("cafe\u0301", text) == ["café", "CAFÉ"], "the query is composed first"
    assert found("ἀρχη", "ἀρχὴ", ignore_diacritics=True) == ["ἀρχὴ"]


def test_a_whole_word_ends_where_no_letter_goes_on():
    text = "cat concat cat's cats (cat) cat2 cat-nap cat\u0301"
    assert len(found("cat", text, whole_word=True)) == 4
    assert found("cat nap", "cat nap\ncat naps", whole_word=True) == ["cat nap"]


def test_both_halves_and_the_whole_of_a_word_at_a_line_end_are_whole_words():
    text = "a well-\nknown man"
    for word in ("well", "known", "wellknown", "well-known"):
        assert len(found(word, text, whole_word=True)) == 1
    assert found("know", text, whole_word=True) == []


@given(st.text("ab \n-é", max_size=30), st.text("ab -é", min_size=1, max_size=3))
def test_whatever_stands_in_a_text_letter_by_letter_is_found_there(text, looked_for):
    """Line ends aside, nothing that a plain comparison sees may be missed."""
    plain = text.replace("\n", " ")
    if "  " in plain or "  " in looked_for or not looked_for.strip():
        return
    query = query_of(looked_for, whole_word=False, match_case=True, ignore_diacritics=False)
    assert query is not None
    places = places_of(query, text)
    at = plain.find(looked_for)
    assert at < 0 or any(start <= at < end or start == at for start, end in places)
    for start, end in places:
        assert 0 <= start < end <= len(text)
        assert text[start] == looked_for[0] or text[start] == "\n"
        assert text[end - 1] == looked_for[-1] or text[end - 1] == "\n"


@pytest.fixture
def store(tmp_path: Path):
    with BookStore.create(tmp_path / "book.sqlite", book_of(4)) as store:
        yield store


def test_a_match_says_page_region_place_and_context(store):
    store.save_read(0, reading=machine("nothing here"), state=PageState.READ)
    lines = "Of the printers of Venice and\ntheir presses, which were many"
    store.save_read(2, reading=machine("Chap. II", lines), state=PageState.READ)
    assert store.find("venice and their") == (Match(2, 1, 19, 35, lines.replace("\n", " "), 19),)


def test_context_is_of_the_same_block_and_no_longer_than_needed(store):
    store.save_read(
        0, reading=machine("before", "x" * 60 + "here" + "y" * 60, "behind"), state=PageState.READ
    )
    (match,) = store.find("here")
    assert match.context == "x" * 40 + "here" + "y" * 40
    assert match.context[match.at : match.at + match.end - match.start] == "here"
    assert (match.region, match.start) == (1, 60)


def test_nothing_is_found_across_blocks(store):
    store.save_read(0, reading=machine("one", "two", " three"), state=PageState.READ)
    assert store.find("one two") == ()
    assert store.find("two three") == ()
    assert [match.region for match in store.find("t")] == [1, 2]


def test_only_current_readings_are_looked_at(store):
    store.save_read(0, reading=machine("tbe printer"), state=PageState.READ)
    correct(store, 0, "the printer")
    assert store.find("tbe") == ()
    assert [match.page for match in store.find("the")] == [0]
    store.make_current(0, store.history(0)[-1].id)
    assert store.find("the") == ()


def test_another_thread_finds_through_a_reader_of_its_own(store):
    store.save_read(0, reading=machine("printer"), state=PageState.READ)
    with store.reader() as reader:
        assert reader.find("printer", whole_word=True) == store.find("printer")


def indexed(text: str) -> sqlite3.Connection:
    """A database with one reading that is in the index."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE reading (id INTEGER PRIMARY KEY, text TEXT)")
    db.execute("INSERT INTO reading VALUES (1, ?)", (text,))
    for statement in _THIRD[:1]:
        db.execute(statement)
    sought.put(db, 1, text)
    return db


LETTERS = "abſsÀà-\n \u0301'\"ΟÒ文字"


@given(st.text(LETTERS, max_size=24), st.text(LETTERS, min_size=1, max_size=6), st.integers(0, 7))
def test_the_index_hides_nothing_that_stands_in_a_text(text, looked_for, how):
    query = query_of(
        looked_for,
        whole_word=bool(how & 1),
        match_case=bool(how & 2),
        ignore_diacritics=bool(how & 4),
    )
    if query is None or not places_of(query, text):
        return
    condition, values = sought.condition_of(query)
    with contextlib.closing(indexed(text)) as db:
        assert db.execute(f"SELECT id FROM reading WHERE {condition}", values).fetchall()


def test_the_index_leaves_out_pages_that_cannot_have_it(store):
    store.save_read(0, reading=machine("nothing of that kind"), state=PageState.READ)
    store.save_read(1, reading=machine("the printer"), state=PageState.READ)
    query = query_of("Printer")
    assert query is not None
    assert [page for page, _reading, _text in store.texts_with(query)] == [1]
    correct(store, 1, "the binder")
    assert store.texts_with(query) == []
    assert [match.page for match in store.find("binder")] == [1]


def test_readings_of_an_older_book_are_found_before_and_after_they_are_in_the_index(store):
    store.save_read(0, reading=machine("the printer"), state=PageState.READ)
    store.save_read(1, reading=machine("the binder"), state=PageState.READ)
    store._db.execute("DELETE FROM sought")
    assert [match.page for match in store.find("printer")] == [0]
    assert store.index_some() == 2
    assert store.index_some() == 0
    assert [match.page for match in store.find("printer")] == [0]
    query = query_of("printer")
    assert query is not None
    assert len(store.texts_with(query)) == 1


def test_earlier_readings_are_found_when_asked_and_told_apart(store):
    store.save_read(0, reading=machine("tbe printer"), state=PageState.READ)
    correct(store, 0, "the printer")
    query = query_of("printer")
    assert query is not None
    assert store.search(query).total == 1
    found = store.search(query, in_earlier=True)
    assert [match.reading_id for match in found.matches] == [0, store.history(0)[-1].id]


def test_what_is_beyond_the_list_is_counted(store):
    for page in range(3):
        store.save_read(page, reading=machine("so so so"), state=PageState.READ)
    query = query_of("so")
    assert query is not None
    found = store.search(query, most=4)
    assert (len(found.matches), found.total, found.pages) == (4, 9, 3)


def test_patterns_see_words_over_line_ends_and_blocks_apart():
    query = query_of(r"^e\w+ple|Cafe$", is_pattern=True, ignore_diacritics=True)
    assert query is not None
    text = "exam-\nple here\x01un café"
    assert [text[start:end] for start, end in places_of(query, text)] == ["exam-\nple", "café"]
    whole = query_of("ſ.tz", is_pattern=True, whole_word=True)
    assert whole is not None
    assert len(places_of(whole, "Satz, ſitz, Auſſatz")) == 2


def test_three_thousand_pages_are_searched_within_a_second(tmp_path):
    path = large_book(tmp_path / "large.sqlite", pages=3000)
    with BookStore.open(path) as store:
        correct(store, 1234, "quite another text on this one page")
        began_s = time.perf_counter()
        matches = store.find("another text")
        took_s = time.perf_counter() - began_s
    print(f"searched in {took_s:.2f} s")
    assert [match.page for match in matches] == [1234]
    assert took_s < 30  # a hang; make bench measures
