"""Page files of other programs become readings: whole, in their place, and never trusted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import commands
from app.answers import PagesStored
from app.book import Page
from app.importing.files import FoundFile, files_in, read_file
from app.importing.found import FoundPage
from app.importing.matching import Matcher
from app.importing.taking import ImportOrder
from app.importing.tree import Unreadable, html_tree, xml_tree
from app.imports import ImportEnded
from model.api import Box, Cell, Kind
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.export.placed import MISREAD, OTHER, export_paged, placed_book

pytestmark = pytest.mark.unit

FORMATS = ("alto", "page", "hocr")
EVERY = pytest.mark.parametrize("name", FORMATS)


def found_in(folder: Path) -> list[FoundPage]:
    pages = []
    for path in files_in(folder):
        found = read_file(path)
        if found is not None:
            assert found.trouble == ""
            pages += found.pages
    return pages


def one(path: Path, text: str | bytes) -> FoundFile:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_file(path)
    assert found is not None
    return found


# --- what we write comes back --------------------------------------------------------------------


@EVERY
def test_what_was_exported_comes_back_with_its_places(tmp_path, name):
    export_paged(name, tmp_path / "out")
    pages = found_in(tmp_path / "out")
    assert len(pages) == 6
    for page, (_page, reading) in zip(pages, placed_book(), strict=True):
        regions = page.texts[0]
        assert len(regions) == len(reading.regions if reading else ())
    first, given = pages[0].texts[0], placed_book()[0][1]
    assert given is not None
    for region, was in zip(first, given.regions, strict=True):
        assert (region.kind, region.text) == (was.kind, was.text)
        assert region.box == was.box
        assert [(w.start, w.end, w.box, w.score) for w in region.words] == [
            (w.start, w.end, w.box, w.score) for w in was.words
        ]
        assert {w.origin for w in region.words} <= {"exact"}
    assert first[2].styles == given.regions[2].styles
    assert len(first[2].lines) == 3
    assert pages[0].size == (1000, 1400)


@EVERY
def test_scripts_of_all_kinds_come_back(tmp_path, name):
    export_paged(name, tmp_path / "out")
    texts = [region.text for region in found_in(tmp_path / "out")[2].texts[0]]
    given = placed_book()[2][1]
    assert given is not None
    assert texts == [region.text.replace("e\u0301", "é") for region in given.regions]


@EVERY
def test_estimated_places_are_still_said_to_be(tmp_path, name):
    export_paged(name, tmp_path / "out")
    region = found_in(tmp_path / "out")[3].texts[0][0]
    assert {word.origin for word in region.words} == {"estimated"}


def test_page_keeps_tables_and_every_text_of_a_line(tmp_path):
    export_paged("page", tmp_path / "out", history=lambda page: (OTHER,) if page == 0 else ())
    pages = found_in(tmp_path / "out")
    assert pages[1].texts[0][0].rows == (
        (Cell("Year", is_heading=True), Cell("Beer | wine", 1, 2, is_heading=True)),
        (Cell("1871", 2, 1), Cell("in a bar-\nrel"), Cell("12")),
        (Cell("not\nknown"), Cell("7 & more")),
    )
    ours, theirs = pages[0].texts
    assert theirs[2].text == MISREAD
    assert theirs[3].text == ours[3].text  # nobody else said anything of this region


# --- what others write ---------------------------------------------------------------------------


def test_hocr_of_another_program_is_understood(tmp_path):
    found = one(
        tmp_path / "p1.hocr",
        """<!DOCTYPE html><html><head><meta name=x></head><body>
        <div class='ocr_page' title='image "/scans/p1.tif"; bbox 0 0 2000 3000; ppageno 0'>
        <div class='ocr_carea' title='bbox 100 100 900 300'><p class='ocr_par'>
        <span class='ocr_header' title='bbox 100 100 900 160'>
          <span class='ocrx_word' title='bbox 100 100 300 160; x_wconf 96'><strong>A&amp;B</strong>
          </span> <span class='ocrx_word' title='bbox 320 100 500 160; x_wconf 41'>here</span>
        </span></p></div>
        <span class='ocr_line' title='bbox 100 400 900 440'>A bare line.</span></div>""",
    )
    (page,) = found.pages
    head, line = page.texts[0]
    assert (head.kind, head.text, line.text) == (Kind.HEADING, "A&B here", "A bare line.")
    assert [word.score for word in head.words] == [0.96, 0.41]
    assert head.styles[0].name == "bold"
    assert page.images == ("/scans/p1.tif",)
    assert line.box == Box(100, 400, 900, 440)


def test_alto_of_another_program_is_understood(tmp_path):
    found = one(
        tmp_path / "p1.xml",
        """<alto xmlns="http://www.loc.gov/standards/alto/ns-v2#"><Description>
        <sourceImageInformation><fileName>p1.tif</fileName></sourceImageInformation></Description>
        <Styles><TextStyle ID="T1" FONTSTYLE="italics smallcaps"/></Styles>
        <Layout><Page PHYSICAL_IMG_NR="7" WIDTH="1200" HEIGHT="1800">
        <TopMargin><TextBlock HPOS="1" VPOS="1" WIDTH="50" HEIGHT="9"><TextLine>
          <String CONTENT="Head"/></TextLine></TextBlock></TopMargin>
        <PrintSpace><TextBlock><TextLine HPOS="10" VPOS="20" WIDTH="300" HEIGHT="30">
          <String CONTENT="Ver" WC="0.5" STYLEREFS="T1" HPOS="10" VPOS="20" WIDTH="40" HEIGHT="30"/>
          <HYP CONTENT="-"/></TextLine><TextLine><String CONTENT="lag"/></TextLine></TextBlock>
        </PrintSpace></Page></Layout></alto>""",
    )
    (page,) = found.pages
    head, text = page.texts[0]
    assert (head.kind, text.text, page.number) == (Kind.RUNNING_HEAD, "Ver-\nlag", 6)
    assert {style.name for style in text.styles} == {"italic", "small_caps"}
    assert text.words[0].score == 0.5


def test_page_of_another_year_in_its_reading_order(tmp_path):
    found = one(
        tmp_path / "p1.xml",
        """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2010-03-19">
        <Page imageFilename="p1.tif" imageWidth="100" imageHeight="200"><ReadingOrder>
        <OrderedGroup><RegionRefIndexed index="0" regionRef="b"/>
        <RegionRefIndexed index="1" regionRef="a"/></OrderedGroup></ReadingOrder>
        <TextRegion id="a" type="marginalia"><Coords><Point x="1" y="2"/><Point x="9" y="8"/>
        </Coords><TextEquiv><Unicode>two
lines</Unicode></TextEquiv></TextRegion>
        <TextRegion id="b" type="heading"><Coords points="1,2 50,2 50,20"/>
        <TextLine><Coords points="x,y"/><TextEquiv><Unicode>First</Unicode></TextEquiv></TextLine>
        </TextRegion></Page></PcGts>""",
    )
    first, second = found.pages[0].texts[0]
    assert (first.kind, first.text) == (Kind.HEADING, "First")
    assert (second.kind, second.text, second.box) == (Kind.NOTE, "two\nlines", Box(1, 2, 9, 8))


def test_plain_text_is_parted_by_empty_lines(tmp_path):
    found = one(tmp_path / "p1.txt", b"\xef\xbb\xbfA head\r\n\r\nTwo lines\r\nof text.\r\n\f")
    assert [region.text for region in found.pages[0].texts[0]] == ["A head", "Two lines\nof text."]


# --- nothing of it is trusted --------------------------------------------------------------------

LAUGHS = """<!DOCTYPE alto [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<alto><String CONTENT="&b;"/></alto>"""
OUTSIDE = '<!DOCTYPE PcGts [<!ENTITY x SYSTEM "file:///etc/passwd">]><PcGts>&x;</PcGts>'


@pytest.mark.parametrize("hostile", [LAUGHS, OUTSIDE])
def test_a_file_that_declares_entities_is_refused(tmp_path, hostile):
    found = one(tmp_path / "p1.xml", hostile)
    assert found.pages == ()
    assert "entities" in found.trouble


def test_a_file_that_points_outside_is_read_without_it(tmp_path):
    text = '<!DOCTYPE PcGts SYSTEM "http://localhost:9/x.dtd"><PcGts><Page/></PcGts>'
    assert len(one(tmp_path / "p1.xml", text).pages) == 1


@pytest.mark.parametrize("tree", [xml_tree, html_tree])
def test_what_is_nested_too_deep_is_refused(tree):
    with pytest.raises(Unreadable, match="deep"):
        tree(b"<a>" * 5000)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b""),
        ("a.xml", b"<alto>"),
        ("a.xml", b"<svg/>"),
        ("a.xml", b"\xff\xfe\x00"),
        ("a.hocr", b"<p>no page</p>"),
        ("a.hocr", b"\xff"),
        ("a.txt", b"\xff\xfe"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, name, data):
    assert one(tmp_path / name, data).trouble


def test_a_very_large_file_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.setattr("app.importing.tree.LARGEST_BYTES", 10)
    assert one(tmp_path / "a.txt", "more than ten letters").trouble == "too large"


NAMES = """PcGts Page ReadingOrder TextRegion TableRegion TextLine Word TextEquiv Unicode Coords
    Point TableCellRole TextStyle alto Tags PrintSpace TextBlock ComposedBlock String HYP div span
    p mets"""
ATTRIBUTES = """id ID index points x y class title WIDTH HEIGHT HPOS VPOS WC CONTENT TAGREFS custom
    rowIndex colSpan imageWidth imageHeight conf regionRef PHYSICAL_IMG_NR"""
VALUES = """|1|-9e9|nan|inf|1e999|1,2 3,4|1,2 nan,3|a b|ocr_page|ocr_line|ocrx_word|bbox 1 2 3|word
    |bbox 4 3 2 1; x_wconf z"""


def named(words: str) -> st.SearchStrategy[str]:
    return st.sampled_from(words.split())


GIVEN = st.dictionaries(
    named(ATTRIBUTES), st.sampled_from(list(map(str.strip, VALUES.split("|")))), max_size=4
)


def element(name: str, attributes: dict[str, str], within: list[str]) -> str:
    given = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(within)}</{name}>"


TREES = st.recursive(
    st.sampled_from(["x", "two words", "e\u0301", "\n", "&#x1D518;"]),
    lambda inner: st.builds(element, named(NAMES), GIVEN, st.lists(inner, max_size=4)),
    max_leaves=25,
)
TOPS = st.builds(
    lambda top, within: element(top, {}, [element("Page", {"WIDTH": "5", "HEIGHT": "5"}, within)]),
    st.sampled_from(["PcGts", "alto", "html"]),
    st.lists(TREES, max_size=5),
)


@settings(max_examples=100, deadline=None)
@given(TOPS | TREES, st.sampled_from([".xml", ".hocr", ".txt"]))
def test_no_file_can_break_the_import(tmp_path_factory, text, suffix):
    path = tmp_path_factory.mktemp("trees") / f"a{suffix}"
    path.write_text(text, encoding="utf-8")
    found = read_file(path)
    for page in found.pages if found else ():
        for region in page.texts[0]:
            for span in (*region.lines, *region.words):
                assert 0 <= span.start < span.end <= len(region.text)
                assert span.box.width > 0
                assert span.box.height > 0


# --- which page ----------------------------------------------------------------------------------


def page_of(pages: list[Page], file: str, *images: str, number: int | None = None) -> int | None:
    found = FoundPage(images, number, None, ((),))
    return Matcher(pages).page_of(found, Path(file), place=0, alone=True)


NAMED = [Page(n, f"scan_{n + 11:03}.tif") for n in range(4)]
BARE = [Page(n) for n in range(4)]


def test_a_page_is_found_by_its_image_first():
    assert page_of(NAMED, "scan_011.xml", "img\\SCAN_013.png") == 2
    assert page_of(NAMED, "scan_012.xml") == 1
    assert page_of(NAMED, "scan_012.gt.txt") == 1
    assert page_of(NAMED, "x.xml", "book.pdf#page=4") == 3
    assert page_of(NAMED, "3.xml", "another.tif") is None
    assert page_of(NAMED, "002.xml") is None  # the images have names, and this is none of them


def test_where_images_have_no_names_numbers_count():
    assert page_of(BARE, "page_0003.xml") == 2
    assert page_of(BARE, "x.xml", number=1) == 1
    assert page_of(BARE, "page_0009.xml") is None
    assert page_of(BARE, "cover.txt") is None


def test_no_page_is_given_away_twice():
    matcher = Matcher(BARE)
    found = FoundPage((), None, None, ((),))
    assert matcher.page_of(found, Path("p1.txt"), place=0, alone=True) == 0
    assert matcher.page_of(found, Path("q1.txt"), place=0, alone=True) is None


def test_halves_of_a_spread_are_told_apart_by_number_or_order():
    halves = [Page(0, "s1.tif"), Page(1, "s1.tif"), Page(2, "s2.tif")]
    matcher = Matcher(halves)
    second = FoundPage(("s1.tif",), 1, None, ((),))
    other = FoundPage(("s1.tif",), None, None, ((),))
    assert matcher.page_of(second, Path("s1_0002.xml"), place=0, alone=True) == 1
    assert matcher.page_of(other, Path("s1.xml"), place=0, alone=True) == 0
    assert matcher.page_of(other, Path("s1_0003.xml"), place=0, alone=True) is None


def test_pages_are_taken_in_the_order_of_their_numbers(tmp_path):
    for name in ("p10.txt", "p2.txt", "p1.txt", "notes.md"):
        (tmp_path / name).write_text("x")
    assert [path.name for path in files_in(tmp_path)] == ["p1.txt", "p2.txt", "p10.txt"]


# --- the whole way -------------------------------------------------------------------------------


def run(*arguments: object) -> int:
    return commands.main([str(argument) for argument in arguments])


@EVERY
def test_what_was_read_here_can_go_on_elsewhere_and_come_back(tmp_path, name, capsys):
    scan = make_scan(tmp_path / "scan", 3)
    assert run("read", scan, "--engine", "fake") == commands.Exit.DONE
    assert run("export", scan, "--format", name, "-o", tmp_path / "out") == commands.Exit.DONE
    other = make_scan(tmp_path / "other", 3, size=(840, 1200))
    assert run("import", other, tmp_path / "out") == commands.Exit.DONE
    assert "3 pages were taken in: 3 as the text" in capsys.readouterr().out
    for folder in ("a", "b"):
        assert run(
            "export", scan if folder == "a" else other, "--format", "text", "--page-marks", "none",
            "-o", tmp_path / f"{folder}.txt",
        ) == commands.Exit.DONE  # fmt: skip
    one, two = ((tmp_path / f"{each}.txt").read_text("utf-8") for each in "ab")
    assert one.split("\f")[1:] == two.split("\f")[1:]
    assert f"Imported from {'hOCR' if name == 'hocr' else name.upper()} files out: 3 pages" in two


def test_a_text_that_is_there_stays_unless_the_person_says_so(tmp_path, capsys):
    scan = make_scan(tmp_path / "scan", 2)
    files = tmp_path / "files"
    files.mkdir()
    for path in sorted(scan.iterdir()):
        (files / f"{path.stem}.txt").write_text(f"Another text of {path.stem}.")
    (files / "stray.txt").write_text("Of no page.")
    run("read", scan, "--engine", "fake", "--pages", "1")
    capsys.readouterr()
    assert run("import", scan, files) == commands.Exit.PAGES_FAILED
    said = capsys.readouterr().out
    assert "2 pages were taken in: 1 as the text of their page, 1 beside it" in said
    assert "stray.txt" in said
    run("export", scan, "-o", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text("utf-8").count("Another text") == 1
    assert run("import", scan, files, "--current") == commands.Exit.PAGES_FAILED
    run("export", scan, "-o", tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_text("utf-8").count("Another text") == 2


PAGE_FILE = """<PcGts><Metadata><Creator>x</Creator><Comments> torn,
said {name} </Comments></Metadata><Page imageFilename="{name}.png"><TextRegion id="a">
<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextRegion></Page></PcGts>"""


def test_what_a_page_file_says_of_its_page_is_kept_but_never_over_a_note_made_here(tmp_path):
    scan = make_scan(tmp_path / "scan", 3)
    files = tmp_path / "files"
    files.mkdir()
    stems = [path.stem for path in sorted(scan.iterdir())]
    for stem, text in zip(stems, ("a text", "", "a text"), strict=True):
        (files / f"{stem}.xml").write_text(PAGE_FILE.format(name=stem, text=text))
    with Desk() as desk:
        desk.open(scan)
        desk.session.blocks.correct_page(2, "note", "mine")
        desk.wait_for(PagesStored)
        desk.session.imports.begin(ImportOrder(files))
        desk.wait_for(ImportEnded)
        notes = [page.note for page in desk.book.pages]
        assert notes == [f"torn,\nsaid {stems[0]}", f"torn,\nsaid {stems[1]}", "mine"]
        stored = desk.session._workers.store.submit(desk.store.book).result()
        assert [page.note for page in stored.pages] == notes


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no page with a text"),
        ({"a.xml": "<alto>"}, "cannot be taken in"),
        ({"stray.txt": "x"}, "fits a page"),
        (None, "is not there"),
    ],
)
def test_a_folder_of_which_nothing_can_be_taken_is_refused(tmp_path, capsys, files, said):
    scan = make_scan(tmp_path / "scan", 1)
    if files is not None:
        (tmp_path / "files").mkdir()
        for name, text in files.items():
            (tmp_path / "files" / name).write_text(text)
    assert run("import", scan, tmp_path / "files") == commands.Exit.ERROR
    assert said in capsys.readouterr().err
