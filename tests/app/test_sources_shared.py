"""The awkward files beside the checkout: which open, as what, and which are refused, what code.

Means and sizes were looked at on a contact sheet before they were written down.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from PIL import Image, ImageStat

from app.errors import SourceError
from app.sources.source import Source
from tests.programs import absent

pytestmark = pytest.mark.unit


class Opens(NamedTuple):
    pages: int
    sizes: tuple[tuple[int, int], ...]
    means: tuple[float, float, float] | float  # of the first page; one number: it is grey
    password: str | None = None
    needs: str = ""  # a program


class Refused(NamedTuple):
    code: str
    password: str | None = None


class PageRefused(NamedTuple):
    code: str


BOOK = ((2950, 5006),)
FILES: dict[str, Opens | Refused | PageRefused] = {
    "16bit.cropped.jp2": Opens(1, ((64, 64),), 1),
    "aes256-user-view-owner-master.pdf": Opens(30, ((2550, 3300),), 255, password="view"),
    "baiona_alpha.png": Opens(1, ((640, 682),), (240, 241, 232)),
    "baiona_colormapped.png": Opens(1, ((640, 682),), (240, 241, 232)),
    "balloon_trunc2.jp2": PageRefused("page_undecodable"),
    "book-4p.djvu": Opens(4, BOOK * 3 + ((1576, 2512),), 223, needs="ddjvu"),
    "book-6p-g4.tif": Opens(6, BOOK * 6, 223),
    "book-mixed-password-archive.pdf": Opens(
        3, ((1576, 2512), (2504, 1504), (2950, 5006)), (236, 227, 211), password="archive"
    ),
    "book.cbz": Opens(3, ((1576, 2512), (1504, 2504), (1616, 2504)), (236, 227, 211)),
    "ccitt.pdf": Opens(1, ((2550, 3300),), 235),
    "cmyk-lzw.tif": Opens(1, ((788, 1256),), (236, 227, 211)),
    "cmyk.pdf": Opens(1, ((900, 900),), (252, 252, 252)),
    "corruptionOneByteMissing.pdf": Opens(1, ((2550, 3300),), 254),
    "empty.pdf": Refused("source_empty"),
    "empty_protected.pdf": Opens(1, ((2550, 3300),), 255),
    "encryption_openpassword.pdf": Refused("password_wrong", password="not known"),
    "enormous.pdf": Opens(1, ((9000, 9000),), 254),
    "graph_ocred.pdf": Opens(1, ((958, 400),), (245, 245, 244)),
    "hopper_orientation_6.jpg": Opens(1, ((128, 128),), (90, 80, 95)),
    "hugemono.pdf": PageRefused("page_too_large"),
    "invalid.pdf": Refused("source_damaged"),
    "jbig2.pdf": Opens(1, ((2550, 3300),), 235),
    "lichtenstein.pdf": Opens(1, ((512, 512),), 34),
    "multipage.tiff": Opens(3, ((10, 10), (10, 10), (20, 20)), (0, 128, 0)),
    "newspaper.pdf": Opens(1, ((2497, 4056),), 161),
    "old-style-jpeg-compression.tif": Opens(1, ((4160, 870),), (78, 85, 78)),
    "rotation.pdf": Opens(2, ((2550, 3300), (3300, 2550)), 255),
    "xref_command_missing.pdf": Opens(1, ((833, 208),), 243),
    "zero-pages.pdf": Refused("source_empty"),
}


@pytest.mark.parametrize("name", FILES)
def test_an_awkward_file_opens_right_or_is_refused_in_words(shared, name):
    path = shared / "files" / name
    match FILES[name]:
        case Opens() as expected:
            if expected.needs and not shutil.which(expected.needs):
                absent(expected.needs)
            assert_opens(path, expected)
        case Refused(code, password):
            with pytest.raises(SourceError) as raised:
                Source.open([path], password=password)
            assert raised.value.code == code
            assert name in str(raised.value)
        case PageRefused(code):
            with Source.open([path]) as source, pytest.raises(SourceError) as raised:
                source.render(0, fit=(100, 100))
            assert raised.value.code == code


def assert_opens(path: Path, expected: Opens) -> None:
    with Source.open([path], password=expected.password) as source:
        assert source.info.page_count == expected.pages
        sizes = [source.page_info(page).size[:2] for page in range(len(expected.sizes))]
        assert sizes == list(expected.sizes)
        for page in range(expected.pages):
            raster = source.render(page, fit=(400, 400))
            assert max(raster.width_px, raster.height_px) <= 400
            if page == 0:
                mode = "L" if raster.channels == 1 else "RGB"
                size = (raster.width_px, raster.height_px)
                means = ImageStat.Stat(Image.frombytes(mode, size, raster.data)).mean
                assert means == pytest.approx(np.ravel(expected.means), abs=2)


def test_every_awkward_file_is_in_the_table(shared):
    there = {path.name for path in (shared / "files").iterdir() if path.suffix != ".tsv"}
    assert there == set(FILES)


def test_a_djvu_without_its_program_names_the_package(shared, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="djvulibre-bin") as raised:
        Source.open([shared / "files" / "book-4p.djvu"])
    assert raised.value.code == "source_unsupported"


def test_a_djvu_that_ends_too_early_loses_only_its_last_pages(shared, tmp_path):
    if not shutil.which("ddjvu"):
        absent("ddjvu")
    path = tmp_path / "cut.djvu"
    path.write_bytes((shared / "files" / "book-4p.djvu").read_bytes()[:300_000])
    with Source.open([path]) as source:
        assert source.render(0, fit=(100, 100)).height_px == 100
        with pytest.raises(SourceError, match="ends too early"):
            source.render(3)


def test_the_real_scans_open_at_every_size(shared):
    with Source.open([shared / "dev"]) as source:
        assert source.info.page_count == 15
        for page, name in enumerate(source.info.names):
            with Image.open(shared / "dev" / name) as image:
                assert source.page_info(page).size[:2] == image.size
                raster = source.render(page, fit=(300, 300))
            assert max(raster.width_px, raster.height_px) == 300
