"""The sample book looks like a scan, has all that a book has, and its true text is true."""

from __future__ import annotations

import io
import json
import unicodedata
from collections.abc import Iterator
from itertools import pairwise, product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

import resources
from app.book import PageState
from model.api import Kind
from resources.sample.linebreak import Joint, Piece, Spaces, break_lines
from resources.sample.make import make
from resources.sample.markup import words_of
from resources.sample.paper import MEASURE_PT
from resources.sample.scan import lie_of
from resources.sample.setting import Type, lines_of, set_line
from resources.sample.truth import true_layout, true_text
from resources.sample.typeset import typeset

pytestmark = pytest.mark.unit

SAMPLE = resources.path("sample")
PAGES = 10


@pytest.fixture(scope="module")
def book() -> list[dict[str, Any]]:
    return json.loads((SAMPLE / "book.gt.json").read_text("utf-8"))["pages"]


@pytest.fixture(scope="module")
def text() -> str:
    return (SAMPLE / "book.gt.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def scans() -> list[Image.Image]:
    with pymupdf.open(SAMPLE / "book.pdf") as pdf:
        images = [pdf.extract_image(page.get_images()[0][0])["image"] for page in pdf]
    return [Image.open(io.BytesIO(image)) for image in images]


def of_kind(page: dict[str, Any], kind: Kind) -> list[dict[str, Any]]:
    return [block for block in page["blocks"] if block["kind"] == kind]


# the true files


def test_true_files_are_what_the_typesetter_gives(text: str):
    pages = typeset()
    lies = [lie_of(number, is_recto=page.is_recto) for number, page in enumerate(pages)]
    assert true_text(pages) == text
    assert true_layout(pages, lies) == (SAMPLE / "book.gt.json").read_text("utf-8")


def test_true_text_and_true_layout_agree(book: list[dict[str, Any]], text: str):
    pages = ["\n\n".join(block["text"] for block in page["blocks"]) for page in book]
    assert [page.removesuffix("\n") for page in text.split("\f")] == pages


def test_true_text_is_what_a_reader_would_write(text: str):
    assert unicodedata.is_normalized("NFC", text)
    assert not [letter for letter in text if 0xFB00 <= ord(letter) <= 0xFB4F], "ligatures"
    assert not set("_{}[]@|") & set(text), "marks of the guide"


def test_offsets_of_lines_and_styles_fit_the_text(book: list[dict[str, Any]]):
    for block in (block for page in book for block in page["blocks"]):
        lines = [block["text"][start:end] for start, end, _ in block["lines"]]
        assert "\n".join(lines) == block["text"]
        for start, end, name in block["styles"]:
            styled = block["text"][start:end]
            assert styled == styled.strip()
            assert name != "small_caps" or styled == styled.upper()
        if block["kind"] == Kind.TABLE:
            assert [line.split("\t") for line in lines] == block["rows"]


# what the book is made of


def test_it_has_what_a_book_has(book: list[dict[str, Any]]):
    kinds = {block["kind"] for page in book for block in page["blocks"]}
    assert kinds == {
        Kind.TITLE,
        Kind.HEADING,
        Kind.TEXT,
        Kind.TABLE,
        Kind.NOTE,
        Kind.RUNNING_HEAD,
        Kind.PAGE_NUMBER,
    }
    styles = {style[2] for page in book for block in page["blocks"] for style in block["styles"]}
    assert {"italic", "small_caps"} <= styles
    assert [number for number, page in enumerate(book) if not page["blocks"]] == [1]


def test_words_are_divided_at_line_ends(text: str):
    divided = [line for line in text.splitlines() if line.endswith("-")]
    assert len(divided) >= 12


def test_every_note_is_called_on_its_page(book: list[dict[str, Any]]):
    notes = [(page, note) for page in book for note in of_kind(page, Kind.NOTE)]
    assert len(notes) >= 4
    for page, note in notes:
        mark = note["text"][0]
        assert mark in "*†"
        called = [block for block in of_kind(page, Kind.TEXT) if mark in block["text"]]
        assert len(called) == 1


def test_table_tells_all_page_states(book: list[dict[str, Any]]):
    (table,) = [table for page in book for table in of_kind(page, Kind.TABLE)]
    assert [row[0] for row in table["rows"][1:]] == list(PageState)


def test_one_page_has_two_columns(book: list[dict[str, Any]]):
    middle = book[0]["width_px"] / 2
    sides = [
        {box[0] > middle for box in (block["box"] for block in of_kind(page, Kind.TEXT))}
        for page in book
    ]
    assert sides.count({False, True}) == 1


def test_chapter_opens_with_a_large_initial(book: list[dict[str, Any]]):
    first = of_kind(book[2], Kind.TEXT)[0]
    heights = [bottom - top for _, _, (_, top, _, bottom) in first["lines"]]
    assert heights[0] > 2.5 * max(heights[3:])


def test_printed_numbers_are_the_labels(book: list[dict[str, Any]]):
    printed = [[block["text"] for block in of_kind(page, Kind.PAGE_NUMBER)] for page in book]
    assert printed == [[page["label"]] if page["label"] else [] for page in book]


def test_no_line_sticks_out_of_the_type_area():
    for page in typeset():
        placed = [line for block in page.blocks for row in block.rows for line in row]
        for line in placed:
            last = line.line.runs[-1]
            assert line.x_pt >= page.left_pt - 0.01
            assert line.x_pt + last.x_pt + last.width_pt <= page.left_pt + MEASURE_PT + 0.7


# the scans


def test_pdf_is_a_small_book_with_labels():
    with pymupdf.open(SAMPLE / "book.pdf") as pdf:
        assert [page.get_label() for page in pdf] == ["", "", *map(str, range(1, 9))]
        assert not any(page.get_text() for page in pdf)
        assert [round(side / 72 * 25.4) for side in pdf[0].rect.br] == [148, 210]
        assert pdf.metadata
        assert pdf.metadata["title"] == "How to Read a Book with Incunable"
    assert (SAMPLE / "book.pdf").stat().st_size < 6_000_000


def test_scans_are_as_a_scanner_leaves_them(scans: list[Image.Image], book: list[dict[str, Any]]):
    assert len(scans) == PAGES
    sixty = io.BytesIO()
    Image.new("RGB", (8, 8)).save(sixty, "JPEG", quality=60)
    for scan in scans:
        assert scan.size == (1748, 2480)
        assert scan.quantization[0][0] >= Image.open(sixty).quantization[0][0]  # type: ignore[attr-defined]
        light = np.asarray(scan.convert("L").resize((20, 30)), float)
        assert light.max() > 1.25 * light.min(), "evenly lit"
    assert sum(abs(page["skew_degrees"]) >= 1 for page in book) >= 3


def test_ink_lies_in_the_true_boxes(scans: list[Image.Image], book: list[dict[str, Any]]):
    for number, (scan, page) in enumerate(zip(scans, book, strict=True)):
        if number == 0:
            continue  # the printer's device and the rules of the title have no box
        ink = np.asarray(scan.convert("L")) < 90
        ink[:, :130] = ink[:, -130:] = False  # shadow of the spine
        inside = np.zeros_like(ink)
        for block in page["blocks"]:
            for _, _, (left, top, right, bottom) in block["lines"]:
                assert ink[top:bottom, left:right].any()
                inside[top - 6 : bottom + 6, left - 6 : right + 6] = True
        tables = len(of_kind(page, Kind.TABLE))  # their rules lie beside the boxes
        assert ink[~inside].sum() <= (0.02 + 0.05 * tables) * ink.sum()


def test_blank_page_is_paper_only(scans: list[Image.Image]):
    grey = np.asarray(scans[1].convert("L"))[:, :1600]  # without the spine
    assert grey.min() > 100


@pytest.mark.slow
def test_made_anew_it_is_the_same_book(tmp_path: Path, text: str):
    make(tmp_path)
    assert (tmp_path / "book.gt.txt").read_text("utf-8") == text
    again, before = (folder / "book.pdf" for folder in (tmp_path, SAMPLE))
    assert again.stat().st_size == pytest.approx(before.stat().st_size, rel=0.1)
    with pymupdf.open(again) as pdf:
        assert pdf.page_count == PAGES


# the typesetter

SPACES = Spaces(2.5, 1.0, 0.5)
pieces = st.builds(Piece, st.floats(1, 60), st.sampled_from(Joint))


@given(
    st.lists(pieces, min_size=1, max_size=40), st.lists(st.floats(80, 300), min_size=1, max_size=4)
)
def test_lines_hold_every_piece_once_and_fit(paragraph: list[Piece], measures: list[float]):
    lines = break_lines(paragraph, measures_pt=measures, spaces=SPACES, hyphen_pt=3.0)
    assert [n for start, end in lines for n in range(start, end)] == list(range(len(paragraph)))
    for number, (start, end) in enumerate(lines):
        row = paragraph[start:end]
        gaps = sum(piece.after is Joint.SPACE for piece in row[:-1])
        least = sum(piece.width_pt for piece in row) + gaps * (SPACES.width_pt - SPACES.shrink_pt)
        assert least <= measures[min(number, len(measures) - 1)] + 0.02 or len(row) == 1


@given(st.lists(st.floats(10, 40), min_size=4, max_size=11))
def test_no_other_lines_are_better_for_the_whole_paragraph(widths: list[float]):
    words = [Piece(width, Joint.SPACE) for width in widths]
    found = break_lines(words, measures_pt=[100.0], spaces=SPACES, hyphen_pt=3.0)
    others = [_looseness(widths, lines) for lines in _all_ways(len(widths))]
    best = min(others)
    assume(best < 1e6)  # beyond it very loose lines are left out first
    assert _looseness(widths, found) == pytest.approx(best)


def _all_ways(count: int) -> Iterator[list[tuple[int, int]]]:
    for inner in product((False, True), repeat=count - 1):
        ends = [n for n, cut in enumerate(inner, 1) if cut] + [count]
        yield list(pairwise([0, *ends]))


def _looseness(widths: list[float], lines: list[tuple[int, int]]) -> float:
    """The demerits of Knuth and Plass for lines of 100 points without hyphens."""
    total = 0.0
    for start, end in lines:
        gaps = end - start - 1
        spare = 100.0 - sum(widths[start:end]) - gaps * SPACES.width_pt
        if spare < -gaps * SPACES.shrink_pt - 0.01:
            return inf
        if end == len(widths) and spare >= 0:
            total += 40_000 if spare > 88 else 0
            continue
        give = gaps * (SPACES.stretch_pt if spare > 0 else SPACES.shrink_pt)
        total += (1 + 100 * (abs(spare) / give if give else 24.0) ** 3) ** 2
    return total


def test_justified_lines_end_at_the_measure():
    words = words_of("The *archivist* opens a scanned book and reads what the machine has written.")
    of = Type(11, 14)
    lines = lines_of(words, of, [150.0])
    assert len(lines) > 2
    for line in lines[:-1]:
        runs = set_line(line, of, measure_pt=150, align="justified", marks={}).runs
        assert runs[-1].x_pt + runs[-1].width_pt == pytest.approx(150)


def test_divided_word_is_whole_again_without_its_hyphen():
    words = words_of("incomprehensibilities notwithstanding, characteristically")
    lines = lines_of(words, Type(11, 14), [60.0])
    set_lines = [
        set_line(line, Type(11, 14), measure_pt=60, align="left", marks={}).text for line in lines
    ]
    assert any(line.endswith("-") for line in set_lines[:-1])
    joined = "".join(
        line.removesuffix("-") if line.endswith("-") else line + " " for line in set_lines
    )
    assert joined.split() == ["incomprehensibilities", "notwithstanding,", "characteristically"]
