"""Books that METS files describe, as digital libraries and OCR workflows write them; bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import SourceError
from app.sources.source import Source, SourceKind
from tests.app.make_sources import SIZE, encoded, page_image

pytestmark = pytest.mark.unit

PAGE = encoded(page_image(), "PNG")
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:mods="http://www.loc.gov/mods/v3"'
    ' xmlns:xlink="http://www.w3.org/1999/xlink">'
)
RECORD = """
<mets:dmdSec ID="D"><mets:mdWrap MDTYPE="MODS"><mets:xmlData><mods:mods>
 <mods:titleInfo type="uniform"><mods:title>Other</mods:title></mods:titleInfo>
 <mods:titleInfo><mods:title>Von der
   Buchdruckerey</mods:title></mods:titleInfo>
 <mods:name><mods:displayForm>Ernesti, J. H. G.</mods:displayForm></mods:name>
 <mods:originInfo><mods:dateIssued>1721</mods:dateIssued></mods:originInfo>
 <mods:location><mods:shelfLocator>8 Bibl. 12</mods:shelfLocator></mods:location>
 <mods:language><mods:languageTerm type="code">ger</mods:languageTerm></mods:language>
</mods:mods></mets:xmlData></mets:mdWrap></mets:dmdSec>
"""


def group(use: str, *files: tuple[str, str], kind: str = "image/png") -> str:
    inside = "".join(
        f'<mets:file ID="{name}" MIMETYPE="{kind}"><mets:FLocat LOCTYPE="URL" xlink:href="{href}"/>'
        "</mets:file>"
        for name, href in files
    )
    return f'<mets:fileGrp USE="{use}">{inside}</mets:fileGrp>'


def page(order: int, label: str, *names: str) -> str:
    pointers = "".join(f'<mets:fptr FILEID="{name}"/>' for name in names)
    return f'<mets:div TYPE="page" ORDER="{order}" ORDERLABEL="{label}">{pointers}</mets:div>'


def mets(folder: Path, groups: str, pages: str = "", record: str = "") -> Path:
    """A METS file in a folder that holds a.png and b.png."""
    folder.mkdir(exist_ok=True)
    (folder / "images").mkdir(exist_ok=True)
    for name in ("a.png", "b c.png"):
        (folder / "images" / name).write_bytes(PAGE)
    physical = f'<mets:div TYPE="physSequence">{pages}</mets:div>' if pages else ""
    struct = f'<mets:structMap TYPE="PHYSICAL">{physical}</mets:structMap>' if pages else ""
    text = f"{HEAD}{record}<mets:fileSec>{groups}</mets:fileSec>{struct}</mets:mets>"
    path = folder / "mets.xml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> SourceError:
    with pytest.raises(SourceError) as raised:
        Source.open([path])
    return raised.value


def test_pages_come_in_their_order_with_printed_numbers_and_the_record(tmp_path: Path):
    path = mets(
        tmp_path,
        group("THUMBS", ("T1", "thumbs/1.png"))
        + group("MAX", ("I1", "images/a.png"), ("I2", "images/b%20c.png"))
        + group("FULLTEXT", ("X1", "alto/1.xml"), kind="text/xml"),
        page(2, "xiv", "X1", "I2") + page(1, " - ", "T1", "I1"),
        RECORD,
    )
    with Source.open([path]) as source:
        info = source.info
        assert info.kind is SourceKind.METS
        assert info.names == ("images/a.png", "images/b c.png")
        assert info.labels == ("", "xiv")
        assert info.details.title == "Von der Buchdruckerey"
        assert info.details.author == "Ernesti, J. H. G."
        assert (info.details.year, info.details.shelfmark) == ("1721", "8 Bibl. 12")
        assert info.details.language == "ger"
        for number in range(2):
            raster = source.render(number)
            assert (raster.width_px, raster.height_px) == SIZE


def test_without_a_map_the_largest_group_is_the_book(tmp_path: Path):
    path = mets(
        tmp_path, group("THUMBS", ("T", "t.png")) + group("OCR-D-IMG", ("I", "images/a.png"))
    )
    with Source.open([path]) as source:
        assert source.info.names == ("images/a.png",)


def test_what_is_missing_elsewhere_or_outside_fails_as_one_page(tmp_path: Path):
    (tmp_path / "secret.png").write_bytes(PAGE)
    files = (
        ("A", "images/a.png"),
        ("B", "images/none.png"),
        ("C", "https://example.org/c.png"),
        ("D", "../secret.png"),
        ("E", f"file://{tmp_path}/secret.png"),
    )
    pages = "".join(page(at, "", name) for at, (name, _) in enumerate(files, 1))
    path = mets(tmp_path / "book", group("MASTER", *files), pages)
    with Source.open([path]) as source:
        assert source.render(0).width_px == SIZE[0]
        for number, word in enumerate(("not where", "on a server", "outside", "outside"), 1):
            with pytest.raises(SourceError, match=word):
                source.render(number)
        assert source.render(0).width_px == SIZE[0]


def test_a_book_on_a_server_is_not_fetched(tmp_path: Path):
    path = mets(tmp_path, group("MAX", ("I", "https://example.org/i.png")), page(1, "", "I"))
    error = refused(path)
    assert error.code == "source_remote"
    assert "example.org" in str(error)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{HEAD}</mets:mets>", "source_empty"),
        (f"{HEAD}<mets:fileSec>", "source_damaged"),
        ("<alto xmlns='http://www.loc.gov/standards/alto/ns-v4#'/>", "source_kind_unknown"),
        ("no XML at all", "source_damaged"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path: Path, text: str, code: str):
    path = tmp_path / "book.xml"
    path.write_text(text)
    assert refused(path).code == code


def test_entities_bring_nothing_in(tmp_path: Path):
    (tmp_path / "secret").write_text("SECRET")
    path = mets(tmp_path, group("MAX", ("I", "images/a.png")), page(1, "&x;", "I"))
    text = path.read_text(encoding="utf-8")
    doctype = f'<!DOCTYPE m [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
    path.write_text(text.replace("?>\n", f"?>\n{doctype}", 1).replace('ORDERLABEL="&x;"', ""))
    path.write_text(path.read_text().replace("</mets:fileSec>", "</mets:fileSec>&x;"))
    with Source.open([path]) as source:
        assert "SECRET" not in repr(source.info)
        assert source.info.names == ("images/a.png",)


def test_entities_that_grow_without_end_are_refused(tmp_path: Path):
    entities = '<!ENTITY e0 "xxxxxxxxxx">' + "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)
    )
    path = tmp_path / "book.xml"
    path.write_text(f"<!DOCTYPE m [{entities}]>{HEAD.split(chr(10))[1]}&e11;</mets:mets>")
    assert refused(path).code in {"source_damaged", "source_empty"}
