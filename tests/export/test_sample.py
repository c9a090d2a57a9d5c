"""The sample book, from the typesetter's own record of it, as a transcript in every format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

import resources
from app.export.blocks import Note, PageMark, Paragraph, Table, text_of
from app.export.document import ExportOptions, build
from app.export.formats import FORMATS, export
from app.export.images import QueuedImages
from app.pages import open_pages
from model.api import Box, Cell, Kind, Stop, Style
from tests.export.samples import Leaves, book, leaf, text

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def sample() -> Leaves:
    pages = json.loads(resources.path("sample/book.gt.json").read_text("utf-8"))["pages"]
    return [
        leaf(number, *map(region, page["blocks"]), label=page["label"])
        for number, page in enumerate(pages)
    ]


def region(block: dict):
    return text(
        block["text"],
        kind=Kind(block["kind"]),
        box=Box(*block["box"]),
        styles=tuple(Style(*each) for each in block["styles"]),
        rows=tuple(tuple(Cell(cell) for cell in row) for row in block.get("rows", ())),
    )


def test_every_note_finds_its_mark_and_every_table_its_cells(sample):
    blocks = list(build(book(sample), lambda: sample).blocks())
    notes = [block for block in blocks if isinstance(block, Note)]
    printed = [each for _p, r in sample if r for each in r.regions if each.kind is Kind.NOTE]
    assert len(notes) >= len(printed) > 0
    assert all(note.is_linked for note in notes)
    assert sum(isinstance(block, Table) for block in blocks) == sum(
        bool(each.rows) for _page, reading in sample if reading for each in reading.regions
    )


def test_no_word_stays_broken_and_no_running_head_comes_through(sample):
    blocks = list(build(book(sample, language="en"), lambda: sample).blocks())
    whole = "\n".join(text_of(b.inlines) for b in blocks if isinstance(b, Paragraph))
    assert not re.search(r"[^\W\d]- [a-z]", whole)
    heads = {
        each.text
        for _page, reading in sample
        if reading
        for each in reading.regions
        if each.kind in {Kind.RUNNING_HEAD, Kind.PAGE_NUMBER}
    }
    assert heads
    assert heads.isdisjoint(whole.splitlines())


def test_sentences_run_on_over_the_pages(sample):
    blocks = list(build(book(sample), lambda: sample).blocks())
    inside = [
        mark.number
        for block in blocks
        if isinstance(block, Paragraph)
        for mark in block.inlines
        if isinstance(mark, PageMark)
    ]
    assert inside


@pytest.fixture(scope="module")
def scan() -> Iterator[QueuedImages]:
    queue = open_pages([resources.path("sample/book.pdf")])
    yield QueuedImages(queue)
    queue.close()


@pytest.mark.parametrize("kind", FORMATS.values(), ids=FORMATS)
def test_it_is_written_and_found_again(sample, scan, tmp_path, kind):
    report = export(
        book(sample, language="en"),
        lambda: iter(sample),
        tmp_path / "book",
        format=kind,
        options=ExportOptions(),
        progress=lambda _done, _all: None,
        stop=Stop(),
        replace=False,
        images=scan,
    )
    assert report
    assert report.pages == len(sample)
