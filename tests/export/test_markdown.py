"""Markdown: committed files, and text that reads back as it was written, in several readers."""

from __future__ import annotations

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.book import PageState
from app.export import markdown
from app.export.document import ExportOptions, build
from model.api import Cell, Kind, Style
from tests.export.samples import Leaves, book, leaf, small_book, text

pytestmark = pytest.mark.unit

EXPECTED = Path(__file__).with_name("expected")
DETAILS: dict[str, str] = {"title": 'A "History"\n: of beer', "author": "J. Smith", "year": "1871"}
AWKWARD = "\\`*_[]<>~|$^{}&#+-=:%!().1aI \"'@;\u00a0\u2028ſé天א𝔘/"
READER = MarkdownIt("commonmark").enable("table").enable("strikethrough")


def written(
    path: Path, leaves: Leaves, options: ExportOptions | None = None, **details: str
) -> str:
    document = build(book(leaves, **details), lambda: leaves, options or ExportOptions())
    markdown.write(document, path)
    return path.read_text("utf-8")


def body(markdown_text: str) -> str:
    return markdown_text.split("\n---\n", 1)[1]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("marks", ExportOptions()),
        ("breaks", ExportOptions(page_marks="breaks", doubts_as_comments=True)),
        (
            "plain",
            ExportOptions(
                page_marks="none",
                running_heads=True,
                join_hyphens=False,
                states=frozenset({PageState.READ}),
            ),
        ),
    ],
)
def test_small_book_is_written_as_committed(tmp_path, name, options):
    found = written(tmp_path / "book.md", small_book(), options, language="en", **DETAILS)
    undated = re.sub(r"exported: .*", "exported: DATE", found)
    undated = re.sub(r"Incunable [\w.]+", "Incunable VERSION", undated)
    assert undated == (EXPECTED / f"{name}.md").read_text("utf-8")


def test_front_matter_is_yaml_that_says_where_the_text_comes_from(tmp_path):
    awkward = "yes: #no\u2028 {x} 'q' \x85\x00"
    found = written(tmp_path / "b.md", small_book(), None, **DETAILS, notes=awkward)
    front = yaml.safe_load(found.split("\n---\n")[0].removeprefix("---"))
    assert front["title"] == 'A "History" : of beer'
    assert front["notes"] == "yes: #no {x} 'q'"
    assert front["transcript"]["pages"] == 12
    assert front["transcript"]["pages-by-state"]["failed"] == 1
    assert front["transcript"]["engines"] == {
        "line-reader 3.10.0, lines, checkpoint 0123456789abcdef": 8
    }


def test_labels_of_notes_and_anchors_of_pages_are_unique(tmp_path):
    page = (text("A* b† c*"), text("* one", "† two", "* three", kind=Kind.NOTE))
    found = written(tmp_path / "b.md", [leaf(number, *page) for number in range(3)])
    defined = re.findall(r"^\[(\^p\d+-\d+)\]: ", found, re.MULTILINE)
    assert len(defined) == len(set(defined)) == 9
    assert all(found.count(f"[{label}]") == 2 for label in defined)
    assert re.findall(r'<a id="(.*?)"></a>', found) == ["p1", "p2", "p3"]


def blocks_of(markdown_text: str) -> list[tuple[str, str]]:
    """Kind and text of each leaf block as markdown-it reads it."""
    opened, found = [], []
    for token in READER.parse(body(markdown_text)):
        if token.type == "inline":
            found.append((opened[-1], text_of(token)))
        elif token.nesting == 1:
            opened.append(token.tag)
        elif token.type not in {"html_block", "hr"} and token.nesting == 0:
            found.append((token.type, token.content))
    return found


def text_of(token: Any) -> str:
    shown: dict[str, str] = {"softbreak": "\n", "hardbreak": "\n", "html_inline": ""}
    return "".join(
        str(shown.get(child.type, child.content))
        for child in token.children or ()
        if child.type not in {"em_open", "em_close", "strong_open", "strong_close"}
    )


LINE = st.text(st.sampled_from(AWKWARD) | st.characters(codec="utf-8"), min_size=1, max_size=40)


def printed(line: str) -> str:
    """What is left of a line once controls and wide spaces are gone."""
    kept = re.sub("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufeff\ufffe\uffff]", "", line)
    lines = (re.sub(r"[ \t]+", " ", part).strip() for part in re.split(BREAKS, kept))
    return "\n".join(part for part in lines if part)


BREAKS = "[\n\r\x0b\x0c\x85\u2028\u2029]+"


@settings(max_examples=300, deadline=None)
@given(LINE, LINE)
def test_any_text_reads_back_as_it_was(tmp_path_factory, line, cell):
    one_line, kept = printed(line).replace("\n", " "), printed(line)
    leaves = [
        leaf(
            0,
            text(line, kind=Kind.HEADING),
            text(line, kind=Kind.EQUATION),
            text(kind=Kind.TABLE, rows=((Cell(cell), Cell("x")),)),
            text(kind=Kind.TABLE, rows=((Cell(line, 1, 2),), (Cell("y"), Cell("z")))),
        )
    ]
    options = ExportOptions(page_marks="none", join_hyphens=False)
    found = written(tmp_path_factory.mktemp("md") / "b.md", leaves, options)
    expected = [("p", "")]
    expected += [("h2", one_line)] if one_line else []
    expected += [("p", part) for part in [kept] if part]
    expected += [("th", ""), ("th", ""), ("td", printed(cell).replace("\n", "")), ("td", "x")]
    expected += [("p", kept)] if kept else []
    expected += [("p", "y"), ("p", "z")]
    assert blocks_of(found) == expected


STYLES = st.lists(
    st.builds(
        Style,
        st.integers(0, 20),
        st.integers(0, 20),
        st.sampled_from(["italic", "bold", "superscript", "small_caps"]),
    ),
    max_size=4,
)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab .,*-“é天\u0301"), min_size=1, max_size=20), STYLES)
def test_styles_change_no_letter_and_hold_for_theirs(tmp_path_factory, line, styles):
    page = leaf(0, text(line, kind=Kind.EQUATION, styles=tuple(styles)), text("so."))
    options = ExportOptions(page_marks="none")
    found = written(tmp_path_factory.mktemp("md") / "b.md", [page], options)
    kept = re.sub(" +", " ", line).strip()
    assert blocks_of(found) == [("p", ""), *([("p", kept)] if kept else []), ("p", "so.")]
    assert italics(found) == expected_italics(line, styles)


def italics(markdown_text: str) -> str:
    """All letters set in italics, by stars or by tags."""
    depth, letters = 0, []
    for token in READER.parse(body(markdown_text)):
        for child in token.children or ():
            if child.type == "em_open" or child.content == "<em>":
                depth += 1
            elif child.type == "em_close" or child.content == "</em>":
                depth -= 1
            elif depth and child.type == "text":
                letters.append(child.content)
    return "".join("".join(letters).split())


def expected_italics(line: str, styles: list[Style]) -> str:
    spans = [style for style in styles if style.name == "italic"]
    return "".join(
        letter
        for at, letter in enumerate(line)
        if not letter.isspace() and any(span.start <= at < span.end for span in spans)
    )


def pandoc_words(markdown_text: str, reader: str) -> str:
    """All the text that pandoc finds, without spaces."""
    pandoc = pypandoc.get_pandoc_path()
    order = [pandoc, "-f", reader, "-t", "json"]
    tree = subprocess.run(order, input=markdown_text.encode(), capture_output=True, check=True)
    return "".join(strings(json.loads(tree.stdout)["blocks"]))


def strings(node: object) -> list[str]:
    if isinstance(node, list):
        return [each for child in node for each in strings(child)]
    if isinstance(node, dict):
        match node.get("t"):
            case "Str":
                return [node["c"]]
            case "RawInline" | "RawBlock":
                return []
            case "Code" | "Math" | "CodeBlock":
                return [str(node)]  # a sign that text was taken for something else
            case _:
                return strings(node.get("c", []))
    return []


@pytest.mark.parametrize("reader", ["gfm", "markdown-smart-citations-example_lists"])
def test_pandoc_reads_every_letter_of_awkward_text(tmp_path, reader):
    chance = random.Random(7)
    lines = ["".join(chance.choices(AWKWARD, k=chance.randint(1, 30))) for _ in range(400)]
    lines += ["1. a", "a) b", "IV. c", "(1) d", "# e", "- f", "> g", ": h", "% i", "=== ", "---"]
    regions = [text(line, kind=Kind.EQUATION) for line in lines if printed(line)]
    options = ExportOptions(page_marks="none")
    found = written(tmp_path / "b.md", [leaf(0, *regions)], options)
    expected = "".join("".join(map(printed, lines)).split())
    assert "".join(pandoc_words(body(found), reader).split()) == expected


def test_pandoc_finds_notes_tables_and_the_words_of_spanned_cells(tmp_path):
    found = written(tmp_path / "b.md", small_book())
    tree = json.loads(pypandoc.convert_text(found, "json", format="markdown"))
    flat = json.dumps(tree)
    assert flat.count('"t": "Note"') == 3
    assert flat.count('"t": "Table"') == 1
    assert {"Year", "wine", "barrel", "known"} <= set(strings(tree["blocks"]))


def test_a_word_is_not_broken_by_the_mark_of_a_page(tmp_path):
    found = written(tmp_path / "b.md", [leaf(0, text("a bar-")), leaf(1, text("rel too."))])
    assert 'a barrel <a id="p2"></a>\\[scan 2\\] too.' in found
