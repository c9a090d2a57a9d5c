"""Numbers on the screen: three figures, the person's own signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from ui.numbers import bytes_text, share, short, whole

pytestmark = pytest.mark.ui


@pytest.fixture
def german():
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (400, "400 B"),
        (1000, "0.98 KB"),
        (2**20, "1 MB"),
        (int(11.2 * 2**30), "11.2 GB"),
        (24 * 2**30, "24 GB"),
        (999 * 2**30 + 2**29, "0.98 TB"),
        (141 * 2**30, "141 GB"),
    ],
)
def test_bytes_as_cards_are_sold(count, text):
    assert bytes_text(count) == text


@given(st.integers(0, 2**50))
def test_any_size_is_short(count):
    assert len(bytes_text(count)) <= 8


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.421, "0.42"), (8.4, "8.4"), (9.96, "10"), (41.22, "41.2"), (511.7, "512")],
)
def test_three_figures_are_enough(value, text):
    assert short(value) == text


@pytest.mark.usefixtures("german")
def test_signs_are_those_of_the_country():
    assert short(8.4) == "8,4"
    assert whole(91204) == "91.204"


def test_a_share_names_both_numbers():
    assert share(9, 348) == "9 of 348"
