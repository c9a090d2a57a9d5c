"""Books that are PDFs: their masters, colours, labels, passwords, and what is damaged in them."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat
from pymupdf.utils import construct_label

from app.errors import PasswordNeeded, SourceError
from app.sources.labels import LabelRule, labels, spell
from app.sources.source import Raster, Source, SourceKind
from tests.app.make_sources import DRAW_IMAGE, SIZE, PdfPage, encoded, make_pdf, page_image

pytestmark = pytest.mark.unit

GREY = encoded(page_image())
RED = encoded(page_image(mode="RGB"))
AES_256 = 5  # pymupdf.PDF_ENCRYPT_AES_256, which its types do not know
INK = [255] * 128 + [0] * 128
RGB_KEYS = b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"


def image_of(raster: Raster) -> Image.Image:
    mode = "L" if raster.channels == 1 else "RGB"
    return Image.frombytes(mode, (raster.width_px, raster.height_px), raster.data)


def drawn_by_mupdf(path: Path, page: int, raster: Raster) -> Image.Image:
    """The same page drawn by MuPDF alone, at the raster's size."""
    with pymupdf.open(path) as document:
        rect = document[page].rect
        zoom = pymupdf.Matrix(raster.width_px / rect.width, raster.height_px / rect.height)
        pixels = document[page].get_pixmap(matrix=zoom)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def difference(one: Image.Image, other: Image.Image) -> float:
    assert one.size == other.size
    return max(ImageStat.Stat(ImageChops.difference(one.convert("RGB"), other.convert("RGB"))).mean)


def test_a_page_that_is_one_jpeg_gives_the_scanners_own_pixels(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [PdfPage(GREY), PdfPage(RED, RGB_KEYS)])
    with Source.open([path]) as source:
        assert (source.info.kind, source.info.page_count) == (SourceKind.PDF, 2)
        assert source.page_info(0).size == (*SIZE, 150)
        for page, jpeg in enumerate((GREY, RED)):
            raster = source.render(page)
            assert raster.data == Image.open(io.BytesIO(jpeg)).tobytes()
            assert raster.channels == 1 + 2 * page


LYING = Image.Exif()
LYING[0x0112] = 6  # a PDF does not heed what its JPEGs say of their orientation
ODD_PAGES = {
    "plain": PdfPage(GREY),
    "colour": PdfPage(RED, RGB_KEYS),
    "turned 90": PdfPage(GREY, keys=b"/Rotate 90"),
    "turned 180": PdfPage(GREY, keys=b"/Rotate 180"),
    "turned 270": PdfPage(RED, RGB_KEYS, keys=b"/Rotate 270"),
    "mirrored": PdfPage(GREY, drawing=b"q -96 0 0 144 96 0 cm /Im0 Do Q"),
    "upside down": PdfPage(GREY, drawing=b"q 96 0 0 -144 0 144 cm /Im0 Do Q"),
    "lying": PdfPage(GREY, drawing=b"q 0 144 -96 0 96 0 cm /Im0 Do Q"),
    "inverted": PdfPage(GREY, PdfPage(GREY).image_keys + b"/Decode[1 0]"),
    "half transparent": PdfPage(
        GREY, drawing=b"q /G gs 96 0 0 144 0 0 cm /Im0 Do Q",
        resources=b"/ExtGState<</G<</ca 0.5>>>>",
    ),
    "clipped": PdfPage(GREY, drawing=b"q 10 10 40 40 re W n 96 0 0 144 0 0 cm /Im0 Do Q"),
    "cropped": PdfPage(GREY, keys=b"/CropBox[10 20 60 120]"),
    "with a margin": PdfPage(GREY, drawing=b"q 80 0 0 120 8 12 cm /Im0 Do Q"),
    "stamped": PdfPage(GREY, drawing=DRAW_IMAGE + b" 0 0 1 rg 20 20 40 40 re f"),
    "on a tint": PdfPage(GREY, drawing=b"0 0 1 rg 0 0 96 144 re f " + DRAW_IMAGE),
    "moved box": PdfPage(GREY, box=b"50 60 146 204", drawing=b"q 96 0 0 144 50 60 cm /Im0 Do Q"),
    "large units": PdfPage(GREY, keys=b"/UserUnit 2.5"),
    "cmyk": PdfPage(
        encoded(page_image(mode="CMYK")),
        b"/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]",
    ),
    "flate": PdfPage(
        zlib.compress(page_image().tobytes()),
        b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode",
    ),
    "bilevel": PdfPage(
        page_image(mode="1").tobytes(), b"/ColorSpace/DeviceGray/BitsPerComponent 1"
    ),
    "mask": PdfPage(page_image(mode="1").tobytes(), b"/ImageMask true/BitsPerComponent 1"),
    "exif": PdfPage(encoded(page_image(), exif=LYING)),
    "annotated": PdfPage(
        GREY, keys=b"/Annots[<</Type/Annot/Subtype/Square/Rect[10 10 60 60]/C[1 0 0]/IC[1 0 0]>>]"
    ),
}  # fmt: skip


def test_every_way_of_placing_a_scan_looks_as_mupdf_draws_it(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", list(ODD_PAGES.values()))
    with Source.open([path]) as source:
        for page, name in enumerate(ODD_PAGES):
            raster = source.render(page)
            shown, drawn = image_of(raster), drawn_by_mupdf(path, page, raster)
            assert difference(shown, drawn) < 3, name
            small = source.render(page, fit=(48, 48))
            assert difference(image_of(small), drawn_by_mupdf(path, page, small)) < 6, name
            assert max(small.width_px, small.height_px) == 48, name


def test_the_master_has_the_resolution_of_the_scan(tmp_path):
    strip, picture = b"q 96 0 0 72 0 %d cm /Im0 Do Q ", b"q 20 0 0 30 5 5 cm /Im0 Do Q"
    fine = b"q 9.6 0 0 14.4 0 0 cm /Im0 Do Q"
    pages = {
        "one scan": (PdfPage(GREY), (200, 300, 150)),
        "turned": (PdfPage(GREY, keys=b"/Rotate 90"), (300, 200, 150)),
        "two strips": (PdfPage(GREY, drawing=strip % 0 + strip % 72), (400, 600, 300)),
        "a small picture": (PdfPage(GREY, drawing=picture), (400, 600, 300)),
        "finer than 600": (PdfPage(GREY, box=b"0 0 9.6 14.4", drawing=fine), (80, 120, 600)),
        "nothing": (PdfPage(GREY, drawing=b"", box=b"0 0 72 144"), (300, 600, 300)),
    }  # fmt: skip
    path = make_pdf(tmp_path / "book.pdf", [page for page, _ in pages.values()])
    with Source.open([path]) as source:
        found = {name: source.page_info(n).size for n, name in enumerate(pages)}
    assert found == {name: size for name, (_, size) in pages.items()}


def test_a_huge_sheet_is_drawn_less_finely(tmp_path):
    path = make_pdf(tmp_path / "map.pdf", [PdfPage(GREY, drawing=b"", box=b"0 0 14400 14400")])
    with Source.open([path]) as source:
        size = source.page_info(0).size
        assert 99e6 < size.width_px * size.height_px < 101e6
        assert source.render(0, fit=(100, 100)).width_px == 100


def test_an_image_beyond_the_limit_is_refused_before_it_is_decoded(tmp_path):
    keys = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode"
    bomb = PdfPage(zlib.compress(bytes(1000)), keys, size_px=(40_000, 40_000))
    path = make_pdf(tmp_path / "bomb.pdf", [bomb, PdfPage(GREY)])
    with Source.open([path]) as source:
        with pytest.raises(SourceError) as raised:
            source.render(0, fit=(50, 50))
        assert raised.value.code == "page_too_large"
        assert source.render(1).width_px == SIZE[0]


LOST = {
    "jpeg cut": PdfPage(GREY[: len(GREY) // 2]),
    "no jpeg": PdfPage(b"nothing like a JPEG"),
    "flate cut": PdfPage(
        zlib.compress(Image.effect_noise(SIZE, 90).tobytes())[:20_000],
        b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode",
    ),
    "jpx cut": PdfPage(
        encoded(Image.effect_noise(SIZE, 90), "JPEG2000")[:20_000],
        b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode",
    ),
    "fax is nonsense": PdfPage(
        bytes(range(256)), b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode"
        b"/DecodeParms<</K -1/Columns 200/Rows 300>>",
    ),
    "image not there": PdfPage(GREY, drawing=b"q 96 0 0 144 0 0 cm /Im9 Do Q"),
}  # fmt: skip


def test_a_page_whose_image_is_damaged_fails_alone_and_is_not_shown_empty(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [*LOST.values(), PdfPage(GREY)])
    with Source.open([path]) as source:
        for page, name in enumerate(LOST):
            with pytest.raises(SourceError) as raised:
                source.render(page)
            assert raised.value.code == "page_undecodable", name
        assert source.render(len(LOST)).width_px == SIZE[0]


def test_a_page_whose_image_has_no_data_fails_and_is_not_shown_empty(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [PdfPage(GREY), PdfPage(GREY)])
    stream = b"stream\n" + GREY + b"\nendstream"
    path.write_bytes(path.read_bytes().replace(stream, b" " * len(stream), 1))
    with Source.open([path]) as source:
        assert source.page_info(0).fingerprint != source.page_info(1).fingerprint
        with pytest.raises(SourceError) as raised:
            source.render(0)
        assert raised.value.code == "page_undecodable"
        assert source.render(1).width_px == SIZE[0]


def test_fingerprints_follow_the_image_and_not_its_place(tmp_path):
    first = make_pdf(tmp_path / "a.pdf", [PdfPage(GREY), PdfPage(RED, RGB_KEYS)])
    second = make_pdf(tmp_path / "b.pdf", [PdfPage(RED, RGB_KEYS), PdfPage(GREY)])
    with Source.open([first]) as a, Source.open([second]) as b:
        assert a.page_info(0).fingerprint == b.page_info(1).fingerprint
        assert a.page_info(0).fingerprint != a.page_info(1).fingerprint
        assert a.info.fingerprint != b.info.fingerprint


def test_labels_and_details_come_from_the_file(tmp_path):
    path = make_pdf(
        tmp_path / "book.pdf",
        [PdfPage(GREY)] * 5,
        catalogue=b"/Lang(de)/PageLabels<</Nums[0<</S/r>>2<</S/D/St 7/P(S. )>>4<<>>]>>",
    )
    with pymupdf.open(path) as document:
        document.set_metadata({"title": " Der  Titel\n", "author": "N. N."})
        document.save(tmp_path / "told.pdf")
        document.set_metadata({"title": "Microsoft Word - scan.doc"})
        document.save(tmp_path / "junk.pdf")
    with Source.open([tmp_path / "told.pdf"]) as source:
        assert source.info.labels == ("i", "ii", "S. 7", "S. 8", "")
        details = source.info.details
        assert (details.title, details.author, details.language) == ("Der Titel", "N. N.", "de")
        assert details.year == ""
    with Source.open([tmp_path / "junk.pdf"]) as source:
        assert source.info.details.title == ""


@given(st.integers(1, 4000), st.sampled_from("DrR"))
def test_numbers_are_spelt_as_mupdf_spells_them(number, style):
    assert spell(number, style) == construct_label(style, "", number)


def test_letters_double_after_the_alphabet():
    """ISO 32000-1, 12.4.2; MuPDF's binding begins with b."""
    assert [spell(number, "a") for number in (1, 26, 27, 53)] == ["a", "z", "aa", "aaa"]
    assert [spell(number, "A") for number in (2, 28)] == ["B", "BB"]
    assert spell(5000, "a") == "5000"


def test_label_rules_that_cannot_be_true_stay_harmless():
    rules = [LabelRule(-5, "x" * 500, "D", 10**30), LabelRule(2, "", "r", 10**9), LabelRule(99)]
    spelt = labels(rules, 4)
    assert len(spelt) == 4
    assert max(map(len, spelt)) <= 40
    assert spelt[2:] == ("1000000000", "1000000001")


@pytest.fixture
def text_pdf(tmp_path) -> Path:
    """Two pages of text, the second turned by 90 degrees."""
    with pymupdf.open() as document:
        for rotation in (0, 90):
            page = document.new_page(width=300, height=200)
            page.insert_text((30, 50), "Erste Zeile", fontsize=20)
            page.insert_text((30, 80), "zweite Zeile", fontsize=20)
            page.insert_text((30, 160), "Anderer Absatz", fontsize=20)
            page.set_rotation(rotation)
        document.save(tmp_path / "text.pdf")
    return tmp_path / "text.pdf"


def test_an_old_text_layer_is_told_and_read_when_asked(text_pdf):
    with Source.open([text_pdf]) as source:
        assert source.info.has_text_layer
        regions = source.text_layer(0)
    text = " ".join(" ".join(region.text.split()) for region in regions)
    assert text == "Erste Zeile zweite Zeile Anderer Absatz"
    for region in regions:
        assert region.box is not None
        words = [region.text[span.start : span.end] for span in region.words]
        assert words == region.text.split()
        lines = [region.text[span.start : span.end] for span in region.lines]
        assert lines == region.text.split("\n")


def test_the_boxes_of_a_text_layer_lie_on_the_ink(text_pdf):
    """On the upright page and on the turned one: all ink is inside the boxes, none outside."""
    with Source.open([text_pdf]) as source:
        for page in (0, 1):
            image = image_of(source.render(page)).convert("L").point(INK)
            for region in source.text_layer(page):
                for span in region.words:
                    left, top, right, bottom = map(round, span.box)
                    assert image.crop((left, top, right, bottom)).getbbox()
                    image.paste(0, (left, top, right, bottom))
            assert image.getbbox() is None


def test_a_scan_has_no_text_layer(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [PdfPage(GREY)])
    with Source.open([path]) as source:
        assert not source.info.has_text_layer
        assert source.text_layer(0) == ()


@pytest.fixture
def locked_pdf(tmp_path) -> Path:
    plain = make_pdf(tmp_path / "plain.pdf", [PdfPage(GREY)])
    with pymupdf.open(plain) as document:
        document.save(
            tmp_path / "locked.pdf", encryption=AES_256, user_pw="Gänsekiel", owner_pw="o"
        )
    return tmp_path / "locked.pdf"


def test_a_locked_pdf_asks_for_its_password_and_opens_with_it(locked_pdf):
    with pytest.raises(PasswordNeeded) as raised:
        Source.open([locked_pdf])
    assert (raised.value.code, raised.value.parameters["tried"]) == ("password_needed", 0)
    with pytest.raises(PasswordNeeded) as raised:
        Source.open([locked_pdf], password="Federkiel")
    assert (raised.value.code, raised.value.parameters["tried"]) == ("password_wrong", 1)
    with Source.open([locked_pdf], password="Gänsekiel") as source:
        assert source.render(0).data == Image.open(io.BytesIO(GREY)).tobytes()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "source_empty"),
        (b"%PDF-1.7\nnothing of use", "source_damaged"),
        (b"no PDF by far", "source_damaged"),
    ],
)
def test_files_that_are_no_pdf_are_refused_in_words(tmp_path, content, code):
    path = tmp_path / "book.pdf"
    path.write_bytes(content)
    with pytest.raises(SourceError) as raised:
        Source.open([path])
    assert raised.value.code == code
    assert "book.pdf" in str(raised.value)


def test_a_pdf_without_pages_is_empty(tmp_path):
    path = make_pdf(tmp_path / "empty.pdf", [])
    with pytest.raises(SourceError) as raised:
        Source.open([path])
    assert raised.value.code == "source_empty"


def test_a_pdf_that_claims_millions_of_pages_is_refused(tmp_path):
    path = make_pdf(tmp_path / "liar.pdf", [PdfPage(GREY)])
    path.write_bytes(path.read_bytes().replace(b"/Count 1/", b"/Count 99999999/"))
    with pytest.raises(SourceError) as raised:
        Source.open([path])
    assert raised.value.code == "source_damaged"


def test_a_pdf_with_a_broken_cross_reference_is_mended(tmp_path):
    path = make_pdf(tmp_path / "book.pdf", [PdfPage(GREY)])
    path.write_bytes(path.read_bytes().replace(b"startxref", b"startxreF"))
    with Source.open([path]) as source:
        assert source.render(0).width_px == SIZE[0]
