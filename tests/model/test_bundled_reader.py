"""The checkpoint that comes with the application, whole, reading real pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rapidfuzz.distance import Levenshtein

from model.api import Engine, PageEnd, PageImage, PageRead, Recogniser, Stop, choose, load

pytestmark = [pytest.mark.model, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def reader() -> Iterator[Recogniser]:
    with load(choose(None, Engine.READER)) as recogniser:  # its files are held to its manifest
        yield recogniser


def read(reader: Recogniser, image: Image.Image) -> PageRead:
    pixels = np.asarray(image.convert("RGB"))
    steps = reader.read([PageImage(pixels)], Stop(), mode="parallel")
    (page,) = [step for step in steps if isinstance(step, PageRead)]
    return page


def test_a_real_page_is_read_by_the_bundled_reader(reader: Recogniser, shared: Path):
    assert reader.source.engine == "reader"
    scan = shared / "dev" / "es-sioen-1879.png"
    page = read(reader, Image.open(scan))
    found = " ".join(" ".join(block.text for block in page.blocks).split())
    true = " ".join(scan.with_suffix(".gt.txt").read_text(encoding="utf-8").split())
    assert Levenshtein.distance(found, true) / len(true) < 0.03
    assert page.end is PageEnd.DONE
    assert all(word.score is not None for block in page.blocks for word in block.words)


@pytest.mark.parametrize("degrees", [90, 180])
def test_a_page_that_lies_wrong_is_left_empty_and_not_guessed_at(
    reader: Recogniser, shared: Path, degrees: int
):
    scan = Image.open(shared / "dev" / "es-pardo-1894.jpg")
    assert read(reader, scan.rotate(degrees, expand=True)).blocks == ()
