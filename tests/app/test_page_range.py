"""Ranges of pages as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import UserFacing
from app.page_range import page_of, pages_of, range_of

pytestmark = pytest.mark.unit

# four Roman pages, then 1 to 6, a plate without number, and 12a
LABELS = ("i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6", "", "12a")


def test_single_pages_stretches_and_an_open_end():
    assert pages_of("1-3, 5, 10-", 12) == (0, 1, 2, 4, 9, 10, 11)


def test_an_open_beginning_starts_at_the_first_page():
    assert pages_of("-3", 12) == (0, 1, 2)


@pytest.mark.parametrize("given", ["2–4", "2 - 4", "2−4", " 2-4 ; ", "4,3,2,3", "2\n3\n4"])
def test_what_gets_pasted_is_understood(given):
    assert pages_of(given, 12) == (1, 2, 3)


def test_roman_labels_are_printed_numbers():
    assert pages_of("ii-iv", 12, LABELS) == (1, 2, 3)
    assert pages_of("IV", 12, LABELS) == (3,)


def test_a_plain_number_is_the_scan_and_p_makes_it_the_printed_one():
    assert pages_of("5", 12, LABELS) == (4,)
    assert pages_of("p5", 12, LABELS) == (8,)
    assert pages_of("p. 2-4", 12, LABELS) == (5, 6, 7)
    assert pages_of("pp. 2-p. 4", 12, LABELS) == (5, 6, 7)


def test_a_stretch_may_begin_printed_and_end_open():
    assert pages_of("p. 6-", 12, LABELS) == (9, 10, 11)


def test_a_label_with_a_hyphen_is_one_page():
    assert pages_of("A-2", 3, ("A-1", "A-2", "A-3")) == (1,)
    assert page_of("A-3", 3, ("A-1", "A-2", "A-3")) == 2


def test_the_end_of_a_stretch_is_sought_behind_its_beginning():
    twice = ("1", "2", "3", "1", "2", "3")  # two parts bound together
    assert pages_of("4-p2", 6, twice) == (3, 4)


@pytest.mark.parametrize(
    "given",
    [
        "",
        " , ",
        "0",
        "13",
        "5-2",
        "1-13",
        "x",
        "1-2-3",
        "-",
        "p",
        "p99",
        "1.5",
        "²",
        "iv",
        "9" * 5000,
    ],
)
def test_what_names_no_page_is_refused_with_what_was_given(given):
    with pytest.raises(UserFacing) as refused:
        pages_of(given, 12)
    assert refused.value.code == "pages_unknown"
    assert refused.value.parameters == {"given": given.strip(), "count": 12}


def test_going_to_a_page_takes_both_numbers():
    assert page_of("12", 12, LABELS) == 11
    assert page_of("p. 1", 12, LABELS) == 4
    assert page_of("12A", 12, LABELS) == 11
    with pytest.raises(UserFacing):
        page_of("1-2", 12, LABELS)


def test_pages_are_written_as_the_shortest_range():
    assert range_of([0, 1, 2, 4, 9, 10]) == "1-3, 5, 10-11"
    assert range_of([]) == ""


@given(st.sets(st.integers(0, 400), min_size=1))
def test_written_ranges_are_read_back_the_same(pages):
    assert pages_of(range_of(pages), 401) == tuple(sorted(pages))


@given(st.text("0123456789-–, ;pivxa", max_size=12), st.integers(1, 30))
def test_any_text_gives_pages_of_the_book_or_one_error(text, count):
    try:
        pages = pages_of(text, count, LABELS)
    except UserFacing:
        return
    assert pages
    assert list(pages) == sorted(set(pages))
    assert 0 <= pages[0] <= pages[-1] < count
