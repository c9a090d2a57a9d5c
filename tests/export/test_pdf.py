"""Searchable PDF: the scan's own image data, every word over its place, and what archives ask."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pymupdf
import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

import resources
from app.book import Details, PageSize, Reading, Region, Source
from app.errors import ExportError, SourceError
from app.export.document import ExportOptions
from app.export.formats import PAGED
from app.export.images import QueuedImages
from app.pages import Priority, open_pages
from app.prepare.page_map import PageMap
from app.prepare.treatment import Fold, Side, Treatment
from model.api import Box, Kind, Span, Stop
from tests.export.placed import DETAILS, SIZE, exact, export_paged, placed_book
from tests.export.samples import DATE, leaf

pytestmark = pytest.mark.unit

EXPECTED = Path(__file__).with_name("expected") / "placed.pdf.txt"
EITHER = pytest.mark.parametrize("name", ["pdf", "pdfa"])
mupdf: Any = pymupdf


@contextmanager
def opened(*paths: Path, password: str | None = None) -> Iterator[QueuedImages]:
    queue = open_pages(paths, password=password)
    try:
        yield QueuedImages(queue)
    finally:
        queue.close()


class Made(NamedTuple):
    """The placed book, written once for all tests that only look at it."""

    scans: Path
    pdf: Path
    pdfa: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    draw_scans(folder / "scans")
    leaves = list(placed_book())
    kept = Reading((Region(Kind.TEXT, "kept text"),), Source("model", DATE))
    leaves[5] = (leaves[5][0], kept)  # its scan is damaged
    for name in ("pdf", "pdfa"):
        write(name, folder / f"{name}.pdf", folder / "scans", leaves)
    return Made(folder / "scans", folder / "pdf.pdf", folder / "pdfa.pdf")


@pytest.fixture
def scans(made: Made) -> Path:
    return made.scans


def draw_scans(folder: Path) -> None:
    """Six scans of the placed book's size: five kinds of file, the last of them damaged."""
    folder.mkdir()
    page = Image.new("RGB", SIZE[:2], "white")
    ImageDraw.Draw(page).rectangle((100, 300, 480, 420), "brown")
    page.save(folder / "1.jpg", dpi=(200, 200))
    page.convert("L").save(folder / "2.jpg", dpi=(200, 200), progressive=True)
    page.save(folder / "3.png", dpi=(200, 200))
    page.convert("1").save(folder / "4.tif", compression="group4", dpi=(200, 200))
    page.convert("CMYK").save(folder / "5.jpg", dpi=(200, 200))
    (folder / "6.png").write_bytes((folder / "3.png").read_bytes()[:900])


def write(name: str, path: Path, scan: Path, leaves=None, **more):
    with opened(scan) as images:
        return export_paged(name, path, leaves, images=images, **more)


def streams(path: Path) -> list[bytes]:
    """The raw data of every stream of a PDF."""
    document = mupdf.open(path)
    numbers = range(1, document.xref_length())
    return [document.xref_stream_raw(n) for n in numbers if document.xref_is_stream(n)]


def only(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name not in {"home", "scans"})


# --- the images ---------------------------------------------------------------------------------


@EITHER
def test_jpeg_files_are_in_it_byte_for_byte(made, scans, name):
    there = streams(getattr(made, name))
    assert [(scans / each).read_bytes() in there for each in ("1.jpg", "2.jpg")] == [True, True]
    # CMYK has no place beside an output intent of sRGB: there it is converted
    assert ((scans / "5.jpg").read_bytes() in there) == (name == "pdf")


def test_image_data_of_a_pdf_are_copied_byte_for_byte(tmp_path):
    scan = resources.path("sample/book.pdf")
    leaves = [(replace(page, size=None), reading) for page, reading in placed_book()][:3]
    write("pdfa", tmp_path / "b.pdf", scan, leaves)
    document = mupdf.open(scan)
    there = streams(tmp_path / "b.pdf")
    for page in range(3):
        (image,) = document.get_page_images(page)
        assert document.xref_stream_raw(image[0]) in there


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("ccitt.pdf", "CCITTFaxDecode"),
        ("jbig2.pdf", "JBIG2Decode"),
        ("graph_ocred.pdf", "FlateDecode"),
        ("book.cbz", "DCTDecode"),
        ("book-mixed-password-archive.pdf", "DCTDecode"),
    ],
)
def test_real_scans_are_copied_and_look_as_before(tmp_path, shared, file, kind):
    scan = shared / "files" / file
    password = "archive" if "password" in file else None
    with opened(scan, password=password) as images:
        size = images.size(0)
        leaves = [leaf(0, Region(Kind.TEXT, "found again"), size=size)]
        assert export_paged("pdf", tmp_path / "b.pdf", leaves, images=images)
        before = images.raster(0)
    document = mupdf.open(tmp_path / "b.pdf")
    assert {image[8] for image in document.get_page_images(0)} == {kind}
    with opened(tmp_path / "b.pdf") as images:
        after = images._queue.image(
            0, fit=(before.width_px, before.height_px), priority=Priority.READER
        ).result()
    difference = ImageChops.difference(picture(before), picture(after))
    assert max(ImageStat.Stat(difference).mean) < 3


def picture(raster) -> Image.Image:
    mode = "L" if raster.channels == 1 else "RGB"
    image = Image.frombuffer(mode, (raster.width_px, raster.height_px), raster.data)
    return image.convert("L").resize((400, 400))


def test_an_old_text_layer_is_left_out(tmp_path, shared):
    scan = shared / "files" / "graph_ocred.pdf"
    assert mupdf.open(scan)[0].get_text().strip()
    with opened(scan) as images:
        leaves = [leaf(0, Region(Kind.TEXT, "mine alone"), size=images.size(0))]
        export_paged("pdf", tmp_path / "b.pdf", leaves, images=images)
    assert mupdf.open(tmp_path / "b.pdf")[0].get_text().split() == ["mine", "alone"]


def test_other_images_are_kept_without_loss(made, scans):
    document = mupdf.open(made.pdf)
    for index, name in ((2, "3.png"), (3, "4.tif")):
        (image,) = document.get_page_images(index)
        held = Image.open(io.BytesIO(document.extract_image(image[0])["image"]))
        original = Image.open(scans / name)
        assert not ImageChops.difference(held.convert("RGB"), original.convert("RGB")).getbbox()
    assert document.get_page_images(3)[0][4] == 1  # bits


def test_photographs_stand_as_their_cameras_say(tmp_path):
    folder = tmp_path / "scans"
    folder.mkdir()
    image = Image.new("L", (60, 40), 255)
    image.paste(0, (0, 0, 20, 10))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        image.save(folder / f"{orientation}.jpg", exif=exif, dpi=(72, 72))
    with opened(folder) as images:
        leaves = [leaf(n, Region(Kind.TEXT, "x"), size=images.size(n)) for n in range(8)]
        export_paged("pdf", tmp_path / "b.pdf", leaves, images=images)
        before = [picture(images.raster(n)) for n in range(8)]
    for page, wanted in zip(mupdf.open(tmp_path / "b.pdf"), before, strict=True):
        drawn = page.get_pixmap(colorspace=mupdf.csGRAY)
        after = Image.frombytes("L", (drawn.width, drawn.height), drawn.samples).resize((400, 400))
        assert ImageStat.Stat(ImageChops.difference(wanted, after)).mean[0] < 6


def test_a_page_that_cannot_be_shown_is_crossed_out_and_keeps_its_text(made):
    document = mupdf.open(made.pdf)
    assert len(document) == 6
    last = document[5]
    assert last.get_text().split() == ["kept", "text"]
    assert len(last.get_drawings()) == 2
    assert not last.get_images()


def test_without_the_scan_nothing_is_written(tmp_path):
    with pytest.raises(ExportError) as refused:
        export_paged("pdf", tmp_path / "b.pdf")
    assert refused.value.code == "export_no_scan"
    assert only(tmp_path) == []


def test_a_scan_that_goes_meanwhile_is_said(tmp_path):
    with zipfile.ZipFile(tmp_path / "scan.cbz", "w") as archive:
        data = io.BytesIO()
        Image.new("L", (50, 50)).save(data, "JPEG")
        archive.writestr("1.jpg", data.getvalue())
    with opened(tmp_path / "scan.cbz") as images:
        images._queue._source._drop_child()
        (tmp_path / "scan.cbz").unlink()
        with pytest.raises(SourceError) as said:
            export_paged("pdf", tmp_path / "b.pdf", placed_book()[:1], images=images)
    assert said.value.code == "source_missing"
    assert only(tmp_path) == []


# --- the text -----------------------------------------------------------------------------------


def test_every_word_stands_where_it_was_printed(made):
    words = mupdf.open(made.pdf)[0].get_text("words")
    reading = placed_book()[0][1]
    assert reading is not None
    spans = [(region.text, span) for region in reading.regions for span in region.words]
    for entry, (text, span) in zip(words, spans, strict=True):
        left, top, right, bottom = (edge * 200 / 72 for edge in entry[:4])
        assert entry[4] == text[span.start : span.end]
        assert abs(left - span.box.left) < 1.5
        assert abs(right - span.box.right) < 1.5
        assert span.box.top - 1 <= top < bottom <= span.box.bottom + 1


def test_text_comes_out_in_the_order_of_reading(made):
    document = mupdf.open(made.pdf)
    reading = placed_book()[0][1]
    assert reading is not None
    wanted = " ".join(region.text for region in reading.regions).split()
    assert document[0].get_text().split() == wanted


def test_every_script_comes_out_as_it_went_in(made):
    lines = mupdf.open(made.pdf)[2].get_text().splitlines()
    wanted = [
        "שלום עולם",
        "מה שלומך",
        "مرحبا بالعالم",
        "天地玄黃 宇宙洪荒",
        "𝔘𝔫𝔦 e\u0301a\u0364 ſt",
    ]
    assert [line.strip() for line in lines if line.strip()] == wanted


def test_nothing_of_the_text_is_seen(made, scans):
    with opened(scans) as images:
        before = picture(images.raster(0))
    with opened(made.pdf) as images:
        after = picture(images.raster(0))
    assert ImageStat.Stat(ImageChops.difference(before, after)).mean[0] < 1


def test_words_in_boxes_that_are_too_narrow_are_found_again(tmp_path, scans):
    region = Region(Kind.TEXT, "BOOOKS aall\nlllii", Box(998, 10, 1000, 80))
    assert write("pdf", tmp_path / "b.pdf", scans, [leaf(0, region, size=SIZE)])


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_page_that_was_turned_is_shown_and_selected_upright(tmp_path, scans, quarters):
    width, height = SIZE[:2] if quarters % 2 == 0 else (SIZE.height_px, SIZE.width_px)
    there = PageMap(SIZE, Treatment(quarters=quarters))
    assert there.size == PageSize(width, height, 200.0)
    spans = [Span(0, 5, Box(100, 100, 200, 130)), Span(6, 9, Box(220, 100, 280, 130))]
    turned = tuple(span._replace(box=on_master(there, span.box)) for span in spans)
    region = Region(Kind.TEXT, "words lie", on_master(there, Box(100, 100, 300, 130)), words=turned)
    page, reading = leaf(0, region, size=SIZE, treatment=Treatment(quarters=quarters))
    write("pdf", tmp_path / "b.pdf", scans, [(page, reading)])
    shown = mupdf.open(tmp_path / "b.pdf")[0]
    assert shown.rotation == 90 * quarters
    found = [[value * 200 / 72 for value in entry[:4]] for entry in words_shown(shown)]
    for (left, _top, right, _bottom), span in zip(found, spans, strict=True):
        assert abs(left - span.box.left) < 2
        assert abs(right - span.box.right) < 2


def on_master(there: PageMap, box: Box) -> Box:
    corners = np.array([[box.left, box.top], [box.right, box.bottom]], np.float64)
    (x, y), (to_x, to_y) = there.to_master(corners)
    return Box(min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))


def words_shown(page) -> list:
    return [(*(mupdf.Rect(entry[:4]) * page.rotation_matrix), entry[4])
            for entry in page.get_text("words")]  # fmt: skip


def test_both_pages_of_a_spread_show_their_half_of_one_untouched_image(tmp_path, scans):
    fold = Fold(510.0, 490.0)
    halves = (("left", 100, Side.LEFT), ("right", 700, Side.RIGHT))
    leaves = [
        leaf(n, exact(word, Box(left, 300, left + 200, 340)), size=SIZE, scan=0,
             treatment=Treatment(fold=fold, side=side))
        for n, (word, left, side) in enumerate(halves)
    ]  # fmt: skip
    with opened(scans) as images:
        images._queue.arrange([page for page, _reading in leaves])
        assert export_paged("pdf", tmp_path / "b.pdf", leaves, images=images)
    document = mupdf.open(tmp_path / "b.pdf")
    points = 72 / 200
    assert [tuple(round(edge) for edge in document[n].cropbox) for n in (0, 1)] == [
        (0, 0, round(510 * points), 504),
        (round(490 * points), 0, 360, 504),
    ]
    assert [document[n].get_text().split() for n in (0, 1)] == [["left"], ["right"]]
    assert streams(tmp_path / "b.pdf").count((scans / "1.jpg").read_bytes()) == 1


def test_more_letters_than_most_books_have(tmp_path, scans):
    letters = [chr(n) for n in range(0x4E00, 0x4E00 + 5000)]
    lines = ["".join(letters[at : at + 40]) for at in range(0, len(letters), 40)]
    region = exact("\n".join(lines), Box(10, 10, 900, 1300))
    report = write("pdf", tmp_path / "b.pdf", scans, [leaf(0, region, size=SIZE)])
    assert report
    assert report.words == 125


# --- what it says of itself ---------------------------------------------------------------------


def test_labels_outline_names_and_metadata(made):
    document = mupdf.open(made.pdf)
    assert [document[n].get_label() for n in range(6)] == ["iv", "1", "2", "", "", ""]
    assert document.get_toc() == [[1, "Of the Malt", 1]]
    names = document.resolve_names()
    assert {name: place["page"] for name, place in names.items()} == {
        f"p{n + 1}": n for n in range(6)
    }
    assert document.metadata["title"] == DETAILS.title
    assert document.metadata["author"] == DETAILS.author
    assert document.language == "en"
    packet = document.get_xml_metadata()
    assert "Of “Beer” &amp; Brewing" in packet
    assert "checkpoint 0123456789abcdef" in packet
    assert "Ada" in packet
    assert "pdfaid:part" not in packet


def test_headings_of_the_second_level_lie_beneath_the_first(tmp_path, scans):
    kinds = [Kind.HEADING, Kind.TITLE, Kind.HEADING, Kind.HEADING, Kind.TITLE]
    box = Box(0, 0, 900, 40)
    leaves = [
        leaf(n, exact(f"Chapter {n} «ß天»", box, kind=kind), size=SIZE)
        for n, kind in enumerate(kinds)
    ]
    write("pdf", tmp_path / "b.pdf", scans, leaves)
    toc = mupdf.open(tmp_path / "b.pdf").get_toc()
    assert toc == [[level, f"Chapter {n} «ß天»", n + 1] for n, level in enumerate([1, 1, 2, 2, 1])]


def test_only_chosen_pages_are_written_under_their_scan_numbers(tmp_path, scans):
    report = write("pdf", tmp_path / "b.pdf", scans, options=ExportOptions(pages=(0, 2)))
    assert report
    assert report.pages == 2
    document = mupdf.open(tmp_path / "b.pdf")
    assert sorted(document.resolve_names()) == ["p1", "p3"]
    assert [document[n].get_label() for n in range(2)] == ["iv", "2"]


def test_the_file_is_as_expected(tmp_path, scans):
    """To renew: write `as_text` over the file, and read the difference."""
    leaves = [placed_book()[number] for number in (0, 1, 2, 3)]
    write("pdfa", tmp_path / "b.pdf", scans, leaves)
    assert as_text(tmp_path / "b.pdf") == EXPECTED.read_text("utf-8")


def found(pattern: str, text: str) -> str:
    """The first group of a pattern that must be there."""
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


def as_text(path: Path) -> str:
    """Every object of a PDF, its stream by hash or in words, without what changes."""
    document = mupdf.open(path)
    parts = []
    for number in range(1, document.xref_length()):
        parts.append(f"{number}: {document.xref_object(number)}")
        if document.xref_is_stream(number):
            parts.append(_stream(document, number))
    text = "\n".join(parts) + "\n"
    text = re.sub(r"D:\d{14}Z|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "DATE", text)
    text = re.sub(r"Incunable [\d.]+", "Incunable VERSION", text)
    return re.sub(r"/Length \d+", "/Length ...", text)


def _stream(document: Any, number: int) -> str:
    data = document.xref_stream(number)
    text = document.xref_object(number)
    if "/Image" in text or "/N 3" in text:  # as the library of the day packs them
        return "(binary)"
    if "/Length1" in text or re.search(rb"[\x00-\x08]", data):
        return hashlib.sha256(data).hexdigest()
    return data.decode("utf-8")


# --- PDF/A-2b: the rules that are touched (ISO 19005-2) -----------------------------------------


def test_the_rules_of_pdf_a_are_kept(made):
    raw = made.pdfa.read_bytes()
    document = mupdf.open(made.pdfa)
    texts = [document.xref_object(n) for n in range(1, document.xref_length())]
    whole = "\n".join(texts)
    assert re.match(rb"%PDF-1\.7\n%[\x80-\xff]{4}\n", raw)  # 6.1.2
    assert raw.endswith(b"%%EOF\n")  # 6.1.3
    assert re.search(rb"/ID\[<[0-9a-f]{32}><[0-9a-f]{32}>\]", raw)
    assert b"/Encrypt" not in raw
    assert document.needs_pass == 0
    assert not re.search(r"/(JavaScript|JS|Launch|AA|OpenAction|EmbeddedFile|LZWDecode)\b", whole)
    assert not re.search(r"/(SMask|ca|CA|BM|Group|Transparency|Interpolate true)\b", whole)  # 6.4
    assert "/DeviceCMYK" not in whole  # 6.2.4.3
    packet = document.get_xml_metadata()  # 6.6.4
    assert "<pdfaid:part>2</pdfaid:part>" in packet
    assert "<pdfaid:conformance>B</pdfaid:conformance>" in packet
    catalogue = document.xref_object(document.pdf_catalog())
    assert "/GTS_PDFA1" in catalogue  # 6.2.3
    profile = int(found(r"/DestOutputProfile (\d+)", catalogue))
    icc = document.xref_stream(profile)
    assert (icc[12:16], icc[16:20], icc[36:40]) == (b"mntr", b"RGB ", b"acsp")
    metadata = int(found(r"/Metadata (\d+)", catalogue))
    assert "/Filter" not in document.xref_object(metadata)


def test_the_font_is_embedded_and_knows_all_its_letters(made):
    document = mupdf.open(made.pdfa)
    objects = {n: document.xref_object(n) for n in range(1, document.xref_length())}
    descriptors = [
        text for text in objects.values() if "/FontDescriptor" in text and "/Flags" in text
    ]
    assert len(descriptors) == 1
    face = document.xref_stream(int(found(r"/FontFile2 (\d+)", descriptors[0])))
    assert face == resources.path("fonts/glyphless.ttf").read_bytes()
    letters = next(text for text in objects.values() if "/CIDToGIDMap" in text)
    glyphs = document.xref_stream(int(found(r"/CIDToGIDMap (\d+)", letters)))
    widths = [int(n) for n in found(r"/W \[ 1 \[ ([\d\s]+)", letters).split()]
    numbers = [int.from_bytes(glyphs[at : at + 2]) for at in range(0, len(glyphs), 2)]
    assert numbers[1:] == [1 + width // 50 for width in widths]  # the widths of the face itself
    assert 0 not in numbers[1:]  # 6.2.11.8: no code leads to .notdef


# --- whole or not there -------------------------------------------------------------------------


def test_a_stopped_export_leaves_nothing(tmp_path, scans):
    stop = Stop()

    def progress(done: int, _pages: int) -> None:
        if done >= 3:
            stop.ask()

    assert write("pdf", tmp_path / "b.pdf", scans, progress=progress, stop=stop) is None
    assert only(tmp_path) == []


def test_an_existing_file_is_replaced_only_if_asked(tmp_path, scans):
    (tmp_path / "b.pdf").write_text("mine")
    with pytest.raises(ExportError):
        write("pdf", tmp_path / "b.pdf", scans)
    assert (tmp_path / "b.pdf").read_text() == "mine"
    assert write("pdf", tmp_path / "b.pdf", scans, replace=True)


def test_a_writer_that_loses_a_word_is_found_out(tmp_path, scans, monkeypatch):
    whole = PAGED["pdf"]

    def losing(book, path: Path) -> None:
        def fewer():
            for page in book.pages():
                yield replace(page, regions=page.regions[:-1])

        whole.write(replace(book, stream=fewer), path)

    monkeypatch.setitem(PAGED, "pdf", replace(whole, write=losing))
    with pytest.raises(ExportError) as refused:
        write("pdf", tmp_path / "b.pdf", scans)
    assert refused.value.code == "export_differs"
    assert only(tmp_path) == []


FULL_DISK = """
import resource, sys
from pathlib import Path
from app.errors import ExportError
from tests.export.test_pdf import write
resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))
try:
    write("pdf", Path(sys.argv[1]), Path(sys.argv[2]))
except ExportError as error:
    print(error.code)
"""


def test_a_full_disk_in_the_middle_is_said_and_leaves_nothing(tmp_path, scans):
    order = [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path / "b.pdf"), str(scans)]
    root = Path(__file__).parents[2]
    child = subprocess.run(order, cwd=root, capture_output=True, text=True, check=False)
    assert (child.stdout, child.stderr) == ("export_unwritable\n", "")
    assert only(tmp_path) == []


def test_odd_details_do_no_harm(tmp_path, scans):
    odd = Details("a)b(c\\ \x00<&>", "∅\ud800", "c. 1650", "", "not a language", direction="rtl")
    write("pdfa", tmp_path / "b.pdf", scans, details=odd)
    document = mupdf.open(tmp_path / "b.pdf")
    assert document.metadata["title"] == "a)b(c\\ <&>"
    assert document.metadata["author"] == "∅"
    assert not document.language
    assert "/R2L" in document.xref_object(document.pdf_catalog())


def test_an_empty_page_has_no_text(made):
    assert mupdf.open(made.pdf)[4].get_text() == ""
