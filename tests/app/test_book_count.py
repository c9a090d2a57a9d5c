"""How far a book is, in one sentence that adds up."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Page, PageState
from app.book_count import count_text

pytestmark = pytest.mark.unit


def pages(*states: PageState) -> list[Page]:
    return [Page(number, state=state) for number, state in enumerate(states)]


def test_every_state_that_occurs_is_named_in_order():
    states = [PageState.UNREAD, PageState.PROOFREAD, PageState.LOOK, PageState.READ]
    assert count_text(pages(*states, PageState.UNREAD)) == (
        "1 of 5 pages proofread, 1 read, 1 to look at, 2 unread"
    )
    assert count_text([]) == "0 of 0 pages proofread"


@given(st.lists(st.sampled_from(PageState), max_size=50))
def test_the_numbers_add_up_to_the_book(states):
    done, count, *others = map(int, re.findall(r"\d+", count_text(pages(*states))))
    assert count == len(states) == done + sum(others)
