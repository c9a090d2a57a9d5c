"""The book that the benches walk is what its numbers say: own pages, large enough, a true scan."""

from __future__ import annotations

import pymupdf
import pytest

from app.sources.source import Source
from tests.bench.make_book import A5_PX, LEAST_BYTES, make_scanned_pdf, with_comment

pytestmark = pytest.mark.unit


def test_every_page_has_its_own_large_jpeg(tmp_path):
    path = make_scanned_pdf(tmp_path / "book.pdf", 3)
    with pymupdf.open(path) as document:
        assert not document.is_repaired
        xrefs = [page.get_images()[0][0] for page in document]
        streams = [document.xref_stream_raw(xref) or b"" for xref in xrefs]
    assert len(set(streams)) == 3
    assert min(map(len, streams)) >= LEAST_BYTES
    with Source.open([path]) as source:
        assert source.page_info(2).size == (*A5_PX, 300)
        assert source.render(2, fit=(1200, 1600)).channels == 1


def test_a_book_that_is_there_is_not_made_again(tmp_path):
    path = tmp_path / "book.pdf"
    path.write_bytes(b"<</Type/Pages/Count 7/Kids[]>> %%EOF\n")
    assert make_scanned_pdf(path, 7).read_bytes().startswith(b"<</Type/Pages")


def test_a_comment_makes_another_file_of_the_same_picture(tmp_path):
    jpeg = b"\xff\xd8\xff\xdb rest"
    assert with_comment(jpeg, b"ab") == b"\xff\xd8\xff\xfe\x00\x04ab\xff\xdb rest"
