from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Page, PageState
from app.store.matching import match_pages

pytestmark = pytest.mark.unit


def read_pages(images: Sequence[str]) -> tuple[Page, ...]:
    return tuple(
        Page(number, state=PageState.READ, reading_id=number + 1, fingerprint=image)
        for number, image in enumerate(images)
    )


def test_the_same_scan_matches_page_by_page():
    matching = match_pages(read_pages("abc"), "abc")
    assert matching == ({0: 0, 1: 1, 2: 2}, frozenset(), ())


def test_pages_put_in_and_taken_out_shift_the_others():
    assert match_pages(read_pages("abcd"), "abxcd").was == {0: 0, 1: 1, 3: 2, 4: 3}
    matching = match_pages(read_pages("abcd"), "abd")
    assert matching.was == {0: 0, 1: 1, 2: 3}
    assert matching.kept == (2,)


def test_a_page_that_moved_is_known_by_its_image():
    assert match_pages(read_pages("abcd"), "dabc").was == {0: 3, 1: 0, 2: 1, 3: 2}


def test_a_page_scanned_anew_keeps_its_place_and_is_told():
    matching = match_pages(read_pages("abcd"), "aBcd")
    assert matching.was == {0: 0, 1: 1, 2: 2, 3: 3}
    assert matching.replaced == {1}


def test_pages_never_opened_match_by_their_place():
    old = [Page(0, fingerprint="a"), Page(1), Page(2, fingerprint="c")]
    matching = match_pages(old, "abc")
    assert matching.was == {0: 0, 1: 1, 2: 2}
    assert matching.replaced == frozenset()
    assert match_pages([Page(0), Page(1)], "abc") == ({}, frozenset(), ())


def test_equal_blank_leaves_keep_their_order():
    assert match_pages(read_pages("a__b__"), "a__xb__").was == {0: 0, 1: 1, 2: 2, 4: 3, 5: 4, 6: 5}


def test_another_scan_altogether_keeps_all_that_was_read():
    assert match_pages(read_pages("abc"), "xy").kept == (0, 1, 2)


pages = st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=8)


@given(pages, pages)
def test_every_page_with_a_text_has_one_place_or_is_kept(before, new):
    old = read_pages(before)
    matching = match_pages(old, new)
    placed = list(matching.was.values())
    assert sorted([*placed, *matching.kept]) == list(range(len(old)))
    assert all(0 <= number < len(new) for number in matching.was)
    for number, was in matching.was.items():
        if number not in matching.replaced:
            assert new[number] == before[was] or "" in (new[number], before[was])
