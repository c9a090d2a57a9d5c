"""Books in archives, and the order of pages."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import SourceError
from app.sources.order import natural_key
from app.sources.source import Source, SourceKind
from tests.app.make_sources import SIZE, encoded, make_tiff, make_zip, page_image

pytestmark = pytest.mark.unit

PAGE = encoded(page_image(), "PNG")


def test_a_cbz_opens_in_natural_order_without_its_junk(tmp_path):
    files = {
        "book/page 10.png": encoded(page_image(3), "PNG"),
        "book/page 9.png": encoded(page_image(2), "PNG"),
        "cover.png": encoded(page_image(1), "PNG"),
        "book/appendix/1.jpg": encoded(page_image(4)),
        "book/Thumbs.db": b"-",
        "__MACOSX/book/._page 9.png": b"-",
        "book/.DS_Store": b"-",
        ".git/x.png": b"-",
        "ComicInfo.xml": b"-",
    }
    with Source.open([make_zip(tmp_path / "book.cbz", files)]) as source:
        assert source.info.kind is SourceKind.CBZ
        assert source.info.names == (
            "cover.png", "book/page 9.png", "book/page 10.png", "book/appendix/1.jpg",
        )  # fmt: skip
        shades = [source.render(page).data[0] for page in range(4)]
    assert shades == pytest.approx([50, 60, 70, 80], abs=2)


def test_a_compressed_tiff_inside_an_archive_opens(tmp_path):
    tiff = make_tiff(tmp_path / "page.tif", [page_image(mode="1")], compression="group4")
    path = make_zip(tmp_path / "book.cbz", {"page.tif": tiff.read_bytes()})
    with Source.open([path]) as source:
        assert source.render(0).width_px == SIZE[0]


@pytest.mark.parametrize(
    "name", ["../page.png", "a/../../page.png", "/page.png", "C:\\page.png", "..\\page.png"]
)
def test_an_archive_whose_names_climb_out_is_refused(tmp_path, name):
    path = make_zip(tmp_path / "book.cbz", {"1.png": PAGE, name: PAGE})
    with pytest.raises(SourceError, match="outside of it") as raised:
        Source.open([path])
    assert raised.value.code == "source_damaged"
    assert [each.name for each in tmp_path.iterdir() if each.name != "home"] == ["book.cbz"]


def test_an_entry_that_would_unpack_to_gigabytes_fails_alone(tmp_path):
    path = make_zip(tmp_path / "bomb.cbz", {"1.png": PAGE, "2.png": PAGE})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    data[first + 24 : first + 28] = (2 << 30).to_bytes(4, "little")  # size of what is packed
    path.write_bytes(data)
    with Source.open([path]) as source:
        with pytest.raises(SourceError, match="too large") as raised:
            source.render(0)
        assert raised.value.code == "page_undecodable"
        assert source.render(1).width_px == SIZE[0]


def test_a_damaged_entry_fails_alone(tmp_path):
    noise = random.Random(1).randbytes(5000)
    path = make_zip(tmp_path / "book.cbz", {"1.png": PAGE + noise, "2.png": PAGE})
    data = bytearray(path.read_bytes())
    data[4000] ^= 0xFF
    path.write_bytes(data)
    with Source.open([path]) as source:
        with pytest.raises(SourceError) as raised:
            source.render(0)
        assert raised.value.code == "page_undecodable"
        assert source.render(1).width_px == SIZE[0]


def test_archives_that_hold_no_page_or_are_none_are_refused_in_words(tmp_path):
    empty = make_zip(tmp_path / "empty.cbz", {"readme.txt": b"-"})
    with pytest.raises(SourceError) as raised:
        Source.open([empty])
    assert raised.value.code == "source_empty"
    other = tmp_path / "other.cbz"
    other.write_bytes(b"Rar!\x1a\x07\x00")
    with pytest.raises(SourceError, match="not a ZIP archive"):
        Source.open([other])
    rar = tmp_path / "book.cbr"
    rar.write_bytes(b"Rar!\x1a\x07\x00")
    with pytest.raises(SourceError, match="RAR archive") as raised:
        Source.open([rar])
    assert raised.value.code == "source_unsupported"


def test_a_locked_archive_is_refused_in_words(tmp_path):
    path = make_zip(tmp_path / "book.cbz", {"1.png": PAGE})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag of an encrypted entry
    path.write_bytes(data)
    with pytest.raises(SourceError, match="locked with a password"):
        Source.open([path])


NAMES = st.text(st.sampled_from("ab01239 /."), max_size=12)


@given(st.lists(NAMES, max_size=8), st.randoms())
def test_the_order_does_not_depend_on_the_order_given(names, dice):
    shuffled = list(names)
    dice.shuffle(shuffled)
    assert sorted(shuffled, key=natural_key) == sorted(names, key=natural_key)


@given(
    st.text("abc ", max_size=5),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.text("xyz", max_size=3),
)
def test_numbers_in_names_sort_by_value(before, one, other, after):
    keys = [natural_key(f"{before}{number}{after}") for number in (one, other)]
    assert (keys[0] < keys[1]) == (one < other)


def test_a_name_of_very_many_digits_sorts():
    assert natural_key("9" * 5000 + ".png") < natural_key("a.png")
