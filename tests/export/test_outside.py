"""Archive formats proved with software that nobody here wrote.

Where a program is absent the test says so; in CI (`CI=true`) that is red. `.ci/run` installs them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

from app.accuracy import score
from app.book import Region
from app.export.document import ExportOptions
from app.export.images import QueuedImages
from app.pages import open_pages
from model.api import Box, Kind
from tests.export.placed import SIZE, exact, export_paged, placed_book
from tests.export.samples import leaf, small_book
from tests.export.test_pdf import draw_scans
from tests.programs import absent

pytestmark = [pytest.mark.unit, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
TRUE = "Of the malt that stood\nin the house of a brewer,\nand what he did with it."
READ = "Of the rnalt that stood\nin the house of a brewcr,\nand what he did wilh it."


def program(name: str) -> str:
    """Where a program of others is."""
    folders = (ROOT / "build/dinglehopper/bin", Path(sys.executable).parent)
    found = next((str(each / name) for each in folders if (each / name).exists()), None)
    found = found or shutil.which(name)
    if found is None:
        absent(name)
    return found


def run(*order: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(order, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module", params=["pdf", "pdfa"])
def pdf(request, tmp_path_factory) -> Path:
    """The placed book with its scans."""
    folder = tmp_path_factory.mktemp("outside")
    draw_scans(folder / "scans")
    queue = open_pages([folder / "scans"])
    try:
        assert export_paged(request.param, folder / "b.pdf", images=QueuedImages(queue))
    finally:
        queue.close()
    return folder / "b.pdf"


def words_of(number: int) -> list[str]:
    reading = placed_book()[number][1]
    assert reading is not None
    return " ".join(region.text for region in reading.regions).split()


def test_qpdf_finds_no_fault(pdf):
    checked = run(program("qpdf"), "--check", pdf)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "No syntax or stream encoding errors found" in checked.stdout
    assert "WARNING" not in checked.stdout + checked.stderr


def test_pdftotext_gives_the_words_in_order(pdf):
    for order in ((), ("-raw",)):
        text = run(program("pdftotext"), "-f", "1", "-l", "1", *order, pdf, "-").stdout
        if order:  # as the file has them; without it, words broken at a line's end come joined
            assert text.split() == words_of(0)
        else:
            joined = "".join(text.split()).replace("-", "")
            assert sorted(joined) == sorted("".join(words_of(0)).replace("-", ""))


def test_pdftotext_reads_every_script(pdf):
    text = run(program("pdftotext"), "-f", "3", "-l", "3", pdf, "-").stdout
    plain = "".join(c for c in text if c not in "\u202a\u202b\u202c\u200e\u200f\f")
    # on a page that runs to the left, poppler turns letters of the astral planes as well
    odd = {"e\u0301a\u0364", "𝔘𝔫𝔦"}
    assert set(words_of(2)) - set(plain.split()) <= odd
    assert "שלום עולם" in plain


def test_pdftotext_reads_astral_planes_and_loose_marks(tmp_path):
    draw_scans(tmp_path / "scans")
    text = "𝔘𝔫𝔦 e\u0301a\u0364 «ſt» — 天地 I"
    queue = open_pages([tmp_path / "scans" / "1.jpg"])
    try:
        leaves = [leaf(0, exact(text, Box(100, 300, 480, 340)), size=SIZE)]
        export_paged("pdf", tmp_path / "b.pdf", leaves, images=QueuedImages(queue))
    finally:
        queue.close()
    assert run(program("pdftotext"), tmp_path / "b.pdf", "-").stdout.split() == text.split()


def test_pdfium_gives_the_words_in_order(pdf):
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 6
    text = document[0].get_textpage().get_text_range()
    # \ufffe is how PDFium says that a hyphen joins two lines
    assert text.replace("\ufffe", "- ").split() == words_of(0)
    hebrew, *_others = document[2].get_textpage().get_text_range().splitlines()
    assert hebrew.strip() == "שלום עולם"


def test_pdfium_selects_a_word_where_it_was_printed(pdf):
    page = pypdfium2.PdfDocument(pdf)[0].get_textpage()
    points = 72 / 200
    stood = pdf_box(Box(130, 305, 180, 330), page_height=SIZE.height_px * points, points=points)
    assert page.get_text_bounded(*stood).strip() == "stood"


def pdf_box(box: Box, *, page_height: float, points: float) -> tuple[float, float, float, float]:
    return (
        box.left * points,
        page_height - box.bottom * points,
        box.right * points,
        page_height - box.top * points,
    )


def test_pdfium_knows_labels_and_outline(pdf):
    document = pypdfium2.PdfDocument(pdf)
    assert [document.get_page_label(n) for n in range(4)] == ["iv", "1", "2", ""]
    assert [entry.get_title() for entry in document.get_toc()] == ["Of the Malt"]


@pytest.mark.parametrize(
    ("name", "schema"), [("alto", "alto-4-4.xsd"), ("page", "pagecontent-2019-07-15.xsd")]
)
def test_xmllint_finds_the_files_valid(tmp_path, shared, name, schema):
    schemas = shared / "schemas"
    if not (schemas / schema).exists():
        pytest.skip("the schemas do not lie beside this checkout")
    catalogue = tmp_path / "catalogue.xml"
    catalogue.write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"><system systemId='
        f'"http://www.loc.gov/standards/xlink/xlink.xsd" uri="{schemas / "xlink.xsd"}"/></catalog>'
    )
    export_paged(name, tmp_path / "placed")
    export_paged(name, tmp_path / "small", small_book())
    pages = [*tmp_path.glob("placed/page_*"), *tmp_path.glob("small/page_*")]
    for files, judge in ((pages, schema), ([*tmp_path.glob("*/mets.xml")], "mets-1.12.1.xsd")):
        checked = subprocess.run(
            [program("xmllint"), "--noout", "--nonet", "--schema", schemas / judge, *files],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "XML_CATALOG_FILES": str(catalogue)},
        )
        assert checked.returncode == 0, checked.stderr
        assert checked.stderr.count(" validates") == len(files)


def test_alto_tools_reads_the_text_and_the_confidence(tmp_path):
    # version 0.1.0 gives the first part of a broken word twice and loses the second, if it is told
    # that they are parts (SUBS_TYPE)
    export_paged("alto", tmp_path / "book", options=ExportOptions(join_hyphens=False))
    page = tmp_path / "book" / "page_0001.xml"
    assert run(program("alto-tools"), page, "-t").stdout.split() == words_of(0)
    assert "90" in run(program("alto-tools"), page, "-c").stdout


def test_alto_tools_finds_the_picture(tmp_path):
    export_paged("alto", tmp_path / "book")
    found = run(program("alto-tools"), tmp_path / "book" / "page_0002.xml", "-i").stdout
    assert found.strip().endswith("=400,800,500,100")  # height, width, top, left


@pytest.mark.parametrize("name", ["alto", "page"])
def test_dinglehopper_measures_the_error_that_we_measure(tmp_path, name):
    box = Box(100, 100, 900, 220)
    for folder, text in (("true", TRUE), ("read", READ)):
        heading = Region(Kind.HEADING, "A heading", Box(100, 20, 900, 60))
        export_paged(name, tmp_path / folder, [leaf(0, heading, exact(text, box), size=SIZE)])
    files = [tmp_path / folder / "page_0001.xml" for folder in ("true", "read")]
    done = run(program("dinglehopper"), *files, "report", tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "report.json").read_text())
    ours = score(f"A heading\n{READ}", f"A heading\n{TRUE}").strict.rate
    assert ours > 0
    assert abs(100 * found["cer"] - 100 * ours) < 0.05
