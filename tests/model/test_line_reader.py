"""The line reader on drawn pages and on real scans; it never touches the network."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from rapidfuzz.distance import Levenshtein

from model.api import (
    Block,
    Engine,
    EngineChoice,
    Kind,
    PageEnd,
    PageImage,
    PageRead,
    Piece,
    Recogniser,
    Stop,
    load,
)
from model.errors import EngineUnavailable, PageUnreadable
from model.line_reader import LineReader
from tests.model.drawn_pages import DrawnPage, Sheet, page_of_prose, slip
from tests.recogniser_contract import Pages, RecogniserContract, pages_of, pieces_of, read_all

pytestmark = pytest.mark.model

CHOICE = EngineChoice(Engine.LINE_READER)


@pytest.fixture(scope="module")
def reader() -> Iterator[LineReader]:
    with LineReader(CHOICE) as reader:
        yield reader


def blocks_of(reader: Recogniser, page: DrawnPage | PageImage) -> tuple[Block, ...]:
    image = page.image if isinstance(page, DrawnPage) else page
    (read,) = pages_of(read_all(reader, Pages([image])))
    return read.blocks


class TestLineReaderKeepsTheContract(RecogniserContract):
    def build(self) -> Recogniser:
        return load(CHOICE)

    def page(self, number: int) -> PageImage:
        return slip(number).image

    @pytest.fixture
    def recogniser(self, reader: LineReader) -> Recogniser:
        return reader


def test_drawn_page_is_read_letter_by_letter(reader: LineReader):
    heading, first, second = blocks_of(reader, page_of_prose(0))
    assert (heading.kind, heading.text) == (Kind.HEADING, "THE COPY")
    assert first.text == (
        "The printer set the words by hand,\none letter after another, in the\ndark room."
    )
    assert second.text == "Of these 12 copies were sold at\nonce, and none came back to him."
    assert {first.kind, second.kind} == {Kind.TEXT}


def test_every_line_is_one_piece(reader: LineReader):
    steps = read_all(reader, Pages([page_of_prose().image]))
    (page,) = pages_of(steps)
    assert page.steps == len(pieces_of(steps)) == sum(len(block.lines) for block in page.blocks)


def test_words_lie_where_they_were_drawn(reader: LineReader):
    page = page_of_prose()
    found = [
        (block.text[word.start : word.end], word.box)
        for block in blocks_of(reader, page)
        for word in block.words
    ]
    assert [text for text, _ in found] == [text for text, _ in page.words]
    for (_, box), (_, drawn) in zip(found, page.words, strict=True):
        assert box.left == pytest.approx(drawn.left, abs=14)
        assert box.right == pytest.approx(drawn.right, abs=14)
        assert box.top < drawn.top + 8
        assert box.bottom > drawn.bottom - 8


@pytest.mark.parametrize("degrees", [-2.0, 1.5])
def test_skewed_page_is_read_in_the_same_order(reader: LineReader, degrees: float):
    sheet = Sheet(1300, 800)
    for i, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"]):
        sheet.line(60, 120 + i * 60, f"the {word} line on the left")
        sheet.line(700, 120 + i * 60, f"the {word} line on the right")
    blocks = blocks_of(reader, sheet.page(degrees=degrees))
    lines = [line for block in blocks for line in block.text.split("\n")]
    assert [line.split()[-1] for line in lines] == ["left"] * 6 + ["right"] * 6
    assert [line.split()[1] for line in lines[:3]] == ["first", "second", "third"]


def test_table_keeps_its_cells(reader: LineReader):
    sheet = Sheet(1000, 600)
    rows = [
        ("Paper", "ream", "12"),
        ("Ink", "pound", "30"),
        ("Type", "case", "7"),
        ("Glue", "pot", "5"),
    ]
    for i, row in enumerate(rows):
        for left, cell in zip((80, 420, 760), row, strict=True):
            sheet.line(left, 120 + i * 70, cell)
    (table,) = blocks_of(reader, sheet.page())
    assert table.kind is Kind.TABLE
    assert [tuple(cell.text for cell in row) for row in table.rows] == rows
    assert table.text == "\n".join("\t".join(row) for row in rows)


def test_first_row_in_capitals_heads_a_table(reader: LineReader):
    sheet = Sheet(900, 500)
    for i, row in enumerate(
        [("ITEM", "PRICE"), ("paper", "twelve"), ("ink", "nine"), ("glue", "two")]
    ):
        sheet.line(80, 90 + i * 70, row[0])
        sheet.line(520, 90 + i * 70, row[1])
    (table,) = blocks_of(reader, sheet.page())
    assert [row[0].is_heading for row in table.rows] == [True, False, False, False]


def test_dropped_initial_that_the_detector_misses_begins_its_word(reader: LineReader):
    sheet = Sheet(1400, 2000)
    sheet.line(60, 100, "W", size=150)
    sheet.line(230, 120, "HEN the book was bound it")
    sheet.line(230, 180, "lay on the table for a year")
    sheet.line(60, 240, "and nobody came to take it away")
    sheet.line(60, 300, "until the summer of that year.")
    (block,) = blocks_of(reader, sheet.page())
    assert block.text.startswith("WHEN the book was bound it\nlay on the table")


def test_text_that_runs_up_the_page_is_read(reader: LineReader):
    sheet = Sheet(900, 900)
    sheet.line(100, 400, "printed upwards in the margin")
    upwards = np.ascontiguousarray(np.rot90(sheet.page().image.pixels))
    (block,) = blocks_of(reader, PageImage(upwards))
    assert block.text == "printed upwards in the margin"
    first, last = block.words[0].box, block.words[-1].box
    assert first.top > last.bottom
    assert first.height > first.width


def test_only_the_thread_that_reads_steps_back():
    priorities: list[int] = []

    def read() -> None:
        with LineReader(CHOICE):
            priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
    assert priorities == ([10] if sys.platform == "linux" else [before])


def test_stop_waits_for_one_strip_only(reader: LineReader):
    stop = Stop()
    steps = []
    for step in reader.read([page_of_prose().image], stop):
        steps.append(step)
        if len(steps) == 2:
            stop.ask()
    first, second, page = steps
    assert isinstance(page, PageRead)
    assert page.end is PageEnd.STOPPED
    assert isinstance(first, Piece)
    assert isinstance(second, Piece)
    assert page.steps == 2


def test_image_without_height_is_unreadable(reader: LineReader):
    image = PageImage(np.zeros((0, 100, 3), np.uint8))
    with pytest.raises(PageUnreadable):
        list(reader.read([image], Stop()))
    assert blocks_of(reader, page_of_prose())


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 900), (900, 3), (40, 40)])
def test_tiny_image_is_an_empty_page(reader: LineReader, width: int, height: int):
    assert blocks_of(reader, PageImage(np.full((height, width, 3), 200, np.uint8))) == ()


def test_noise_is_not_text(reader: LineReader):
    noise = np.random.default_rng(7).integers(0, 255, (600, 500, 3), dtype=np.uint8)
    assert blocks_of(reader, PageImage(noise)) == ()


def test_source_names_the_models(reader: LineReader):
    source = reader.source
    assert source.engine == "line-reader"
    assert "PP-OCRv6" in source.version
    assert len(source.checkpoint) == 16
    assert source.device == "cpu"


def test_it_reads_with_every_socket_blocked_and_without_rapidocr_itself():
    program = """
import socket, sys
def refuse(*_, **__): raise AssertionError("the network was asked for")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from model.api import Engine, EngineChoice, PageRead, Stop, load
from tests.model.drawn_pages import page_of_prose
with load(EngineChoice(Engine.LINE_READER)) as reader:
    *_, page = reader.read([page_of_prose().image], Stop())
    assert isinstance(page, PageRead) and page.blocks
print(sorted({"rapidocr", "requests", "torch"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_absent_model_is_an_error_and_not_a_download(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    empty = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: empty)
    with pytest.raises(EngineUnavailable, match="PP-OCRv6_det_small"):
        load(CHOICE)
    (tmp_path / "models").mkdir()
    for name in ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"):
        (tmp_path / "models" / name).write_bytes(b"not a model")
    with pytest.raises(EngineUnavailable, match="cannot be opened"):
        load(CHOICE)


def test_absent_wheel_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineUnavailable, match="rapidocr"):
        load(CHOICE)


@pytest.mark.slow
def test_small_type_on_a_large_sheet_is_looked_at_more_closely(reader: LineReader):
    sheet = Sheet(2600, 4000)
    true = [f"the line of number {i} in small type on a large sheet" for i in range(40)]
    for i, text in enumerate(true):
        sheet.line(100, 200 + i * 26, text, size=22)
    read = [line for block in blocks_of(reader, sheet.page()) for line in block.text.split("\n")]
    assert read == true


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit"),
    [("es-pardo-1894", 0.012), ("en-se2-textonly1", 0.03), ("en-ccc-rudiments1", 0.035)],
)
def test_real_scan_is_read_well_and_in_order(
    reader: LineReader, shared: Path, name: str, limit: float
):
    true = " ".join((shared / "dev" / f"{name}.gt.txt").read_text(encoding="utf-8").split())
    pixels = np.array(Image.open(shared / "dev" / f"{name}.jpg").convert("RGB"))
    text = " ".join(" ".join(block.text.split()) for block in blocks_of(reader, PageImage(pixels)))
    assert Levenshtein.distance(text, true) / len(true) < limit
