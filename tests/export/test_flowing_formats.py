"""HTML, EPUB, plain text and TEI: what each says of a book, and how it takes what is awkward."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from app.book import PageSize, PageState, Region
from app.errors import SourceError
from app.export.chapters import chapters
from app.export.document import ExportOptions, build
from app.export.formats import FLOWING
from app.export.plain import ranges
from app.sources.values import Raster
from model.api import Box, Cell, Kind
from tests.export.placed import placed_book
from tests.export.samples import Leaves, book, leaf, small_book, text
from tests.export.test_formats import write

pytestmark = pytest.mark.unit

EXPECTED = Path(__file__).with_name("expected")
TEI = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
XHTML = "{http://www.w3.org/1999/xhtml}"
_CHANGING = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "MOMENT"),
    (re.compile(r"(exported: |Incunable [\d.]+, |when=\")\d{4}-\d\d-\d\d"), r"\1DATE"),
    (re.compile(r"Incunable [\d.]+"), "Incunable VERSION"),
    (re.compile(r'(ident="Incunable" version=")[\d.]+'), r"\1VERSION"),
]
PACKED = {"epub": "", "docx": r"^word/(?:document|footnotes|comments)\.xml$"}
NEW = ("html", "epub", "text", "tei")
EVERY_NEW = pytest.mark.parametrize("name", NEW)


def written(path: Path, name: str, leaves: Leaves, **options) -> str:
    """An export as one text."""
    target = path / f"b{FLOWING[name].suffix}"
    report = write(target, FLOWING[name], leaves, options=ExportOptions(**options), replace=True)
    assert report
    assert report.pages == len(leaves)
    if name not in PACKED:
        return target.read_text("utf-8")
    with zipfile.ZipFile(target) as parts:
        names = [each for each in parts.namelist() if re.search(PACKED[name], each)]
        return "".join(f"=== {each}\n{parts.read(each).decode()}\n" for each in names)


def steady(found: str) -> str:
    found = re.sub(r"(?=<w:(?:p|tbl|tr|footnote|comment|sectPr)[ >])", "\n", found)
    for changing, word in _CHANGING:
        found = changing.sub(word, found)
    return found


@pytest.mark.parametrize("name", [*NEW, "docx"])
def test_the_file_is_as_expected(tmp_path, name):
    """To renew: write `steady(...)` over the file, and read the difference."""
    found = steady(written(tmp_path, name, small_book(), doubts_as_comments=True))
    assert found == (EXPECTED / f"small.{name}.txt").read_text("utf-8")


@EVERY_NEW
def test_as_many_pages_come_out_as_went_in(tmp_path, name):
    for marks in ("marks", "breaks", "none"):
        found = written(tmp_path, name, small_book(), page_marks=marks)
        pages = found.count("\f") if name == "text" else len(re.findall(r'id="p\d+"', found))
        assert pages == 12


@EVERY_NEW
def test_running_heads_come_only_if_asked_for(tmp_path, name):
    assert "THE FIRST CHAPTER" not in written(tmp_path, name, small_book())
    assert "THE FIRST CHAPTER" in written(tmp_path, name, small_book(), running_heads=True)


@EVERY_NEW
def test_words_broken_at_line_ends_are_joined_only_if_asked_for(tmp_path, name):
    plain = re.sub(r"<lb[^>]*>", "", written(tmp_path, name, small_book()))
    assert "brewer kept" in plain
    kept = re.sub(r"<lb[^>]*>", "", written(tmp_path, name, small_book(), join_hyphens=False))
    assert re.search(r"brew-\s*er kept", kept)


@EVERY_NEW
def test_every_script_and_no_forbidden_character(tmp_path, name):
    odd = "天地玄黃 𝔘𝔫𝔦 e\u0301a\u0364 \x07\x0b\ufffe<b>&amp; ]]> שלום"
    found = written(tmp_path, name, [leaf(0, text(odd), text("שלום עולם"))])
    for word in ("天地玄黃", "𝔘𝔫𝔦", "e\u0301a\u0364", "שלום עולם"):
        assert word in found
    assert "\x07" not in found
    assert "\ufffe" not in found


def large_table() -> Region:
    """Two hundred rows of seven columns; each tenth row spans, the heading does."""
    head = (Cell("Year", 2, 1, is_heading=True), Cell("Towns", 1, 6, is_heading=True))
    names = tuple(Cell(f"t{n}", is_heading=True) for n in range(6))
    body = [
        (Cell(f"r{row}"), Cell("all & sundry", 1, 6))
        if row % 10 == 0
        else tuple(Cell(f"c{row}.{column}") for column in range(7))
        for row in range(198)
    ]
    return Region(Kind.TABLE, "", rows=(head, names, *body))


@EVERY_NEW
def test_a_long_table_with_spans_loses_no_cell(tmp_path, name):
    found = written(tmp_path, name, [leaf(0, large_table())])
    for row in range(198):
        assert f"r{row}" in found if row % 10 == 0 else f"c{row}.6" in found
    if name in {"html", "epub"}:
        assert 'rowspan="2"' in found
        assert found.count('colspan="6"') == 21
    if name == "tei":
        assert found.count('cols="6"') == 21
        assert '<table rows="200" cols="7">' in found


@EVERY_NEW
def test_a_note_on_a_note_is_kept(tmp_path, name):
    nested = [
        leaf(
            0,
            text("The barrel* stood."),
            text("* Not a cask¹ of wine.", "¹ Nor of beer.", kind=Kind.NOTE),
        )
    ]
    found = written(tmp_path, name, nested)
    assert "Nor of beer." in found
    assert "Not a cask" in found


@EVERY_NEW
def test_pages_without_text_are_still_there(tmp_path, name):
    bare = [leaf(0, text("One.")), leaf(1), leaf(2, text("")), leaf(3, text("Four."))]
    found = written(tmp_path, name, bare)
    assert found.index("One.") < found.index("Four.")


# --- what each has of its own --------------------------------------------------------------------


class _Open(HTMLParser):
    """The elements that were opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        del attrs
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in {"meta", "br"}:
            assert self.open.pop() == tag


def test_html_closes_what_it_opens_and_fetches_nothing(tmp_path):
    found = written(tmp_path, "html", small_book())
    parser = _Open()
    parser.feed(found)
    parser.close()
    assert parser.open == []
    assert "src=" not in found
    assert "<script" not in found
    assert "http" not in found


def test_html_leads_to_each_note_and_back(tmp_path):
    found = written(tmp_path, "html", small_book())
    names = re.findall(r'id="([^"]+)"', found)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]+)"', found)) <= set(names)
    assert 'data-label="iv"' in found


def test_text_of_a_script_that_runs_to_the_left_says_so(tmp_path):
    found = written(tmp_path, "html", [leaf(0, text("שלום עולם"), text("Peace."))])
    assert '<p dir="rtl">שלום' in found
    assert "<p>Peace." in found


def test_epub_puts_each_note_where_its_text_is(tmp_path):
    """A page on which a chapter ends and another begins has the notes of both at its foot."""
    page = leaf(
        0,
        text("First", kind=Kind.HEADING),
        text("The barrel* stood."),
        text("Second", kind=Kind.HEADING),
        text("A cask† fell."),
        text("* Of oak.", "† Of wine.", kind=Kind.NOTE),
    )
    leaves = [page, leaf(1, text("Then came winter."))]
    document = build(book(leaves), lambda: leaves)
    first, second = (" ".join(map(str, each.blocks)) for each in chapters(document.blocks()))
    assert "Of oak." in first
    assert "Of oak." not in second
    assert "Of wine." in second
    assert "winter" in second
    found = written(tmp_path, "epub", leaves)
    for chapter in found.split("=== ")[1:]:
        names = re.findall(r'id="([^"]+)"', chapter)
        assert set(re.findall(r'href="#([^"]+)"', chapter)) <= set(names)


def test_epub_cuts_a_long_text_without_headings(tmp_path):
    leaves = [leaf(n, text("Word " * 12_000 + "end.")) for n in range(12)]
    found = written(tmp_path, "epub", leaves)
    assert found.count("=== OEBPS/chapter-") == 3


def test_epub_lists_the_printed_pages(tmp_path):
    found = written(tmp_path, "epub", small_book())
    nav = ElementTree.fromstring(found.split("=== OEBPS/nav.xhtml\n")[1].split("\n===")[0].strip())
    lists = nav.findall(f".//{XHTML}nav")
    names = [[link.text for link in each.iter(f"{XHTML}a")] for each in lists]
    assert names[0][1:] == ["A History of Beer-brewing", "by J. Smith & Sons", "Of the Malt"]
    assert names[1] == ["1", "2", "1", "2", "3", "6", "7", "iv", "9", "x", "11", "12"]


def test_plain_text_says_first_which_scans_follow(tmp_path):
    head, *pages = written(tmp_path, "text", small_book()[2:5]).split("\f")
    assert head.endswith("scans: 3-5\n\n")
    assert len(pages) == 3
    assert pages[0].startswith("[p. 1, scan 3]\n\nOf the Malt\n\nThe barrel* stood")
    assert "* Not a cask." in pages[2]  # after the paragraph that runs on over three pages


@pytest.mark.parametrize(
    ("numbers", "said"),
    [((), ""), ((0,), "1"), ((0, 1, 2), "1-3"), ((0, 2, 3, 7), "1, 3-4, 8")],
)
def test_scans_are_named_as_ranges(numbers, said):
    assert ranges(numbers) == said


def test_tei_points_from_every_line_to_its_place(tmp_path):
    root = ElementTree.fromstring(written(tmp_path, "tei", placed_book(), running_heads=True))
    zones = {each.get(ID): each for each in root.iter() if each.get(ID, "").startswith("f")}
    targets = [name for each in root.iter() for name in each.get("facs", "").split()]
    assert targets
    assert {name.lstrip("#") for name in targets} <= set(zones)
    lines = [each for each in root.iter(f"{TEI}lb") if each.get("facs")]
    assert len(lines) > 8
    first = zones[lines[0].get("facs", "#")[1:]]
    assert first.get("subtype") in {"exact", "estimated"}


def test_tei_begins_a_page_within_a_word_that_runs_on(tmp_path):
    found = written(tmp_path, "tei", small_book())
    assert (
        'the bar<pb xml:id="p4" n="2" facs="#f4" break="no"/>'
        '<lb facs="#f4r2l1" break="no" rend="-"/>rels,'
    ) in found


def test_tei_keeps_a_place_that_was_measured(tmp_path):
    region = Region(Kind.TEXT, "One line.", Box(10, 20, 300, 50))
    found = written(tmp_path, "tei", [leaf(0, region)])
    assert (
        '<zone xml:id="f1r1" type="text" subtype="exact" ulx="10" uly="20" lrx="300" lry="50"/>'
        in found
    )


# --- what a person noted on pages ----------------------------------------------------------------


def noted_book() -> Leaves:
    """A paragraph that runs over a page, a page without a text, one that is left out."""
    return [
        leaf(0, text("A text that goes", "on and"), note="margin *torn*,\nask <Anna>\x07"),
        leaf(1, text("on to its end."), state=PageState.PROOFREAD),
        leaf(2, state=PageState.FAILED, note="scan again"),
        leaf(3, state=PageState.BLANK, note="a flyleaf"),
    ]


SAID = ("margin torn, ask Anna", "scan again", "a flyleaf")


def bare(found: str) -> str:
    """What is said, whatever the format does to single signs."""
    return re.sub(r"&lt;|&gt;|[\\\\<*>]", "", re.sub(r"</?[a-z]\w*:?[^<>]*>", "", found))


@pytest.mark.parametrize("name", FLOWING)
def test_notes_on_pages_stand_behind_their_page_and_are_no_text_of_it(tmp_path, name):
    found = bare(written(tmp_path, name, noted_book(), page_marks="none"))
    for said in SAID:
        assert found.count(said) == 1
    if name != "tei":  # which says so by its elements
        assert f"[proofreader's note on scan 1: {SAID[0]}]" in found
    assert "A text that goes on and on to its end." in " ".join(found.split())
    assert found.index("its end.") < found.index(SAID[0]) < found.index(SAID[1])
    without = bare(written(tmp_path, name, noted_book(), page_notes=False))
    assert not any(said in without for said in SAID)


def test_tei_says_of_a_note_that_it_is_the_editors_and_of_which_page(tmp_path):
    root = ElementTree.fromstring(written(tmp_path, "tei", noted_book()))
    notes = [each for each in root.iter(f"{TEI}note") if each.get("type") == "editorial"]
    assert [(each.get("subtype"), each.get("target")) for each in notes] == [
        ("page", "#p1"),
        ("page", "#p3"),
        ("page", "#p4"),
    ]
    assert notes[0].text == "margin *torn*, ask <Anna>"
    assert {f"#{each.get(ID)}" for each in root.iter(f"{TEI}pb")} > {"#p1", "#p3", "#p4"}


# --- pictures ------------------------------------------------------------------------------------


class Scan:
    """A grey page with a dark picture in it; the second page is damaged."""

    def size(self, page: int) -> PageSize:
        del page
        return PageSize(400, 600)

    def parts(self, page: int, *, archival: bool) -> None:
        del page, archival

    def raster(self, page: int) -> Raster:
        if page == 1:
            raise SourceError("page_damaged", name="scan", page=2)
        image = Image.new("L", (400, 600), 255)
        image.paste(30, (100, 200, 300, 400))
        return Raster(400, 600, 1, image.tobytes(), 1.0)


ILLUSTRATED = [
    leaf(
        number,
        Region(Kind.FIGURE, "", Box(100, 200, 300, 400)),
        text(f"A brewer, {number}", kind=Kind.CAPTION),
        text("And so on."),
    )
    for number in range(2)
] + [leaf(2, Region(Kind.FIGURE, ""))]  # nobody knows where


def illustrated(path: Path, name: str, *, pictures: bool) -> Path:
    target = path / f"b{FLOWING[name].suffix}"
    options = ExportOptions(pictures=pictures)
    assert write(target, FLOWING[name], ILLUSTRATED, options=options, images=Scan())
    return target


@pytest.mark.parametrize("name", ["html", "epub"])
def test_pictures_come_from_the_scan_where_it_has_them(tmp_path, name):
    target = illustrated(tmp_path, name, pictures=True)
    if name == "html":
        found = target.read_text("utf-8")
        (data,) = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', found)
        jpeg = base64.b64decode(data)
    else:
        with zipfile.ZipFile(target) as parts:
            found = parts.read("OEBPS/chapter-0001.xhtml").decode()
            jpeg = parts.read("OEBPS/picture-0001.jpg")
            assert 'href="picture-0001.jpg"' in parts.read("OEBPS/package.opf").decode()
    image = Image.open(io.BytesIO(jpeg))
    assert image.size == (200, 200)
    assert max(image.tobytes()) < 60  # nothing but the dark picture
    assert 'alt="A brewer, 0"' in found
    assert found.count("[figure]") == 2  # of the damaged page, and of the place nobody knows


@pytest.mark.parametrize("name", ["html", "epub", "text"])
def test_no_picture_comes_unasked(tmp_path, name):
    target = illustrated(tmp_path, name, pictures=name == "text")
    assert b"JFIF" not in target.read_bytes()
    assert b"base64" not in target.read_bytes()
