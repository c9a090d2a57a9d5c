from __future__ import annotations

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chunks import chunks

pytestmark = pytest.mark.unit

PAGES = st.lists(st.integers(0, 400), unique=True).map(sorted)


@given(PAGES, st.integers(1, 20))
def test_chunks_cover_every_page_once_in_order(pages, size):
    assert list(chain.from_iterable(chunks(pages, size))) == pages


@given(PAGES, st.integers(1, 20))
def test_a_chunk_is_consecutive_and_no_longer_than_asked(pages, size):
    for chunk in chunks(pages, size):
        assert 1 <= len(chunk) <= size
        assert all(after == before + 1 for before, after in pairwise(chunk))


@given(st.integers(1, 300), st.integers(1, 20))
def test_without_gaps_no_more_chunks_than_needed(count, size):
    assert len(list(chunks(range(count), size))) == -(-count // size)
