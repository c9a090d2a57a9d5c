"""ALTO, PAGE and hOCR: a valid file a page, bound by METS; a folder is whole or is not there."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - it has no types

from app.book import Details, PageState, Region, Source
from app.errors import ExportError
from app.export.document import ExportOptions
from app.export.formats import PAGED
from model.api import Box, Kind, Stop
from tests.export.placed import export_paged, placed_book
from tests.export.samples import leaf, small_book, text

pytestmark = pytest.mark.unit

FOLDERS = [name for name, kind in PAGED.items() if kind.is_folder]
EVERY = pytest.mark.parametrize("name", FOLDERS)
EXPECTED = Path(__file__).with_name("expected")
SCHEMAS = {"alto": "alto-4-4.xsd", "page": "pagecontent-2019-07-15.xsd"}
A = "{http://www.loc.gov/standards/alto/ns-v4#}"
P = "{http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15}"
M = "{http://www.loc.gov/METS/}"
H = "{http://www.w3.org/1999/xhtml}"
_CHANGING = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
    (re.compile(r"Incunable [\d.]+"), "Incunable VERSION"),
    (re.compile(r"(Incunable</softwareName>\s*<softwareVersion>)[\d.]+"), r"\1VERSION"),
    (re.compile(r'(CHECKSUM="|SIZE=")\w+'), r"\1..."),
]  # fmt: skip


def only(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name != "home")


def parsed(path: Path):
    return etree.parse(path).getroot()


def as_one_text(folder: Path) -> str:
    """All files of a folder, without what changes from day to day."""
    parts = [f"== {path.name}\n{path.read_text('utf-8')}" for path in sorted(folder.iterdir())]
    text = "".join(parts)
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return text


@EVERY
def test_the_folder_is_as_expected(tmp_path, name):
    """To renew: write `as_one_text` over the file, and read the difference."""
    assert export_paged(name, tmp_path / "book")
    expected = (EXPECTED / f"placed.{name}.txt").read_text("utf-8")
    assert as_one_text(tmp_path / "book") == expected


@EVERY
def test_as_many_pages_come_out_as_went_in(tmp_path, name):
    report = export_paged(name, tmp_path / "book")
    assert report
    assert report.pages == 6
    assert len(only(tmp_path / "book")) == 6 + 1
    assert only(tmp_path) == ["book"]


@EVERY
def test_books_without_any_place_and_with_awkward_text_are_found_again(tmp_path, name):
    assert export_paged(name, tmp_path / "book", small_book(), details=Details())
    awkward = text("a*b <f>g</f>&amp; \x00\x0b\ufffe\ud83d ]]> \u2028 \"'", "𝔘 e\u0301", "  ")
    assert export_paged(name, tmp_path / "awkward", [leaf(0, awkward)])
    for folder in ("book", "awkward"):
        for path in (tmp_path / folder).iterdir():
            parsed(path)


@EVERY
def test_only_the_chosen_pages_are_bound(tmp_path, name):
    export_paged(name, tmp_path / "book", options=ExportOptions(pages=(0, 2)))
    mets = parsed(tmp_path / "book" / "mets.xml")
    assert [page.get("ORDER") for page in mets.iter(f"{M}div") if page.get("TYPE") == "page"] == [
        "1",
        "3",
    ]


@EVERY
def test_files_are_named_after_the_images(tmp_path, name):
    names = ["Täfel 1.JPG", "a/b/c.tif", "x/c.png", "mets.jpg", "", ".jpg"]
    leaves = [
        (replace(page, name=given), reading)
        for given, (page, reading) in zip(names, placed_book(), strict=True)
    ]
    export_paged(name, tmp_path / "book", leaves)
    stems = {Path(each).stem for each in only(tmp_path / "book")}
    assert stems == {
        "Täfel 1", "c", "c_0003", "mets", "mets_0004", "page_0005", "jpg",
    }  # fmt: skip


@EVERY
def test_schemas_hold(tmp_path, name, shared):
    export_paged(name, tmp_path / "book", [*small_book(), *placed_book_after(12)])
    mets = schema(shared, "mets-1.12.1.xsd")
    pages = schema(shared, SCHEMAS[name]) if name in SCHEMAS else None
    for path in (tmp_path / "book").iterdir():
        judge = mets if path.name == "mets.xml" else pages
        if judge is not None:
            assert judge.validate(etree.parse(path)), (path.name, judge.error_log)


def placed_book_after(first: int):
    return [(replace(page, number=page.number + first), reading) for page, reading in placed_book()]


def schema(shared: Path, name: str) -> etree.XMLSchema:
    folder = shared / "schemas"
    if not (folder / name).exists():
        pytest.skip(f"{name} does not lie beside this checkout")

    class Beside(etree.Resolver):
        def resolve(self, system_url, public_id, context):
            if system_url.endswith("xlink.xsd"):
                return self.resolve_filename(str(folder / "xlink.xsd"), context)
            return None

    parser = etree.XMLParser()
    parser.resolvers.add(Beside())
    return etree.XMLSchema(etree.parse(folder / name, parser))


def noted(leaves, *notes: str):
    return [
        (replace(page, note=note), reading)
        for note, (page, reading) in zip(notes, leaves, strict=False)
    ]


def test_page_tells_what_was_noted_on_a_page_and_stays_valid(tmp_path, shared):
    leaves = noted(placed_book(), "margin torn:\nask <Anna>\x07", "")
    export_paged("page", tmp_path / "book", leaves)
    first, second = (parsed(tmp_path / "book" / f"page_000{n}.xml") for n in (1, 2))
    assert [each.text for each in first.iter(f"{P}Comments")] == ["margin torn:\nask <Anna>"]
    assert not list(second.iter(f"{P}Comments"))
    assert schema(shared, SCHEMAS["page"]).validate(first)
    assert "torn" not in "".join(each.text for each in first.iter(f"{P}Unicode"))
    export_paged("page", tmp_path / "bare", leaves, options=ExportOptions(page_notes=False))
    assert not list(parsed(tmp_path / "bare" / "page_0001.xml").iter(f"{P}Comments"))


# --- what the formats say -----------------------------------------------------------------------


def test_alto_tells_the_order_three_times_and_the_same(tmp_path):
    export_paged("alto", tmp_path / "book")
    top = parsed(tmp_path / "book" / "page_0001.xml")
    blocks = [each.get("ID") for each in top.iter(f"{A}TextBlock")]
    assert [each.get("REF") for each in top.iter(f"{A}ElementRef")] == blocks
    assert [each.get("IDNEXT") for each in top.iter(f"{A}TextBlock")] == [*blocks[1:], None]


def test_alto_says_who_read_and_who_corrected(tmp_path):
    export_paged("alto", tmp_path / "book")
    by_machine = parsed(tmp_path / "book" / "page_0001.xml").find(f".//{A}Processing")
    assert by_machine.findtext(f".//{A}softwareName") == "line-reader"
    assert "checkpoint 0123456789abcdef" in by_machine.findtext(f"{A}processingStepSettings")
    by_hand = parsed(tmp_path / "book" / "page_0002.xml").find(f".//{A}Processing")
    assert by_hand.findtext(f"{A}processingCategory") == "contentModification"
    assert by_hand.findtext(f"{A}processingAgency") == "Ada"


def test_alto_keeps_the_printed_hyphen_and_tells_the_whole_word(tmp_path):
    export_paged("alto", tmp_path / "book")
    top = parsed(tmp_path / "book" / "page_0001.xml")
    parts = [each for each in top.iter(f"{A}String") if each.get("SUBS_TYPE")]
    assert [(each.get("CONTENT"), each.get("SUBS_CONTENT")) for each in parts[2:]] == [
        ("brew-", "brewer"),
        ("er", "brewer"),
    ]


def test_alto_marks_estimated_places_alone(tmp_path):
    export_paged("alto", tmp_path / "book")
    for number, marked in ((1, False), (4, True)):
        top = parsed(tmp_path / "book" / f"page_{number:04d}.xml")
        tags = {(each.get("TAGREFS") or "") for each in top.iter(f"{A}String")}
        assert tags == ({"TAG_estimated"} if marked else {""})


def test_page_gives_the_current_text_first_and_others_after_it(tmp_path):
    export_paged("page", tmp_path / "book")
    region = parsed(tmp_path / "book" / "page_0001.xml").findall(f".//{P}TextRegion")[2]
    texts = [(e.get("index"), e.findtext(f"{P}Unicode")) for e in region.findall(f"{P}TextEquiv")]
    assert texts == [
        ("0", "It stood in the malt-\nhouse where a brew-\ner lived — I"),
        ("1", "It stcod in the malt-\nhouse where a brew-\ner lived — l"),
    ]
    line = region.find(f"{P}TextLine")
    assert [e.findtext(f"{P}Unicode") for e in line.findall(f"{P}TextEquiv")] == [
        "It stood in the malt-",
        "It stcod in the malt-",
    ]
    assert "unlimited-ocr 2" in line.findall(f"{P}TextEquiv")[1].get("comments")


def test_page_puts_cells_into_the_reading_order(tmp_path):
    export_paged("page", tmp_path / "book")
    top = parsed(tmp_path / "book" / "page_0002.xml")
    cells = [each.get("id") for each in top.iterfind(f".//{P}TableRegion/{P}TextRegion")]
    order = top.find(f".//{P}OrderedGroupIndexed")
    assert [each.get("regionRef") for each in order] == cells
    assert top.find(f".//{P}TableCellRole[@colSpan='2']") is not None


def test_mets_binds_text_and_scan_with_printed_numbers(tmp_path):
    export_paged("alto", tmp_path / "book")
    mets = parsed(tmp_path / "book" / "mets.xml")
    pages = [each for each in mets.iter(f"{M}div") if each.get("TYPE") == "page"]
    assert [page.get("ORDERLABEL") for page in pages] == ["iv", "1", "2", None, None, None]
    assert [page.get("LABEL") for page in pages][-2:] == ["blank", "failed"]
    named = {each.get("ID"): each[0].get("{http://www.w3.org/1999/xlink}href")
             for each in mets.iter(f"{M}file")}  # fmt: skip
    assert [named[pointer.get("FILEID")] for pointer in pages[0]] == [
        "page_0001.xml",
        "scan.pdf#page=1",
    ]


# --- hOCR, as its specification has it (1.2, sections 2 to 4) -----------------------------------

_CHAIN = ["ocr_page", "ocr_carea", "ocr_par", "ocr_line", "ocrx_word"]


def properties(element) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in element.get("title").split(";"))
    return {name: value for name, _space, value in parts}


def test_hocr_is_built_as_its_specification_says(tmp_path):
    export_paged("hocr", tmp_path / "book")
    for path in sorted((tmp_path / "book").glob("*.hocr")):
        top = parsed(path)
        metas = {each.get("name"): each.get("content") for each in top.iter(f"{H}meta")}
        assert metas["ocr-system"]
        classes = {each.get("class") for each in top.iter() if each.get("class")}
        assert classes - {"ocr_photo"} <= set(metas["ocr-capabilities"].split())
        pages = [each for each in top.iter() if each.get("class") == "ocr_page"]
        assert len(pages) == 1
        assert {"bbox", "image", "ppageno"} <= properties(pages[0]).keys()
        ids = [each.get("id") for each in top.iter() if each.get("id")]
        assert len(ids) == len(set(ids))


def test_every_word_of_hocr_stands_in_the_whole_chain_and_within_its_boxes(tmp_path):
    export_paged("hocr", tmp_path / "book")
    words = 0
    for path in (tmp_path / "book").glob("*.hocr"):
        for word in parsed(path).iter(f"{H}span"):
            if word.get("class") != "ocrx_word":
                continue
            words += 1
            above = [each for each in word.iterancestors() if each.get("class")]
            assert [each.get("class") for each in reversed(above)] == _CHAIN[:-1]
            for inner, outer in zip([word, *above], above, strict=False):
                left, top, right, bottom = map(int, properties(inner)["bbox"].split())
                borders = tuple(map(int, properties(outer)["bbox"].split()))
                assert borders[0] <= left < right <= borders[2]
                assert borders[1] <= top < bottom <= borders[3]
            assert 0 <= int(properties(word).get("x_wconf", "0")) <= 100
    assert words > 40


def test_hocr_lets_no_white_space_into_a_word(tmp_path):
    export_paged("hocr", tmp_path / "book")
    top = parsed(tmp_path / "book" / "page_0001.hocr")
    words = ["".join(each.itertext()) for each in top.iter() if each.get("class") == "ocrx_word"]
    assert words[:6] == ["THE", "MALT", "3", "Of", "the", "Malt"]
    assert not any(re.search(r"\s", word) for word in words)
    assert top.find(f".//{H}em").text == "stood"


# --- whole or not there -------------------------------------------------------------------------


@EVERY
@pytest.mark.parametrize("after", [0, 3, 6])
def test_a_stopped_export_leaves_nothing(tmp_path, name, after):
    stop = Stop()

    def progress(done: int, _pages: int) -> None:
        if done >= after:
            stop.ask()

    assert export_paged(name, tmp_path / "book", progress=progress, stop=stop) is None
    assert only(tmp_path) == []


FULL_DISK = """
import resource, sys
from pathlib import Path
from app.errors import ExportError
from tests.export.placed import export_paged
from tests.export.samples import leaf, text
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
leaves = [leaf(n, text(*(f"line {k}" for k in range(3 + n * 10)))) for n in range(12)]
try:
    export_paged(sys.argv[2], Path(sys.argv[1]), leaves)
except ExportError as error:
    print(error.code)
"""


@EVERY
def test_a_full_disk_in_the_middle_is_said_and_leaves_nothing(tmp_path, name):
    """A limit on the size of files stands for a full disk: the later pages are larger."""
    order = [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path / "book"), name]
    root = Path(__file__).parents[2]
    child = subprocess.run(order, cwd=root, capture_output=True, text=True, check=False)
    assert (child.stdout, child.stderr) == ("export_unwritable\n", "")
    assert only(tmp_path) == []


def test_a_folder_is_replaced_whole_if_asked(tmp_path):
    export_paged("alto", tmp_path / "book")
    with pytest.raises(ExportError) as refused:
        export_paged("page", tmp_path / "book")
    assert refused.value.code == "export_exists"
    export_paged("page", tmp_path / "book", replace=True, options=ExportOptions(pages=(0, 1)))
    assert only(tmp_path / "book") == ["mets.xml", "page_0001.xml", "page_0002.xml"]
    assert parsed(tmp_path / "book" / "page_0001.xml").tag == f"{P}PcGts"
    assert only(tmp_path) == ["book"]


def test_a_folder_with_anything_else_in_it_is_never_replaced(tmp_path):
    export_paged("alto", tmp_path / "book")
    (tmp_path / "book" / "thesis.txt").write_text("mine")
    with pytest.raises(ExportError) as refused:
        export_paged("alto", tmp_path / "book", replace=True)
    assert refused.value.code == "export_folder_foreign"
    assert "book" in str(refused.value)
    assert (tmp_path / "book" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("content", [b"", b"<mets", b"<?xml version='1.0'?><a/>"])
def test_a_folder_that_only_looks_like_an_export_is_never_replaced(tmp_path, content):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "mets.xml").write_bytes(content)
    (tmp_path / "book" / "letter.xml").write_text("mine")
    with pytest.raises(ExportError):
        export_paged("alto", tmp_path / "book", replace=True)
    assert (tmp_path / "book" / "letter.xml").read_text() == "mine"


def test_a_writer_that_loses_a_page_is_found_out(tmp_path, monkeypatch):
    whole = PAGED["alto"]

    def losing(book, folder: Path) -> None:
        whole.write(book, folder)
        mets = (folder / "mets.xml").read_text("utf-8")
        (folder / "mets.xml").write_text(mets.replace('ORDER="3"', 'ORDER="2"'), "utf-8")

    monkeypatch.setitem(PAGED, "alto", replace(whole, write=losing))
    with pytest.raises(ExportError) as refused:
        export_paged("alto", tmp_path / "book")
    assert refused.value.code == "export_differs"
    assert only(tmp_path) == []


def test_nothing_read_is_nothing_to_export(tmp_path):
    unread = [leaf(0, state=PageState.UNREAD), leaf(1, state=PageState.FAILED)]
    with pytest.raises(ExportError) as refused:
        export_paged("alto", tmp_path / "book", unread)
    assert refused.value.code == "export_nothing"


def test_the_picture_of_a_page_is_named_even_where_it_has_quotes(tmp_path):
    region = Region(Kind.TEXT, "x", Box(0, 0, 9, 9))
    page, reading = leaf(0, region, name='a"b;c.jpg')
    export_paged("hocr", tmp_path / "book", [(page, reading)])
    (path,) = (tmp_path / "book").glob("*.hocr")
    title = parsed(path).find(f".//{H}div").get("title")
    assert title.startswith('image "a%22b;c.jpg"; bbox 0 0 ')


def test_an_imported_text_is_not_called_a_persons(tmp_path):
    page, reading = placed_book()[0]
    assert reading is not None
    imported = Source("model", reading.source.date, imported_from="PAGE files there")
    leaves = [(page, replace(reading, source=imported))]
    for name in ("alto", "page", "hocr"):
        export_paged(name, tmp_path / name, leaves)
        found = as_one_text(tmp_path / name)
        assert "imported from PAGE files there" in found
        assert "by hand" not in found
        assert "corrected" not in found
