"""A page of a PDF is taken apart only where images are all that it shows."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from app.sources.pdf_parts import pdf_parts
from app.sources.values import PageParts

pytestmark = pytest.mark.unit

mupdf: Any = pymupdf
PLAIN = "q 200 0 0 100 0 0 cm /Im Do Q"


def page_of(content: str, *, more: str = "", image: str = "") -> Any:
    """A page of 200 by 100 points with one image, these orders, and these further resources."""
    document = mupdf.open()
    page = document.new_page(width=200, height=100)
    jpeg = io.BytesIO()
    Image.new("L", (20, 10), 128).save(jpeg, "JPEG")
    xref = add(document, f"<</Type/XObject/Subtype/Image/Width 20/Height 10/BitsPerComponent 8"
               f"/ColorSpace/DeviceGray/Filter/DCTDecode{image}>>", jpeg.getvalue())  # fmt: skip
    form = add(document, "<</Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<<"
               f"/XObject<</In {xref} 0 R>>>>>>", b"q 100 0 0 50 50 25 cm /In Do Q")  # fmt: skip
    document.xref_set_key(
        page.xref, "Resources", f"<</XObject<</Im {xref} 0 R/Fm {form} 0 R>>{more}>>"
    )
    orders = add(document, "<<>>", content.encode("latin-1"))
    document.xref_set_key(page.xref, "Contents", f"{orders} 0 R")
    return mupdf.open(stream=document.tobytes())[0]


def add(document: Any, text: str, data: bytes) -> int:
    xref = document.get_new_xref()
    document.update_object(xref, text)
    document.update_stream(xref, data, compress=False, new=True)
    if "/Filter/DCTDecode" in text:  # `update_stream` takes it away
        document.xref_set_key(xref, "Filter", "/DCTDecode")
    return xref


def parts(content: str, *, archival: bool = False, **more: str) -> PageParts | None:
    return pdf_parts(page_of(content, **more), archival=archival)


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        f"% (a comment\n{PLAIN}",
        f"/Artifact <</MCID 0>> BDC {PLAIN} EMC",
        f"q 0 0 200 100 re W n {PLAIN} Q",
        f"{PLAIN} Q Q",
        f"{PLAIN} BT 3 Tr (old \\) text (Do) BT) Tj [<4142> 3 (x)] TJ ET",
        "200 0 0 100 0 0 cm /Im Do",
    ],
)
def test_an_image_and_nothing_else(content):
    found = parts(content)
    assert found
    assert [place.matrix for place in found.places] == [(200, 0, 0, 100, 0, 0)]
    assert (found.width_pt, found.height_pt) == (200, 100)
    assert (found.objects[0].data or b"").startswith(b"\xff\xd8")


def test_an_image_within_a_form_is_found_in_its_place():
    found = parts("q .5 0 0 .5 10 20 cm /Fm Do Q")
    assert found
    assert found.places[0].matrix == (50, 0, 0, 25, 35, 32.5)


def test_the_colour_of_a_stencil_is_kept():
    found = parts(f"1 0 .25 rg {PLAIN} 0 g")
    assert found
    assert found.places[0].paint == "1 0 0.25 rg"


@pytest.mark.parametrize(
    "content",
    [
        f"{PLAIN} 0 0 10 10 re f",  # a drawing
        f"{PLAIN} BT /Helv 12 Tf (seen) Tj ET",
        f"q 0 0 50 50 re W n {PLAIN} Q",  # a clip that cuts
        f"q 0 0 m 50 50 l 10 9 l h W n {PLAIN} Q",
        "q 200 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q",
        f"/Gs gs {PLAIN}",
        "/Nothing Do",
        "cm /Im Do",
        f"{PLAIN} (never closed",
        "",
    ],
)
def test_a_page_with_more_or_less_is_not_taken_apart(content):
    fonts = "/Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    assert parts(content, more=f"{fonts}/ExtGState<</Gs<</ca .5>>>>") is None


@pytest.mark.parametrize("image", ["/Interpolate true", "/SMask 99 0 R", "/Mask[0 1]"])
def test_what_pdf_a_does_not_allow_is_not_taken_for_it(image):
    assert parts(PLAIN, archival=True)
    assert parts(PLAIN, archival=True, image=image) is None


def test_a_form_that_draws_itself_ends():
    page = page_of("/Fm Do")
    document = page.parent
    (form,) = (x for x in range(1, document.xref_length())
               if document.xref_get_key(x, "Subtype")[1] == "/Form")  # fmt: skip
    document.xref_set_key(form, "Resources", f"<</XObject<</In {form} 0 R>>>>")
    assert pdf_parts(page, archival=False) is None


def test_a_turned_page_is_taken_apart_upright():
    page = page_of(PLAIN)
    page.set_rotation(90)
    found = pdf_parts(page, archival=False)
    assert found
    assert (found.width_pt, found.height_pt) == (100, 200)
    assert found.places[0].matrix == (0, -200, 100, 0, 0, 200)


def test_the_scan_itself_is_never_changed(tmp_path):
    page = page_of(PLAIN)
    path = Path(tmp_path / "a.pdf")
    page.parent.save(path)
    before = path.read_bytes()
    pdf_parts(mupdf.open(path)[0], archival=True)
    assert path.read_bytes() == before
