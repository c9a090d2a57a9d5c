"""DOCX: what pandoc finds in it, what Word asks of its parts, and awkward books."""

from __future__ import annotations

import json
import subprocess
import zipfile
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import docx as python_docx
import pypandoc
import pytest
from docx.oxml.ns import qn

from app.export import docx
from app.export.blocks import Block, Figure, Heading, Inlines, ListBlock, Note, Table
from app.export.document import Document, ExportOptions, build
from app.export.read_back import read_docx
from app.export.wording import block_text, shown
from model.api import Cell, Kind, Style
from tests.export.samples import Leaves, book, leaf, small_book, style, text

pytestmark = pytest.mark.unit

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def written(
    path: Path, leaves: Leaves, options: ExportOptions | None = None, **details: str
) -> Document:
    document = build(book(leaves, **details), lambda: leaves, options or ExportOptions())
    docx.write(document, path)
    return document


def pandoc(path: Path) -> list[dict]:
    order = [pypandoc.get_pandoc_path(), "-f", "docx+styles", "-t", "json", str(path)]
    return json.loads(subprocess.run(order, capture_output=True, check=True).stdout)["blocks"]


def found(node: object, kind: str) -> list[dict]:
    """All nodes of a kind in pandoc's tree, in order."""
    if isinstance(node, dict) and node.get("t") == kind:
        return [node]
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [each for child in children for each in found(child, kind)]


def said(node: object) -> str:
    """The text of a part of pandoc's tree, its notes left out, single spaces."""
    return " ".join("".join(_said(node)).split())


def _said(node: object) -> list[str]:
    if isinstance(node, list):
        return [each for child in node for each in _said(child)]
    if not isinstance(node, dict):
        return []
    match node.get("t"):
        case "Str":
            return [node["c"]]
        case "Space" | "SoftBreak" | "LineBreak":
            return [" "]
        case "Note":
            return []
        case "Para" | "Plain" | "Header":
            return [*_said(node["c"]), " "]
        case _:
            return _said(node.get("c", []))


def words(inlines: Inlines) -> str:
    return " ".join(shown(inlines, "marks").split())


def test_pandoc_finds_every_heading(tmp_path):
    blocks = list(written(tmp_path / "b.docx", small_book()).blocks())
    headings = found(pandoc(tmp_path / "b.docx"), "Header")
    assert [(each["c"][0], said(each["c"][2])) for each in headings] == [
        (block.level, words(block.inlines)) for block in blocks if isinstance(block, Heading)
    ]


def test_pandoc_finds_every_paragraph_in_order(tmp_path):
    blocks = list(written(tmp_path / "b.docx", small_book()).blocks())
    expected = [
        " ".join(line.split())
        for block in blocks
        if not isinstance(block, Heading | Table)
        and not (isinstance(block, Note) and block.is_linked)
        for line in _lines(block)
    ]
    assert paragraphs(pandoc(tmp_path / "b.docx")) == [line for line in expected if line]


def _lines(block: Block) -> list[str]:
    """Paragraphs that a block becomes; the lines of an equation are one."""
    whole = block_text(block, "marks")
    return whole.split("\n") if isinstance(block, ListBlock | Figure) else [whole]


def paragraphs(tree: list[dict]) -> list[str]:
    """Texts of the paragraphs outside of tables and notes; captions go with pandoc's tables."""
    lines: list[str] = []
    for block in tree:
        match block["t"]:
            case "Table":
                lines.append(said(block["c"][1]))
            case "Div":
                lines += paragraphs(block["c"][1])
            case "Para":
                lines.append(said(block))
    return [line for line in lines if line]


def notes(tree: list[dict]) -> list[str]:
    return [said(note["c"]) for note in found(tree, "Note")]


def test_pandoc_finds_every_note_at_its_place(tmp_path):
    blocks = list(written(tmp_path / "b.docx", small_book()).blocks())
    tree = pandoc(tmp_path / "b.docx")
    linked = [
        words(block.inlines) for block in blocks if isinstance(block, Note) and block.is_linked
    ]
    assert notes(tree) == linked
    paragraph = next(each for each in found(tree, "Para") if said(each).startswith("The barrel"))
    assert notes([paragraph]) == ["Not a cask.", "At ten."]


def test_pandoc_finds_every_cell_with_its_spans(tmp_path):
    blocks = list(written(tmp_path / "b.docx", small_book()).blocks())
    tables = found(pandoc(tmp_path / "b.docx"), "Table")
    expected = [
        [[(words(c.inlines), c.row_span, c.column_span) for c in row] for row in block.rows]
        for block in blocks
        if isinstance(block, Table)
    ]
    assert [rows(table) for table in tables] == expected


def rows(table: dict) -> list[list[tuple[str, int, int]]]:
    head, bodies = table["c"][3], table["c"][4]
    every = [*head[1], *(row for body in bodies for row in (*body[2], *body[3]))]
    return [[(said(cell[4]), cell[2], cell[3]) for cell in row[1]] for row in every]


def test_pandoc_finds_the_styles(tmp_path):
    printed = "it bo sc up lo sp"
    names = ["italic", "bold", "small_caps", "superscript", "subscript"]
    styles = tuple(Style(3 * n, 3 * n + 2, name) for n, name in enumerate(names))  # type: ignore[arg-type]
    written(tmp_path / "b.docx", [leaf(0, text(printed, styles=styles))])
    tree = pandoc(tmp_path / "b.docx")
    kinds = ["Emph", "Strong", "SmallCaps", "Superscript", "Subscript"]
    assert [said(found(tree, kind)[0]) for kind in kinds] == printed.split()[:5]


def test_a_note_mark_in_italics_is_one_reference(tmp_path):
    body = text("A cask* stood", styles=(style("A cask* stood", "cask*", "italic"),))
    written(tmp_path / "b.docx", [leaf(0, body, text("* so", kind=Kind.NOTE))])
    assert notes(pandoc(tmp_path / "b.docx")) == ["so"]


def parts(path: Path) -> dict[str, ElementTree.Element]:
    with zipfile.ZipFile(path) as package:
        return {
            name: ElementTree.fromstring(package.read(name))
            for name in package.namelist()
            if name.endswith((".xml", ".rels"))
        }


@pytest.fixture
def small(tmp_path) -> dict[str, ElementTree.Element]:
    options = ExportOptions(doubts_as_comments=True, page_marks="breaks")
    written(tmp_path / "b.docx", small_book(), options, title="A History", language="en")
    return parts(tmp_path / "b.docx")


def test_every_relationship_and_content_type_has_its_part(small):
    types = {o.get("PartName") for o in small["[Content_Types].xml"] if o.get("PartName")}
    assert "/word/footnotes.xml" in types
    assert "/word/comments.xml" in types
    for name, rels in small.items():
        if name.endswith(".rels"):
            base = Path("/" + name).parent.parent
            targets = {str(base / rel.get("Target")).lstrip("/") for rel in rels}
            assert targets <= set(small)


def test_footnotes_have_separators_and_every_reference_its_note(small):
    notes_part, body = small["word/footnotes.xml"], small["word/document.xml"]
    kinds = {note.get(f"{W}id"): note.get(f"{W}type") for note in notes_part}
    assert kinds.pop("-1") == "separator"
    assert kinds.pop("0") == "continuationSeparator"
    referred = [ref.get(f"{W}id") for ref in body.iter(f"{W}footnoteReference")]
    assert sorted(kinds) == sorted(referred)
    assert len(referred) == len(set(referred)) == 3
    settings = small["word/settings.xml"]
    named = [note.get(f"{W}id") for note in settings.find(f"{W}footnotePr")]
    assert named == ["-1", "0"]
    order = [child.tag for child in settings]
    assert order.index(f"{W}footnotePr") < order.index(f"{W}compat")


def test_every_style_that_is_named_is_defined_once(small):
    defined = [each.get(f"{W}styleId") for each in small["word/styles.xml"].iter(f"{W}style")]
    assert len(defined) == len(set(defined))
    named = {
        element.get(f"{W}val")
        for part in small.values()
        for tag in ("pStyle", "rStyle", "tblStyle", "basedOn")
        for element in part.iter(f"{W}{tag}")
    }
    assert named <= set(defined)


# The order in which Word wants what is used here (ECMA-376, wml.xsd).
ORDERS = {
    "pPr": ["pStyle", "keepNext", "keepLines", "pageBreakBefore", "tabs", "bidi", "spacing", "ind",
            "jc", "outlineLvl"],
    "rPr": ["rStyle", "rFonts", "b", "bCs", "i", "iCs", "smallCaps", "color", "spacing", "sz",
            "szCs", "vertAlign", "rtl", "lang"],
    "tblPr": ["tblStyle", "bidiVisual", "tblW"],
    "tcPr": ["tcW", "gridSpan", "vMerge"],
}  # fmt: skip


@pytest.mark.parametrize("holder", ORDERS)
def test_properties_stand_in_the_order_of_the_schema(small, holder):
    order = [f"{W}{name}" for name in ORDERS[holder]]
    seen = 0
    for name in ("word/document.xml", "word/footnotes.xml", "word/comments.xml"):
        for properties in small[name].iter(f"{W}{holder}"):
            tags = [child.tag for child in properties]
            assert tags == sorted(tags, key=order.index)
            seen += 1
    assert seen


def test_every_cell_has_a_paragraph_and_tables_do_not_touch(small):
    body = small["word/document.xml"][0]
    assert all(cell[-1].tag == f"{W}p" for cell in body.iter(f"{W}tc"))
    tags = [child.tag for child in body]
    assert tags[-1] == f"{W}sectPr"
    assert all(following == f"{W}p" for tag, following in pairwise(tags) if tag == f"{W}tbl")


def test_comments_begin_end_and_are_referred_to(small):
    body = small["word/document.xml"]
    ids = [
        [each.get(f"{W}id") for each in body.iter(f"{W}{tag}")]
        for tag in ("commentRangeStart", "commentRangeEnd", "commentReference")
    ]
    assert ids == [["0"]] * 3
    (comment,) = small["word/comments.xml"]
    assert "0.41" in "".join(comment.itertext())


def test_pages_are_bookmarks_with_scan_and_printed_number(tmp_path):
    written(tmp_path / "b.docx", small_book())
    body = parts(tmp_path / "b.docx")["word/document.xml"]
    marks = list(body.iter(f"{W}bookmarkStart"))
    assert [mark.get(f"{W}name") for mark in marks] == [f"p{n}" for n in range(1, 13)]
    assert len({mark.get(f"{W}id") for mark in marks}) == 12
    assert "[p. iv, scan 8]" in "".join(body.itertext())


def test_breaks_begin_a_new_page_for_each_page_but_the_first(small):
    body = small["word/document.xml"]
    before = len(list(body.iter(f"{W}pageBreakBefore")))
    within = [br for br in body.iter(f"{W}br") if br.get(f"{W}type") == "page"]
    assert before + len(within) == 11
    assert len(within) == 2


def test_properties_tell_details_and_provenance(tmp_path):
    details = {"title": "Ä" * 300, "author": "J. Smith", "language": "de", "shelfmark": "X 1"}
    written(tmp_path / "b.docx", small_book(), None, **details)
    core = python_docx.Document(str(tmp_path / "b.docx")).core_properties
    assert core.title == "Ä" * 255
    assert (core.author, core.language, core.identifier) == ("J. Smith", "de", "X 1")
    assert "proofread 1" in core.comments
    assert "checkpoint 0123456789abcdef" in core.comments
    assert len(core.comments) > 255


@pytest.mark.parametrize("language", ["", "German", 'x" y="z'])
def test_a_language_that_is_none_is_not_told(tmp_path, language):
    written(tmp_path / "b.docx", small_book(), None, language=language)
    lang = parts(tmp_path / "b.docx")["word/styles.xml"].find(f".//{W}docDefaults//{W}lang")
    assert lang is not None
    assert lang.get(f"{W}val") == "x-none"


def test_right_to_left_books_run_from_right_to_left(tmp_path):
    leaves = [
        leaf(0, text("שלום עולם* abc"), text("* הערה", kind=Kind.NOTE)),
        leaf(1, text(kind=Kind.TABLE, rows=((Cell("אב"), Cell("גד")),))),
    ]
    written(tmp_path / "b.docx", leaves, None, direction="rtl", language="he")
    small = parts(tmp_path / "b.docx")
    body = small["word/document.xml"]
    for paragraph in body.iter(f"{W}p"):
        is_mark = "scan" in "".join(paragraph.itertext())
        assert (paragraph.find(f"{W}pPr/{W}bidi") is not None) is not is_mark
    assert small["word/footnotes.xml"][-1].find(f".//{W}bidi") is not None
    runs = {"".join(r.itertext()): r.find(f"{W}rPr/{W}rtl") is not None for r in body.iter(f"{W}r")}
    assert runs["שלום עולם"]
    assert not runs["[scan 1]"]
    assert next(body.iter(f"{W}bidiVisual")) is not None
    assert notes(pandoc(tmp_path / "b.docx")) == ["הערה"]


def test_letters_that_xml_forbids_are_left_out_and_astral_ones_kept(tmp_path):
    forbidden = "a\x00b\x08c\x0bd\x1fe\ud800f\ufffeg\uffffh\x7fi"
    page = leaf(
        0,
        text(forbidden + "𝔘𝔫𝔦\U0001f37a", kind=Kind.HEADING),
        text(kind=Kind.TABLE, rows=((Cell(forbidden),),)),
        label="i\x00v",
    )
    written(tmp_path / "b.docx", [page], None, title="T\x00itle", notes="\ud800")
    tree = pandoc(tmp_path / "b.docx")
    assert said(found(tree, "Header")[0]) == "abc defghi𝔘𝔫𝔦\U0001f37a"
    assert said(found(tree, "Table")[0]).replace(" ", "") == "abcdefghi"
    assert "[p. iv, scan 1]" in said(tree)


def test_a_large_table_keeps_its_spans(tmp_path):
    wide = [Cell("a", 2, 2), *(Cell(f"c{n}") for n in range(5))]
    last = tuple(Cell(f"d{n}") for n in range(7))
    grid = (*(tuple(row) for _n in range(100) for row in (wide, wide[1:])), last)
    written(tmp_path / "b.docx", [leaf(0, text(kind=Kind.TABLE, rows=grid))])
    (table,) = found(pandoc(tmp_path / "b.docx"), "Table")
    assert [len(row) for row in rows(table)] == [6, 5] * 100 + [7]
    assert {row[0] for row in rows(table)[:-1:2]} == {("a", 2, 2)}


def test_a_table_too_wide_for_word_keeps_its_words(tmp_path):
    row = tuple(Cell(f"c{n}") for n in range(80))
    written(tmp_path / "b.docx", [leaf(0, text(kind=Kind.TABLE, rows=(row, row)))])
    tree = pandoc(tmp_path / "b.docx")
    assert not found(tree, "Table")
    assert said(tree).split().count("c79") == 2


def test_bare_document_is_valid(tmp_path):
    written(tmp_path / "b.docx", [leaf(0, text(kind=Kind.TABLE, rows=((Cell("x"),),)))])
    assert read_docx(tmp_path / "b.docx").pages == [0]
    last = python_docx.Document(str(tmp_path / "b.docx")).element.body[-2]
    assert last.tag == qn("w:p")
